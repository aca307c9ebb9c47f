/**
 * Random streams of a crowd with pending charges of every kind. Nothing happens to an account
 * before its charge, and the result is the same.
 */
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import { type Crowd, crowd } from './waiting-crowd.test-support.ts';
import { act } from './waiting-crowd-acts.test-support.ts';

const SEEDS = Array.from(
  { length: Number.parseInt(process.env.RIALTO_STREAM_SEEDS ?? '2', 10) },
  (_, place) => place + 1,
);
const SIZE = 160;

/**
 * A crowd at the full hour, with funding and an hour of interest to charge. With an even seed a day
 * ends too.
 */
function waiting(seed: number): Crowd {
  const made = crowd(seededRandom(seed).fork('crowd'), SIZE, seed % 2 === 0 ? 16 : 8);
  made.market.passes(MINUTE);
  expect(made.market.state.pendingCharges!.size).toBeGreaterThan(SIZE / 3);
  return made;
}

/** Everything that belongs to the user. */
function ownOf(
  { ledger, debts, isolatedDebts, positions, orders, accounts }: State,
  uid: Uid,
): string {
  const text = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${value}` : value instanceof Map ? [...value] : value;
  const pairs = [...isolatedDebts].map(([symbol, debtors]) => [symbol, debtors.get(uid)]);
  const open = [...accounts.get(uid)!.openOrders].map((id) => orders.get(id));
  return JSON.stringify(
    [ledger.wallets.get(uid), debts.get(uid), pairs, positions.get(uid), open],
    text,
  );
}

/** Balances, debts, positions and orders of all accounts and the house, without ids and times. */
function standing({
  ledger,
  debts,
  isolatedDebts,
  positions,
  orders,
  copy,
  drawnOnClearing,
}: State) {
  const byUid = <Own>(some: ReadonlyMap<Uid, Own>): Map<Uid, Own> =>
    new Map([...some].sort(([one], [other]) => one - other));
  const own = [...byUid(positions).values()].flatMap((some) => [...some.values()]);
  return {
    wallets: byUid(ledger.wallets),
    house: ledger.house,
    drawnOnClearing,
    debts: byUid(debts),
    pairs: [...isolatedDebts].map(([symbol, debtors]) => [symbol, byUid(debtors)]),
    positions: own.map(({ id: _id, updatedAt: _at, ...position }) => position),
    orders: [...orders.values()].map(({ uid, side, limit, left, hold }) => ({
      uid,
      side,
      limit,
      left,
      hold,
    })),
    copies: [...copy.tracked.values()].map(({ uid, lots, profit }) => ({ uid, lots, profit })),
  };
}

function finishCharges({ market }: Crowd): void {
  while (market.engine.hasDeferredWork()) market.passes(0);
}

describe('a crowd with every kind of pending charge', () => {
  test.each(SEEDS)('[CLK-28] ends as if all charges had come first (seed %i)', (seed) => {
    const [meanwhile, after] = [false, true].map((waits) => {
      const made = waiting(seed);
      if (waits) finishCharges(made);
      const chance = seededRandom(seed).fork('acts');
      for (let count = 0; count < 6; count++) act(made, chance);
      finishCharges(made);
      made.market.check();
      return standing(made.market.state);
    });
    expect(meanwhile).toEqual(after);
  });

  test.each(SEEDS)(
    '[CLK-28][CLK-12] keeps each account unchanged until its charge, also after any restart (seed %i)',
    (seed) => {
      const made = waiting(seed);
      const { market } = made;
      const { state } = market;
      const own = new Map([...state.pendingCharges!.keys()].map((uid) => [uid, ownOf(state, uid)]));
      const chance = seededRandom(seed).fork('acts');
      const again = createEngine();
      again.restore(market.engine.serialize());
      for (
        let from = market.submitted.length;
        market.engine.hasDeferredWork();
        from = market.submitted.length
      ) {
        if (chance.below(3) === 0) market.pin('BTCUSDT', `${49_400 + chance.below(1_200)}`);
        else act(made, chance);
        for (const uid of state.pendingCharges?.keys() ?? [])
          expect(ownOf(state, uid), `${uid}`).toBe(own.get(uid));
        market.check();
        for (const { command, at } of market.submitted.slice(from)) again.execute(command, at);
        expect(again.stateHash()).toBe(market.engine.stateHash());
        again.restore(market.engine.serialize());
      }
      market.passes(9 * HOUR);
      market.accepted({ type: 'moveClock', wall: market.at, advanceMs: 9 * HOUR });
      market.check();
      market.checkReplay();
    },
  );
});
