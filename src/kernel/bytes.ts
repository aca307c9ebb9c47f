/**
 * Reads and writes bytes in order, for journal records, snapshots and hashes. Always little-endian.
 */
// Imported, because the global is a getter that runs on each use.
import { Buffer } from 'node:buffer';
import { invariant } from './invariant.ts';

/**
 * Thrown when bytes end early or are invalid; readers of files turn it into an error about the
 * file.
 */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes';
}

/** The bytes are whole, but a program of another version wrote them. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
}

const START_CAPACITY = 1024;
/** Its length takes one byte. */
const SHORT_TEXT = 64;
const INT32_MAX = 2 ** 31 - 1;

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export class ByteWriter {
  #buffer: Buffer;
  #view: DataView;
  #length = 0;

  constructor(capacity = START_CAPACITY) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#view = viewOf(this.#buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes so far. `clear` overwrites them; copy them to keep them. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /**
   * Copies the bytes so far, four at a time. For short inputs this is faster than the built-in
   * copy.
   */
  copyTo(target: DataView, start: number): void {
    const source = this.#view;
    const length = this.#length;
    const words = length & ~3;
    for (let at = 0; at < words; at += 4)
      target.setInt32(start + at, source.getInt32(at, true), true);
    for (let at = words; at < length; at++) target.setUint8(start + at, source.getUint8(at));
  }

  #reserve(bytes: number): number {
    const start = this.#length;
    if (start + bytes > this.#buffer.length) this.#grow(bytes);
    this.#length = start + bytes;
    return start;
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.#length + bytes, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    this.#view = viewOf(grown);
  }

  byte(value: number): void {
    const at = this.#length;
    if (at === this.#buffer.length) this.#grow(1);
    this.#buffer[at] = value;
    this.#length = at + 1;
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, at);
  }

  /** Overwrites four earlier bytes, for lengths and checksums known only afterwards. */
  patchUint32(at: number, value: number): void {
    this.#buffer.writeUInt32LE(value, at);
  }

  /** A whole number from 0 to 2^53 − 1 in eight bytes. */
  uint53(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeUInt32LE(value >>> 0, at);
    this.#buffer.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4);
  }

  /** A whole number from 0 to 2^53 − 1 in as few bytes as it needs. */
  varint(value: number): void {
    if (value < 0x80 && value >= 0 && Number.isInteger(value)) return this.byte(value);
    invariant(
      Number.isSafeInteger(value) && value >= 0,
      'only whole numbers from 0 to 2^53 − 1 have a short form',
    );
    if (value <= INT32_MAX) return this.#varint32(value);
    // The first four groups use shifts; the rest fits 32 bits.
    for (let shift = 0; shift < 28; shift += 7) this.byte(((value >>> shift) & 0x7f) | 0x80);
    this.#varint32(Math.floor(value / 2 ** 28));
  }

  /** Shifts are many times faster than divisions. */
  #varint32(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest);
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
  }

  text(value: string): void {
    if (value.length > SHORT_TEXT || !this.#shortText(value)) this.#longText(value);
  }

  /**
   * Writes a short ASCII text, two characters at a time, faster than the built-in encoder. Returns
   * false, and writes nothing, if a character is not ASCII.
   */
  #shortText(value: string): boolean {
    const { length } = value;
    const start = this.#reserve(length + 1);
    const view = this.#view;
    view.setUint8(start, length);
    let at = 0;
    let seen = 0;
    for (; at + 1 < length; at += 2) {
      const first = value.charCodeAt(at);
      const second = value.charCodeAt(at + 1);
      seen |= first | second;
      view.setInt16(start + 1 + at, first | (second << 8), true);
    }
    if (at < length) {
      const last = value.charCodeAt(at);
      seen |= last;
      view.setUint8(start + 1 + at, last);
    }
    if (seen < 0x80) return true;
    this.#length = start;
    return false;
  }

  #longText(value: string): void {
    const size = Buffer.byteLength(value);
    this.varint(size);
    const at = this.#reserve(size);
    this.#buffer.write(value, at, size === value.length ? 'latin1' : 'utf8');
  }
}

