/**
 * What must hold after a crash: everything acknowledged exists exactly once, and all sums are
 * right.
 */
import { type Load, sendDeposit } from './kill-load.ts';
import { type Customer, type Deposit, KillFailure } from './kill-model.ts';
import { runVerb, type Server } from './server.ts';

interface Line {
  readonly id: string;
  readonly coin: string;
  readonly account: string;
  readonly amount: string;
  readonly balance: string;
}
interface User {
  readonly email: string | null;
  readonly settings: {
    readonly symbolConfigList: readonly {
      readonly category: string;
      readonly symbol: string;
      readonly leverage: string;
    }[];
  };
  readonly balances: readonly {
    readonly coin: string;
    readonly available: string;
    readonly equity: string;
  }[];
}
interface Audit {
  readonly ok: boolean;
  readonly coins: readonly { readonly coin: string; readonly difference: string }[];
  readonly violations: readonly string[];
}

const PAGE = 1_000;
const DECIMALS = 10;
/** Another user has this contact, so the first attempt did arrive. */
const DUPLICATE_CONTACT = '40057';
/** Number of repeats and keys tried after each crash. */
const SAMPLE = 4;

function check(claim: boolean, text: () => string): asserts claim {
  if (!claim) throw new KillFailure(text());
}

const units = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
};

async function linesOf(server: Server, uid: string): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const last = lines.at(-1);
    const before = last === undefined ? '' : `&idLessThan=${last.id}`;
    const page = await server.operate<readonly Line[]>(
      'GET',
      `/operator/v1/ledger?uid=${uid}&limit=${PAGE}${before}`,
    );
    lines.push(...page);
    if (page.length < PAGE) return lines;
  }
}

function settleDeposit(deposit: Deposit, times: number): void {
  const { size, uid, clientOid, state } = deposit;
  const named = clientOid === undefined ? '' : ` (${clientOid})`;
  const input = `the deposit of ${size} for ${uid}${named}`;
  check(times <= 1, () => `${input} was credited ${times} times`);
  check(times === 1 || state !== 'present', () => `${input} was acknowledged and is missing`);
  check(
    times === 0 || state !== 'absent',
    () => `${input} was not there after an earlier crash and is there now`,
  );
  deposit.state = times === 1 ? 'present' : 'absent';
}

/** Compares ledger lines with the requested deposits and with the balances. */
async function checkCustomer({ model, server }: Load, customer: Customer): Promise<void> {
  const { uid, email, deposits } = customer;
  const [lines, user] = await Promise.all([
    linesOf(server, uid),
    server.operate<User>('GET', `/operator/v1/users/${uid}`),
  ]);
  const times = new Map<Deposit, number>();
  const sums = new Map<string, bigint>();
  const newest = new Map<string, string>();
  for (const { coin, amount, balance } of lines) {
    const deposit = model.bySize.get(amount);
    check(
      deposit !== undefined && deposit.uid === uid && deposit.coin === coin,
      () => `${uid} was credited ${amount} ${coin}, without a request`,
    );
    times.set(deposit, (times.get(deposit) ?? 0) + 1);
    sums.set(coin, (sums.get(coin) ?? 0n) + units(amount));
    if (!newest.has(coin)) newest.set(coin, balance);
  }
  for (const deposit of deposits) settleDeposit(deposit, times.get(deposit) ?? 0);
  for (const { coin, available, equity } of user.balances) {
    const sum = sums.get(coin) ?? 0n;
    check(
      units(equity) === sum && units(available) === sum,
      () => `${uid} has ${equity} ${coin}, but its ledger lines sum to ${sum} units`,
    );
    check(
      sum === 0n || newest.get(coin) === available,
      () => `the newest line of ${uid} says ${newest.get(coin)} ${coin}, the balance ${available}`,
    );
    sums.delete(coin);
  }
  check(
    sums.size === 0,
    () => `${uid} has ledger lines in ${[...sums.keys()].join(', ')} and no balance`,
  );
  check(user.email === email, () => `${uid} is ${user.email}, not ${email}`);
  checkLeverage(customer, user);
}

function checkLeverage(customer: Customer, { settings }: User): void {
  const config = settings.symbolConfigList.find(
    ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT',
  );
  const actual = config?.leverage ?? '';
  const { uid, leverage, leveragesAsked } = customer;
  check(
    actual === leverage || leveragesAsked.includes(actual),
    () =>
      `${uid} has leverage ${actual}; ${leverage} was acknowledged, ${leveragesAsked.join(' and ')} asked for since`,
  );
  customer.leverage = actual;
  customer.leveragesAsked = [];
  customer.leverageBusy = false;
}

export async function checkCustomers(load: Load, customers: readonly Customer[]): Promise<void> {
  for (const customer of customers) await checkCustomer(load, customer);
  const audit = await load.server.operate<Audit>('GET', '/operator/v1/audit');
  check(
    audit.ok && audit.violations.length === 0,
    () => `the audit reports ${audit.violations.join('; ')}`,
  );
  for (const { coin, difference } of audit.coins)
    check(difference === '0', () => `the sum of all ${coin} is off by ${difference}`);
}

/** Repeats requests with an unknown outcome; each must take effect at most once. */
export async function checkRepeats(load: Load): Promise<void> {
  const { model, server } = load;
  for (const email of model.usersUnknown) {
    const { code, data } = await server.operator<{ uid: string }>('POST', '/operator/v1/users', {
      email,
    });
    check(
      code === '00000' || code === DUPLICATE_CONTACT,
      () => `a repeated user creation was answered ${code}`,
    );
    if (code === '00000') model.addCustomer(data.uid, email);
  }
  model.usersUnknown.clear();
  for (const customer of model.active) {
    for (let n = 0; n < SAMPLE; n++) {
      const deposit = model.namedDeposit(customer);
      if (deposit !== undefined) await sendDeposit(load, deposit);
    }
    for (const keys of customer.keys.slice(-SAMPLE)) {
      const { code, msg } = await server.call(keys, 'GET', '/api/v3/account/settings');
      check(
        code === '00000',
        () => `an acknowledged key of ${customer.uid} is answered ${code} ${msg}`,
      );
    }
  }
  check(!load.stopped, () => 'the server ended during the checks');
}

const REPLAYED = /to sequence (\d+) in [\d.]+ s\nstateHash ([0-9a-f]+)\n$/;

export interface Replayed {
  readonly sequence: number;
  readonly stateHash: string;
}

/** The result of a replay; the folder must not be in use. */
export async function replayFolder(folder: string): Promise<Replayed> {
  const { code, output, errors } = await runVerb('replay', '--data', folder);
  const [, sequence, stateHash = ''] = REPLAYED.exec(output) ?? [];
  check(
    code === 0 && sequence !== undefined,
    () => `the folder cannot be replayed: ${output}${errors}`,
  );
  return { sequence: Number(sequence), stateHash };
}

/** A start continues at the end of the journal. Only work that became due meanwhile may follow. */
export async function checkReplayed(server: Server, replayed: Replayed): Promise<void> {
  const { stateHashSequence: sequence, stateHash } = await server.health();
  check(
    sequence >= replayed.sequence,
    () => `the server is at ${sequence}, the journal at ${replayed.sequence}`,
  );
  check(
    sequence > replayed.sequence || stateHash === replayed.stateHash,
    () => `at ${sequence} the server has ${stateHash}, a replay ${replayed.stateHash}`,
  );
}
