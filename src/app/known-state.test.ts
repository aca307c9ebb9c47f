import { describe, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { KnownState } from './known-state.ts';

/** A state whose hash takes time, on a clock that only hashing advances. */
class SlowState {
  sequence = 0 as Sequence;
  hashedTimes = 0;
  #now = 0;
  readonly #costMs: number;

  constructor(costMs: number) {
    this.#costMs = costMs;
  }

  monotonic(): number {
    return this.#now;
  }

  execute(): void {
    this.sequence = (this.sequence + 1) as Sequence;
  }

  stateHash(): string {
    this.hashedTimes++;
    this.#now += this.#costMs;
    return `hash of ${this.sequence}`;
  }
}

/** Executes commands until the answer arrives. */
async function latestWhileBusy(
  state: SlowState,
  known: KnownState,
): Promise<{ sequence: number; stateHash: string }> {
  const busy = setInterval(() => state.execute(), 5);
  try {
    return await known.latest();
  } finally {
    clearInterval(busy);
  }
}

describe('the known state', () => {
  test('[OPR-31] a small state is hashed on each request, even under load', async () => {
    const state = new SlowState(20);
    const known = new KnownState(state, state);
    for (const sequence of [1, 2, 3]) {
      state.execute();
      expect(await latestWhileBusy(state, known)).toEqual({
        sequence,
        stateHash: `hash of ${sequence}`,
      });
    }
    expect(state.hashedTimes).toBe(3);
  });

  test('[OPR-31] a large state is hashed only when commands pause', async () => {
    const state = new SlowState(21);
    const known = new KnownState(state, state);
    state.execute();
    expect(await known.latest()).toEqual({ sequence: 1, stateHash: 'hash of 1' });
    state.execute();
    expect(await latestWhileBusy(state, known)).toEqual({ sequence: 1, stateHash: 'hash of 1' });
    expect(state.hashedTimes).toBe(1);
    const { sequence } = state;
    expect(await known.latest()).toEqual({ sequence, stateHash: `hash of ${sequence}` });
    expect(state.hashedTimes).toBe(2);
  });

  test('[OPR-31] under load the hash of a snapshot is given if it is the latest known', async () => {
    const state = new SlowState(21);
    const known = new KnownState(state, state);
    state.execute();
    await known.latest();
    for (let count = 0; count < 10; count++) state.execute();
    known.learn({ sequence: 5 as Sequence, stateHash: 'hash of a snapshot' });
    known.learn({ sequence: 4 as Sequence, stateHash: 'hash of an older one' });
    expect(await latestWhileBusy(state, known)).toEqual({
      sequence: 5,
      stateHash: 'hash of a snapshot',
    });
  });

  test.each([
    [3_000, 'hash of 3'],
    [3_001, 'hash of a snapshot'],
  ])(
    '[OPR-31][OPR-41] after a hash that took %d ms an idle exchange gives the %s',
    async (costMs, expected) => {
      const state = new SlowState(costMs);
      const known = new KnownState(state, state);
      state.execute();
      await known.latest();
      state.execute();
      known.learn({ sequence: 2 as Sequence, stateHash: 'hash of a snapshot' });
      state.execute();
      expect((await known.latest()).stateHash).toBe(expected);
    },
  );

  test('[OPR-31] a state that was hashed already is not hashed again', async () => {
    const state = new SlowState(1_000);
    const known = new KnownState(state, state);
    state.execute();
    expect(await known.latest()).toEqual(await known.latest());
    expect(state.hashedTimes).toBe(1);
  });
});
