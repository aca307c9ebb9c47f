/**
 * Measures orders from signature to disk over HTTP, in turns with a server that only checks the
 * signature and reads the JSON.
 */
import type { LoadResult } from '../http/load-client.ts';
import type { RawPorts, RawTask } from '../http/raw-server.ts';
import { expectRefused } from '../http/refusals.ts';
import { Child, SERVER_CORE } from '../pinned.ts';
import { type Measured, median } from '../rows.ts';
import {
  COMPILE_MS,
  COMPILE_TURNS,
  type LoadClient,
  LoadedServer,
  type Turn,
} from './loaded-server.ts';
import { BATCHES, type RequestKind, requestTexts, SINGLES } from './order-requests.ts';

export interface SignedOrdersOptions {
  readonly repetitions: number;
  readonly measureMs: number;
}

/** For the minimal server, which accepts the same request twice. */
const RAW_REQUESTS = 100;
/**
 * The exchange cannot exceed the minimal server by this factor, even if other programs slow that
 * server's turn.
 */
const HEADROOM = 2;

/** Results of both servers for one kind of request. */
interface Round {
  readonly raw: LoadResult;
  readonly durable: Turn;
}

interface Contest {
  readonly name: string;
  readonly kind: RequestKind;
  readonly rawPort: number;
  readonly rawPid: number;
  readonly rounds: Round[];
}

interface Contestants {
  readonly client: LoadClient;
  readonly durable: LoadedServer;
}

const rateOf = ({ requests, seconds }: LoadResult): number => requests / seconds;
const costOf = ({ serverCpuSeconds, requests }: LoadResult): number =>
  (serverCpuSeconds * 1e6) / requests;

/**
 * Places single orders first, to check that answers are right and as long as the minimal server's.
 */
async function prepare(
  { durable }: Contestants,
  name: string,
  kind: RequestKind,
): Promise<Contest> {
  await durable.place(kind, 0);
  const { text } = await durable.place(kind, 1);
  const raw = new Child(new URL('../http/raw-server.ts', import.meta.url), SERVER_CORE);
  const [user] = durable.users;
  const task: RawTask = { secretKey: user!.secretKey, getAnswer: '{}', postAnswer: text };
  const { signedPost } = await raw.ask<RawPorts>(task);
  const [wronglySigned] = requestTexts(kind, [{ ...user!, secretKey: 'another' }], 'wrong', 1);
  for (const port of [signedPost, durable.port]) await expectRefused(port, wronglySigned!);
  return { name, kind, rawPort: signedPost, rawPid: raw.pid, rounds: [] };
}

const rawRequestsOf = ({ users }: LoadedServer, kind: RequestKind): readonly string[] =>
  requestTexts(kind, users.slice(0, 1), 'raw', RAW_REQUESTS);

/** One after the other on the same core. */
async function meet(
  { client, durable }: Contestants,
  { name, kind, rawPort, rawPid }: Contest,
  measureMs: number,
): Promise<Round> {
  const requests = rawRequestsOf(durable, kind);
  const raw = await client.load(`${name}, raw`, {
    port: rawPort,
    serverPid: rawPid,
    requests,
    measureMs,
  });
  return {
    raw,
    durable: await durable.turn(name, kind, measureMs, { rateMax: rateOf(raw) * HEADROOM }),
  };
}

function rowsOf({ name, kind, rounds }: Contest): Measured[] {
  const raw = `${name} a request, raw: HMAC and JSON`;
  const durable = `${name} a request, durable`;
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  // The median over neighbouring turns: a slow phase of the machine affects all servers.
  const rate = (of: string, value: (round: Round) => number): Measured => ({
    name: of,
    value: middle(value),
    unit: 'requests/s',
  });
  const cost = (of: string, value: (round: Round) => number): Measured => ({
    name: of,
    value: middle(value),
    unit: 'µs CPU/request',
    lessIsBetter: true,
  });
  return [
    rate(raw, (round) => rateOf(round.raw)),
    {
      ...rate(durable, (round) => rateOf(round.durable)),
      ratioTo: raw,
      ratio: middle((round) => rateOf(round.durable) / rateOf(round.raw)),
    },
    cost(raw, (round) => costOf(round.raw)),
    {
      ...cost(durable, (round) => round.durable.totalCostMicroseconds),
      ratioTo: raw,
      ratio: middle((round) => costOf(round.raw) / round.durable.totalCostMicroseconds),
    },
    {
      name: durable,
      value: middle((round) => rateOf(round.durable)) * kind.ordersPerRequest,
      unit: 'orders/s',
    },
    {
      name: `${durable}: p99 at full load`,
      value: middle((round) => round.durable.p99Ms),
      unit: 'ms',
      lessIsBetter: true,
    },
  ];
}

/**
 * Measures latency without queueing, at half of the maximum rate. The raw server gets the same
 * rate: its latency is that of the machine.
 */
async function atHalfLoad(
  { client, durable }: Contestants,
  contest: Contest,
  measureMs: number,
): Promise<Measured[]> {
  const { name, kind, rawPort, rawPid, rounds } = contest;
  const rate = median(rounds.map((round) => rateOf(round.durable))) / 2;
  const paced: Round[] = [];
  for (const _ of rounds) {
    const requests = rawRequestsOf(durable, kind);
    const raw = await client.load(`${name} at half load, raw`, {
      port: rawPort,
      serverPid: rawPid,
      requests,
      measureMs,
      rate,
    });
    paced.push({
      raw,
      durable: await durable.turn(`${name} at half load`, kind, measureMs, { rate }),
    });
  }
  const row = (
    who: string,
    figure: string,
    of: (round: Round) => number,
    unit: string,
  ): Measured => ({
    name: `${name} a request, ${who}, at half load: ${figure}`,
    value: median(paced.map(of)),
    unit,
    lessIsBetter: unit === 'ms',
  });
  const rawP99 = row('raw', 'p99', ({ raw }) => raw.p99Ms, 'ms');
  return [
    row('durable', 'rate', (round) => rateOf(round.durable), 'requests/s'),
    row('durable', 'p50', (round) => round.durable.p50Ms, 'ms'),
    rawP99,
    {
      ...row('durable', 'p99', (round) => round.durable.p99Ms, 'ms'),
      ratioTo: rawP99.name,
      ratio: median(paced.map(({ raw, durable: ours }) => raw.p99Ms / ours.p99Ms)),
    },
  ];
}

export async function measureSignedOrders(
  client: LoadClient,
  { repetitions, measureMs }: SignedOrdersOptions,
): Promise<Measured[]> {
  const durable = await LoadedServer.start(client);
  const contestants = { client, durable };
  const contests = [
    await prepare(contestants, '20 signed orders', BATCHES),
    await prepare(contestants, '1 signed order', SINGLES),
  ];
  for (let turn = 0; turn < COMPILE_TURNS; turn++) {
    for (const contest of contests) await meet(contestants, contest, COMPILE_MS);
  }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const contest of contests)
      contest.rounds.push(await meet(contestants, contest, measureMs));
  }
  const half = await atHalfLoad(contestants, contests.at(-1)!, measureMs);
  await durable.end();
  return [...contests.flatMap(rowsOf), ...half];
}
