import { describe, expect, test } from 'vitest';
import { entryAt } from '../../formulas/entry.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { type Amount, money, type Price, type Size } from '../../kernel/money.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { Derived } from '../derived/derived.ts';
import { keyOf, specFrom } from '../derived/instrument-spec.ts';
import { newPosition, positionKey } from '../derived/position.ts';
import type { Threshold } from '../derived/risk-index.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { MarginEstimate } from '../margin/estimate-margin.ts';
import { emptyDerived } from '../rebuild.ts';
import type { Position } from '../state/position.ts';
import { emptyState, type State } from '../state/state.ts';
import { positionBuffer } from './liquidate-position.ts';
import { accountThresholds, positionThreshold } from './thresholds.ts';

const UID = 1_000_000_001 as Uid;
const FIRST: Readonly<Record<string, number>> = { BTC: 50_000, ETH: 2_500, SOL: 150 };
const FUTURES = DEFAULT_INSTRUMENTS.filter(
  ({ category, baseCoin }) => category.endsWith('FUTURES') && baseCoin in FIRST,
);

const decimal = (value: number): string => value.toFixed(8);
const priceOf = (value: number): Price => money<Price>(decimal(Math.max(value, 0.00000001)));

function emptyExchange(): { state: State; derived: Derived } {
  const state = emptyState();
  const derived = emptyDerived(state);
  for (const coin of DEFAULT_COINS) state.coins.set(coin.coin, coin);
  for (const instrument of DEFAULT_INSTRUMENTS) {
    state.instruments.set(keyOf(instrument), { instrument, status: 'normal' });
    derived.spec.set(keyOf(instrument), specFrom(instrument));
  }
  state.accounts.set(UID, {
    profile: { uid: UID, level: 'VIP0' },
    positionMode: 'hedge',
    symbolSettings: new Map(),
    coinLeverages: new Map(),
    openOrders: new Set(),
  } as never);
  return { state, derived };
}

/**
 * A random position: up to four times the allowed leverage, entered at most 30 % from the index.
 */
function addPosition(
  state: State,
  chance: Random,
  id: number,
  marginMode: 'crossed' | 'isolated',
  among = FUTURES,
): Position {
  const instrument = chance.pick(among);
  const [key, side] = [keyOf(instrument), chance.pick(['long', 'short'] as const)];
  const index = FIRST[instrument.baseCoin]!;
  const lots = 1 + chance.below(10 ** chance.below(6));
  const size = (money<Size>(instrument.sizeStep) * BigInt(lots)) as Size;
  const position = newPosition({
    id: id as Id,
    uid: UID,
    key,
    side,
    positionMode: 'hedge',
    marginMode,
    leverage: '10' as never,
    createdAt: 0 as Timestamp,
  });
  position.lots = lots as never;
  position.entry = entryAt(priceOf(index * (0.7 + chance.fraction() * 0.6)), size);
  state.positions.set(
    UID,
    (state.positions.get(UID) ?? new Map()).set(positionKey(key, side), position),
  );
  return position;
}

function addWallets(state: State, chance: Random): void {
  const wallets = new Map();
  for (const [coin, index] of Object.entries({ USDT: 1, USDC: 1, ...FIRST })) {
    if (chance.below(2) === 0) continue;
    const usd = 10 ** (1 + chance.fraction() * 6);
    wallets.set(coin, { available: money<Amount>(decimal(usd / index)), locked: 0n, margin: 0n });
  }
  state.ledger.wallets.set(UID, wallets);
  for (const [coin, index] of Object.entries({ USDT: 1, ...FIRST }))
    if (chance.below(4) === 0) {
      const principal = money<Amount>(decimal(10 ** (1 + chance.fraction() * 5) / index));
      state.debts.set(
        UID,
        (state.debts.get(UID) ?? new Map()).set(coin, { principal, interest: 0n as Amount }),
      );
    }
}

function setPrices(state: State, chance: Random): void {
  for (const [coin, index] of Object.entries(FIRST))
    state.indexPrices.set(coin, { price: priceOf(index), updatedAt: 0 as Timestamp });
  for (const instrument of FUTURES) {
    const mark = priceOf(FIRST[instrument.baseCoin]! * (0.99 + chance.fraction() * 0.02));
    state.symbolPrices.set(keyOf(instrument), { mark });
  }
}

/** A random price within the thresholds, often at their very edge; far away if a side has none. */
function within(chance: Random, now: Price, thresholds: readonly Threshold[]): Price {
  const lows = thresholds.flatMap(({ below }) => (below === undefined ? [] : [below + 1n]));
  const highs = thresholds.flatMap(({ above }) => (above === undefined ? [] : [above - 1n]));
  const low = lows.reduce((most, value) => (value > most ? value : most), now / 20n + 1n);
  const high = highs.reduce((least, value) => (value < least ? value : least), now * 20n);
  // A threshold at the price itself: any move is examined.
  if (low > now || high < now) return now;
  const roll = chance.below(4);
  if (roll === 0) return low as Price;
  if (roll === 1) return high as Price;
  return roll === 2
    ? now
    : ((low + ((high - low) * BigInt(chance.below(1_000))) / 1_000n) as Price);
}

function movePrices(state: State, chance: Random, thresholds: readonly Threshold[]): void {
  for (const [key, prices] of state.symbolPrices) {
    const own = thresholds.filter(({ price }) => price.kind === 'mark' && price.key === key);
    prices.mark = within(chance, prices.mark!, own);
  }
  for (const [coin, index] of state.indexPrices) {
    const own = thresholds.filter(({ price }) => price.kind === 'index' && price.coin === coin);
    index.price = within(chance, index.price, own);
  }
}

