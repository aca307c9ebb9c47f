/** The price that a trigger watches. */

import type { Price } from '../../kernel/money.ts';
import type { PriceSource } from '../../messages/vocabulary.ts';
import type { Moment } from '../derived/core-state.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { indexPriceOf, lastPriceOf } from '../derived/coin-prices.ts';
import { isMarkFrozen } from '../prices/mark-prices.ts';
import type { State } from '../state/state.ts';

/** The price that a source says of a symbol now. */
export function sourcePrice(
  state: State,
  spec: InstrumentSpec,
  source: PriceSource,
): Price | undefined {
  if (source === 'mark') return state.symbolPrices.get(spec.key)?.mark;
  return source === 'last'
    ? lastPriceOf(state, spec.instrument)
    : indexPriceOf(state, spec.instrument);
}

/** A frozen mark says nothing about now (TRG-45). */
export const isStale = (
  { state, at }: Pick<Moment, 'state' | 'at'>,
  spec: InstrumentSpec,
  source: PriceSource,
): boolean => source === 'mark' && isMarkFrozen(state, spec.instrument, at);
