/**
 * Bills of a crowd that uses every feature. Their sum is what each user holds, to the last unit.
 */
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { BILL_BOOKS, BILL_KINDS } from '../../src/messages/bills.ts';
import { Population } from '../../src/simulator/population/population.ts';
import type { BillRow } from '../../src/views/history/bills.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';

const START = 1_789_000_000_000;
const COMMANDS = 12_000;
const ALL = { limit: 1_000_000, start: 0 as Timestamp, end: (START * 2) as Timestamp };

/** Runs a seed on the engine alone, with 15 seconds between commands. */
function runSeed(seed: number): { engine: Engine; views: Views } {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  const population = new Population(seededRandom(seed));
  for (let step = 0; step < COMMANDS; step++) {
    const wall = (START + step * 15_000) as Timestamp;
    const { sequence, at, events, moments } = engine.execute(
      population.draw(engine, wall),
      engine.exchangeTime(wall),
    );
    views.apply({ sequence, at, events, ...(moments === undefined ? {} : { moments }) });
  }
  return { engine, views };
}

/**
 * What a user holds by the ledger, as `wallet:coin` and `pair:symbol:coin`, without zero amounts.
 */
function heldBy({ state }: Engine, uid: Uid): Map<string, bigint> {
  const held = new Map<string, bigint>();
  for (const [coin, { available, locked, margin }] of state.ledger.wallets.get(uid) ?? [])
    held.set(`wallet::${coin}`, available + locked + margin);
  for (const [symbol, coins] of state.isolatedPairs.get(uid) ?? [])
    for (const [coin, wallet] of coins)
      held.set(`pair:${symbol}:${coin}`, wallet.isolated + wallet.isolatedLocked);
  return new Map([...held].filter(([, amount]) => amount !== 0n));
}

/** Adds bills up, oldest first, and compares each balance with the sum so far. */
function addUp(rows: readonly BillRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { id, book, market, coin, amount, fee, balance } of rows.toReversed()) {
    const key = `${book}:${book === 'pair' ? market : ''}:${coin}`;
    const sum = (sums.get(key) ?? 0n) + amount + fee;
    sums.set(key, sum);
    if (sum !== balance) expect([id, key, sum]).toEqual([id, key, balance]);
  }
  return new Map([...sums].filter(([, amount]) => amount !== 0n));
}

test('[BILL-01][BILL-02][BILL-03][BILL-05] the sum is what a user holds; balances and subjects are right', async () => {
  const met = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const { engine, views } = runSeed(seed);
    for (const uid of engine.state.accounts.keys()) {
      const rows = (
        await Promise.all(BILL_BOOKS.map((book) => views.history.bills({ uid, book, ...ALL })))
      ).flat();
      const ordered = rows.toSorted((left, right) => right.id - left.id);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      expect([seed, uid, addUp(ordered)]).toEqual([seed, uid, heldBy(engine, uid)]);
      for (const { kind } of rows) met.add(kind);
      expect(rows.filter(({ amount, fee }) => amount === 0n && fee === 0n)).toEqual([]);
      expect(
        rows.filter(({ area, market }) => area !== 'OTHER' && area !== 'MARGIN' && market === ''),
      ).toEqual([]);
    }
  }
  expect(BILL_KINDS.filter((kind) => !met.has(kind))).toEqual(['other']);
});
