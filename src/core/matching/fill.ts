/** One side of a trade that may be about to happen, as the positions of its account see it. */
import { UNIT } from '../../formulas/exact.ts';
import { minus, type Price, type Rate } from '../../kernel/money.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';
import type { Seat } from '../accounts/seat.ts';
import { type Lots, NO_LOTS, type Tick } from '../book/order-book.ts';
import { priceOf, type Terms } from '../instruments/terms.ts';
import { markOf } from '../margin/account-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import type { Order } from '../orders/order.ts';
import { reducedBy } from '../orders/reducible.ts';
import type { Position } from '../positions/position.ts';
import type { Step } from '../step.ts';

/** Split into what it closes and what it opens. */
export interface Fill {
  readonly seat: Seat;
  readonly order: Order;
  readonly terms: Terms;
  readonly tick: Tick;
  readonly closing: Lots;
  readonly opening: Lots;
  /** Fees are reckoned as if it took. */
  readonly feeRate: Rate;
}

/** One order's part in a trade that may be about to happen. */
export interface Match {
  readonly order: Order;
  readonly tick: Tick;
  readonly lots: Lots;
}

/** How many of an order's lots close, where so many are there to be closed. */
export function closedPart(order: Order, lots: Lots, closable: number): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  return Math.max(0, Math.min(lots, closable)) as Lots;
}

export const grownSide = ({ positionSide, side }: Order): PositionSide => positionSide ?? (side === 'buy' ? 'long' : 'short');

/** The position that an order adds to, and the one it takes from. */
export const grownBy = ({ seat, order }: Fill): Position | undefined => seat.position(grownSide(order));
export const closedBy = ({ seat, order }: Fill): Position | undefined =>
  order.positionSide === undefined ? reducedBy(seat, order.side) : seat.position(order.positionSide);

/** How much worse than mark the price is for this side; nothing or less when it is better. */
function worseThanMark(step: Step, { order, terms, tick }: Fill): Price {
  const mark = markOf(step.state, terms);
  const price = priceOf(terms, tick);
  return order.side === 'buy' ? minus(price, mark) : minus(mark, price);
}

/** Cheap and sufficient for a close: it loses no more against mark than the closed part had to keep up at the lowest rate. */
export function isNearMark(step: Step, fill: Fill): boolean {
  const worse = worseThanMark(step, fill);
  return worse <= 0n || worse * UNIT <= markOf(step.state, fill.terms) * fill.terms.tiers[0]!.rate;
}

/** Cheap and sufficient for an opening: against mark it loses at most a quarter of the margin it comes with, and the rest is above maintenance. */
export function isWithinMargin(step: Step, fill: Fill): boolean {
  const worse = worseThanMark(step, fill);
  return worse <= 0n || worse * 4n * rateFromText(fill.order.leverage!) <= priceOf(fill.terms, fill.tick) * UNIT;
}
