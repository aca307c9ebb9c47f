/**
 * Measures HTTP: the exchange against minimal servers, in turns, with the same requests from
 * another process.
 */
import {
  type Server,
  signedHeaders,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from '../../test/programme/server.ts';
import { countLost } from '../lost-calls.ts';
import { Child, CLIENT_CORE, onCore, SERVER_CORE } from '../pinned.ts';
import { type Measured, median } from '../rows.ts';
import type { LoadResult, LoadTask } from './load-client.ts';
import type { RawPorts, RawTask } from './raw-server.ts';
import { expectRefused } from './refusals.ts';

export interface HttpBenchOptions {
  readonly repetitions: number;
  readonly measureMs: number;
}

const CONNECTIONS = 64;
const WARM_UP_MS = 700;
/** Requests that differ, so that no answer is cached from the last one. */
const REQUESTS = 100;
const GET_TARGET = '/api/v3/account/assets?coin=BTC';
const POST_TARGET = '/api/v2/mix/account/set-leverage';
/** Below this share of a core the client does not limit the figures. */
const CLIENT_CPU_MAX = 0.85;

type Build = (target: string, user: UserCredentials, at: number) => string;

const headText = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

const getRequest: Build = (target, user) =>
  headText('GET', target, signedHeaders(user, 'GET', target));

const leverageBody = (at: number): string =>
  JSON.stringify({
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginCoin: 'USDT',
    leverage: String(1 + (at % 100)),
  });

const postRequest: Build = (target, user, at) => {
  const body = leverageBody(at);
  const headers = {
    ...signedHeaders(user, 'POST', target, body),
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  };
  return headText('POST', target, headers) + body;
};

interface Scenario {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly target: string;
  readonly build: Build;
  readonly against?: string;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** The exchange's answers as text: the raw servers send as many bytes. */
async function answerTexts(
  server: Server,
  user: UserCredentials,
): Promise<Pick<RawTask, 'getAnswer' | 'postAnswer'>> {
  const text = async (method: string, target: string, body?: string): Promise<string> => {
    const headers = {
      ...signedHeaders(user, method, target, body ?? ''),
      'content-type': 'application/json',
    };
    const response = await fetch(server.url + target, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return await response.text();
  };
  return {
    getAnswer: await text('GET', GET_TARGET),
    postAnswer: await text('POST', POST_TARGET, leverageBody(9)),
  };
}

class HttpBench {
  readonly #client = new Child(new URL('./load-client.ts', import.meta.url), CLIENT_CORE);
  readonly #raw = new Child(new URL('./raw-server.ts', import.meta.url), SERVER_CORE);
  readonly #options: HttpBenchOptions;

  constructor(options: HttpBenchOptions) {
    this.#options = options;
  }

  async run(): Promise<Measured[]> {
    const server = await startServer({
      folder: temporaryFolder(),
      flags: ['--limits', 'off'],
      through: onCore(SERVER_CORE),
    });
    const user = server.user('alice');
    const answers = await answerTexts(server, user);
    const ports = await this.#raw.ask<RawPorts>({
      secretKey: user.secretKey,
      ...answers,
    } satisfies RawTask);
    const scenarios = this.#scenarios(ports, server);
    await this.#expectRefusals(ports, server, user);
    const results = scenarios.map((): LoadResult[] => []);
    for (let repetition = 0; repetition < this.#options.repetitions; repetition++) {
      for (const [at, scenario] of scenarios.entries())
        results[at]!.push(await this.#measure(scenario, user));
    }
    const rows = rowsOf(scenarios, results);
    const saturated = median(results.at(-1)!.map(({ requests, seconds }) => requests / seconds));
    const half = await this.#atHalfLoad(scenarios.at(-1)!, user, saturated / 2);
    await server.end('SIGTERM');
    this.#client.end();
    this.#raw.end();
    return [...rows, ...half];
  }

  #scenarios(ports: RawPorts, { url, pid }: Server): readonly Scenario[] {
    const raw = (name: string, port: number, target: string, build: Build): Scenario => ({
      name,
      port,
      pid: this.#raw.pid,
      target,
      build,
    });
    const ours = { port: portOf(url), pid };
    return [
      raw('raw GET', ports.get, GET_TARGET, getRequest),
      raw('raw GET, HMAC', ports.signedGet, GET_TARGET, getRequest),
      {
        name: 'signed GET',
        ...ours,
        target: GET_TARGET,
        build: getRequest,
        against: 'raw GET, HMAC',
      },
      raw('raw POST', ports.post, POST_TARGET, postRequest),
      raw('raw POST, HMAC and JSON', ports.signedPost, POST_TARGET, postRequest),
      {
        name: 'signed POST, durable',
        ...ours,
        target: POST_TARGET,
        build: postRequest,
        against: 'raw POST, HMAC and JSON',
      },
    ];
  }

  /** A server that accepts anything proves nothing. */
  async #expectRefusals(ports: RawPorts, server: Server, user: UserCredentials): Promise<void> {
    const wrong = { ...user, secretKey: 'another' };
    const checks: readonly (readonly [number, string])[] = [
      [ports.signedGet, getRequest(GET_TARGET, wrong, 0)],
      [ports.signedPost, postRequest(POST_TARGET, wrong, 0)],
      [portOf(server.url), getRequest(GET_TARGET, wrong, 0)],
      [portOf(server.url), postRequest(POST_TARGET, wrong, 0)],
    ];
    for (const [port, request] of checks) await expectRefused(port, request);
  }

  async #measure(
    { name, port, pid, target, build }: Scenario,
    user: UserCredentials,
    rate?: number,
  ): Promise<LoadResult> {
    // Signed again each time: a signature is valid for thirty seconds.
    const requests = Array.from({ length: REQUESTS }, (_, at) => build(target, user, at));
    const task = {
      port,
      serverPid: pid,
      requests,
      connections: CONNECTIONS,
      warmUpMs: WARM_UP_MS,
      measureMs: this.#options.measureMs,
    };
    const result = await this.#client.ask<LoadResult>({
      ...task,
      ...(rate === undefined ? {} : { rate }),
    } satisfies LoadTask);
    countLost(result.lost);
    if (result.refused > 0)
      throw new Error(`${name}: ${result.refused} refused, the first with ${result.firstRefused}`);
    return result;
  }

  async #atHalfLoad(scenario: Scenario, user: UserCredentials, rate: number): Promise<Measured[]> {
    const results: LoadResult[] = [];
    for (let repetition = 0; repetition < this.#options.repetitions; repetition++)
      results.push(await this.#measure(scenario, user, rate));
    return [
      {
        name: 'signed POST, durable, at half load: rate',
        value: median(results.map(({ requests, seconds }) => requests / seconds)),
        unit: 'requests/s',
      },
      {
        name: 'signed POST, durable, at half load: p50',
        value: median(results.map(({ p50Ms }) => p50Ms)),
        unit: 'ms',
        lessIsBetter: true,
      },
      {
        name: 'signed POST, durable, at half load: p99',
        value: median(results.map(({ p99Ms }) => p99Ms)),
        unit: 'ms',
        lessIsBetter: true,
      },
    ];
  }
}

