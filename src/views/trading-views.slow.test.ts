/** Compares the views with the engine's state after every command of a random run. */
import { describe, expect, test } from 'vitest';
import { specOf } from '../core/derived/derived.ts';
import { priceOf, sizeOf } from '../core/derived/instrument-spec.ts';
import { positionRow } from '../core/derived/position.ts';
import type { Engine } from '../core/engine.ts';
import { accountMargin as accountMarginOf } from '../core/margin/account-margin.ts';
import { canSpend } from '../core/margin/free-margin.ts';
import { rebuildDerived } from '../core/rebuild.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { Uid } from '../kernel/ids.ts';
import { type Amount, plus } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Category, Side } from '../messages/vocabulary.ts';
import { accountMargin, spendable } from './account-margins.ts';
import { createMemoryHistory } from './history/memory-history.ts';
import { MARKETS, RUN_START, TradingRun } from './trading-runs.test-support.ts';
import { createViews, type Views } from './views.ts';

const ONE_UNIT = 1n as Amount;

/** A side's levels, computed from the open orders of the state. */
function levelsOf(
  { state }: Engine,
  category: Category,
  symbol: string,
  side: Side,
): readonly string[] {
  const derived = rebuildDerived(state);
  const levels = new Map<bigint, bigint>();
  for (const order of state.orders.values()) {
    const spec = specOf(derived, order.key);
    const shared = spec.category === 'MARGIN' ? 'SPOT' : spec.category;
    if (
      order.waiting ||
      order.side !== side ||
      shared !== category ||
      spec.instrument.symbol !== symbol
    )
      continue;
    const price = priceOf(spec, order.limit);
    levels.set(price, (levels.get(price) ?? 0n) + sizeOf(spec, order.left));
  }
  const best = [...levels].sort(([left], [right]) => (left < right === (side === 'sell') ? -1 : 1));
  return best.map(([price, size]) => `${size} at ${price}`);
}

function expectSameBooks(engine: Engine, views: Views): void {
  for (const [category, symbol] of MARKETS.slice(0, 3)) {
    for (const side of ['buy', 'sell'] as const) {
      const shown = views.orders
        .depth(category, symbol, side, 1_000)
        .map(({ price, size }) => `${size} at ${price}`);
      expect(shown).toEqual(levelsOf(engine, category, symbol, side));
    }
  }
}

function expectSameAccount({ state }: Engine, views: Views, uid: Uid): void {
  const derived = rebuildDerived(state);
  const books = { state, derived };
  expect(views.orders.open(uid).map(({ order }) => order.orderId)).toEqual([
    ...state.accounts.get(uid)!.openOrders,
  ]);
  const positions = [...(state.positions.get(uid)?.values() ?? [])].map((position) =>
    positionRow(position, specOf(derived, position.key)),
  );
  expect([...views.positions.of(uid)]).toEqual(
    positions.sort((left, right) => right.positionId - left.positionId),
  );
  const margin = accountMargin(views, uid);
  const { equity, freeEquity, initial, maintenance } = margin;
  expect({ equity, freeEquity, initial, maintenance }).toEqual(
    accountMarginOf(state, derived, uid),
  );
  for (const coin of ['USDT', 'BTC', 'XRP']) {
    const most = spendable(views, uid, coin, margin);
    expect([coin, most === 0n || canSpend(books, uid, coin, most)]).toEqual([coin, true]);
    expect([coin, canSpend(books, uid, coin, plus(most, ONE_UNIT))]).toEqual([coin, false]);
  }
}

function expectAgreement({ engine, people }: TradingRun, views: Views): void {
  expectSameBooks(engine, views);
  for (const uid of people) expectSameAccount(engine, views, uid);
}

const everything = (uid: Uid) => ({
  uid,
  limit: 10_000,
  start: 0 as Timestamp,
  end: (RUN_START * 2) as Timestamp,
});

/** Seeds to run; RIALTO_STREAM_SEEDS sets the number. */
const SEEDS = Array.from(
  { length: Number.parseInt(process.env.RIALTO_STREAM_SEEDS ?? '2', 10) },
  (_, place) => place + 1,
);

describe.each(SEEDS)('run %i', (seed) => {
  test("[VIEW-20][VIEW-21][VIEW-22] orders, books, positions and margin equal the engine's", async () => {
    const views = createViews(createMemoryHistory());
    const life = new TradingRun(seed, (batch) => views.apply(batch));
    for (let step = 0; step < 250; step++) {
      life.act();
      expectAgreement(life, views);
    }
    // Every order is either open or has ended exactly once.
    const ended = (
      await Promise.all(life.people.map((uid) => views.history.endedOrders(everything(uid))))
    ).flat();
    const open = life.people.flatMap((uid) => views.orders.open(uid));
    expect(ended.length).toBeGreaterThan(50);
    expect(
      new Set([...ended.map(({ id }) => id), ...open.map(({ order }) => order.orderId)]).size,
    ).toBe(ended.length + open.length);
  });

  test('[VIEW-02][VIEW-03] rebuilt or restored views are equal, and stay equal', () => {
    const live = createViews(createMemoryHistory());
    const life = new TradingRun(seed + 50, (batch) => live.apply(batch));
    for (let step = 0; step < 150; step++) life.act();
    const restored = createViews(createMemoryHistory());
    restored.restore(fromCanonicalBytes(canonicalBytes(live.save())));
    const seen = life.batches.length;
    for (let step = 0; step < 150; step++) life.act();
    for (const batch of life.batches.slice(seen)) restored.apply(batch);
    const rebuilt = createViews(createMemoryHistory());
    for (const batch of life.batches) rebuilt.apply(batch);
    for (const views of [restored, rebuilt]) {
      expect(canonicalBytes(views.save()).equals(canonicalBytes(live.save()))).toBe(true);
      expectAgreement(life, views);
      expect(views.positions.openInterest('USDT-FUTURES', 'BTCUSDT')).toBe(
        live.positions.openInterest('USDT-FUTURES', 'BTCUSDT'),
      );
    }
  });

  test('[VIEW-20] an ended order equals the sum of its fills', async () => {
    const views = createViews(createMemoryHistory());
    const life = new TradingRun(seed + 100, (batch) => views.apply(batch));
    for (let step = 0; step < 300; step++) life.act();
    for (const uid of life.people) {
      const fills = await views.history.fills(everything(uid));
      for (const order of await views.history.endedOrders(everything(uid))) {
        const own = fills.filter(({ orderId }) => orderId === order.id);
        const sum = (pick: (fill: (typeof own)[number]) => bigint) =>
          own.reduce((total, fill) => total + pick(fill), 0n);
        expect([order.filledSize, order.filledValue, order.fee, order.profit]).toEqual([
          sum(({ size }) => size),
          sum(({ value }) => value),
          sum(({ fee }) => fee),
          sum(({ profit }) => profit),
        ]);
        expect(order.status === 'filled' || order.cancelReason !== undefined).toBe(true);
      }
    }
  });
});
