/** A server under a load of signed orders, and what it spends on them. */
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
  /** Of all threads and for each request, what is done after the answer included. */
  readonly wholeCostMicroseconds: number;
}

export type Pace = { readonly rate: number } | { readonly rateMax: number };

interface Placed {
  readonly orderId: string;
  readonly code: string;
}

/**
 * Until what is hot is compiled, for each kind of request: on one core, beside the requests, that
 * takes some eight seconds. In several turns, because the requests of one are signed before it.
 */
export const COMPILE_MS = 2_500;
export const COMPILE_TURNS = 4;
const CONNECTIONS = 64;
const WARM_UP_MS = 700;
/** Ticks of the clock are commands too, and the last trade may be outstanding. */
const MOSTLY = 0.95;
const DEPOSIT = '10000000';
/** Enough of them that hardly anybody meets himself. */
const USERS = 20;
/** The server has stored its history when it has used no processor time for this long. */
const IDLE_MS = 300;
const IDLE_CPU_SECONDS = 0.03;
const NOTICE_MS = 20;
const DRAIN_MS_MAX = 20_000;
/** A client that fell behind may catch up after the warm-up. */
const SPARE = 1.2;
/** The client is not what limits the figures below this share of its core. */
const CLIENT_CPU_MAX = 0.85;

/** History is stored after the answers: nothing else is measured while that goes on. */
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

/** Whoever sends the orders, in a process of its own. */
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

  /** Places orders by hand: what is answered, and the first id that was given. */
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

  /**
   * Loads it for a while with requests of one kind: so many a second, or as many as it takes, which
   * are fewer than that.
   */
  async turn(name: string, kind: RequestKind, measureMs: number, pace: Pace): Promise<Turn> {
    const seconds = (WARM_UP_MS + measureMs) / 1000;
    const length = Math.ceil('rate' in pace ? pace.rate * seconds * SPARE : pace.rateMax * seconds);
    const requests = requestTexts(kind, this.users, `turn-${this.#turn++}`, length);
    // Signing them took a while: connections that the server has closed since are noticed first.
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
    return { ...result, wholeCostMicroseconds: (spent * 1e6) / carriedOut };
  }

  /**
   * Of a server whose disk is switched on and off by itself from one signal to the next: does
   * something meanwhile.
   */
  async whileSwitching(act: () => Promise<unknown>): Promise<void> {
    await this.#signal();
    await act();
    await this.#signal();
  }

  /** It hears of it in its own time. */
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
