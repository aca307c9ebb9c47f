import { describe, expect, test } from 'vitest';
import { type ClientOid, UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { ClientOidIndex } from './client-oids.ts';

const UID = UID_FIRST as Uid;

/** Pairs of names with equal hashes: the index calls back to compare the names of each pair. */
function collisions(salt: number, names: readonly string[]): string[] {
  const index = new ClientOidIndex(salt);
  const pairs: string[] = [];
  for (const [row, name] of names.entries()) {
    if (index.isFull) index.makeRoom(0);
    index.set(UID, name as ClientOid, row, (other) => {
      pairs.push(`${names[other]} ${name}`);
      return false;
    });
  }
  return pairs;
}

const FACTOR = 0x9e3779b1;

const inverseOf = (factor: number): number =>
  [1, 2, 3, 4, 5].reduce((inverse) => Math.imul(inverse, 2 - Math.imul(factor, inverse)), factor);

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._'.split('');

const PAIRS = LETTERS.flatMap((one) => LETTERS.map((other) => `${one}${other}`));

const wordOf = (pair: string): number => pair.charCodeAt(0) | (pair.charCodeAt(1) << 16);

/**
 * Names of twelve characters with the same hash, for a simple hash that takes two characters at a
 * time and can be inverted. A meet-in-the-middle search finds them.
 */
function computedNames(count: number): string[] {
  const inverse = inverseOf(FACTOR);
  const on = (hash: number, pair: string): number => {
    const mixed = Math.imul(hash ^ wordOf(pair), FACTOR);
    return mixed ^ (mixed >>> 15);
  };
  const back = (hash: number, pair: string): number =>
    Math.imul(hash ^ (hash >>> 15) ^ (hash >>> 30), inverse) ^ wordOf(pair);
  const ends = new Map<number, string>();
  for (const last of PAIRS.slice(0, 64))
    for (const before of PAIRS) ends.set(back(back(1, last), before), `${before}${last}`);
  const names: string[] = [];
  for (let beginning = 0; names.length < count; beginning++) {
    const pairs = [PAIRS[0]!, PAIRS[0]!, PAIRS[beginning]!];
    const hash = pairs.reduce(on, 12);
    for (const pair of PAIRS) {
      const end = ends.get(on(hash, pair));
      if (end !== undefined) names.push([...pairs, pair, end].join(''));
    }
  }
  return names.slice(0, count);
}

describe('the index of client order ids', () => {
  test('[ORD-105] names computed to collide in a simple hash do not collide', () => {
    const names = computedNames(300);
    expect(new Set(names).size).toBe(300);
    // The simple hash would have 300 × 299 / 2 collisions.
    expect(collisions(0, names)).toEqual([]);
  });

  test('[ORD-105] the salt decides which names collide', () => {
    // About five pairs collide in a hash of 32 bits: 200,000² / 2³³.
    const names = Array.from({ length: 200_000 }, (_, at) => `order-${at}`);
    const [one, other] = [collisions(1, names), collisions(2 ** 40, names)];
    expect(one.length).toBeGreaterThan(0);
    expect(other.length).toBeGreaterThan(0);
    expect([one.length, other.length].every((count) => count < 30)).toBe(true);
    expect(one.filter((pair) => other.includes(pair))).toEqual([]);
  });
});
