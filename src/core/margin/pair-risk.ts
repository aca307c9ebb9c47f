/** The margin of an isolated pair: its balances and debts at its index, and what it allows. */

import {
  isWithinLeverage,
  mustLiquidate,
  type PairSums,
  pairValues,
  removable,
} from '../../formulas/isolated-risk.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, ONE_RATE, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { type InstrumentSpec, instrumentKey, isBookHalted } from '../derived/instrument-spec.ts';
import { indexPriceOf, isIndexStale, isSymbolIndexStale } from '../derived/market-context.ts';
import { pairOwned, pairWalletOf } from '../ledger/ledger.ts';
import type { PairName } from '../state/pair.ts';
import type { State } from '../state/state.ts';
import { reject, type Step } from '../transaction/step.ts';
import { hasRoomForDebtor, isInDebt, pairOwed } from './pair-debts.ts';

/** The MARGIN listing of the symbol, which limits the leverage of its pair. */
export const pairSpec = ({ derived }: Step, symbol: string): InstrumentSpec | undefined =>
  derived.spec.get(instrumentKey('MARGIN', symbol));

export const pairName = (uid: Uid, { instrument: { symbol } }: InstrumentSpec): PairName => ({
  uid,
  symbol,
});

export const pairIndex = ({ state }: Step, { instrument }: InstrumentSpec): Price | undefined =>
  indexPriceOf(state, instrument);

/** At a stale index, pairs are not liquidated and cannot borrow (ISO-30). */
export const isPairIndexFresh = (
  { state, at }: Step,
  { instrument: { baseCoin, quoteCoin } }: InstrumentSpec,
): boolean => !isIndexStale(state, baseCoin, at) && !isIndexStale(state, quoteCoin, at);

export function pairSums(
  state: State,
  pair: PairName,
  { instrument: { baseCoin, quoteCoin } }: InstrumentSpec,
): PairSums {
  const { uid, symbol } = pair;
  return {
    base: { owned: pairOwned(state, uid, symbol, baseCoin), owed: pairOwed(state, pair, baseCoin) },
    quote: {
      owned: pairOwned(state, uid, symbol, quoteCoin),
      owed: pairOwed(state, pair, quoteCoin),
    },
  };
}

/** A change of the balance and debt of a pair in one coin. */
export interface PairChange {
  readonly coin: string;
  readonly owned: Amount;
  readonly owed: Amount;
}

/** The sums after hypothetical changes. */
function changedSums(
  sums: PairSums,
  { instrument: { baseCoin } }: InstrumentSpec,
  changes: readonly PairChange[],
): PairSums {
  let { base, quote } = sums;
  for (const { coin, owned, owed } of changes) {
    if (coin === baseCoin) base = { owned: plus(base.owned, owned), owed: plus(base.owed, owed) };
    else quote = { owned: plus(quote.owned, owned), owed: plus(quote.owed, owed) };
  }
  return { base, quote };
}

/** The refusal if a pair may not take a loan. */
export function loanFault(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  coin: string,
  amount: Amount,
) {
  const index = pairIndex(step, spec);
  if (index === undefined) return reject('symbolClosed', 'symbol', pair.symbol);
  if (!isPairIndexFresh(step, spec)) return reject('priceStale', undefined, pair.symbol);
  const after = changedSums(pairSums(step.state, pair, spec), spec, [
    { coin, owned: amount, owed: amount },
  ]);
  if (!isWithinLeverage(pairValues(after, index), spec.leverageMax)) return reject('loanTooLarge');
  return hasRoomForDebtor(step.state, pair) ? undefined : reject('exchangeFull');
}

/**
 * The amount of a coin that may leave a pair. The index can be undefined, because a coin can become
 * too cheap to have a price in the other one.
 */
export function removableOf(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  coin: string,
): Amount {
  const { isolated } = pairWalletOf(step.state, pair.uid, pair.symbol, coin);
  if (!isInDebt(step.state, pair)) return isolated;
  const index = pairIndex(step, spec);
  if (index === undefined || !isPairIndexFresh(step, spec)) return ZERO_AMOUNT;
  const price = coin === spec.instrument.baseCoin ? index : (ONE_RATE as bigint as Price);
  return removable(
    pairValues(pairSums(step.state, pair, spec), index),
    price,
    spec.leverageMax,
    isolated,
  );
}

/** True if a pair in debt must be liquidated after some changes, or has lost its index. */
export function mustLiquidateAfter(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  changes: readonly PairChange[],
): boolean {
  const index = pairIndex(step, spec);
  if (index === undefined) return true;
  return mustLiquidate(
    pairValues(changedSums(pairSums(step.state, pair, spec), spec, changes), index),
    spec.leverageMax,
  );
}

/** Counts pairs in debt that cannot be liquidated now, because of their index or a halt. */
export function countSuspendedPairs(state: State, at: Timestamp): number {
  let count = 0;
  for (const [symbol, debtors] of state.isolatedDebts)
    if (isSuspended(state, symbol, at)) count += debtors.size;
  return count;
}

function isSuspended(state: State, symbol: string, at: Timestamp): boolean {
  const key = instrumentKey('MARGIN', symbol);
  const { instrument } = state.instruments.get(key)!;
  const isKnown =
    indexPriceOf(state, instrument) !== undefined && !isSymbolIndexStale(state, instrument, at);
  return !isKnown || isBookHalted(state, { futures: false, key, instrument });
}
