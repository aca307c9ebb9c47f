/**
 * Matches a taker with the other side of a book. The book asks the match, maker by maker, what to
 * do.
 */

import { costOf } from '../../../formulas/exact.ts';
import type { Id } from '../../../kernel/ids.ts';
import { invariant, unreachable } from '../../../kernel/invariant.ts';
import {
  type CancelReason,
  isMarket,
  mayRest,
  mustFillWhole,
  mustNotTake,
  otherSide,
} from '../../../messages/vocabulary.ts';
import {
  type Decision,
  type Lots,
  type MakerVisitor,
  ORDER_LOTS_MAX,
  type OrderBook,
  REMOVE_MAKER,
  REMOVE_MAKER_AND_STOP,
  STOP,
  type Tick,
} from '../../book/order-book.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import { type InstrumentSpec, priceOf, sizeOf, worthOf } from '../../derived/instrument-spec.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import type { Order } from '../../state/order.ts';
import { type Step, takeId } from '../../transaction/step.ts';
import { settlePendingCharges } from '../charges/settle-charges.ts';
import {
  endOrder,
  endOutsideBook,
  MAKERS_PER_ORDER_MAX,
  reasonWhenDone,
} from '../orders/open-orders.ts';
import { reducibleLots } from '../orders/reduce-only.ts';
import { wouldTake } from '../risk/first-fill.ts';
import { affordableLots } from '../risk/proposed-fill.ts';
import { fillCoverage, ownTradeCoverage } from '../risk/risk-check.ts';
import { makersOfWhole } from './fill-or-kill.ts';
import { chargesClearingPastMark, settleTrade } from './settle-trade.ts';

class TakerMatch implements MakerVisitor {
  readonly #step: Step;
  readonly #taker: Order;
  readonly #spec: InstrumentSpec;
  readonly #avoidsLevy: boolean;
  #met = 0;
  /** Its money does not buy another lot. */
  #spent = false;
  /** A maker that may trade no more but has lots left; it leaves before matching goes on. */
  #exhausted: Order | undefined;
  #agreed: ReadonlySet<Id> | undefined;
  /** Why the taker must stop. */
  stopped: CancelReason | undefined;

  constructor(step: Step, taker: Order, spec: InstrumentSpec, avoidsLevy: boolean) {
    this.#step = step;
    this.#taker = taker;
    this.#spec = spec;
    this.#avoidsLevy = avoidsLevy;
  }

  /** These makers were checked before the first trade; any other maker leaves the book. */
  agreeOn(makers: ReadonlySet<Id>): void {
    this.#agreed = makers;
  }

