/** A running 64-bit digest of what a core did, cheap enough for every event. It finds divergence; it is no defence against an enemy. */
import { invariant } from './invariant.ts';

export interface Digest {
  high: number;
  low: number;
}

/** Each kind of value begins with a word of its own, so that `1`, `'1'` and `[1]` differ. */
const KIND = { undefined: 1, null: 2, false: 3, true: 4, number: 5, bigint: 6, text: 7, list: 8, object: 9 };

export const newDigest = (): Digest => ({ high: 0x9e3779b9, low: 0x85ebca6b });

function mix(digest: Digest, word: number): void {
  const low = Math.imul(digest.low ^ word, 0xcc9e2d51);
  const rotated = (low << 15) | (low >>> 17);
  digest.high = (Math.imul(digest.high ^ rotated, 0x1b873593) + 0xe6546b64) | 0;
  digest.low = (rotated + digest.high) | 0;
}

function mixText(digest: Digest, text: string): void {
  mix(digest, text.length);
  for (let at = 0; at < text.length; at++) mix(digest, text.charCodeAt(at));
}

/** Field names are few and come again and again; more of them than this are not names. */
const NAMES_KEPT_MAX = 10_000;
const nameWords = new Map<string, number>();

/** One word for a field's name, worked out once. */
function nameWord(name: string): number {
  const known = nameWords.get(name);
  if (known !== undefined) return known;
  const digest = newDigest();
  mixText(digest, name);
  if (nameWords.size < NAMES_KEPT_MAX) nameWords.set(name, digest.high);
  return digest.high;
}

/**
 * Each field has a digest of its own that begins with its name, and the object's is their sum: the order of fields makes no difference, and
 * a field that is undefined is one that is not there. So an object read back from the journal has the digest of the one first written.
 */
function mixObject(digest: Digest, value: Record<string, unknown>): void {
  const field: Digest = { high: 0, low: 0 };
  let [high, low] = [0, 0];
  for (const name in value) {
    if (value[name] === undefined) continue;
    field.high = nameWord(name);
    field.low = ~field.high;
    addToDigest(field, value[name]);
    high = (high + field.high) | 0;
    low = (low + field.low) | 0;
  }
  mix(digest, KIND.object);
  mix(digest, high);
  mix(digest, low);
}

const WORDS = new DataView(new ArrayBuffer(8));
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Money fits 64 bits and is read as two words; whatever does not is read as text. */
function mixBigint(digest: Digest, value: bigint): void {
  mix(digest, KIND.bigint);
  if (value > INT64_MAX || value < INT64_MIN) mixText(digest, value.toString(36));
  else {
    WORDS.setBigInt64(0, value, true);
    mix(digest, WORDS.getInt32(0, true));
    mix(digest, WORDS.getInt32(4, true));
  }
}

function mixList(digest: Digest, items: readonly unknown[]): void {
  mix(digest, KIND.list);
  mix(digest, items.length);
  for (const item of items) addToDigest(digest, item);
}

/** Adds a plain value: same values in the same order, same digest. */
export function addToDigest(digest: Digest, value: unknown): void {
  switch (typeof value) {
    case 'undefined':
      mix(digest, KIND.undefined);
      break;
    case 'boolean':
      mix(digest, value ? KIND.true : KIND.false);
      break;
    case 'number':
      mix(digest, KIND.number);
      mix(digest, value | 0);
      mix(digest, Math.floor(value / 2 ** 32) | 0);
      break;
    case 'bigint':
      mixBigint(digest, value);
      break;
    case 'string':
      mix(digest, KIND.text);
      mixText(digest, value);
      break;
    case 'object':
      if (value === null) mix(digest, KIND.null);
      else if (Array.isArray(value)) mixList(digest, value);
      else mixObject(digest, value as Record<string, unknown>);
      break;
    default:
      invariant(false, `a digest takes no ${typeof value}`);
  }
}

export const digestText = (digest: Digest): string =>
  (digest.high >>> 0).toString(16).padStart(8, '0') + (digest.low >>> 0).toString(16).padStart(8, '0');
