/**
 * Rows of one table as bytes, one after another in the order they happened: how they wait to be
 * stored, how they travel to the worker, and how a block of them stands in the file. As bytes they
 * cost the collector nothing while they wait. Each begins with its key.
 */
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import type { EmittedEvent, HistoryBatch } from './recorded-events.ts';
import { RowReader, RowWriter } from './row-bytes.ts';
import type { KeyWriter, OwnedRow, RowBytes, RowKey } from './table.ts';

/** No user: uids begin far above. */
const HOUSE = 0;

/**
 * Rows begin at multiples of this, so that they can be copied word by word: of so few bytes that is
 * many times quicker than as bytes.
 */
export const WORD_BYTES = 4;

/**
 * The bytes of a key: the length of the whole row, the number of its symbol, id, time, sequence,
 * uid, category.
 */
export const KEY_BYTES = 4 + 4 + 8 + 8 + 8 + 8 + 1;
const [SYMBOL_AT, ID_AT, TIME_AT, SEQUENCE_AT, UID_AT, CATEGORY_AT] = [4, 8, 16, 24, 32, 40];

export type RowsWriter = (event: EmittedEvent, batch: HistoryBatch, writeKey: KeyWriter) => void;

/** What travels: the rows, and the symbols that they name by number. */
export interface LogBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly symbols: readonly string[];
}

/** Looks at the keys of rows without making anything of them. */
export class KeyScan {
  readonly #view: DataView;
  /** Where the row that is looked at begins and ends. */
  start = 0;
  end = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Goes on to the next row; false when there is none. */
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

  /** Nought is the house. */
  get uid(): number {
    return this.#view.getFloat64(this.start + UID_AT, true);
  }

  /** Its place among the categories. */
  get category(): number {
    return this.#view.getUint8(this.start + CATEGORY_AT);
  }
}

/** Reads the row that begins where the reader stands. */
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

  /** Takes the rows that `write` says, and answers how many they are. */
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
    // Most rows are of the symbol that the one before was of.
    if (symbol === this.#symbols[this.#lastNumber]) return this.#lastNumber;
    const known = this.#numbers.get(symbol);
    this.#lastNumber = known ?? this.#symbols.push(symbol) - 1;
    if (known === undefined) this.#numbers.set(symbol, this.#lastNumber);
    return this.#lastNumber;
  }

  /** The rows of a user, or of everybody. */
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

  /** A copy to send. */
  copy(): LogBytes {
    return { bytes: new Uint8Array(this.#writer.written()), symbols: this.#symbols };
  }
}
