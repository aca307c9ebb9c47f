/**
 * Pairs that owe and would not be liquidated now, whatever they have: nothing else tells the
 * operator of them (ISO-165).
 */
import type { State } from '../state/state.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { instrumentKey } from '../derived/instrument-key.ts';
import { indexPriceOf, isSymbolIndexStale } from '../derived/coin-prices.ts';
import { isBookHalted } from '../derived/statuses.ts';

export function countWaitingPairs(state: State, at: Timestamp): number {
  let count = 0;
  for (const [symbol, debtors] of state.isolatedDebts)
    if (waits(state, symbol, at)) count += debtors.size;
  return count;
}

function waits(state: State, symbol: string, at: Timestamp): boolean {
  const key = instrumentKey('MARGIN', symbol);
  const { instrument } = state.instruments.get(key)!;
  const isKnown =
    indexPriceOf(state, instrument) !== undefined && !isSymbolIndexStale(state, instrument, at);
  return !isKnown || isBookHalted(state, { futures: false, key, instrument });
}
