/** A running 64-bit digest of what a core did, cheap enough for every event. It finds divergence; it is no defence against an enemy. */
import { unreachable } from './invariant.ts';

export interface Digest {
  high: number;
  low: number;
}

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

/** Adds a plain value: same values in the same order, same digest. */
export function addToDigest(digest: Digest, value: unknown): void {
  switch (typeof value) {
    case 'string':
      return mixText(digest, value);
    case 'number':
      mix(digest, value | 0);
      return mix(digest, (value / 2 ** 32) | 0);
    case 'bigint':
      return mixText(digest, value.toString(36));
    case 'boolean':
      return mix(digest, value ? 1 : 2);
    case 'undefined':
      return mix(digest, 3);
    case 'object':
      if (value === null) return mix(digest, 4);
      if (Array.isArray(value)) {
        mix(digest, value.length);
        for (const item of value) addToDigest(digest, item);
        return;
      }
      for (const key in value) {
        mixText(digest, key);
        addToDigest(digest, (value as Record<string, unknown>)[key]);
      }
      return;
    case 'function':
    case 'symbol':
      return mix(digest, 5);
    default:
      unreachable(value as never);
  }
}

export const digestText = (digest: Digest): string =>
  (digest.high >>> 0).toString(16).padStart(8, '0') + (digest.low >>> 0).toString(16).padStart(8, '0');