describe('thresholds', () => {
  test('[POS-69] an account is safe while all prices stay within its thresholds', () => {
    const chance = seededRandom(7);
    let proved = 0;
    for (let count = 0; count < 6_000; count++) {
      const { state, derived } = emptyExchange();
      setPrices(state, chance);
      addWallets(state, chance);
      for (let id = 1; id <= 1 + chance.below(5); id++) addPosition(state, chance, id, 'crossed');
      const { equity, maintenance } = accountMargin(state, derived, UID);
      if (equity <= maintenance) continue;
      const thresholds = accountThresholds(state, UID, new MarginEstimate(state, derived, UID));
      movePrices(state, chance, thresholds);
      const after = accountMargin(state, derived, UID);
      expect(after.equity > after.maintenance, `exchange ${count}`).toBe(true);
      proved += 1;
    }
    expect(proved).toBeGreaterThan(1_000);
  });

  test('[POS-69] estimated headroom is at most the exact headroom, and hardly less', () => {
    const chance = seededRandom(9);
    let [close, clear] = [0, 0];
    for (let count = 0; count < 6_000; count++) {
      const { state, derived } = emptyExchange();
      setPrices(state, chance);
      addWallets(state, chance);
      for (let id = 1; id <= 1 + chance.below(5); id++) addPosition(state, chance, id, 'crossed');
      const exact = accountMargin(state, derived, UID);
      const { free, maintenanceBuffer } = new MarginEstimate(state, derived, UID);
      const [exactFree, exactBuffer] = [
        Number(exact.freeEquity - exact.initial),
        Number(exact.equity - exact.maintenance),
      ];
      expect(free, `exchange ${count}`).toBeLessThanOrEqual(exactFree);
      expect(maintenanceBuffer, `exchange ${count}`).toBeLessThanOrEqual(exactBuffer);
      const [initial, requirement] = [Number(exact.initial), Number(exact.maintenance)];
      expect(exactFree - free).toBeLessThan(1e-5 * (Math.abs(exactFree) + initial) + 1e6);
      expect(exactBuffer - maintenanceBuffer).toBeLessThan(
        1e-5 * (Math.abs(exactBuffer) + requirement + initial) + 1e6,
      );
      if (exactBuffer > 0 && maintenanceBuffer > 0) clear++;
      if (exactBuffer > 0 && maintenanceBuffer <= 0) close++;
    }
    expect(clear).toBeGreaterThan(1_000);
    expect(close).toBeLessThan(clear / 100);
  });

  test('[POS-69] nor does it exceed the exact headroom of a small account with a coin of high price', () => {
    const chance = seededRandom(10);
    const inverse = FUTURES.filter(({ category }) => category === 'COIN-FUTURES');
    for (let count = 0; count < 3_000; count++) {
      const { state, derived } = emptyExchange();
      setPrices(state, chance);
      state.ledger.wallets.set(
        UID,
        new Map([
          [
            'USDT',
            { available: money<Amount>(decimal(20 * chance.fraction())), locked: 0n } as never,
          ],
        ]),
      );
      state.debts.set(
        UID,
        new Map([
          ['BTC', { principal: BigInt(1 + chance.below(1_000)) as Amount, interest: 1n as Amount }],
        ]),
      );
      for (let id = 1; id <= 1 + chance.below(3); id++)
        addPosition(state, chance, id, 'crossed', inverse);
      const exact = accountMargin(state, derived, UID);
      const { free, maintenanceBuffer } = new MarginEstimate(state, derived, UID);
      expect(free, `exchange ${count}`).toBeLessThanOrEqual(
        Number(exact.freeEquity - exact.initial),
      );
      expect(maintenanceBuffer, `exchange ${count}`).toBeLessThanOrEqual(
        Number(exact.equity - exact.maintenance),
      );
    }
  });

  test('[POS-69] an isolated position is safe up to its threshold, and hardly beyond it', () => {
    const chance = seededRandom(8);
    let [proved, near] = [0, 0];
    for (let count = 0; count < 3_000; count++) {
      const { state, derived } = emptyExchange();
      setPrices(state, chance);
      const position = addPosition(state, chance, 1, 'isolated');
      const spec = derived.spec.get(position.key)!;
      const worth = spec.inverse ? position.entry.size : position.entry.cost / 10n ** 10n;
      position.margin = (worth / BigInt(1 + chance.below(60))) as Amount;
      const maintenanceBuffer = positionBuffer(state, position, spec);
      if (maintenanceBuffer <= 0n) continue;
      const threshold = positionThreshold(state, position, spec, maintenanceBuffer);
      const edge = threshold.below ?? threshold.above;
      movePrices(state, chance, [threshold]);
      expect(positionBuffer(state, position, spec) > 0n, `exchange ${count}`).toBe(true);
      proved += 1;
      if (edge === undefined) continue;
      state.symbolPrices.get(position.key)!.mark = edge;
      // Tiers and roundings may set the threshold early, but by little of the buffer.
      if (positionBuffer(state, position, spec) * 4n <= maintenanceBuffer) near += 1;
    }
    expect(proved).toBeGreaterThan(1_500);
    expect(near / proved).toBeGreaterThan(0.8);
  });
});