interface Figure {
  readonly unit: string;
  readonly suffix: string;
  readonly lessIsBetter: boolean;
  readonly of: (result: LoadResult) => number;
}

const FIGURES: readonly Figure[] = [
  {
    unit: 'requests/s',
    suffix: '',
    lessIsBetter: false,
    of: ({ requests, seconds }) => requests / seconds,
  },
  {
    unit: 'µs CPU/request',
    suffix: '',
    lessIsBetter: true,
    of: ({ serverCpuSeconds, requests }) => (serverCpuSeconds * 1e6) / requests,
  },
  { unit: 'ms', suffix: ': p99 at full load', lessIsBetter: true, of: ({ p99Ms }) => p99Ms },
];

/** The median ratio of neighbouring turns: a slow phase of the machine affects both. */
function ratioOf(
  { lessIsBetter, of }: Figure,
  ours: readonly LoadResult[],
  theirs: readonly LoadResult[],
): number {
  const ratios = ours.map((result, at) => of(result) / of(theirs[at]!));
  return median(lessIsBetter ? ratios.map((ratio) => 1 / ratio) : ratios);
}

function warnOfBusyClient(name: string, results: readonly LoadResult[]): void {
  const busy = median(results.map(({ clientCpuSeconds, seconds }) => clientCpuSeconds / seconds));
  if (busy <= CLIENT_CPU_MAX) return;
  process.stderr.write(
    `${name}: the client used ${Math.round(busy * 100)} % of its core; the rate may be its limit, the cost is not\n`,
  );
}

function rowsOf(
  scenarios: readonly Scenario[],
  results: readonly (readonly LoadResult[])[],
): Measured[] {
  return scenarios.flatMap(({ name, against }, at) => {
    const ours = results[at]!;
    const other = scenarios.findIndex((scenario) => scenario.name === against);
    warnOfBusyClient(name, ours);
    return FIGURES.map((figure): Measured => {
      const { unit, suffix, lessIsBetter, of } = figure;
      const row = { name: name + suffix, value: median(ours.map(of)), unit, lessIsBetter };
      return other < 0
        ? row
        : { ...row, ratioTo: against! + suffix, ratio: ratioOf(figure, ours, results[other]!) };
    });
  });
}

export const benchHttp = (options: HttpBenchOptions): Promise<Measured[]> =>
  new HttpBench(options).run();
