/** A server under a load of signed orders, and its processor time. */
import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from '../../src/kernel/invariant.ts';
import {
  type Keys,
  type Server,
  startServer,
  temporaryFolder,
} from '../../test/programme/server.ts';
import type { LoadResult, LoadTask } from '../http/load-client.ts';
import { countLost, untilAnswered } from '../lost-calls.ts';
import { Child, CLIENT_CORE, onCore, SERVER_CORE } from '../pinned.ts';
import { cpuSecondsOf } from '../process-figures.ts';
import { BATCH_TARGET, openingOrders, type RequestKind, requestTexts } from './order-requests.ts';

export interface Turn extends LoadResult {
  /** Of all threads per request, including work after the answer. */
  readonly totalCostMicroseconds: number;
}

export type Pace = { readonly rate: number } | { readonly rateMax: number };

interface Placed {
  readonly orderId: string;
  readonly code: string;
}

/**
 * Time to compile hot code, for each kind of request: on one core, beside the requests, about eight
 * seconds. It is divided into turns, because the requests of a turn are signed before it.
 */
export const COMPILE_MS = 2_500;
export const COMPILE_TURNS = 4;
const CONNECTIONS = 64;
const WARM_UP_MS = 700;
/** Ticks of the clock are commands too, and the last trade may be outstanding. */
const MOSTLY = 0.95;
const DEPOSIT = '10000000';
/** Enough that users rarely trade with themselves. */
const USERS = 20;
/** History is stored when the server has used no processor time for this long. */
const IDLE_MS = 300;
const IDLE_CPU_SECONDS = 0.03;
const NOTICE_MS = 20;
const DRAIN_MS_MAX = 20_000;
/** A client that fell behind may catch up after the warm-up. */
const SPARE = 1.2;
/** Below this share of its core the client does not limit the figures. */
const CLIENT_CPU_MAX = 0.85;

/** History is stored after the answers: nothing else is measured until that ends. */
async function untilIdle(pid: number): Promise<void> {
  const late = performance.now() + DRAIN_MS_MAX;
  for (let before = cpuSecondsOf(pid); performance.now() < late; ) {
    await pause(IDLE_MS);
    const now = cpuSecondsOf(pid);
    if (now - before <= IDLE_CPU_SECONDS) return;
    before = now;
  }
  process.stderr.write(
    `the server was still busy ${DRAIN_MS_MAX / 1000} s after its last request\n`,
  );
}

/** The sender of the orders, in its own process. */
export class LoadClient {
  readonly #child = new Child(new URL('../http/load-client.ts', import.meta.url), CLIENT_CORE);

  async load(name: string, load: Omit<LoadTask, 'connections' | 'warmUpMs'>): Promise<LoadResult> {
    const task = { ...load, connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
    const result = await this.#child.ask<LoadResult>(task satisfies LoadTask);
    countLost(result.lost);
    if (result.refused > 0)
      throw new Error(`${name}: ${result.refused} refused, the first with ${result.firstRefused}`);
    const busy = result.clientCpuSeconds / result.seconds;
    if (busy > CLIENT_CPU_MAX)
      process.stderr.write(`${name}: the client used ${Math.round(busy * 100)} % of its core\n`);
    return result;
  }

  end(): void {
    this.#child.end();
  }
}

export class LoadedServer {
  readonly users: readonly Keys[];
  readonly #server: Server;
  readonly #client: LoadClient;
  #turn = 0;

  private constructor(server: Server, client: LoadClient, users: readonly Keys[]) {
    this.#server = server;
    this.#client = client;
    this.users = users;
  }

