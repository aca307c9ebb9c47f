/** A keep-alive connection that sends requests without waiting for earlier answers. */
import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Far longer than any answer takes, even on a busy machine. */
const ANSWER_MS_MAX = 60_000;
/**
 * The server closes a connection that is idle for fifteen seconds. A request sent at that moment
 * would be lost.
 */
const IDLE_MS_MAX = 10_000;

/** Takes whole answers from the front of the buffer, and skips interim ones (100). */
export function takeAnswers(arrived: Buffer): {
  readonly answers: readonly WireAnswer[];
  readonly left: Buffer;
} {
  const answers: WireAnswer[] = [];
  let left = arrived;
  for (;;) {
    const end = left.indexOf('\r\n\r\n');
    if (end < 0) return { answers, left };
    const [first = '', ...lines] = left.subarray(0, end).toString('latin1').split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1];
    if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first)}`);
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number.parseInt(headers.get('content-length') ?? '0', 10);
    const whole = end + 4 + length;
    if (left.length < whole) return { answers, left };
    if (status !== '100')
      answers.push({
        status: Number.parseInt(status, 10),
        headers,
        body: left.subarray(end + 4, whole).toString('utf8'),
      });
    left = left.subarray(whole);
  }
}

interface Waiting {
  readonly answered: (answer: WireAnswer) => void;
  readonly failed: (error: Error) => void;
  readonly late: NodeJS.Timeout;
}

export class Line {
  readonly #port: number;
  #socket: Socket | undefined;
  #arrived = Buffer.alloc(0);
  #waiting: Waiting[] = [];
  #askedAt = 0;

  constructor(port: number) {
    this.#port = port;
  }

  ask(bytes: Buffer): Promise<WireAnswer> {
    return new Promise((answered, failed) => {
      const socket = this.#connected();
      const late = setTimeout(() => this.#fail('no answer came'), ANSWER_MS_MAX);
      this.#waiting.push({ answered, failed, late });
      this.#askedAt = performance.now();
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connected(): Socket {
    const isIdle = this.#waiting.length === 0 && performance.now() - this.#askedAt > IDLE_MS_MAX;
    if (this.#socket?.writable && !isIdle) return this.#socket;
    this.#socket?.destroy();
    const socket = connect(this.#port, '127.0.0.1');
    this.#socket = socket;
    this.#arrived = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error.message));
    socket.on('close', () => {
      if (this.#socket === socket) this.#fail('the connection was closed');
    });
    return socket;
  }

  #take(chunk: Buffer): void {
    try {
      const { answers, left } = takeAnswers(
        this.#arrived.length === 0 ? chunk : Buffer.concat([this.#arrived, chunk]),
      );
      this.#arrived = Buffer.from(left);
      for (const answer of answers) {
        const next = this.#waiting.shift();
        if (next === undefined)
          throw new Error(`an answer without a request: ${JSON.stringify(answer)}`);
        clearTimeout(next.late);
        next.answered(answer);
      }
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  #fail(why: string): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#socket?.destroy();
    this.#socket = undefined;
    for (const { failed, late } of waiting) {
      clearTimeout(late);
      failed(new Error(why));
    }
  }
}
