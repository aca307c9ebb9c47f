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

/** By sorted key, fields that are undefined left out: an object read back from the journal has the digest of the one first written. */
function mixObject(digest: Digest, value: Record<string, unknown>): void {
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    mixText(digest, key);
    addToDigest(digest, value[key]);
  }
  mix(digest, KIND.object);
}

function mixReference(digest: Digest, value: object | null): void {
  if (value === null) return mix(digest, KIND.null);
  if (!Array.isArray(value)) return mixObject(digest, value as Record<string, unknown>);
  mix(digest, KIND.list);
  mix(digest, value.length);
  for (const item of value) addToDigest(digest, item);
}

/** Adds a plain value: same values in the same order, same digest. */
export function addToDigest(digest: Digest, value: unknown): void {
  switch (typeof value) {
    case 'undefined':
      return mix(digest, KIND.undefined);
    case 'boolean':
      return mix(digest, value ? KIND.true : KIND.false);
    case 'number':
      mix(digest, KIND.number);
      mix(digest, value | 0);
      return mix(digest, Math.floor(value / 2 ** 32) | 0);
    case 'bigint':
      mix(digest, KIND.bigint);
      return mixText(digest, value.toString(36));
    case 'string':
      mix(digest, KIND.text);
      return mixText(digest, value);
    case 'object':
      return mixReference(digest, value);
    default:
      invariant(false, `a digest takes no ${typeof value}`);
  }
}

export const digestText = (digest: Digest): string =>
  (digest.high >>> 0).toString(16).padStart(8, '0') + (digest.low >>> 0).toString(16).padStart(8, '0');