/** A direct-mapped cache of recent names; names with the same slot replace each other. */
const NAME_PLACES = 256;
const names: string[] = Array.from({ length: NAME_PLACES }, () => '');

const { fromCharCode } = String;
/** Reusable character lists, one for each length of a short text. */
const shortCodes: number[][] = Array.from({ length: SHORT_TEXT + 1 }, (_, length) =>
  Array.from({ length }, () => 0),
);

export class ByteReader {
  readonly #buffer: Buffer;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#buffer =
      bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = start;
    this.#end = end;
  }

  get position(): number {
    return this.#at;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (at + bytes > this.#end) this.#endsEarly(bytes);
    this.#at = at + bytes;
    return at;
  }

  #endsEarly(bytes: number): never {
    throw new MalformedBytes(`${bytes} bytes needed at ${this.#at}, ${this.left} left`);
  }

  byte(): number {
    const at = this.#at;
    if (at >= this.#end) this.#endsEarly(1);
    this.#at = at + 1;
    return this.#buffer[at]!;
  }

  uint32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  uint53(): number {
    const at = this.#take(8);
    const value = this.#buffer.readUInt32LE(at + 4) * 2 ** 32 + this.#buffer.readUInt32LE(at);
    if (!Number.isSafeInteger(value)) throw new MalformedBytes(`no safe integer at ${at}`);
    return value;
  }

  varint(): number {
    const first = this.#buffer[this.#at]!;
    if (first < 0x80 && this.#at < this.#end) {
      this.#at += 1;
      return first;
    }
    return this.#longVarint();
  }

  /** The first four groups use shifts, which are many times faster than products. */
  #longVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    let scale = 2 ** 28;
    for (let count = 4; count < 8; count++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(value))
        throw new MalformedBytes(`no safe integer before ${this.#at}`);
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new MalformedBytes('a varint has at most eight bytes');
  }

  bytes(length: number): Buffer {
    const at = this.#take(length);
    return this.#buffer.subarray(at, at + length);
  }

  text(): string {
    const size = this.varint();
    const at = this.#take(size);
    return this.#textAt(at, size);
  }

  #textAt(at: number, size: number): string {
    return (
      (size <= SHORT_TEXT ? this.#shortText(at, size) : undefined) ??
      this.#buffer.toString('utf8', at, at + size)
    );
  }

  /** Builds a short ASCII text faster than the built-in decoder. */
  #shortText(at: number, size: number): string | undefined {
    const buffer = this.#buffer;
    const codes = shortCodes[size]!;
    for (let place = 0; place < size; place++) {
      const code = buffer[at + place]!;
      if (code >= 0x80) return undefined;
      codes[place] = code;
    }
    return fromCharCode.apply(undefined, codes);
  }

  /**
   * Reads a text that repeats often. A recent one is returned from the cache, without a new string.
   */
  name(): string {
    const size = this.varint();
    const at = this.#take(size);
    const place =
      size === 0
        ? 0
        : (size * 37 +
            this.#buffer[at]! * 5 +
            this.#buffer[at + size - 1]! +
            this.#buffer[at + (size >> 1)]! * 3) %
          NAME_PLACES;
    const known = names[place]!;
    if (this.#reads(known, at, size)) return known;
    const read = this.#textAt(at, size);
    names[place] = read;
    return read;
  }

  /** Whether the bytes spell this ASCII text. */
  #reads(text: string, at: number, size: number): boolean {
    if (text.length !== size) return false;
    for (let place = 0; place < size; place++) {
      const code = text.charCodeAt(place);
      if (code !== this.#buffer[at + place] || code >= 0x80) return false;
    }
    return true;
  }

  expectEnd(): void {
    invariant(this.#at <= this.#end, 'a reader never passes its end');
    if (this.#at !== this.#end) throw new MalformedBytes(`${this.left} bytes left over`);
  }
}
