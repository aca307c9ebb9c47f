/** Orders from signature to disk over HTTP: the exchange against a server that only checks the signature and reads the JSON, in turns. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DEMO_HEDGED } from '../../src/app/world/demo-copying.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { type Server, startServer, temporaryFolder, type UserCredentials } from '../../test/programme/server.ts';
import type { LoadResult, LoadTask } from '../http/load-client.ts';
import type { RawPorts, RawTask } from '../http/raw-server.ts';
import { expectRefused } from '../http/refusals.ts';
import { Child, CLIENT_CORE, onCore, SERVER_CORE } from '../pinned.ts';
import { type Measured, median } from '../rows.ts';
import { BATCHES, type RequestKind, requestTexts, SINGLES } from './order-requests.ts';

export interface SignedOrdersOptions {
  readonly repetitions: number;
  readonly measureMs: number;
}

const CONNECTIONS = 64;
const WARM_UP_MS = 700;
/** Until what is hot is compiled, once for each kind of request. */
const COMPILE_MS = 3_000;
/** Of the server that does next to nothing: it does not mind the same request twice. */
const RAW_REQUESTS = 100;
/** We are not that much faster than a server that does next to nothing. */
const HEADROOM = 1.2;
/** Ticks of the clock are commands too, and the last trade may be outstanding. */
const MOSTLY = 0.95;
const DEPOSIT = '10000000';
/** The server has stored its history when it has used no processor time for this long. */
const IDLE_MS = 300;
const IDLE_CPU_SECONDS = 0.03;
const DRAIN_MS_MAX = 20_000;
/** The kernel counts processor time in these. */
const TICKS_PER_SECOND = 100;
/** The client is not what limits the figures below this share of its core. */
const CLIENT_CPU_MAX = 0.85;

interface Placed {
  readonly orderId: string;
  readonly code: string;
}

/** One kind of request, sent to both in turns. */
interface Contest {
  readonly name: string;
  readonly kind: RequestKind;
  readonly rawPort: number;
  readonly rawPid: number;
  readonly ours: Turn[];
  readonly raw: LoadResult[];
}

interface Turn extends LoadResult {
  /** Of all threads and for each request, what is done after the answer included. */
  readonly wholeCostMicroseconds: number;
}

/** Processor time of all threads of a process so far. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** History is stored after the answers: nothing else is measured while that goes on. */
async function untilIdle(pid: number): Promise<void> {
  const late = performance.now() + DRAIN_MS_MAX;
  for (let before = cpuSecondsOf(pid); performance.now() < late; ) {
    await pause(IDLE_MS);
    const now = cpuSecondsOf(pid);
    if (now - before <= IDLE_CPU_SECONDS) return;
    before = now;
  }
  process.stderr.write(`the server was still busy ${DRAIN_MS_MAX / 1000} s after its last request\n`);
}

const rateOf = ({ requests, seconds }: LoadResult): number => requests / seconds;
const costOf = ({ serverCpuSeconds, requests }: LoadResult): number => (serverCpuSeconds * 1e6) / requests;

class SignedOrders {
  readonly #options: SignedOrdersOptions;
  readonly #server: Server;
  readonly #users: readonly UserCredentials[];
  readonly #client = new Child(new URL('../http/load-client.ts', import.meta.url), CLIENT_CORE);
  #turn = 0;

  constructor(options: SignedOrdersOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    // Whoever trades for others, or is followed, does so in hedge mode, which these orders are not for.
    this.#users = server.credentials.users.filter(({ name }) => !DEMO_HEDGED.has(name));
  }