  through(book: OrderBook): void {
    do {
      this.#endExhausted();
      book.match(this.#taker.side, this.#taker.limit, this.#wanted(), this);
    } while (this.#exhausted !== undefined);
  }

  isDone(): boolean {
    return this.#taker.quoteAmount === undefined ? this.#taker.left === 0 : this.#spent;
  }

  visit(makerId: Order['id'], owner: Order['owner'], tick: Tick, lots: Lots): Decision {
    const maker = this.#step.state.orders.get(makerId);
    invariant(maker !== undefined, 'an order in the book is an open order');
    if (this.#spent) return STOP;
    if (++this.#met > MAKERS_PER_ORDER_MAX) return this.#stop('tooManyTrades');
    const prevented = owner === this.#taker.owner ? this.#selfTrade(maker) : undefined;
    if (prevented !== undefined) return prevented;

    settlePendingCharges(this.#step, maker.uid);
    const wanted = affordableLots(this.#taker, this.#spec, tick, lots);
    if (wanted === 0) return this.#endSpending();
    const tradable = maker.reduceOnly
      ? (Math.min(wanted, reducibleLots(symbolAccountOf(this.#step, maker), maker.side)) as Lots)
      : wanted;
    if (tradable === 0) return this.#remove(maker, 'nothingToReduce', REMOVE_MAKER);
    const refused = this.#refusal(maker, tick, tradable);
    if (refused !== undefined) return refused;
    this.#trade(maker, tick, tradable);
    if (maker.left === 0) endOutsideBook(this.#step, maker, reasonWhenDone(maker));
    else if (tradable < wanted) this.#exhausted = maker;
    return tradable;
  }

  #wanted(): Lots {
    return this.#taker.quoteAmount === undefined ? this.#taker.left : (ORDER_LOTS_MAX as Lots);
  }

  #endExhausted(): void {
    if (this.#exhausted !== undefined) endOrder(this.#step, this.#exhausted, 'nothingToReduce');
    this.#exhausted = undefined;
  }

  #stop(reason: CancelReason): Decision {
    this.stopped = reason;
    return STOP;
  }

  /** A maker that does not cover the trade leaves the book; a taker that does not stops. */
  #refusal(maker: Order, tick: Tick, lots: Lots): Decision | undefined {
    if (this.#agreed !== undefined)
      return this.#agreed.has(maker.id)
        ? undefined
        : this.#remove(maker, 'moneyGone', REMOVE_MAKER);
    const step = this.#step;
    const spec = this.#spec;
    const taker = this.#taker;
    const made = { order: maker, tick, lots };
    if (!fillCoverage(step, spec, made).covered)
      return this.#remove(maker, 'moneyGone', REMOVE_MAKER);
    if (!fillCoverage(step, spec, { order: taker, tick, lots }).covered)
      return this.#stop('moneyGone');
    if (this.#avoidsLevy && chargesClearingPastMark(step, { spec, maker, taker, tick, lots }))
      return this.#stop('slippage');
    if (maker.uid !== taker.uid || ownTradeCoverage(step, spec, taker, made).covered)
      return undefined;
    return this.#stop('moneyGone');
  }

  /** Undefined if the order may trade with its own account. */
  #selfTrade(maker: Order): Decision | undefined {
    switch (this.#taker.selfTradeMode) {
      case 'cancelTaker':
        return this.#stop('selfTrade');
      case 'cancelMaker':
        return this.#remove(maker, 'selfTrade', REMOVE_MAKER);
      case 'cancelBoth':
        this.stopped = 'selfTrade';
        return this.#remove(maker, 'selfTrade', REMOVE_MAKER_AND_STOP);
      case 'none':
        return undefined;
      default:
        return unreachable(this.#taker.selfTradeMode);
    }
  }

  /** The decision makes the book remove the maker. */
  #remove(maker: Order, reason: CancelReason, decision: Decision): Decision {
    endOutsideBook(this.#step, maker, reason);
    return decision;
  }

  #endSpending(): Decision {
    this.#spent = true;
    return STOP;
  }

  #trade(maker: Order, tick: Tick, lots: Lots): void {
    const step = this.#step;
    const spec = this.#spec;
    const tradeId = takeId(step);
    const price = priceOf(spec, tick);
    const size = sizeOf(spec, lots);
    const value = worthOf(spec, tick, lots);
    settleTrade(step, {
      tradeId,
      spec,
      maker,
      taker: this.#taker,
      tick,
      lots,
      price,
      size,
      value,
      cost: costOf(price, size),
    });
    this.#spent =
      this.#taker.quoteAmount !== undefined &&
      affordableLots(this.#taker, spec, tick, 1 as Lots) === 0;
    step.emit({
      type: 'tradeExecuted',
      tradeId,
      category: spec.category === 'MARGIN' ? 'SPOT' : spec.category,
      symbol: spec.instrument.symbol,
      takerSide: this.#taker.side,
      price,
      size,
    });
  }
}

/** How matching ends for an order: it rests, it is filled, or it is cancelled for a reason. */
type MatchResult = CancelReason | 'rests' | 'filled';

/**
 * Matches an accepted order, and rests or ends what is left of it. `avoidsLevy`: at prices worse
 * than mark it does not trade if it would owe a clearing levy.
 */
export function matchOrder(
  step: Step,
  order: Order,
  { book, spec }: MarketContext,
  avoidsLevy = false,
): void {
  const result = matchWithBook(step, order, spec, book, avoidsLevy);
  if (result === 'rests') book.rest(order.id, order.side, order.limit, order.left, order.owner);
  else endOutsideBook(step, order, result === 'filled' ? undefined : result);
}

function matchWithBook(
  step: Step,
  order: Order,
  spec: InstrumentSpec,
  book: OrderBook,
  avoidsLevy: boolean,
): MatchResult {
  settlePendingCharges(step, order.uid);
  if (mustNotTake(order.timeInForce) && wouldTake(order, book)) return 'postOnlyWouldTake';
  const match = new TakerMatch(step, order, spec, avoidsLevy);
  if (mustFillWhole(order.timeInForce)) {
    const makers = makersOfWhole(step, order, spec, book, (maker) =>
      settlePendingCharges(step, maker.uid),
    );
    if (makers === undefined) return 'fokNotFull';
    match.agreeOn(makers);
  }

  match.through(book);
  if (match.stopped !== undefined) return match.stopped;
  if (match.isDone()) return reasonWhenDone(order) ?? 'filled';
  if (isMarket(order.orderType)) return isEmpty(order, book) ? 'iocNotFull' : 'slippage';
  return mayRest(order.timeInForce) ? 'rests' : 'iocNotFull';
}

const isEmpty = (order: Order, book: OrderBook): boolean =>
  book.best(otherSide(order.side)) === undefined;
