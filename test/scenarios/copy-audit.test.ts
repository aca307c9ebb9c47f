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
    'a copy that its original does not list',
    /has no original/,
    ({ original }) => original.copies.clear(),
  ],
  [
    'a copy that is gone and still listed',
    /which is no open copy of it/,
    ({ state, copy }) => state.copy.tracked.delete(copy.id),
  ],
  [
    'tracked lots without a position',
    /tracks more than/,
    ({ state, copy }) => state.positions.delete(copy.uid),
  ],
  [
    'a leader that closed without its copies',
    /lots and a share of/,
    ({ original }) => Object.assign(original, { heldLots: 1 }),
  ],
  [
    'a closed part that was never open',
    /parts that do not add up/,
    ({ copy }) => Object.assign(copy, { closed: { size: 1n, cost: 1n } }),
  ],
  [
    'a copy that has ended and was never settled',
    /does not settle exactly once/,
    ({ copy }) => Object.assign(copy, { lots: 0 }),
  ],
  [
    'an order that must close and has no job',
    /no job does it/,
    ({ copy }) => Object.assign(copy, { target: 1 }),
  ],
  [
    'a pending count without work',
    /pending jobs, which is wrong/,
    ({ original }) => Object.assign(original, { pending: 1 }),
  ],
  [
    'a leader in one-way mode',
    /is not in hedge mode/,
    ({ state, original }) =>
      Object.assign(state.accounts.get(original.uid)!, { positionMode: 'oneWay' }),
  ],
  [
    'a follower that its leader does not list',
    /which does not list it/,
    ({ state, original }) => state.copy.leaders.get(original.uid)!.followers.splice(0),
  ],
  [
    'an order that has ended and is still listed',
    /is still listed/,
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
