/**
 * Reads a request body as strict JSON from its bytes. Numbers keep their digits, and objects keep
 * the order of their names. Ambiguous input is refused: a repeated key, broken UTF-8, half a
 * surrogate pair.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { emptyLayout, type Layout } from '../../contract/layout.ts';
import { JsonNumber, LaidOutObject, type Raw } from '../../contract/raw.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { givenTwice } from './given-twice.ts';

/**
 * The deepest request has three levels, with the top value at depth 1. Eight keep the recursion
 * shallow.
 */
const JSON_DEPTH_MAX = 8;

const MALFORMED = Symbol('malformed');
type Read<Value> = Value | typeof MALFORMED;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
const EXPONENT = 0x65;
const EXPONENT_UPPER = 0x45;
const FIRST_PRINTABLE = 0x20;

const SIMPLE_ESCAPES: ReadonlyMap<number, string> = new Map([
  [QUOTE, '"'],
  [BACKSLASH, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [LETTER_F, '\f'],
  [LETTER_N, '\n'],
  [0x72, '\r'],
  [LETTER_T, '\t'],
]);

/** From this length on, a V8 slice keeps its whole source text in memory. */
const SLICE_LENGTH_MIN = 13;

/** With the `u` flag a pair is one character, so this matches only unpaired halves. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Marks the end of the input; not a byte. */
const END = -1;

class JsonReader {
  readonly #bytes: Buffer;
  /** The bytes as text, if each byte is one character. */
  readonly #text: string | undefined;
  #at = 0;
  /** The repeated key, if that is why reading failed. */
  twice: string | undefined;

  constructor(bytes: Buffer, text: string | undefined) {
    this.#bytes = bytes;
    this.#text = text;
  }

  document(): Read<Raw> {
    const value = this.#value(1);
    if (value === MALFORMED) return MALFORMED;
    return this.#skipSpace() === END ? value : MALFORMED;
  }

  #byteAt(at: number): number {
    return at < this.#bytes.length ? this.#bytes[at]! : END;
  }

  /** Skips white space and returns the next byte. */
  #skipSpace(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length) {
      const code = bytes[at]!;
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        this.#at = at;
        return code;
      }
      at++;
    }
    this.#at = at;
    return END;
  }

  #value(depth: number): Read<Raw> {
    if (depth > JSON_DEPTH_MAX) return MALFORMED;
    const code = this.#skipSpace();
    switch (code) {
      case QUOTE:
        return this.#string();
      case LEFT_BRACE:
        return this.#object(depth);
      case LEFT_BRACKET:
        return this.#array(depth);
      case LETTER_T:
        return this.#word('true', true);
      case LETTER_F:
        return this.#word('false', false);
      case LETTER_N:
        return this.#word('null', null);
      default:
        return code === MINUS || isDigit(code) ? this.#number() : MALFORMED;
    }
  }

  #word<Value extends boolean | null>(word: string, value: Value): Read<Value> {
    const end = this.#at + word.length;
    if (this.#bytes.toString('latin1', this.#at, end) !== word) return MALFORMED;
    this.#at = end;
    return value;
  }

  #object(depth: number): Read<Raw> {
    let layout = emptyLayout();
    const values: Raw[] = [];
    this.#at++;
    if (this.#skipSpace() === RIGHT_BRACE) {
      this.#at++;
      return new LaidOutObject(layout, values);
    }
    while (true) {
      if (this.#skipSpace() !== QUOTE) return MALFORMED;
      const { likely } = layout;
      if (likely !== undefined && this.#passes(likely.quoted)) layout = likely;
      else {
        const key = this.#string();
        if (key === MALFORMED) return MALFORMED;
        const next = layout.with(key);
        if (next === undefined) return this.#unusualObject(depth, layout, values, key);
        layout = next;
      }
      const value = this.#namedValue(depth);
      if (value === MALFORMED) return MALFORMED;
      values.push(value);
      const next = this.#skipSpace();
      this.#at++;
      if (next === RIGHT_BRACE) return new LaidOutObject(layout, values);
      if (next !== COMMA) return MALFORMED;
    }
  }

  /**
   * Reads the rest of an object with a repeated name, or with names outside every layout, starting
   * after the first of them.
   */
  #unusualObject(depth: number, layout: Layout, values: readonly Raw[], name: string): Read<Raw> {
    const fields = new Map<string, Raw>(new LaidOutObject(layout, values));
    let key: Read<string> = name;
    while (true) {
      if (key === MALFORMED) return MALFORMED;
      const value = this.#namedValue(depth);
      if (value === MALFORMED) return MALFORMED;
      const before = fields.size;
      fields.set(key, value);
      // The map did not grow, so the key is repeated.
      if (fields.size === before) {
        this.twice = key;
        return MALFORMED;
      }
      const next = this.#skipSpace();
      this.#at++;
      if (next === RIGHT_BRACE) return fields;
      if (next !== COMMA || this.#skipSpace() !== QUOTE) return MALFORMED;
      key = this.#string();
    }
  }

  /** Reads the value after a name. */
  #namedValue(depth: number): Read<Raw> {
    if (this.#skipSpace() !== COLON) return MALFORMED;
    this.#at++;
    return this.#value(depth + 1);
  }

  /** Skips the expected bytes if they come next. */
  #passes(expected: Uint8Array): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    if (start + expected.length > bytes.length) return false;
    // Compares from the end, where names differ more often.
    for (let at = expected.length - 1; at > 0; at--)
      if (bytes[start + at] !== expected[at]) return false;
    this.#at = start + expected.length;
    return true;
  }

  #array(depth: number): Read<Raw> {
    const items: Raw[] = [];
    this.#at++;
    if (this.#skipSpace() === RIGHT_BRACKET) {
      this.#at++;
      return items;
    }
    while (true) {
      const value = this.#value(depth + 1);
      if (value === MALFORMED) return MALFORMED;
      items.push(value);
      const next = this.#skipSpace();
      this.#at++;
      if (next === RIGHT_BRACKET) return items;
      if (next !== COMMA) return MALFORMED;
    }
  }

  #string(): Read<string> {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    for (let at = start; at < bytes.length; at++) {
      const code = bytes[at]!;
      if (code === QUOTE) {
        this.#at = at + 1;
        return this.#slice(start, at);
      }
      if (code === BACKSLASH) return this.#escapedString(start, at);
      if (code < FIRST_PRINTABLE) return MALFORMED;
    }
    return MALFORMED;
  }

  /** Reads the rest of a string from its first backslash. */
  #escapedString(start: number, firstEscape: number): Read<string> {
    let input = this.#slice(start, firstEscape);
    let plainFrom = firstEscape;
    let at = firstEscape;
    while (true) {
      const code = this.#byteAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        input += this.#slice(plainFrom, at);
        return LONE_SURROGATE.test(input) ? MALFORMED : input;
      }
      if (code < FIRST_PRINTABLE) return MALFORMED;
      if (code !== BACKSLASH) {
        at++;
        continue;
      }
      input += this.#slice(plainFrom, at);
      const escaped = this.#byteAt(at + 1);
      const plain = SIMPLE_ESCAPES.get(escaped);
      const unit = plain ?? (escaped === LETTER_U ? this.#unicodeEscape(at + 2) : MALFORMED);
      if (unit === MALFORMED) return MALFORMED;
      input += unit;
      at += plain === undefined ? 6 : 2;
      plainFrom = at;
    }
  }

  /**
   * Reads one UTF-16 unit from four hexadecimal digits. Surrogate pairs are checked on the whole
   * string.
   */
  #unicodeEscape(start: number): Read<string> {
    const digits = this.#bytes.toString('latin1', start, start + 4);
    return /^[0-9a-fA-F]{4}$/.test(digits)
      ? String.fromCharCode(Number.parseInt(digits, 16))
      : MALFORMED;
  }

  #number(): Read<JsonNumber> {
    const start = this.#at;
    let at = start;
    let code = this.#byteAt(at);
    if (code === MINUS) code = this.#byteAt(++at);
    if (!isDigit(code)) return MALFORMED;
    const leadingZero = code === ZERO;
    code = this.#byteAt(++at);
    if (leadingZero && isDigit(code)) return MALFORMED;
    while (isDigit(code)) code = this.#byteAt(++at);
    if (code === POINT) {
      code = this.#byteAt(++at);
      if (!isDigit(code)) return MALFORMED;
      while (isDigit(code)) code = this.#byteAt(++at);
    }
    if (code === EXPONENT || code === EXPONENT_UPPER) {
      code = this.#byteAt(++at);
      if (code === PLUS || code === MINUS) code = this.#byteAt(++at);
      if (!isDigit(code)) return MALFORMED;
      while (isDigit(code)) code = this.#byteAt(++at);
    }
    this.#at = at;
    return new JsonNumber(this.#slice(start, at));
  }

  /** A stored text (a client order ID) must not keep the whole request in memory. */
  #slice(start: number, end: number): string {
    const text = this.#text;
    if (text === undefined) return this.#bytes.toString('utf8', start, end);
    return end - start >= SLICE_LENGTH_MIN
      ? this.#bytes.toString('latin1', start, end)
      : text.slice(start, end);
  }
}

const REFUSED = refuse(wireRejection('malformedRequest', 'body', 'it is not valid JSON'));

/** The value of a body; undefined for an empty body. */
export function readJson(bytes: Buffer): Result<Raw, WireRejection> {
  if (bytes.length === 0) return ok(undefined);
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return REFUSED;
  const reader = new JsonReader(bytes, ascii ? bytes.toString('latin1') : undefined);
  const value = reader.document();
  if (value !== MALFORMED) return ok(value);
  return reader.twice === undefined ? REFUSED : givenTwice(reader.twice);
}
