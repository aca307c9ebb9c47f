/**
 * Marks the isolated pairs to examine before the command ends: their debt changed, or a price
 * reached them.
 */

import { mustLiquidate, pairValues } from '../../formulas/isolated-risk.ts';
import { pairIndex, pairSpec, pairSums } from '../margin/pair-risk.ts';
import type { PairName } from '../state/pair.ts';
import type { Reaction, Step } from '../transaction/step.ts';

const mark = ({ derived }: Step, pair: PairName): void =>
  void derived.pairsAtRisk.set(`${pair.symbol}:${pair.uid}`, pair);

/**
 * Examines each indebted pair of the symbols that `concerns` selects, unless it is known to be safe
 * (ISO-37).
 */
function watch(step: Step, concerns: (symbol: string, coins: readonly string[]) => boolean): void {
  const { state, derived } = step;
  for (const [symbol, debtors] of state.isolatedDebts) {
    const spec = pairSpec(step, symbol)!;
    const index = pairIndex(step, spec);
    if (index === undefined) continue;
    if (!concerns(symbol, [spec.instrument.baseCoin, spec.instrument.quoteCoin])) continue;
    for (const uid of debtors.keys()) {
      const pair = { uid, symbol };
      if (derived.safePairs.has(pair, index)) continue;
      const sums = pairSums(state, pair, spec);
      if (mustLiquidate(pairValues(sums, index), spec.leverageMax)) mark(step, pair);
      else derived.safePairs.add(pair, sums, index, spec.leverageMax);
    }
  }
}

export const watchPairDebt: Reaction<'isolatedDebtChanged'> = (step, { uid, symbol }) =>
  mark(step, { uid, symbol });

export const watchPairsOfCoin: Reaction<'indexPriceMoved'> = (step, { baseCoin }) =>
  watch(step, (_symbol, coins) => coins.includes(baseCoin));

export const watchPairsOfSymbol: Reaction<'instrumentStatusChanged'> = (step, { symbol }) =>
  watch(step, (name) => name === symbol);

export const watchPairsOfInstrument: Reaction<'instrumentListed'> = (step, { instrument }) => {
  step.derived.safePairs.forgetAll(instrument.symbol);
  watch(step, (name) => name === instrument.symbol);
};

/** No price is stale while the market is switched off. */
export const watchAllPairs: Reaction<'marketSwitched'> = (step) => watch(step, () => true);
