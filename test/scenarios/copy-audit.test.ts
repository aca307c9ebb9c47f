/** The audit of copy trading finds each fault that a test plants in a sound market. */
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/core/invariants.ts';
import { rebuildDerived } from '../../src/core/rebuild.ts';
import type { Copy, Original } from '../../src/core/state/copy-state.ts';
import type { State } from '../../src/core/state/state.ts';
import { CopyMarket } from './copy-market.test-support.ts';

interface Sound {
  readonly state: State;
  readonly original: Original;
  readonly copy: Copy;
}

const violationsOf = (state: State): readonly string[] =>
  audit(state, rebuildDerived(state)).violations;

function soundMarket(): Sound {
  const market = new CopyMarket();
  const alice = market.leader();
  const bob = market.follower(alice);
  market.open(alice, 'long', '0.2');
  return {
    state: market.state,
    original: market.originals(alice)[0]!,
    copy: market.copies(bob)[0]!,
  };
}

/** The fault, the expected message of the audit, and the change that plants it. */
const planted: readonly (readonly [string, RegExp, (sound: Sound) => void])[] = [
  [
    'a copy that its leader does not count',
    /copies nothing/,
    ({ original }) => original.copies.clear(),
  ],
  [
    'a copy that is gone and still counted',
    /which copies it not/,
    ({ state, copy }) => state.copy.tracked.delete(copy.id),
  ],
  [
    'more tracked than there is',
    /has more tracked than/,
    ({ state, copy }) => state.positions.delete(copy.uid),
  ],
  [
    'a leader who closed and nobody heard of it',
    /where its leader would have it keep/,
    ({ original }) => Object.assign(original, { heldLots: 1 }),
  ],
  [
    'a part that is nowhere',
    /parts that are not the whole/,
    ({ copy }) => Object.assign(copy, { closed: { size: 1n, cost: 1n } }),
  ],
  [
    'a copy that has ended and was never settled',
    /not settled once/,
    ({ copy }) => Object.assign(copy, { lots: 0 }),
  ],
  [
    'an order to be closed that nobody closes',
    /nobody does it/,
    ({ copy }) => Object.assign(copy, { target: 1 }),
  ],
  [
    'work that waits for nothing',
    /things that are not there/,
    ({ original }) => Object.assign(original, { pending: 1 }),
  ],
  [
    'a leader in one-way mode',
    /is not in hedge mode/,
    ({ state, original }) =>
      Object.assign(state.accounts.get(original.uid)!, { positionMode: 'oneWay' }),
  ],
  [
    'a follower his leader does not know',
    /on one side only/,
    ({ state, original }) => state.copy.leaders.get(original.uid)!.followers.splice(0),
  ],
  [
    'an order that has ended and is awaited',
    /is still awaited/,
    ({ state }) => state.copy.leaderClosings.set(1 as never, new Map()),
  ],
];

describe('planted faults', () => {
  test('[CPY-57] a sound market has none', () =>
    expect(violationsOf(soundMarket().state)).toEqual([]));

  test.each(planted)('[CPY-57] %s', (_, sentence, plant) => {
    const sound = soundMarket();
    plant(sound);
    expect(violationsOf(sound.state).join('; ')).toMatch(sentence);
  });
});
