/** Takes an order through the book: who it meets, what it trades, and what becomes of the rest. */
import { invariant, unreachable } from '../../kernel/invariant.ts';
import { minus } from '../../kernel/money.ts';
import type { CancelReason } from '../../messages/vocabulary.ts';
import {
  type Decision,
  type Lots,
  type MakerVisitor,
  type OrderBook,
  otherSide,
  REMOVE_MAKER,
  REMOVE_MAKER_AND_STOP,
  STOP,
  type Tick,
} from '../book/order-book.ts';
import { bookOf } from '../derived.ts';
import { priceOf, sizeOf, type Terms, valueOf } from '../instruments/terms.ts';
import { endOrder } from '../orders/end-order.ts';
import type { Order } from '../orders/order.ts';
import { reducibleLots } from '../orders/reducible.ts';
import { type Step, takeId } from '../step.ts';
import { settleTrade } from './settle-trade.ts';

/** Matches an accepted order and rests or ends what is left of it. */
export function matchOrder(step: Step, order: Order, terms: Terms): void {
  const book = bookOf(step.derived, terms);
  const refused = refusedAtOnce(order, book, terms);
  if (refused !== undefined) return endOrder(step, order, refused);

  const walk = new Walk(step, order, terms);
  book.match(order.side, order.limit, walk.lotsWanted(), walk);
  walk.endRemovedMakers();
  if (walk.stoppedBySelfTrade) return endOrder(step, order, 'selfTrade');
  if (walk.isDone()) return endOrder(step, order, order.filled < order.lots ? 'nothingToReduce' : undefined);
  if (order.orderType === 'market') return endOrder(step, order, 'slippage');
  if (order.timeInForce === 'ioc' || order.timeInForce === 'fok') return endOrder(step, order, 'iocNotFull');
  book.rest(order.id, order.side, order.limit, order.left, order.owner);
}

/** Orders that would take where they must not, or not be filled whole where they must, trade nothing at all. */
function refusedAtOnce(order: Order, book: OrderBook, terms: Terms): CancelReason | undefined {
  if (order.orderType === 'market') return undefined;
  if (order.timeInForce === 'postOnly' && wouldTake(order, book)) return 'postOnlyWouldTake';
  if (order.timeInForce === 'fok' && fillable(order, book, terms) < order.left) return 'fokNotFull';
  return undefined;
}

function wouldTake(order: Order, book: OrderBook): boolean {
  const best = book.best(otherSide(order.side));
  if (best === undefined) return false;
  return order.side === 'buy' ? best <= order.limit : best >= order.limit;
}

/** What the order would find, its owner's own orders counted as self-trade prevention will treat them. */
function fillable(order: Order, book: OrderBook, _terms: Terms): Lots {
  if (order.selfTradeMode === 'none') return book.fillableLots(order.side, order.limit, order.left);
  let found = 0;
  book.look(order.side, order.limit, (_id, owner, _tick, lots) => {
    if (owner !== order.owner) found += lots;
    else if (order.selfTradeMode !== 'cancelMaker') return false;
    return found < order.left;
  });
  return found as Lots;
}

/** One taker's walk through the other side. The book asks it, maker by maker, what to do. */
class Walk implements MakerVisitor {
  readonly #step: Step;
  readonly #taker: Order;
  readonly #terms: Terms;
  readonly #removed: { readonly maker: Order; readonly reason: CancelReason }[] = [];
  readonly #filled: Order[] = [];
  stoppedBySelfTrade = false;
  #spent = false;

  constructor(step: Step, taker: Order, terms: Terms) {
    this.#step = step;
    this.#taker = taker;
    this.#terms = terms;
  }

  lotsWanted(): Lots {
    return this.#taker.quoteAmount === undefined ? this.#taker.left : this.#terms.marketLotsMax;
  }

  isDone(): boolean {
    return this.#taker.quoteAmount === undefined ? this.#taker.left === 0 : this.#spent;
  }

  visit(makerId: Order['id'], owner: Order['owner'], tick: Tick, lots: Lots): Decision {
    const maker = this.#step.state.orders.get(makerId);
    invariant(maker !== undefined, 'an order in the book is an open order');
    if (owner === this.#taker.owner && this.#taker.selfTradeMode !== 'none') return this.#selfTrade(maker);

    const wanted = this.#affordable(tick, lots);
    if (wanted === 0) return STOP;
    const tradable = maker.reduceOnly ? (Math.min(wanted, reducibleLots(this.#step.state, maker)) as Lots) : wanted;
    if (tradable === 0) return this.#remove(maker, 'nothingToReduce', REMOVE_MAKER);
    this.#trade(maker, tick, tradable);
    return tradable;
  }

  #selfTrade(maker: Order): Decision {
    switch (this.#taker.selfTradeMode) {
      case 'cancelTaker':
        this.stoppedBySelfTrade = true;
        return STOP;
      case 'cancelMaker':
        return this.#remove(maker, 'selfTrade', REMOVE_MAKER);
      case 'cancelBoth':
        this.stoppedBySelfTrade = true;
        return this.#remove(maker, 'selfTrade', REMOVE_MAKER_AND_STOP);
      case 'none':
        return STOP;
      default:
        return unreachable(this.#taker.selfTradeMode);
    }
  }

  #remove(maker: Order, reason: CancelReason, decision: Decision): Decision {
    this.#removed.push({ maker, reason });
    return decision;
  }

  /** A buy given in quote coin trades as many whole lots as its money still buys at this price. */
  #affordable(tick: Tick, lots: Lots): Lots {
    const { quoteAmount, filledValue } = this.#taker;
    if (quoteAmount === undefined) return lots;
    const buys = minus(quoteAmount, filledValue) / valueOf(this.#terms, tick, 1 as Lots);
    if (buys >= BigInt(lots)) return lots;
    this.#spent = true;
    return Number.parseInt(buys.toString(), 10) as Lots;
  }

  #trade(maker: Order, tick: Tick, lots: Lots): void {
    const step = this.#step;
    const terms = this.#terms;
    const tradeId = takeId(step);
    if (this.#taker.quoteAmount !== undefined) this.#taker.left = (this.#taker.left + lots) as Lots;
    settleTrade(step, { tradeId, terms, tick, lots }, maker, this.#taker);
    if (maker.left === 0) this.#filled.push(maker);
    step.emit({
      type: 'tradeExecuted',
      tradeId,
      category: terms.category === 'MARGIN' ? 'SPOT' : terms.category,
      symbol: terms.instrument.symbol,
      takerSide: this.#taker.side,
      price: priceOf(terms, tick),
      size: sizeOf(terms, lots),
    });
  }

  /** Once the walk is over the book may be changed: makers that traded out or were removed end. */
  endRemovedMakers(): void {
    for (const maker of this.#filled) endOrder(this.#step, maker, maker.filled < maker.lots ? 'nothingToReduce' : undefined);
    for (const { maker, reason } of this.#removed) endOrder(this.#step, maker, reason);
  }
}
