/** A load client in a process of its own: kept connections, one request at a time on each, every answer checked. Told what to do by its parent. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../open-socket.ts';
import { cpuSecondsOf } from '../process-figures.ts';

export interface LoadTask {
  readonly port: number;
  /** The process whose processor time is measured. */
  readonly serverPid: number;
  /** Whole requests as they go over the wire; each connection sends them in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Requests a second in all, each sent when its time has come whether the last was answered or not; as many as possible when left out. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly requests: number;
  /** Answers that were not what was asked for, and the first of them. */
  readonly refused: number;
  readonly firstRefused: string;
  readonly seconds: number;
  readonly serverCpuSeconds: number;
  readonly clientCpuSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const LATENCIES_MAX = 1_000_000;
/** Paced requests are sent in groups this far apart; it is part of their latency, which counts from the moment they were due. */
const PACE_MS = 1;
const MARK = '"code":"00000"';
const LENGTH = 'content-length: ';

/** One answer is whole when its head and as many bytes as that names are there. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = text.indexOf(LENGTH);
  return text.length >= headEnd + 4 + Number.parseInt(text.slice(length + LENGTH.length, length + LENGTH.length + 8), 10);
}

class Measurement {
  readonly latencies = new Float64Array(LATENCIES_MAX);
  measuring = false;
  requests = 0;
  refused = 0;
  firstRefused = '';

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

/** A connection that is either waiting for its answer or free. */
class Connection {
  readonly #socket: Socket;
  readonly #measurement: Measurement;
  readonly #whenFree: (connection: Connection) => void;
  #received = '';
  #dueAt = 0;

  constructor(socket: Socket, measurement: Measurement, whenFree: (connection: Connection) => void) {
    this.#socket = socket;
    this.#measurement = measurement;
    this.#whenFree = whenFree;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#take(String(text)));
  }

  /** `dueAt` is when it should have been sent: waiting for a free connection counts as well. */
  send(request: string, dueAt: number): void {
    this.#dueAt = dueAt;
    this.#socket.write(request, 'latin1');
  }

  #take(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text;
    if (!isWhole(this.#received)) return;
    this.#measurement.count(this.#received, this.#dueAt);
    this.#received = '';
    this.#whenFree(this);
  }

  end(): void {
    this.#socket.destroy();
  }
}

async function runTask({ port, serverPid, requests, connections, warmUpMs, measureMs, rate }: LoadTask): Promise<LoadResult> {
  const measurement = new Measurement();
  const free: Connection[] = [];
  let turn = 0;
  let over = false;
  let begun = performance.now();
  let due = 0;
  const next = (): string => requests[turn++ % requests.length]!;
  const whenFree = (connection: Connection): void => {
    if (over) return;
    if (rate === undefined) connection.send(next(), performance.now());
    else free.push(connection);
  };
  const all = await Promise.all(
    Array.from({ length: connections }, async () => new Connection(await openSocket(port), measurement, whenFree)),
  );
  const pace = (): void => {
    if (over || rate === undefined) return;
    for (const now = performance.now(); free.length > 0 && begun + (due * 1000) / rate <= now; due++)
      free.pop()!.send(next(), begun + (due * 1000) / rate);
    setTimeout(pace, PACE_MS);
  };
  for (const connection of all) whenFree(connection);
  pace();

  await pause(warmUpMs);
  begun = performance.now();
  due = 0;
  measurement.measuring = true;
  const [serverCpu, clientCpu] = [cpuSecondsOf(serverPid), process.cpuUsage()];
  await pause(measureMs);
  measurement.measuring = false;
  over = true;
  const used = process.cpuUsage(clientCpu);
  const result = {
    requests: measurement.requests,
    refused: measurement.refused,
    firstRefused: measurement.firstRefused,
    seconds: (performance.now() - begun) / 1000,
    serverCpuSeconds: cpuSecondsOf(serverPid) - serverCpu,
    clientCpuSeconds: (used.user + used.system) / 1e6,
    p50Ms: measurement.percentile(0.5),
    p99Ms: measurement.percentile(0.99),
  };
  for (const connection of all) connection.end();
  return result;
}

process.on('message', (task: LoadTask) => {
  runTask(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
