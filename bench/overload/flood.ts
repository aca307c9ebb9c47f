/**
 * Sends far more requests than a server can answer: at fixed times, over many connections, several
 * on each before the first answer.
 */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../open-socket.ts';

export interface FloodOptions {
  readonly port: number;
  /** Whole requests as sent over the wire, in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Unanswered requests per connection; further ones are not sent and count as held back. */
  readonly pipeline: number;
  /** Requests per second in total; limited only by answers if omitted. */
  readonly rate?: number;
  readonly seconds: number;
}

export interface FloodResult {
  readonly seconds: number;
  readonly sent: number;
  /** Due while every connection was full: requests that a client would have queued. */
  readonly heldBack: number;
  /** Answers by status and code, such as `200 00000`. */
  readonly answers: ReadonlyMap<string, number>;
  /** Connections that were closed before all their answers came. */
  readonly cut: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const PACE_MS = 1;
/** Waiting time for the last answers: past the server's own deadline for an unknown outcome. */
const LAST_ANSWERS_MS = 8_000;
const HEAD_END = '\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
const CODE = /"code":"(\d+)"/;

/** Counts shared by all connections of a flood. */
class Tally {
  readonly answers = new Map<string, number>();
  readonly latencies: number[] = [];
  sent = 0;
  cut = 0;
  outstanding = 0;

  /** Only successful answers count for latency: a refusal is quick by design. */
  count(status: string, code: string, sentAt: number): void {
    const kind = `${status} ${code}`;
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    this.outstanding--;
    if (kind === '200 00000') this.latencies.push(performance.now() - sentAt);
  }

  percentile(share: number): number {
    const sorted = Float64Array.from(this.latencies).toSorted();
    return sorted[Math.floor(sorted.length * share)] ?? 0;
  }
}

class FloodConnection {
  readonly #socket: Socket;
  readonly #tally: Tally;
  readonly #whenAnswered: (connection: FloodConnection) => void;
  readonly #sentAt: number[] = [];
  #received = '';

  constructor(socket: Socket, tally: Tally, whenAnswered: (connection: FloodConnection) => void) {
    this.#socket = socket;
    this.#tally = tally;
    this.#whenAnswered = whenAnswered;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#take(String(text)));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#lose());
  }

  get waiting(): number {
    return this.#socket.destroyed ? Number.POSITIVE_INFINITY : this.#sentAt.length;
  }

  send(request: string): void {
    this.#sentAt.push(performance.now());
    this.#tally.sent++;
    this.#tally.outstanding++;
    this.#socket.write(request, 'latin1');
  }

  #take(text: string): void {
    this.#received += text;
    let from = 0;
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END, from);
      if (headEnd < 0) break;
      const head = this.#received.slice(from, headEnd);
      const end = headEnd + HEAD_END.length + Number.parseInt(LENGTH.exec(head)?.[1] ?? '0', 10);
      if (this.#received.length < end) break;
      const code = CODE.exec(this.#received.slice(headEnd, end))?.[1] ?? 'none';
      this.#tally.count(head.slice(9, 12), code, this.#sentAt.shift() ?? 0);
      from = end;
    }
    this.#received = this.#received.slice(from);
    if (from > 0) this.#whenAnswered(this);
  }

  #lose(): void {
    if (this.#sentAt.length > 0) this.#tally.cut++;
    this.#tally.outstanding -= this.#sentAt.length;
    this.#sentAt.length = 0;
  }

  end(): void {
    this.#socket.destroy();
  }
}

export async function flood({
  port,
  requests,
  connections,
  pipeline,
  rate,
  seconds,
}: FloodOptions): Promise<FloodResult> {
  const tally = new Tally();
  let over = false;
  let turn = 0;
  const next = (): string => requests[turn++ % requests.length]!;
  const fill = (connection: FloodConnection): void => {
    while (!over && rate === undefined && connection.waiting < pipeline) connection.send(next());
  };
  const all = await Promise.all(
    Array.from(
      { length: connections },
      async () => new FloodConnection(await openSocket(port), tally, fill),
    ),
  );
  const begun = performance.now();
  let [due, place, heldBack] = [0, 0, 0];
  const sendDue = (): void => {
    for (const until = ((performance.now() - begun) * (rate ?? 0)) / 1000; due < until; due++) {
      let tried = 0;
      while (tried < all.length && all[place % all.length]!.waiting >= pipeline)
        [tried, place] = [tried + 1, place + 1];
      if (tried < all.length) all[place++ % all.length]!.send(next());
      else {
        heldBack += Math.ceil(until - due);
        due = until;
      }
    }
  };
  for (const connection of all) fill(connection);
  while (performance.now() - begun < seconds * 1000) {
    if (rate !== undefined) sendDue();
    await pause(PACE_MS);
  }
  over = true;
  const took = (performance.now() - begun) / 1000;
  for (
    const late = performance.now() + LAST_ANSWERS_MS;
    tally.outstanding > 0 && performance.now() < late;
  )
    await pause(PACE_MS);
  for (const connection of all) connection.end();
  return {
    seconds: took,
    sent: tally.sent,
    heldBack,
    answers: tally.answers,
    cut: tally.cut,
    p50Ms: tally.percentile(0.5),
    p99Ms: tally.percentile(0.99),
  };
}
