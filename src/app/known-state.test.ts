import { describe, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { KnownState } from './known-state.ts';

/** A state that takes a while to hash, on a clock that stands still otherwise. */
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

/** Executes until the answer is there. */
async function tellWhileBusy(
  state: SlowState,
  known: KnownState,
): Promise<{ sequence: number; stateHash: string }> {
  const busy = setInterval(() => state.execute(), 5);
  try {
    return await known.tell();
  } finally {
    clearInterval(busy);
  }
}

describe('what is known of the state', () => {
  test('[OPR-31] a small state is hashed whenever it is asked for, however busy the exchange is', async () => {
    const state = new SlowState(20);
    const known = new KnownState(state, state);
    for (const sequence of [1, 2, 3]) {
      state.execute();
      expect(await tellWhileBusy(state, known)).toEqual({
        sequence,
        stateHash: `hash of ${sequence}`,
      });
    }
    expect(state.hashedTimes).toBe(3);
  });

  test('[OPR-31] a large state is not hashed while commands keep coming, and is as soon as they pause', async () => {
    const state = new SlowState(21);
    const known = new KnownState(state, state);
    state.execute();
    expect(await known.tell()).toEqual({ sequence: 1, stateHash: 'hash of 1' });
    state.execute();
    expect(await tellWhileBusy(state, known)).toEqual({ sequence: 1, stateHash: 'hash of 1' });
    expect(state.hashedTimes).toBe(1);
    const { sequence } = state;
    expect(await known.tell()).toEqual({ sequence, stateHash: `hash of ${sequence}` });
    expect(state.hashedTimes).toBe(2);
  });

  test('[OPR-31] while commands keep coming, the hash of a snapshot is told if it is the latest known', async () => {
    const state = new SlowState(21);
    const known = new KnownState(state, state);
    state.execute();
    await known.tell();
    for (let count = 0; count < 10; count++) state.execute();
    known.learn({ sequence: 5 as Sequence, stateHash: 'hash of a snapshot' });
    known.learn({ sequence: 4 as Sequence, stateHash: 'hash of an older one' });
    expect(await tellWhileBusy(state, known)).toEqual({
      sequence: 5,
      stateHash: 'hash of a snapshot',
    });
  });

  test.each([
    [3_000, 'hash of 3'],
    [3_001, 'hash of a snapshot'],
  ])(
    '[OPR-31][OPR-41] after a hash that took %d ms a quiet moment tells the %s',
    async (costMs, emitted) => {
      const state = new SlowState(costMs);
      const known = new KnownState(state, state);
      state.execute();
      await known.tell();
      state.execute();
      known.learn({ sequence: 2 as Sequence, stateHash: 'hash of a snapshot' });
      state.execute();
      expect((await known.tell()).stateHash).toBe(emitted);
    },
  );

  test('[OPR-31] a state that was hashed already is not hashed again', async () => {
    const state = new SlowState(1_000);
    const known = new KnownState(state, state);
    state.execute();
    expect(await known.tell()).toEqual(await known.tell());
    expect(state.hashedTimes).toBe(1);
  });
});
