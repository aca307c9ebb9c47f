/**
 * A seeded generator (xoshiro128**): same seed, same numbers, on every machine. For the simulator,
 * the market and tests.
 */
export interface Random {
  next(): number;
  /** A whole number in [0, `bound`). */
  below(bound: number): number;
  /** A fraction in [0, 1). */
  fraction(): number;
  pick<Item>(items: readonly Item[]): Item;
  /** An independent generator, so that two users of random numbers do not affect each other. */
  fork(name: string): Random;
}

const rotate = (value: number, by: number): number => ((value << by) | (value >>> (32 - by))) >>> 0;

/** splitmix32: spreads a small seed over the generator's state. */
function spread(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

export function seededRandom(seed: number): Random {
  const fill = spread(seed);
  const state = new Uint32Array([fill(), fill(), fill(), fill()]);
  const next = (): number => {
    const [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!];
    const result = Math.imul(rotate(Math.imul(b, 5) >>> 0, 7), 9) >>> 0;
    const shifted = (b << 9) >>> 0;
    const mixedC = (c ^ a) >>> 0;
    const mixedD = (d ^ b) >>> 0;
    state[1] = b ^ mixedC;
    state[0] = a ^ mixedD;
    state[2] = mixedC ^ shifted;
    state[3] = rotate(mixedD, 11);
    return result;
  };
  const fraction = (): number => next() / 2 ** 32;
  const below = (bound: number): number => Math.floor(fraction() * bound);
  return {
    next,
    below,
    fraction,
    pick: (items) => items[below(items.length)]!,
    fork: (name) => {
      let salt = next();
      for (let at = 0; at < name.length; at++)
        salt = Math.imul(salt ^ name.charCodeAt(at), 0x01000193) >>> 0;
      return seededRandom(salt);
    },
  };
}
