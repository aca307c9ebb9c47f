/**
 * A running 64-bit digest of what a core did, cheap enough for every event. It finds divergence; it
 * is no defence against an enemy.
 */
import { invariant } from './invariant.ts';

export interface Digest {
  high: number;
  low: number;
}

/** Each kind of value begins with a word of its own, so that `1`, `'1'` and `[1]` differ. */
const KIND = {
  undefined: 1,
  null: 2,
  false: 3,
  true: 4,
  number: 5,
  bigint: 6,
  text: 7,
  list: 8,
  object: 9,
  largeBigint: 10,
};

export const newDigest = (): Digest => ({ high: 0x9e3779b9, low: 0x85ebca6b });

/**
 * The digest being added to, in two words of the module: a value is taken in without an object on
 * the way. Nothing here calls out, so no two digests are ever under way at once.
 */
let high = 0;
let low = 0;

function mix(word: number): void {
  const product = Math.imul(low ^ word, 0xcc9e2d51);
  const rotated = (product << 15) | (product >>> 17);
  high = (Math.imul(high ^ rotated, 0x1b873593) + 0xe6546b64) | 0;
  low = (rotated + high) | 0;
}

/** Two characters to a word. */
function mixText(text: string): void {
  const { length } = text;
  mix(length);
  let at = 1;
  for (; at < length; at += 2) mix(text.charCodeAt(at - 1) | (text.charCodeAt(at) << 16));
  if (at === length) mix(text.charCodeAt(at - 1));
}

/** Field names are few and come again and again; more of them than this are not names. */
const NAMES_KEPT_MAX = 10_000;
const fieldWords = new Map<string, number>();

/** One word for a field's name, worked out once. */
function fieldWord(name: string): number {
  return fieldWords.get(name) ?? newFieldWord(name);
}

function newFieldWord(name: string): number {
  const [outerHigh, outerLow] = [high, low];
  ({ high, low } = newDigest());
  mixText(name);
  const word = high;
  high = outerHigh;
  low = outerLow;
  if (fieldWords.size < NAMES_KEPT_MAX) fieldWords.set(name, word);
  return word;
}

/**
 * Each field has a digest of its own that begins with its name, and the object's is their sum: the
 * order of fields makes no difference, and a field that is undefined is one that is not there. So
 * an object read back from the journal has the digest of the one first written.
 */
function mixObject(value: Record<string, unknown>): void {
  const outerHigh = high;
  const outerLow = low;
  let sumHigh = 0;
  let sumLow = 0;
  for (const name in value) {
    const field = value[name];
    if (field === undefined) continue;
    high = fieldWord(name);
    low = ~high;
    mixValue(field);
    sumHigh = (sumHigh + high) | 0;
    sumLow = (sumLow + low) | 0;
  }
  high = outerHigh;
  low = outerLow;
  mix(KIND.object);
  mix(sumHigh);
  mix(sumLow);
}

/**
 * One place read as a long and as two words. Words are taken in the order that machines keep them
 * in, the lower one first.
 */
const LONG = new BigInt64Array(1);
const WORDS = new Int32Array(LONG.buffer);
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Money fits 64 bits and is read as two words; whatever is larger is read 64 bits at a time, behind
 * a word that says so.
 */
function mixBigint(value: bigint): void {
  mix(KIND.bigint);
  let rest = value;
  while (rest > INT64_MAX || rest < INT64_MIN) {
    mix(KIND.largeBigint);
    mixLong(BigInt.asIntN(64, rest));
    rest >>= 64n;
  }
  mixLong(rest);
}

function mixLong(value: bigint): void {
  LONG[0] = value;
  mix(WORDS[0]!);
  mix(WORDS[1]!);
}

function mixList(items: readonly unknown[]): void {
  mix(KIND.list);
  mix(items.length);
  for (let at = 0; at < items.length; at++) mixValue(items[at]);
}

function mixNumber(value: number): void {
  mix(KIND.number);
  mix(value | 0);
  mix(Math.floor(value / 2 ** 32) | 0);
}

function mixValue(value: unknown): void {
  switch (typeof value) {
    case 'number':
      mixNumber(value);
      break;
    case 'string':
      mix(KIND.text);
      mixText(value);
      break;
    case 'bigint':
      mixBigint(value);
      break;
    case 'object':
      if (value === null) mix(KIND.null);
      else if (Array.isArray(value)) mixList(value);
      else mixObject(value as Record<string, unknown>);
      break;
    case 'boolean':
      mix(value ? KIND.true : KIND.false);
      break;
    case 'undefined':
      mix(KIND.undefined);
      break;
    default:
      invariant(false, `a digest takes no ${typeof value}`);
  }
}

