/**
 * Thousands of concurrent withdrawals and transfers of the same money, with kills in between. No
 * more money leaves than came in.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CHAIN_FILE } from '../../src/app/chains/chain-file.ts';
import {
  type Answer,
  endAll,
  type Server,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from './server.ts';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ROUNDS = 4;
const REQUESTS_PER_ROUND = 500;
/** The deposit of each user at the start of a round. */
const DEPOSIT = 2_000;
const FLAGS = ['--world', 'empty', '--market', 'off', '--limits', 'off'];

afterAll(endAll);

type Person = Omit<UserCredentials, 'name'>;

interface Request {
  readonly from: Person;
  readonly body: Readonly<Record<string, string>>;
}

/** Whole units, so that sums are exact as numbers. */
interface Move {
  readonly orderId: string;
  readonly clientOid: string;
  readonly size: string;
  readonly fee: string;
  readonly status: string;
  readonly dest: string;
  readonly recordId: string;
}

const PATH = '/api/v3/account/withdrawal';

async function person(server: Server): Promise<Person> {
  const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', {});
  return {
    uid,
    ...(await server.operate<Omit<Person, 'uid'>>('POST', '/operator/v1/keys', { uid })),
  };
}

/** A pseudo-random number below a bound. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** All users request more than they have, and every fifth request repeats an earlier one. */
function requests(
  people: readonly Person[],
  round: number,
  throwDice: (below: number) => number,
): readonly Request[] {
  const made: Request[] = [];
  for (let at = 0; at < REQUESTS_PER_ROUND; at++) {
    const again = made[throwDice(made.length || 1)];
    if (again !== undefined && at % 5 === 4) {
      made.push(again);
      continue;
    }
    const from = people[throwDice(people.length)]!;
    const to = people[throwDice(people.length)]!;
    const body = { coin: 'USDT', clientOid: `${round}-${at}`, size: String(10 + throwDice(90)) };
    const isOut = throwDice(2) === 0 || to === from;
    const way = isOut
      ? { transferType: 'on_chain', chain: 'TRC20', address: TRON }
      : { transferType: 'internal_transfer', address: to.uid };
    made.push({ from, body: { ...body, ...way } });
  }
  return made;
}

/** The answer of each named request; a second answer must equal the first. */
class Answers {
  readonly emitted = new Map<string, string>();
  readonly refused = new Map<string, number>();
  unknown: Request[] = [];

  take(request: Request, answer: Answer<{ orderId: string }>): void {
    if (answer.code === '40010' || answer.code === '40015') {
      this.unknown.push(request);
      return;
    }
    if (answer.code !== '00000') {
      this.refused.set(answer.code, (this.refused.get(answer.code) ?? 0) + 1);
      return;
    }
    const name = `${request.from.uid}:${request.body.clientOid}`;
    expect(this.emitted.get(name) ?? answer.data.orderId).toBe(answer.data.orderId);
    this.emitted.set(name, answer.data.orderId);
  }

  async send(server: Server, list: readonly Request[], killAfter?: number): Promise<void> {
    let answered = 0;
    const all = list.map(async (request) => {
      try {
        this.take(request, await server.call(request.from, 'POST', PATH, request.body));
      } catch {
        this.unknown.push(request);
      }
      answered++;
      if (answered === killAfter) await server.end('SIGKILL');
    });
    await Promise.all(all);
  }
}

