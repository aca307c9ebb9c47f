/** How far the money of a buy goes that is given in quote coin. */
import type { Order } from '../../state/order.ts';
import { type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { minus } from '../../../kernel/money.ts';
import { countOf } from '../../../kernel/count.ts';

/**
 * As many whole lots as its money still buys at this price, and no more than these; an order given
 * in lots may trade all of them.
 */
export function affordableLots(
  { quoteAmount, filledValue }: Order,
  spec: InstrumentSpec,
  tick: Tick,
  lots: Lots,
): Lots {
  if (quoteAmount === undefined) return lots;
  const buys = minus(quoteAmount, filledValue) / worthOf(spec, tick, 1 as Lots);
  return buys >= BigInt(lots) ? lots : (countOf(buys) as Lots);
}
