/**
 * Reads a request body as JSON, strictly and from its source text: numbers keep their digits, objects become maps, and whatever could be
 * understood in two ways (a key twice, broken UTF-8, half a surrogate pair) is not understood at all.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { JsonNumber, type Raw } from '../../contract/raw.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { givenTwice } from './given-twice.ts';

/** The deepest request has three levels; eight leaves room and keeps the reader's recursion trivial. The top value is at depth 1. */
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

/** From this length on V8 makes a slice that keeps the whole text it was cut from alive. */
const SLICE_LENGTH_MIN = 13;

/** With the `u` flag a pair is one character, so this finds only halves that stand alone. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

class JsonReader {
  readonly #text: string;
  /** Set when each character is one byte, so that positions in the text are positions in the bytes. */
  readonly #bytes: Buffer | undefined;
  #at = 0;
  /** The key that one object has twice, when that is what is wrong. */
  twice: string | undefined;

  constructor(text: string, bytes: Buffer | undefined) {
    this.#text = text;
    this.#bytes = bytes;
  }

  document(): Read<Raw> {
    const value = this.#value(1);
    if (value === MALFORMED) return MALFORMED;
    return Number.isNaN(this.#skipSpace()) ? value : MALFORMED;
  }

  /** Moves to the next character that is not space and tells its code; NaN at the end. */
  #skipSpace(): number {
    const text = this.#text;
    let code = text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++this.#at);
    return code;
  }

  #value(depth: number): Read<Raw> {
    if (depth > JSON_DEPTH_MAX) return MALFORMED;
    const code = this.#skipSpace();
    switch (code) {
      case QUOTE:
        return this.#string(true);
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
    if (!this.#text.startsWith(word, this.#at)) return MALFORMED;
    this.#at += word.length;
    return value;
  }

  #object(depth: number): Read<Raw> {
    const fields = new Map<string, Raw>();
    this.#at++;
    if (this.#skipSpace() === RIGHT_BRACE) {
      this.#at++;
      return fields;
    }
    while (true) {
      if (this.#skipSpace() !== QUOTE) return MALFORMED;
      const key = this.#string(false);
      if (key === MALFORMED || this.#skipSpace() !== COLON) return MALFORMED;
      this.#at++;
      const value = this.#value(depth + 1);
      if (value === MALFORMED) return MALFORMED;
      const before = fields.size;
      fields.set(key, value);
      // A key given twice: the map did not grow.
      if (fields.size === before) {
        this.twice = key;
        return MALFORMED;
      }
      const next = this.#skipSpace();
      this.#at++;
      if (next === RIGHT_BRACE) return fields;
      if (next !== COMMA) return MALFORMED;
    }
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

  #string(kept: boolean): Read<string> {
    const text = this.#text;
    const start = this.#at + 1;
    let at = start;
    while (true) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) return this.#escapedString(start, at);
      // NaN, past the end, is not above it either.
      if (!(code >= FIRST_PRINTABLE)) return MALFORMED;
      at++;
    }
    this.#at = at + 1;
    return kept ? this.#copy(start, at) : text.slice(start, at);
  }

  /** The rest of a string from its first backslash on. */
  #escapedString(start: number, firstEscape: number): Read<string> {
    const text = this.#text;
    let said = text.slice(start, firstEscape);
    let plainFrom = firstEscape;
    let at = firstEscape;
    while (true) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        said += text.slice(plainFrom, at);
        return LONE_SURROGATE.test(said) ? MALFORMED : said;
      }
      if (!(code >= FIRST_PRINTABLE)) return MALFORMED;
      if (code !== BACKSLASH) {
        at++;
        continue;
      }
      said += text.slice(plainFrom, at);
      const escaped = text.charCodeAt(at + 1);
      const plain = SIMPLE_ESCAPES.get(escaped);
      const unit = plain ?? (escaped === LETTER_U ? this.#unicodeEscape(at + 2) : MALFORMED);
      if (unit === MALFORMED) return MALFORMED;
      said += unit;
      at += plain === undefined ? 6 : 2;
      plainFrom = at;
    }
  }

  /** One UTF-16 unit out of four hexadecimal digits; whether surrogates stand in pairs is judged when the string is whole. */
  #unicodeEscape(start: number): Read<string> {
    const digits = this.#text.slice(start, start + 4);
    return /^[0-9a-fA-F]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : MALFORMED;
  }

  #number(): Read<JsonNumber> {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let code = text.charCodeAt(at);
    if (code === MINUS) code = text.charCodeAt(++at);
    if (!isDigit(code)) return MALFORMED;
    const leadingZero = code === ZERO;
    code = text.charCodeAt(++at);
    if (leadingZero && isDigit(code)) return MALFORMED;
    while (isDigit(code)) code = text.charCodeAt(++at);
    if (code === POINT) {
      code = text.charCodeAt(++at);
      if (!isDigit(code)) return MALFORMED;
      while (isDigit(code)) code = text.charCodeAt(++at);
    }
    if (code === EXPONENT || code === EXPONENT_UPPER) {
      code = text.charCodeAt(++at);
      if (code === PLUS || code === MINUS) code = text.charCodeAt(++at);
      if (!isDigit(code)) return MALFORMED;
      while (isDigit(code)) code = text.charCodeAt(++at);
    }
    this.#at = at;
    return new JsonNumber(this.#copy(start, at));
  }

  /** A value may be kept for years (a client's order id): it must not keep the request it came in alive. */
  #copy(start: number, end: number): string {
    if (end - start < SLICE_LENGTH_MIN) return this.#text.slice(start, end);
    if (this.#bytes !== undefined) return this.#bytes.toString('latin1', start, end);
    return Buffer.from(this.#text.slice(start, end)).toString();
  }
}

const REFUSED = refuse(rejection('malformedRequest', 'body', 'it is not JSON that can be read'));

/** The value a body holds; an empty body holds none. */
export function readJson(bytes: Buffer): Result<Raw, Rejection> {
  if (bytes.length === 0) return ok(undefined);
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return REFUSED;
  const reader = ascii ? new JsonReader(bytes.toString('latin1'), bytes) : new JsonReader(bytes.toString(), undefined);
  const value = reader.document();
  if (value !== MALFORMED) return ok(value);
  return reader.twice === undefined ? REFUSED : givenTwice(reader.twice);
}