  static async start(
    client: LoadClient,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<LoadedServer> {
    const flags = ['--world', 'demo', '--market', 'off', '--limits', 'off'];
    const server = await startServer({
      folder: temporaryFolder(),
      flags,
      environment,
      through: onCore(SERVER_CORE),
    });
    const users: Keys[] = [];
    for (let place = 0; place < USERS; place++) {
      const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', {});
      await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'USDT', size: DEPOSIT });
      users.push(await server.operate<Keys>('POST', '/operator/v1/keys', { uid }));
    }
    const opening = await server.call<readonly Placed[]>(
      users[0]!,
      'POST',
      BATCH_TARGET,
      openingOrders('opening'),
    );
    invariant(
      opening.data.every(({ code }) => code === '00000'),
      `accepted: ${JSON.stringify(opening)}`,
    );
    return new LoadedServer(server, client, users);
  }

  get port(): number {
    return Number(new URL(this.#server.url).port);
  }

  /** Places single orders; returns the answer and the first id. */
  async place(
    { target, body }: RequestKind,
    at: number,
  ): Promise<{ readonly text: string; readonly firstId: number }> {
    const user = this.users[at % this.users.length]!;
    const answer = await untilAnswered(() => {
      const asked: unknown = JSON.parse(body(`probe-${this.#turn++}`, at));
      return this.#server.call<Placed | readonly Placed[]>(user, 'POST', target, asked);
    });
    const placed = Array.isArray(answer.data)
      ? (answer.data as readonly Placed[])
      : [{ ...(answer.data as Placed), code: answer.code }];
    invariant(
      answer.code === '00000' && placed.every(({ code }) => code === '00000'),
      `accepted: ${JSON.stringify(answer)}`,
    );
    const { status: _left, ...input } = answer;
    return {
      text: JSON.stringify(input),
      firstId: Number(BigInt(placed[0]!.orderId) % 10n ** 15n),
    };
  }

  /** Loads it with requests of one kind, at a given rate or at the maximum, which is lower. */
  async turn(name: string, kind: RequestKind, measureMs: number, pace: Pace): Promise<Turn> {
    const seconds = (WARM_UP_MS + measureMs) / 1000;
    const length = Math.ceil('rate' in pace ? pace.rate * seconds * SPARE : pace.rateMax * seconds);
    const requests = requestTexts(kind, this.users, `turn-${this.#turn++}`, length);
    // Signing took a while: first notice connections that the server has closed since.
    await pause(NOTICE_MS);
    const { pid } = this.#server;
    const { firstId: before } = await this.place(kind, 0);
    const { sequence: first } = await untilAnswered(() => this.#server.health());
    const cpu = cpuSecondsOf(pid);
    const result = await this.#client.load(name, {
      port: this.port,
      serverPid: pid,
      requests,
      measureMs,
      ...('rate' in pace ? pace : {}),
    });
    await untilIdle(pid);
    const spent = cpuSecondsOf(pid) - cpu;
    const { sequence: last } = await untilAnswered(() => this.#server.health());
    const { firstId: after } = await this.place(kind, 1);
    const carriedOut = last - first;
    invariant((result.requests / result.seconds) * seconds < length, 'no request is sent twice');
    invariant(
      after - before >= carriedOut * kind.idsPerRequestMin * MOSTLY,
      'every order of every request is accepted',
    );
    return { ...result, totalCostMicroseconds: (spent * 1e6) / carriedOut };
  }

  /** For a server that switches its disk on and off between two signals: runs `act` in between. */
  async whileSwitching(act: () => Promise<unknown>): Promise<void> {
    await this.#signal();
    await act();
    await this.#signal();
  }

  /** The server reacts to a signal with a delay. */
  async #signal(): Promise<void> {
    process.kill(this.#server.pid, 'SIGUSR2');
    await pause(NOTICE_MS);
  }

  async end(): Promise<void> {
    type Audit = { readonly violations: readonly string[] };
    const { violations } = await untilAnswered(() =>
      this.#server.operate<Audit>('GET', '/operator/v1/audit'),
    );
    invariant(violations.length === 0, `the audit finds nothing: ${violations[0]}`);
    await this.#server.end('SIGTERM');
  }
}
