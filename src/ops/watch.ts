/** `rialto watch`: shows the book and the trades of a symbol as they change. */
import { WebSocket } from 'ws';
import { CliError } from './cli-error.ts';
import { type Book, bookLine, screenText, type Trade, tradeLine } from './market-screen.ts';
import { runningExchange } from './running-exchange.ts';

interface WatchOptions {
  readonly data: string;
  readonly category: string;
}

/** What comes on the public stream of v3. */
interface Frame {
  readonly event?: string;
  readonly msg?: string;
  readonly action?: 'snapshot' | 'update';
  readonly arg?: { readonly topic: string };
  readonly data?: readonly unknown[];
  readonly ts?: number;
}

interface BookRow {
  readonly b: Book['bids'];
  readonly a: Book['asks'];
}

interface TradeRow {
  readonly p: string;
  readonly v: string;
  readonly S: string;
  readonly T: string;
}

/** More than a tall terminal shows. */
const TRADES_MAX = 100;
/** The exchange ends a stream that is silent for two minutes. */
const PING_EVERY_MS = 30_000;

/** The codes of a terminal: another screen without a cursor, and back. */
const ENTER_SCREEN = '\x1b[?1049h\x1b[?25l';
const LEAVE_SCREEN = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

interface Output {
  book(book: Book, at: number): void;
  /** Newest first. `areNew` is false for trades from before the start. */
  trades(trades: readonly Trade[], areNew: boolean): void;
  end(): void;
}

class Lines implements Output {
  readonly #write: (text: string) => void;
  #best = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  book(book: Book, at: number): void {
    const best = JSON.stringify([book.bids[0], book.asks[0]]);
    if (best === this.#best) return;
    this.#best = best;
    this.#write(`${bookLine(book, at)}\n`);
  }

  trades(trades: readonly Trade[], areNew: boolean): void {
    if (areNew) for (const trade of trades.toReversed()) this.#write(`${tradeLine(trade)}\n`);
  }

  end(): void {}
}

class Screen implements Output {
  readonly #write: (text: string) => void;
  readonly #title: string;
  #book: Book = { bids: [], asks: [] };
  #trades: readonly Trade[] = [];

  constructor(title: string, write: (text: string) => void) {
    this.#write = write;
    this.#title = title;
    write(ENTER_SCREEN);
  }

  book(book: Book): void {
    this.#book = book;
    this.#draw();
  }

  trades(trades: readonly Trade[]): void {
    this.#trades = [...trades, ...this.#trades].slice(0, TRADES_MAX);
    this.#draw();
  }

  end(): void {
    this.#write(LEAVE_SCREEN);
  }

  #draw(): void {
    // Some terminals report no size.
    const { rows, columns } = process.stdout;
    const market = { title: this.#title, book: this.#book, trades: this.#trades };
    const text = screenText(market, { rows: rows || 24, columns: columns || 80 });
    this.#write(`${HOME}${text.replaceAll('\n', `${CLEAR_LINE}\n`)}${CLEAR_LINE}${CLEAR_BELOW}`);
  }
}

function show(frame: Frame, output: () => Output): void {
  const { event, msg, action, arg, data = [], ts = 0 } = frame;
  if (event === 'error') throw new CliError(`the exchange refused to stream: ${msg}`);
  if (action === undefined) return;
  if (arg?.topic === 'publicTrade') {
    const rows = data as readonly TradeRow[];
    const trades = rows.map(({ p, v, S, T }) => ({ at: Number(T), side: S, size: v, price: p }));
    return output().trades(trades, action === 'update');
  }
  const [{ b: bids, a: asks }] = data as readonly [BookRow];
  output().book({ bids, asks }, ts);
}

/** Streams until Ctrl-C. */
export async function watch(symbol: string, { data, category }: WatchOptions): Promise<void> {
  const { publicUrl, operator } = runningExchange(data);
  // Another exchange may have the stored address by now.
  await operator.call('getClock');
  const socket = new WebSocket(`${publicUrl.replace(/^http/, 'ws')}/v3/ws/public`);
  const write = (text: string): void => {
    if (process.stdout.write(text)) return;
    socket.pause();
    process.stdout.once('drain', () => socket.resume());
  };
  const ping = setInterval(() => socket.send('ping'), PING_EVERY_MS);
  let output: Output | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    const outputNow = (): Output =>
      (output ??= process.stdout.isTTY
        ? new Screen(`${symbol} ${category}, Ctrl-C ends`, write)
        : new Lines(write));
    const arg = { instType: category.toLowerCase(), symbol };
    const args = ['books15', 'publicTrade'].map((topic) => ({ ...arg, topic }));
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', args })));
    socket.on('message', (message: Buffer) => {
      const text = message.toString();
      if (text === 'pong') return;
      try {
        show(JSON.parse(text) as Frame, outputNow);
      } catch (error) {
        reject(error as Error);
      }
    });
    socket.on('error', () => reject(new CliError(`no stream is served at ${publicUrl}`)));
    socket.on('close', (_, reason) =>
      reject(new CliError(`the stream has ended: ${reason.toString() || 'connection lost'}`)),
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  try {
    await ended;
  } finally {
    clearInterval(ping);
    socket.terminate();
    output?.end();
  }
}