  async run(): Promise<Measured[]> {
    for (const { uid } of this.#users) await this.#server.operate('POST', '/operator/v1/deposits', { uid, coin: 'USDT', size: DEPOSIT });
    const contests = [await this.#prepare('20 signed orders', BATCHES), await this.#prepare('1 signed order', SINGLES)];
    for (const contest of contests) await this.#meet(contest, COMPILE_MS);
    for (let repetition = 0; repetition < this.#options.repetitions; repetition++) {
      for (const contest of contests) {
        const { raw, ours } = await this.#meet(contest);
        contest.raw.push(raw);
        contest.ours.push(ours);
      }
    }
    const { violations } = await this.#server.operate<{ readonly violations: readonly string[] }>('GET', '/operator/v1/audit');
    invariant(violations.length === 0, `the audit finds nothing: ${violations[0]}`);
    this.#client.end();
    return contests.flatMap(rowsOf);
  }

  /** Places orders by hand first: the answers are right, and as long as those of the server it meets. */
  async #prepare(name: string, kind: RequestKind): Promise<Contest> {
    await this.#place(kind, 0);
    const { text } = await this.#place(kind, 1);
    const raw = new Child(new URL('../http/raw-server.ts', import.meta.url), SERVER_CORE);
    const task: RawTask = { secretKey: this.#users[0]!.secretKey, getAnswer: '{}', postAnswer: text };
    const { signedPost } = await raw.ask<RawPorts>(task);
    const [wronglySigned] = requestTexts(kind, [{ ...this.#users[0]!, secretKey: 'another' }], 'wrong', 1);
    for (const port of [signedPost, this.#port]) await expectRefused(port, wronglySigned!);
    return { name, kind, rawPort: signedPost, rawPid: raw.pid, ours: [], raw: [] };
  }

  get #port(): number {
    return Number(new URL(this.#server.url).port);
  }

  async #place({ target, body }: RequestKind, at: number): Promise<{ readonly text: string; readonly firstId: number }> {
    const user = this.#users[at % this.#users.length]!;
    const asked: unknown = JSON.parse(body(`probe-${this.#turn++}`, at));
    const answer = await this.#server.call<Placed | readonly Placed[]>(user, 'POST', target, asked);
    const placed = Array.isArray(answer.data) ? (answer.data as readonly Placed[]) : [{ ...(answer.data as Placed), code: answer.code }];
    invariant(answer.code === '00000' && placed.every(({ code }) => code === '00000'), `accepted: ${JSON.stringify(answer)}`);
    const { status: _left, ...said } = answer;
    return { text: JSON.stringify(said), firstId: Number(BigInt(placed[0]!.orderId) % 10n ** 15n) };
  }

  /** One after the other on the same core: the server that does next to nothing, then ours. */
  async #meet(
    { name, kind, rawPort, rawPid }: Contest,
    measureMs = this.#options.measureMs,
  ): Promise<{ readonly raw: LoadResult; readonly ours: Turn }> {
    const rawRequests = requestTexts(kind, this.#users.slice(0, 1), 'raw', RAW_REQUESTS);
    const raw = await this.#load(`${name}, raw`, { port: rawPort, serverPid: rawPid, requests: rawRequests, measureMs });
    const seconds = (WARM_UP_MS + measureMs) / 1000;
    const length = Math.ceil(rateOf(raw) * seconds * HEADROOM);
    const requests = requestTexts(kind, this.#users, `turn-${this.#turn++}`, length);
    const { pid } = this.#server;
    const { firstId: before } = await this.#place(kind, 0);
    const { sequence: first } = await this.#server.health();
    const cpu = cpuSecondsOf(pid);
    const result = await this.#load(name, { port: this.#port, serverPid: pid, requests, measureMs });
    await untilIdle(pid);
    const spent = cpuSecondsOf(pid) - cpu;
    const { sequence: last } = await this.#server.health();
    const { firstId: after } = await this.#place(kind, 1);
    const carriedOut = last - first;
    invariant(rateOf(result) * seconds < length, 'no request is sent twice');
    invariant(after - before >= carriedOut * kind.idsPerRequestMin * MOSTLY, 'every order of every request is accepted');
    return { raw, ours: { ...result, wholeCostMicroseconds: (spent * 1e6) / carriedOut } };
  }

  async #load(name: string, load: Pick<LoadTask, 'port' | 'serverPid' | 'requests' | 'measureMs'>): Promise<LoadResult> {
    const task = { ...load, connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
    const result = await this.#client.ask<LoadResult>(task satisfies LoadTask);
    if (result.refused > 0) throw new Error(`${name}: ${result.refused} refused, the first with ${result.firstRefused}`);
    const busy = result.clientCpuSeconds / result.seconds;
    if (busy > CLIENT_CPU_MAX) process.stderr.write(`${name}: the client used ${Math.round(busy * 100)} % of its core\n`);
    return result;
  }
}

/** Turn by turn with its neighbour, and the median of that: a machine that is slow for a while is slow for both. */
const ratioOf = ({ ours, raw }: Contest, of: (ours: Turn, raw: LoadResult) => number): number =>
  median(ours.map((result, at) => of(result, raw[at]!)));

function rowsOf(contest: Contest): Measured[] {
  const { name, kind, ours, raw } = contest;
  const ourName = `${name} a request, durable`;
  const rawName = `${name} a request, raw: HMAC and JSON`;
  const rates = { unit: 'requests/s', lessIsBetter: false };
  const costs = { unit: 'µs CPU/request', lessIsBetter: true };
  const middle = <Result>(results: readonly Result[], of: (result: Result) => number): number => median(results.map(of));
  const orders = middle(ours, rateOf) * kind.ordersPerRequest;
  return [
    { name: rawName, value: middle(raw, rateOf), ...rates },
    {
      name: ourName,
      value: middle(ours, rateOf),
      ...rates,
      ratioTo: rawName,
      ratio: ratioOf(contest, (our, theirs) => rateOf(our) / rateOf(theirs)),
    },
    { name: rawName, value: middle(raw, costOf), ...costs },
    {
      name: ourName,
      value: middle(ours, ({ wholeCostMicroseconds }) => wholeCostMicroseconds),
      ...costs,
      ratioTo: rawName,
      ratio: ratioOf(contest, (our, theirs) => costOf(theirs) / our.wholeCostMicroseconds),
    },
    { name: ourName, value: orders, unit: 'orders/s' },
    { name: `${ourName}: p99 at full load`, value: middle(ours, ({ p99Ms }) => p99Ms), unit: 'ms', lessIsBetter: true },
  ];
}

export async function measureSignedOrders(options: SignedOrdersOptions): Promise<Measured[]> {
  const flags = ['--world', 'demo', '--market', 'off', '--limits', 'off'];
  const server = await startServer({ folder: temporaryFolder(), flags, through: onCore(SERVER_CORE) });
  const rows = await new SignedOrders(options, server).run();
  await server.end('SIGTERM');
  return rows;
}
