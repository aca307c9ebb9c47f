/**
 * The byte format of a history row: numbers and money have a fixed width, and words are indexes of
 * a closed list. Every call writes many rows and few of them are ever read, so writing must be
 * cheap.
 */
import { MalformedBytes } from '../../kernel/bytes.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Amount, Price, Rate, Size } from '../../kernel/money.ts';

type Money = Amount | Price | Rate | Size;

const START_CAPACITY = 4_096;
/** More than the numbers, money and words of any row need. */
const ROW_BYTES_MAX = 1_024;
/** Marks an absent word or flag. */
const NO_WORD = 255;
/**
 * The two lowest 64-bit values are not money. One marks absent money, and the other marks money
 * that is longer than eight bytes.
 */
const NO_MONEY = -(2n ** 63n);
const LONG_MONEY = NO_MONEY + 1n;
const MONEY_MAX = 2n ** 63n - 1n;

export class RowWriter {
  #bytes = Buffer.allocUnsafeSlow(START_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes so far. A further write may move them. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /**
   * Reserves room for a row without its texts. Each text reserves its own room, and as much again
   * for what follows.
   */
  begin(): void {
    this.#makeRoom(0);
  }

  #makeRoom(text: number): void {
    const needed = this.#length + text + ROW_BYTES_MAX;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  /**
   * Pads to the next multiple of a number of bytes with zeros, so that no earlier contents of
   * memory get into the file.
   */
  pad(multiple: number): void {
    while (this.#length % multiple !== 0) this.byte(0);
  }

  /** Overwrites four bytes that were written before. */
  patchUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  /** An id, a time or a sequence. */
  whole(value: number): void {
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  money(value: Money | undefined): void {
    const at = this.#length;
    this.#length = at + 8;
    if (value === undefined) return this.#view.setBigInt64(at, NO_MONEY, true);
    if (value > LONG_MONEY && value <= MONEY_MAX) return this.#view.setBigInt64(at, value, true);
    this.#view.setBigInt64(at, LONG_MONEY, true);
    this.text(String(value as bigint));
  }

  flag(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  word<Word extends string>(words: readonly Word[], value: Word | undefined): void {
    if (value === undefined) return this.byte(NO_WORD);
    // The lists are short and their words are unique strings, so this loop is faster than an array
    // method.
    for (let place = 0; place < words.length; place++)
      if (words[place] === value) return this.byte(place);
    invariant(false, 'a word is in its list');
  }

  text(value: string): void {
    const { length } = value;
    this.#makeRoom(4 + length);
    const start = this.#length + 4;
    const bytes = this.#bytes;
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at);
      if (code >= 0x80) return this.#longText(value);
      bytes[start + at] = code;
    }
    this.uint32(length);
    this.#length += length;
  }

  #longText(value: string): void {
    const size = Buffer.byteLength(value);
    this.#makeRoom(4 + size);
    this.uint32(size);
    this.#bytes.write(value, this.#length, 'utf8');
    this.#length += size;
  }

  /** A text that may be absent. */
  optionalText(value: string | undefined): void {
    this.flag(value !== undefined);
    if (value !== undefined) this.text(value);
  }
}

export class RowReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = at;
  }

  #take(size: number): number {
    const start = this.at;
    if (start + size > this.#bytes.length) throw new MalformedBytes('a row ends too early');
    this.at = start + size;
    return start;
  }

  byte(): number {
    return this.#bytes[this.#take(1)]!;
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  whole<Value extends number>(): Value {
    return this.#view.getFloat64(this.#take(8), true) as Value;
  }

  money<Value extends Money>(): Value {
    const value = this.optionalMoney<Value>();
    if (value === undefined) throw new MalformedBytes('a row lacks required money');
    return value;
  }

  optionalMoney<Value extends Money>(): Value | undefined {
    const value = this.#view.getBigInt64(this.#take(8), true);
    if (value === NO_MONEY) return undefined;
    return (value === LONG_MONEY ? BigInt(this.text()) : value) as Value;
  }

  flag(): boolean {
    return this.byte() === 1;
  }

  word<Word extends string>(words: readonly Word[]): Word {
    const word = this.optionalWord(words);
    if (word === undefined) throw new MalformedBytes('a row lacks a required word');
    return word;
  }

  optionalWord<Word extends string>(words: readonly Word[]): Word | undefined {
    const place = this.byte();
    if (place === NO_WORD) return undefined;
    const word = words[place];
    if (word === undefined) throw new MalformedBytes('a word is outside its list');
    return word;
  }

  text<Text extends string>(): Text {
    const size = this.uint32();
    const start = this.#take(size);
    return this.#bytes.toString('utf8', start, start + size) as Text;
  }

  optionalText<Text extends string>(): Text | undefined {
    return this.flag() ? this.text<Text>() : undefined;
  }
}
