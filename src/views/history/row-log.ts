/**
 * The rows of one table as consecutive bytes: while they are pending, on the way to the worker, and
 * in a block of the file. As bytes they cost the garbage collector nothing. Each row begins with
 * its key.
 */
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import type { EmittedEvent, HistoryBatch } from './recorded-events.ts';
import { RowReader, RowWriter } from './row-bytes.ts';
import type { KeyWriter, OwnedRow, RowBytes, RowKey } from './table.ts';

/** Marks the absence of a user; uids begin far above. */
const HOUSE = 0;

/**
 * Rows begin at multiples of this, so that they can be copied word by word, which is many times
 * faster for so few bytes.
 */
export const WORD_BYTES = 4;

/**
 * The size of a key: the length of the row, the number of its symbol, id, time, sequence, uid and
 * category.
 */
export const KEY_BYTES = 4 + 4 + 8 + 8 + 8 + 8 + 1;
const [SYMBOL_AT, ID_AT, TIME_AT, SEQUENCE_AT, UID_AT, CATEGORY_AT] = [4, 8, 16, 24, 32, 40];

export type RowsWriter = (event: EmittedEvent, batch: HistoryBatch, writeKey: KeyWriter) => void;

/** The message to the worker: the rows, and the symbols that they refer to by number. */
export interface LogBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly symbols: readonly string[];
}

/** Reads the keys of rows without decoding the rows. */
export class KeyScan {
  readonly #view: DataView;
  /** Start and end of the current row. */
  start = 0;
  end = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    if (this.end >= this.#view.byteLength) return false;
    this.start = this.end;
    this.end = this.start + this.#view.getUint32(this.start, true);
    return true;
  }

  get symbol(): number {
    return this.#view.getUint32(this.start + SYMBOL_AT, true);
  }

  get id(): number {
    return this.#view.getFloat64(this.start + ID_AT, true);
  }

  get time(): number {
    return this.#view.getFloat64(this.start + TIME_AT, true);
  }

  get sequence(): number {
    return this.#view.getFloat64(this.start + SEQUENCE_AT, true);
  }

  /** Zero means the exchange. */
  get uid(): number {
    return this.#view.getFloat64(this.start + UID_AT, true);
  }

  /** Its index in the list of categories. */
  get category(): number {
    return this.#view.getUint8(this.start + CATEGORY_AT);
  }
}

/** Reads the row at the position of the reader. */
export function readRow<Row extends OwnedRow>(
  codec: RowBytes<Row>,
  from: RowReader,
  symbolNumbered: (number: number) => string,
): Row {
  const end = from.at + from.uint32();
  const symbol = symbolNumbered(from.uint32());
  const id = from.whole<Id>();
  const time = from.whole<Timestamp>();
  const sequence = from.whole<Sequence>();
  const uid = from.whole<Uid>();
  const key: RowKey = {
    id,
    time,
    sequence,
    uid: uid === HOUSE ? undefined : uid,
    category: from.optionalWord(CATEGORIES),
    symbol,
  };
  const row = codec.read(from, key);
  from.at = end;
  return row;
}

export class RowLog<Row extends OwnedRow> {
  readonly #codec: RowBytes<Row>;
  readonly #writer = new RowWriter();
  readonly #symbols: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(codec: RowBytes<Row>) {
    this.#codec = codec;
  }

  #rowAt = 0;
  #count = 0;
  #lastNumber = 0;

  readonly #writeKey: KeyWriter = (id, time, sequence, uid, category, symbol) => {
    const to = this.#writer;
    this.#endRow();
    this.#count++;
    to.begin();
    to.uint32(0);
    to.uint32(this.#numberOf(symbol));
    to.whole(id);
    to.whole(time);
    to.whole(sequence);
    to.whole(uid ?? HOUSE);
    to.word(CATEGORIES, category);
    return to;
  };

  /** Appends the rows that `write` writes, and returns their number. */
  add(event: EmittedEvent, batch: HistoryBatch, write: RowsWriter): number {
    const before = this.#count;
    write(event, batch, this.#writeKey);
    this.#endRow();
    return this.#count - before;
  }

  #endRow(): void {
    const to = this.#writer;
    if (to.length === this.#rowAt) return;
    to.pad(WORD_BYTES);
    to.patchUint32(this.#rowAt, to.length - this.#rowAt);
    this.#rowAt = to.length;
  }

  #numberOf(symbol: string): number {
    // Most rows have the same symbol as the row before.
    if (symbol === this.#symbols[this.#lastNumber]) return this.#lastNumber;
    const known = this.#numbers.get(symbol);
    this.#lastNumber = known ?? this.#symbols.push(symbol) - 1;
    if (known === undefined) this.#numbers.set(symbol, this.#lastNumber);
    return this.#lastNumber;
  }

  /** The rows of one user, or of all users. */
  *rowsOf(uid: Uid | undefined): Iterable<Row> {
    const bytes = this.#writer.written();
    const scan = new KeyScan(bytes);
    const reader = new RowReader(bytes);
    while (scan.next()) {
      if (uid !== undefined && scan.uid !== uid) continue;
      reader.at = scan.start;
      yield readRow(this.#codec, reader, (number) => this.#symbols[number]!);
    }
  }

  /** A copy for the worker. */
  copy(): LogBytes {
    return { bytes: new Uint8Array(this.#writer.written()), symbols: this.#symbols };
  }
}
