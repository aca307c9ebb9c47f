/** The market of one symbol as text: a screen for a terminal, or lines for a file or a pipe. */

type Level = readonly [price: string, size: string];

export interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface Trade {
  /** Exchange time, ms. */
  readonly at: number;
  readonly side: string;
  readonly size: string;
  readonly price: string;
}

export interface Market {
  readonly title: string;
  readonly book: Book;
  /** Newest first. */
  readonly trades: readonly Trade[];
}

/** Title, heads and empty lines. */
const OTHER_LINES = 6;
const LEVELS_MAX = 10;
const COLUMN = 14;

const timeText = (at: number): string => new Date(at).toISOString();
const columns = (...texts: readonly string[]): string =>
  texts.map((text) => text.padStart(COLUMN)).join('');

/** A whole screen, which covers the one before it. */
export function screenText(
  { title, book, trades }: Market,
  size: { readonly rows: number; readonly columns: number },
): string {
  const room = Math.max(2, size.rows - OTHER_LINES);
  const levels = Math.min(LEVELS_MAX, Math.ceil(room / 2));
  const lines = [title, '', columns('bid size', 'bid', 'ask', 'ask size')];
  for (let at = 0; at < levels; at++) {
    const [bid, bidSize] = book.bids[at] ?? ['', ''];
    const [ask, askSize] = book.asks[at] ?? ['', ''];
    lines.push(columns(bidSize, bid, ask, askSize));
  }
  lines.push('', columns('time', '', 'size', 'price'));
  for (const { at, side, size: amount, price } of trades.slice(0, room - levels))
    lines.push(columns(timeText(at).slice(11, 23), side, amount, price));
  return lines.map((line) => line.slice(0, size.columns)).join('\n');
}

export const tradeLine = ({ at, side, size, price }: Trade): string =>
  `${timeText(at)} ${side} ${size} at ${price}`;

const levelText = (level: Level | undefined): string =>
  level === undefined ? 'none' : `${level[1]} at ${level[0]}`;

/** The best bid and ask. */
export const bookLine = ({ bids, asks }: Book, at: number): string =>
  `${timeText(at)} bid ${levelText(bids[0])}, ask ${levelText(asks[0])}`;