/** All pages of a list. */
async function all<Row extends { readonly orderId: string }>(
  server: Server,
  who: Person,
  list: string,
): Promise<Row[]> {
  const { now } = await server.operate<{ now: string }>('GET', '/operator/v1/clock');
  const rows: Row[] = [];
  for (let cursor = ''; ; cursor = `&cursor=${rows.at(-1)!.orderId}`) {
    const span = `startTime=${Number(now) - 80_000_000}&endTime=${now}`;
    const target = `/api/v3/account/${list}?${span}&limit=100${cursor}`;
    const { data } = await server.call<Row[]>(who, 'GET', target);
    rows.push(...data);
    if (data.length < 100) return rows;
  }
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

interface Account {
  readonly balances: readonly {
    readonly coin: string;
    readonly available: string;
    readonly locked: string;
  }[];
}

async function checkPerson(
  server: Server,
  who: Person,
  answers: Answers,
): Promise<{ total: number; out: number }> {
  const out = await all<Move>(server, who, 'withdrawal-records');
  const into = await all<Move>(server, who, 'deposit-records');
  const own = [...answers.emitted].filter(([name]) => name.startsWith(`${who.uid}:`));
  // Each name occurs once, and everything acknowledged has the order id of its answer.
  expect(new Set(out.map(({ clientOid }) => clientOid)).size).toBe(out.length);
  const byName = new Map(out.map(({ clientOid, orderId }) => [`${who.uid}:${clientOid}`, orderId]));
  for (const [name, orderId] of own) expect([name, byName.get(name)]).toEqual([name, orderId]);
  const left = out.filter(({ status }) => status !== 'fail');
  const { balances } = await server.operate<Account>('GET', `/operator/v1/users/${who.uid}`);
  const usdt = balances.find(({ coin }) => coin === 'USDT') ?? { available: '0', locked: '0' };
  const pending = out.filter(({ status }) => status === 'pending');
  const total =
    sum(into.map(({ size }) => Number(size))) - sum(left.map(({ size }) => Number(size)));
  // Records and ledger agree.
  expect([Number(usdt.available), Number(usdt.locked)]).toEqual([
    total,
    sum(pending.map(({ size }) => Number(size))),
  ]);
  const chained = left.filter(({ dest }) => dest === 'on_chain');
  return { total: total + Number(usdt.locked), out: sum(chained.map(({ size }) => Number(size))) };
}

test('[WDR-03][WDR-20][WDR-38] INC-race-withdraw, INC-race-internal-transfer: no double spend', {
  timeout: 300_000,
}, async () => {
  const folder = temporaryFolder();
  let server = await startServer({ folder, flags: FLAGS });
  const people = [await person(server), await person(server), await person(server)];
  const answers = new Answers();
  const throwDice = dice(20_261_115);

  for (let round = 0; round < ROUNDS; round++) {
    for (const { uid } of people)
      await server.operate('POST', '/operator/v1/deposits', {
        uid,
        coin: 'USDT',
        size: String(DEPOSIT),
      });
    const list = requests(people, round, throwDice);
    await answers.send(server, list, 1 + throwDice(REQUESTS_PER_ROUND));
    await server.end('SIGKILL');
    server = await startServer({ folder, flags: FLAGS });
    // Repeats the requests without an answer, and some of the others.
    const again = [...answers.unknown, ...list.filter((_, at) => at % 7 === 0)];
    answers.unknown = [];
    await answers.send(server, again);
    expect(answers.unknown).toEqual([]);
  }
  for (let minutes = 0; minutes < 3; minutes++)
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '120000' });

  const sums = [];
  for (const who of people) sums.push(await checkPerson(server, who, answers));
  const out = sum(sums.map((each) => each.out));
  const broughtIn = people.length * DEPOSIT * ROUNDS;
  expect(sum(sums.map(({ total }) => total)) + out).toBe(broughtIn);
  expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({
    ok: true,
    violations: [],
  });

  const lines = readFileSync(join(folder, CHAIN_FILE), 'utf8').trim().split('\n');
  const chain = lines.map(
    (line) => JSON.parse(line) as { orderId: number; fate: string; amount: string },
  );
  const sent = chain.filter(({ fate }) => fate === 'sent');
  expect(new Set(chain.map(({ orderId }) => orderId)).size).toBe(chain.length);
  // Each sent order paid a fee of one.
  expect(sum(sent.map(({ amount }) => Number(amount) + 1))).toBe(out);
  expect(out).toBeLessThanOrEqual(broughtIn);
  // Proves that it was a race: many requests were refused, and both kinds succeeded.
  expect(answers.refused.get('43012') ?? 0).toBeGreaterThan(100);
  expect(sent.length).toBeGreaterThan(50);
  await server.end('SIGTERM');
});
