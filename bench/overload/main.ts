/**
 * `npm run overload`: measures the built server at ten times the load it can serve. It must keep at
 * least half of its normal throughput, refuse the rest before sequencing, bound its queue and
 * memory, and recover afterwards.
 */
import { parseArgs } from 'node:util';
import {
  type Server,
  signedHeaders,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from '../../test/programme/server.ts';
import { cpuSecondsOf, residentMegabytes } from '../process-figures.ts';
import { type FloodResult, flood } from './flood.ts';

/** Normal load: one request at a time on each connection. */
const CALM = { connections: 64, pipeline: 1 } as const;
const STORM = { connections: 640, pipeline: 16 } as const;
const TIMES = 10;
const REQUESTS = 2_000;
const TARGET = '/api/v2/mix/account/set-leverage';
/** At ten times the load, at least this share of the normal throughput remains. */
const GOODPUT_SHARE_MIN = 0.5;
/** Bound of executed commands that are not durable yet; the sequencer's own limit. */
const QUEUED_MAX = 8_192;
const MEMORY_MB_MAX = 700;
/** The clock's ticks are commands too: four a second. */
const TICKS_PER_SECOND_MAX = 5;
const SAMPLE_MS = 250;

/** Codes of requests that were certainly not sequenced, and of those that may have been. */
const NOT_SEQUENCED = new Set(['429 429', '429 40015', '503 40015']);
const DONE = '200 00000';
const MAY_HAVE_BEEN = '40010';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function requestTexts(user: UserCredentials): readonly string[] {
  return Array.from({ length: REQUESTS }, (_, at) => {
    const body = JSON.stringify({
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
      leverage: String(1 + (at % 100)),
    });
    const headers = {
      Host: '127.0.0.1',
      ...signedHeaders(user, 'POST', TARGET, body),
      'Content-Type': 'application/json',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`POST ${TARGET} HTTP/1.1`, ...lines, `Content-Length: ${body.length}`, '', body].join(
      '\r\n',
    );
  });
}

interface Watched {
  readonly memoryMb: number;
  readonly queued: number;
  /** The longest duration of an operator call. */
  readonly healthMs: number;
}

/** Samples the server until stopped. */
function watch(server: Server): () => Promise<Watched> {
  const worst = { memoryMb: 0, queued: 0, healthMs: 0 };
  let over = false;
  const looking = (async () => {
    while (!over) {
      worst.memoryMb = Math.max(worst.memoryMb, residentMegabytes(server.pid));
      const asked = performance.now();
      const { sequence, durable } = await server.health();
      worst.healthMs = Math.max(worst.healthMs, performance.now() - asked);
      worst.queued = Math.max(worst.queued, sequence - durable);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return async () => {
    over = true;
    await looking;
    return worst;
  };
}

const done = ({ answers }: FloodResult): number => answers.get(DONE) ?? 0;
const goodput = (result: FloodResult): number => done(result) / result.seconds;
const unknown = ({ answers }: FloodResult): number =>
  [...answers]
    .filter(([kind]) => kind.endsWith(MAY_HAVE_BEEN))
    .reduce((sum, [, count]) => sum + count, 0);

interface Phase {
  readonly result: FloodResult;
  readonly watched: Watched;
  /** Commands that took a sequence. */
  readonly sequenced: number;
  readonly cpuSeconds: number;
}

/**
 * Successful answers per second of the server's processor time, which other programs on the machine
 * do not change.
 */
const worth = ({ result, cpuSeconds }: Phase): number => done(result) / cpuSeconds;

async function run(
  server: Server,
  name: string,
  load: { connections: number; pipeline: number; rate?: number },
  seconds: number,
): Promise<Phase> {
  const requests = requestTexts(server.user('alice'));
  const before = (await server.health()).sequence;
  const stopWatching = watch(server);
  const cpuBefore = cpuSecondsOf(server.pid);
  const result = await flood({
    port: Number(new URL(server.url).port),
    requests,
    ...load,
    seconds,
  });
  const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
  const watched = await stopWatching();
  const sequenced = (await server.health()).sequence - before;
  const refused = [...result.answers]
    .filter(([kind]) => kind !== DONE)
    .map(([kind, count]) => `${kind}: ${count}`);
  const whole = (value: number): string => value.toFixed(0);
  say(
    `${name}: ${whole(goodput(result))} done/s ` +
      `(${whole(done(result) / cpuSeconds)} per processor second) ` +
      `of ${whole(result.sent / result.seconds)} sent/s; ` +
      `p50 ${whole(result.p50Ms)} ms, p99 ${whole(result.p99Ms)} ms; ` +
      `refused ${refused.length === 0 ? 'none' : refused.join(', ')}; ` +
      `not sent on full connections ${result.heldBack}, disconnected ${result.cut}; ` +
      `memory ${whole(watched.memoryMb)} MB, queued ${watched.queued}, ` +
      `health within ${whole(watched.healthMs)} ms`,
  );
  return { result, watched, sequenced, cpuSeconds };
}

/** The violations of a phase; empty if it meets all requirements. */
function faultsOf(name: string, { result, watched, sequenced }: Phase): readonly string[] {
  const [least, most] = [
    done(result),
    done(result) + unknown(result) + (result.seconds + 10) * TICKS_PER_SECOND_MAX,
  ];
  const unexpected = [...result.answers.keys()].filter(
    (kind) => kind !== DONE && !NOT_SEQUENCED.has(kind) && !kind.endsWith(MAY_HAVE_BEEN),
  );
  return [
    ...(sequenced < least ? [`${least} were acknowledged, but only ${sequenced} sequenced`] : []),
    ...(sequenced > most
      ? [`${sequenced} were sequenced, but at most ${most.toFixed(0)} were acknowledged or unknown`]
      : []),
    ...(unexpected.length > 0
      ? [`unexpected answers under overload: ${unexpected.join(', ')}`]
      : []),
    ...(watched.queued > QUEUED_MAX ? [`${watched.queued} commands were queued`] : []),
    ...(watched.memoryMb > MEMORY_MB_MAX ? [`it took ${watched.memoryMb.toFixed(0)} MB`] : []),
  ].map((fault) => `${name}: ${fault}`);
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const seconds = Number.parseInt(values.seconds, 10);
const server = await startServer({ folder: temporaryFolder(), flags: ['--limits', 'off'] });
await run(server, 'warming up', CALM, 3);
const calm = await run(server, '1×', CALM, seconds);
const storm = await run(
  server,
  `${TIMES}×`,
  { ...STORM, rate: TIMES * goodput(calm.result) },
  seconds,
);
const after = await run(server, 'afterwards', CALM, seconds);

const share = worth(storm) / worth(calm);
const recovered = worth(after) / worth(calm);
const { ok, violations } = await server.operate<{
  readonly ok: boolean;
  readonly violations: readonly string[];
}>('GET', '/operator/v1/audit');
const { code } = await server.end('SIGTERM');
const faults = [
  ...faultsOf('1×', calm),
  ...faultsOf(`${TIMES}×`, storm),
  ...faultsOf('afterwards', after),
  ...(share < GOODPUT_SHARE_MIN ? [`goodput fell to ${(share * 100).toFixed(0)} %`] : []),
  ...(recovered < GOODPUT_SHARE_MIN
    ? [`afterwards goodput was only ${(recovered * 100).toFixed(0)} % of the value before`]
    : []),
  ...(ok ? [] : [`the audit finds ${violations[0] ?? 'a difference'}`]),
  ...(code === 0 ? [] : [`it ended with code ${code}`]),
];
say(
  `done per processor second at ${TIMES}×: ${(share * 100).toFixed(0)} % of 1×; ` +
    `afterwards ${(recovered * 100).toFixed(0)} %`,
);
for (const fault of faults) say(`FAULT ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