/**
 * What is told with every order is taken in field by field, by code that knows the fields: between
 * `openDigest` and `closeDigest`, always the same kinds in the same order, so that no kind need be
 * said.
 */
export function openDigest(digest: Digest): void {
  high = digest.high;
  low = digest.low;
}

export function closeDigest(digest: Digest): void {
  digest.high = high;
  digest.low = low;
}

export const addWord = mix;
export const addText = mixText;

/**
 * Four words in one step. A step waits for the one before it and this does not: factors that are
 * odd and differ keep words apart that differ, or that change places.
 */
export function addWords(one: number, two: number, three: number, four: number): void {
  mix(
    (one +
      Math.imul(two, 0x9e3779b1) +
      Math.imul(three, 0x85ebca77) +
      Math.imul(four, 0xc2b2ae3d)) |
      0,
  );
}

/** What is absent has a word of its own. */
const ABSENT = 0x5bd1e995;

/**
 * Spreads the upper half of a value over the lower: both are taken in at once. An odd factor keeps
 * halves that differ different.
 */
const HALF_FACTOR = 0x27d4eb2f;

/** Of a whole number of up to 53 bits. */
export const wholeWord = (value: number): number =>
  (value | 0) ^ Math.imul(Math.floor(value / 2 ** 32) | 0, HALF_FACTOR);

/** Of the lowest 64 bits: all there are of money, save of sums that no account can hold. */
export function moneyWord(value: bigint): number {
  LONG[0] = value;
  return WORDS[0]! ^ Math.imul(WORDS[1]!, HALF_FACTOR);
}

export const moneyWordIfAny = (value: bigint | undefined): number =>
  value === undefined ? ABSENT : moneyWord(value);

/**
 * Of the 64 bits above those: products of two moneys have up to 128. Of a position that nothing has
 * been closed of there are none.
 */
export const upperWord = (value: bigint): number => (value === 0n ? 0 : moneyWord(value >> 64n));

interface KnownName {
  readonly text: string;
  readonly word: number;
}

/**
 * Names that were taken in lately, each at a place that follows from it; two of one place take
 * turns.
 */
const NAME_PLACES = 2048;
const knownNames: KnownName[] = Array.from({ length: NAME_PLACES }, () => ({ text: '', word: 0 }));

/**
 * By its length and four of its characters, with factors that were tried until the words of the
 * vocabulary had a place each.
 */
const placeOf = (text: string, length: number): number =>
  (length * 457 +
    text.charCodeAt(0) * 179 +
    text.charCodeAt(length >> 2) * 93 +
    text.charCodeAt(length >> 1) * 79 +
    text.charCodeAt(length - 1) * 185) &
  (NAME_PLACES - 1);

/**
 * Of a text that comes again and again, as a symbol or a word of a closed list does: of its own
 * digest, which is kept.
 */
export function nameWord(text: string): number {
  const { length } = text;
  const place = length === 0 ? 0 : placeOf(text, length);
  const known = knownNames[place]!;
  return known.text === text ? known.word : learnName(place, text).word;
}

function learnName(place: number, text: string): KnownName {
  const outerHigh = high;
  const outerLow = low;
  ({ high, low } = newDigest());
  mixText(text);
  const name: KnownName = { text, word: high };
  high = outerHigh;
  low = outerLow;
  knownNames[place] = name;
  return name;
}

export const nameWordIfAny = (text: string | undefined): number =>
  text === undefined ? ABSENT : nameWord(text);

/**
 * The word of the name that came last in one place: most fields of most events say the same again
 * and again.
 */
export class LastName {
  #text: string | undefined;
  #word = ABSENT;

  wordOf(text: string | undefined): number {
    return text === this.#text ? this.#word : this.#take(text);
  }

  #take(text: string | undefined): number {
    this.#text = text;
    this.#word = nameWordIfAny(text);
    return this.#word;
  }
}

/** Any plain value, between `openDigest` and `closeDigest`. */
export const addValue = mixValue;

/** Adds a plain value: same values in the same order, same digest. */
export function addToDigest(digest: Digest, value: unknown): void {
  openDigest(digest);
  mixValue(value);
  closeDigest(digest);
}

export const digestText = (digest: Digest): string =>
  (digest.high >>> 0).toString(16).padStart(8, '0') +
  (digest.low >>> 0).toString(16).padStart(8, '0');
