/**
 * Stateless random numbers: a draw depends only on a salt and an index, so draws can be made in any
 * order.
 */

/** A salt for one use; two names under one seed are independent. */
export function saltOf(seed: number, name: string): number {
  let salt = spread((seed ^ 0x9e3779b9) >>> 0);
  for (let at = 0; at < name.length; at++)
    salt = spread(salt ^ Math.imul(name.charCodeAt(at), 0x01000193));
  return salt;
}

/** The final mix of murmur3: every input bit changes every output bit. */
function spread(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const WORD = 2 ** 32;

/** 32 random bits for an index. */
export function bitsAt(salt: number, place: number): number {
  const high = place < WORD ? 0 : Math.floor(place / WORD);
  return spread(spread(salt ^ (place >>> 0)) ^ Math.imul(high + 1, 0x27d4eb2f));
}

/** A fraction in [0, 1) for an index. */
export const chanceAt = (salt: number, place: number): number => bitsAt(salt, place) / WORD;

/** A smooth curve through the values at whole indexes, from -1 to 1. */
export function waveAt(salt: number, place: number): number {
  const whole = Math.floor(place);
  const part = place - whole;
  const [before, after] = [chanceAt(salt, whole), chanceAt(salt, whole + 1)];
  const eased = part * part * (3 - 2 * part);
  return 2 * (before + (after - before) * eased) - 1;
}
