/**
 * A load client in its own process: persistent connections, one request at a time on each, every
 * answer checked. Its parent sends it tasks.
 */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../open-socket.ts';
import { cpuSecondsOf } from '../process-figures.ts';

export interface LoadTask {
  readonly port: number;
  /** The process whose processor time is measured. */
  readonly serverPid: number;
  /** Whole requests as sent over the wire; each connection sends them in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /**
   * Requests per second in total, each sent at its time even if earlier ones have no answer; as
   * many as possible if omitted.
   */
  readonly rate?: number;
}

export interface LoadResult {
  readonly requests: number;
  /** Number of unexpected answers, and the first of them. */
  readonly refused: number;
  readonly firstRefused: string;
  /** Requests whose connection ended before their answer; they are not sent again. */
  readonly lost: number;
  readonly seconds: number;
  readonly serverCpuSeconds: number;
  readonly clientCpuSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const LATENCIES_MAX = 1_000_000;
/**
 * Paced requests are sent in groups this far apart. The interval is part of their latency, which
 * counts from the time they were due.
 */
const PACE_MS = 1;
/** All together take one second. */
const OPEN_TRIALS_MAX = 50;
const OPEN_AGAIN_MS = 20;
const MARK = '"code":"00000"';
const LENGTH = 'content-length: ';

/** An answer is complete when its head and the stated number of bytes have arrived. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = text.indexOf(LENGTH);
  return (
    text.length >=
    headEnd +
      4 +
      Number.parseInt(text.slice(length + LENGTH.length, length + LENGTH.length + 8), 10)
  );
}

class Measurement {
  readonly latencies = new Float64Array(LATENCIES_MAX);
  measuring = false;
  requests = 0;
  refused = 0;
  firstRefused = '';
  lost = 0;

  count(text: string, sentAt: number): void {
    if (!text.startsWith('HTTP/1.1 200') || !text.includes(MARK)) {
      this.refused++;
      if (this.firstRefused === '') this.firstRefused = text;
    }
    if (!this.measuring) return;
    if (this.requests < LATENCIES_MAX) this.latencies[this.requests] = performance.now() - sentAt;
    this.requests++;
  }

  percentile(share: number): number {
    const sorted = this.latencies.subarray(0, Math.min(this.requests, LATENCIES_MAX)).toSorted();
    return sorted[Math.floor(sorted.length * share)] ?? 0;
  }
}

/** Events on a connection. */
interface Notices {
  readonly free: (connection: Connection) => void;
  readonly gone: (connection: Connection) => void;
}

/** A connection that either waits for an answer or is free. */
class Connection {
  readonly #socket: Socket;
  readonly #measurement: Measurement;
  readonly #notices: Notices;
  #received = '';
  #dueAt = 0;
  #waits = false;

  constructor(socket: Socket, measurement: Measurement, notices: Notices) {
    this.#socket = socket;
    this.#measurement = measurement;
    this.#notices = notices;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#take(String(text)));
    // `close` follows every error.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#waits) measurement.lost++;
      notices.gone(this);
    });
  }

  /** `dueAt` is the planned time: waiting for a free connection counts as latency. */
  send(request: string, dueAt: number): void {
    this.#dueAt = dueAt;
    this.#waits = true;
    this.#socket.write(request, 'latin1');
  }

  #take(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    if (!isWhole(this.#received)) return;
    this.#measurement.count(this.#received, this.#dueAt);
    this.#received = '';
    this.#waits = false;
    this.#notices.free(this);
  }

  end(): void {
    this.#waits = false;
    this.#socket.destroy();
  }
}

/** The connections of one task: each that ends is replaced, and its request is lost. */
class Load {
  readonly measurement = new Measurement();
  readonly #task: LoadTask;
  readonly #all = new Set<Connection>();
  readonly #free = new Set<Connection>();
  readonly #failed: (error: unknown) => void;
  #turn = 0;
  #over = false;
  #begun = performance.now();
  #due = 0;

  constructor(task: LoadTask, failed: (error: unknown) => void) {
    this.#task = task;
    this.#failed = failed;
  }

  async begin(): Promise<void> {
    await Promise.all(Array.from({ length: this.#task.connections }, () => this.#open()));
    this.#pace();
  }

  measure(): void {
    this.#begun = performance.now();
    this.#due = 0;
    this.measurement.measuring = true;
  }

  end(): void {
    this.measurement.measuring = false;
    this.#over = true;
    for (const connection of this.#all) connection.end();
  }

  async #open(): Promise<void> {
    const socket = await openAgain(this.#task.port);
    const connection = new Connection(socket, this.measurement, {
      free: this.#whenFree,
      gone: this.#whenGone,
    });
    this.#all.add(connection);
    if (this.#over) connection.end();
    else this.#whenFree(connection);
  }

  #next(): string {
    const { requests } = this.#task;
    return requests[this.#turn++ % requests.length]!;
  }

  #whenFree = (connection: Connection): void => {
    if (this.#over) return;
    if (this.#task.rate === undefined) connection.send(this.#next(), performance.now());
    else this.#free.add(connection);
  };

  #whenGone = (connection: Connection): void => {
    this.#all.delete(connection);
    this.#free.delete(connection);
    if (!this.#over) this.#open().catch(this.#failed);
  };

  #pace = (): void => {
    const { rate } = this.#task;
    if (this.#over || rate === undefined) return;
    const now = performance.now();
    for (const connection of this.#free) {
      const dueAt = this.#begun + (this.#due * 1000) / rate;
      if (dueAt > now) break;
      this.#free.delete(connection);
      connection.send(this.#next(), dueAt);
      this.#due++;
    }
    setTimeout(this.#pace, PACE_MS);
  };
}

/** A server that closed one connection may refuse the next for a moment. */
async function openAgain(port: number): Promise<Socket> {
  for (let trial = 1; trial < OPEN_TRIALS_MAX; trial++) {
    const socket = await openSocket(port).catch(() => undefined);
    if (socket !== undefined) return socket;
    await pause(OPEN_AGAIN_MS);
  }
  return openSocket(port);
}

async function measureLoad(
  load: Load,
  { serverPid, warmUpMs, measureMs }: LoadTask,
): Promise<LoadResult> {
  await load.begin();
  await pause(warmUpMs);
  load.measure();
  const begun = performance.now();
  const [serverCpu, clientCpu] = [cpuSecondsOf(serverPid), process.cpuUsage()];
  await pause(measureMs);
  const used = process.cpuUsage(clientCpu);
  const { measurement } = load;
  measurement.measuring = false;
  const seconds = (performance.now() - begun) / 1000;
  const serverCpuSeconds = cpuSecondsOf(serverPid) - serverCpu;
  load.end();
  return {
    requests: measurement.requests,
    refused: measurement.refused,
    firstRefused: measurement.firstRefused,
    lost: measurement.lost,
    seconds,
    serverCpuSeconds,
    clientCpuSeconds: (used.user + used.system) / 1e6,
    p50Ms: measurement.percentile(0.5),
    p99Ms: measurement.percentile(0.99),
  };
}

const runTask = (task: LoadTask): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    measureLoad(new Load(task, reject), task).then(resolve, reject);
  });

process.on('message', (task: LoadTask) => {
  runTask(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
