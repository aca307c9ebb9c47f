/**
 * A running 64-bit digest of what a core did, cheap enough for every event. It finds divergence; it
 * is not cryptographic.
 */
import { invariant } from './invariant.ts';

export interface Digest {
  high: number;
  low: number;
}

/** Each type starts with its own word, so that `1`, `'1'` and `[1]` differ. */
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
 * The digest in progress, in two module variables, so that adding a value allocates no object.
 * Nothing here calls out, so two digests never overlap.
 */
let high = 0;
let low = 0;

function mix(word: number): void {
  const product = Math.imul(low ^ word, 0xcc9e2d51);
  const rotated = (product << 15) | (product >>> 17);
  high = (Math.imul(high ^ rotated, 0x1b873593) + 0xe6546b64) | 0;
  low = (rotated + high) | 0;
}

/** Two characters per word. */
function mixText(text: string): void {
  const { length } = text;
  mix(length);
  let at = 1;
  for (; at < length; at += 2) mix(text.charCodeAt(at - 1) | (text.charCodeAt(at) << 16));
  if (at === length) mix(text.charCodeAt(at - 1));
}

/** Field names are few and repeat. More distinct ones than this are not names. */
const NAMES_CACHED_MAX = 10_000;
const fieldWords = new Map<string, number>();

/** The word of a field's name, computed once. */
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
  if (fieldWords.size < NAMES_CACHED_MAX) fieldWords.set(name, word);
  return word;
}

/**
 * Each field has its own digest, which starts with its name, and the object's digest is their sum.
 * So field order makes no difference, and an undefined field equals a missing one. An object read
 * back from the journal then has the same digest as the original.
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
 * Two views of the same eight bytes: one 64-bit integer, or two words in machine order, low word
 * first.
 */
const LONG = new BigInt64Array(1);
const WORDS = new Int32Array(LONG.buffer);
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * Money fits 64 bits and is read as two words. Larger values are read 64 bits at a time, after a
 * marker word.
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
 * Frequent events are added field by field, by code that knows their fields. Between `openDigest`
 * and `closeDigest` the types and their order are fixed, so no type words are needed.
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
 * Adds four words in one step. Steps depend on each other; the products inside one do not.
 * Different odd factors keep words distinct that differ or swap places.
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

/** The word for an absent value. */
const ABSENT = 0x5bd1e995;

/** Mixes the upper half of a value into the lower. The odd factor keeps halves distinct. */
const HALF_FACTOR = 0x27d4eb2f;

/** Word of a whole number of up to 53 bits. */
export const wholeWord = (value: number): number =>
  (value | 0) ^ Math.imul(Math.floor(value / 2 ** 32) | 0, HALF_FACTOR);

/** Word of the lowest 64 bits. All amounts of money fit, except sums that no account can hold. */
export function moneyWord(value: bigint): number {
  LONG[0] = value;
  return WORDS[0]! ^ Math.imul(WORDS[1]!, HALF_FACTOR);
}

export const moneyWordIfAny = (value: bigint | undefined): number =>
  value === undefined ? ABSENT : moneyWord(value);

/**
 * Word of the 64 bits above those: a product of two amounts has up to 128. It is zero for a
 * position without closes.
 */
export const upperWord = (value: bigint): number => (value === 0n ? 0 : moneyWord(value >> 64n));

interface KnownName {
  readonly text: string;
  readonly word: number;
}

/** A direct-mapped cache of recent names; names with the same slot replace each other. */
const NAME_PLACES = 2048;
const knownNames: KnownName[] = Array.from({ length: NAME_PLACES }, () => ({ text: '', word: 0 }));

/**
 * A hash of the length and four characters. The factors were searched so that each word of the
 * vocabulary has its own slot.
 */
const placeOf = (text: string, length: number): number =>
  (length * 457 +
    text.charCodeAt(0) * 179 +
    text.charCodeAt(length >> 2) * 93 +
    text.charCodeAt(length >> 1) * 79 +
    text.charCodeAt(length - 1) * 185) &
  (NAME_PLACES - 1);

/**
 * Word of a text that repeats often, such as a symbol or a word of a closed list; its digest is
 * cached.
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
 * Caches the word of the last name at one call site, because most events repeat the previous value.
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

/** Adds a plain value: the same values in the same order give the same digest. */
export function addToDigest(digest: Digest, value: unknown): void {
  openDigest(digest);
  mixValue(value);
  closeDigest(digest);
}

export const digestText = (digest: Digest): string =>
  (digest.high >>> 0).toString(16).padStart(8, '0') +
  (digest.low >>> 0).toString(16).padStart(8, '0');
