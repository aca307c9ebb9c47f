/** Audits index and mark prices. */
import { isDollar } from '../../formulas/index-price.ts';
import { moneyText } from '../../kernel/money.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';
import { currentMarkOf } from './market-prices.ts';

export function auditPrices(state: State): readonly string[] {
  const faults: string[] = [];
  for (const [coin, { price, updatedAt }] of state.indexPrices) {
    if (isDollar(coin)) faults.push(`${coin} counts as a dollar but has an index price`);
    if (price <= 0n) faults.push(`the index of ${coin} is ${moneyText(price)}`);
    if (updatedAt > state.at) faults.push(`the index of ${coin} was updated in the future`);
  }
  for (const key of state.symbolPrices.keys())
    if (!state.instruments.has(key)) faults.push(`${key} has prices but is not listed`);
  for (const [key, { instrument }] of state.instruments) {
    const mark = state.symbolPrices.get(key)?.mark;
    const expected = isFutures(instrument.category) ? currentMarkOf(state, instrument) : undefined;
    if (expected !== undefined && mark !== expected)
      faults.push(`the mark of ${key} does not follow from its index and its pin`);
  }
  return faults;
}
