/** Finds the columns of a table from a header, from a list of names, or from the first row. */
import type { RecordedKind } from '../../messages/recordings.ts';
import { isFlag, isTimeNumber } from './cells.ts';
import { BadRow } from './recorded.ts';

/** The names of columns. Columns with other names are not read. */
const COLUMN_WORDS = [
  'time',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'price',
  'size',
  'side',
  'maker',
  'id',
  'symbol',
] as const;
export type ColumnWord = (typeof COLUMN_WORDS)[number];

export interface Columns {
  readonly kind: RecordedKind;
  /** The index of each column from 0; absent if the table lacks it. */
  readonly places: Readonly<Partial<Record<ColumnWord, number>>>;
}

/** Names in headers, the preferred one first, in lower case without punctuation. */
const HEADER_NAMES: Readonly<Record<ColumnWord, readonly string[]>> = {
  time: [
    ...['unix', 'unixtimestamp', 'opentime', 'timestamp', 'time', 'ts', 'createdtime'],
    ...['transacttime', 'starttime', 'datetime', 'date'],
  ],
  open: ['open', 'openprice', 'o'],
  high: ['high', 'highprice', 'h'],
  low: ['low', 'lowprice', 'l'],
  close: ['close', 'closeprice', 'c'],
  volume: ['volume', 'vol', 'v', 'basevolume', 'volumebase', 'baseassetvolume'],
  price: ['price', 'p'],
  size: ['size', 'qty', 'quantity', 'amount', 'sizebase', 'volume', 'q'],
  side: ['side', 'takerside'],
  maker: ['isbuyermaker'],
  id: ['id', 'tradeid', 'aggtradeid', 'trdmatchid'],
  symbol: ['symbol', 'instrumentname', 'instid', 'pair'],
};

/** Some headers have a name in two languages. */
const headerName = (cell: string): string =>
  cell
    .split('/')[0]!
    .toLowerCase()
    .replace(/[^a-z]/g, '');

function kindOf(places: Columns['places']): RecordedKind | undefined {
  const has = (...words: ColumnWord[]): boolean =>
    words.every((word) => places[word] !== undefined);
  if (has('time', 'open', 'high', 'low', 'close')) return 'candles';
  return has('time', 'price', 'size') ? 'trades' : undefined;
}

/** The columns that a list of names must have. */
const NEEDED = 'time, open, high, low and close, or time, price and size';

/** Reads the value of `--columns`: names separated by commas. */
export function columnsAsGiven(list: string): Columns {
  const words = list.split(',').map((word) => word.trim().toLowerCase());
  const places: Partial<Record<ColumnWord, number>> = {};
  for (const word of COLUMN_WORDS) {
    const at = words.indexOf(word);
    if (at < 0) continue;
    if (words.indexOf(word, at + 1) >= 0) throw new BadRow(`columns name ${word} twice`);
    places[word] = at;
  }
  const kind = kindOf(places);
  if (kind === undefined) throw new BadRow(`columns name ${NEEDED}, not "${list}"`);
  return { kind, places };
}

/** Reads a header; undefined if the line is not a known one. */
export function columnsOfHeader(cells: readonly string[]): Columns | undefined {
  const names = cells.map(headerName);
  const places: Partial<Record<ColumnWord, number>> = {};
  for (const word of COLUMN_WORDS) {
    const known = HEADER_NAMES[word].map((name) => names.indexOf(name)).find((at) => at >= 0);
    if (known !== undefined) places[word] = known;
  }
  // Headers of volumes contain the coin, and the base coin comes first: `Volume BTC`.
  const volume = places.volume ?? names.findIndex((name) => name.startsWith('volume'));
  if (volume >= 0) places.volume = volume;
  const kind = kindOf(places);
  return kind === undefined ? undefined : { kind, places };
}

const CANDLES: Columns = {
  kind: 'candles',
  places: { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 },
};
const TRADES: Columns = { kind: 'trades', places: { id: 0, price: 1, size: 2, time: 4, maker: 5 } };
const SUMMED_TRADES: Columns = {
  kind: 'trades',
  places: { id: 0, price: 1, size: 2, time: 5, maker: 6 },
};

function looksLikeCandle(cells: readonly string[]): boolean {
  const [open, high, low, close, size] = cells.slice(1, 6).map(Number);
  if (![open, high, low, close, size].every((each) => each !== undefined && Number.isFinite(each)))
    return false;
  return high! >= Math.max(open!, close!) && low! <= Math.min(open!, close!);
}

/** Recognises a table without a header by the formats of exchanges; undefined for any other. */
export function columnsByShape(cells: readonly string[]): Columns | undefined {
  if (cells.length >= 6 && isFlag(cells[5]!) && isTimeNumber(cells[4]!)) return TRADES;
  if (cells.length >= 7 && isFlag(cells[6]!) && isTimeNumber(cells[5]!)) return SUMMED_TRADES;
  const isTime = isTimeNumber(cells[0] ?? '') || /^\d{4}-\d{2}-\d{2}/.test(cells[0] ?? '');
  return isTime && cells.length >= 6 && looksLikeCandle(cells) ? CANDLES : undefined;
}
