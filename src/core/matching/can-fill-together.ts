/**
 * Whether one account can bear several fills that are settled without asking again: those of an order that is filled whole or not at all,
 * and both sides of a trade that an account makes with itself. Each of them alone may be bearable and all of them not. (ORD-71)
 */
import { entryAt, increaseEntry, NO_ENTRY } from '../../formulas/entry.ts';
import { neededUsd, orderMargin } from '../../formulas/margin.ts';
import { profit } from '../../formulas/profit.ts';
import { minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { seatOf } from '../accounts/holder.ts';
import type { Lots } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms } from '../instruments/terms.ts';
import { accountMaintenance, addLocked, freeSums, indexOf, maintenanceAt, maintenanceOf, markOf } from '../margin/account-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { openingLots } from '../orders/open-orders.ts';
import type { Order, Standing } from '../orders/order.ts';
import { reducedBy } from '../orders/reducible.ts';
import { feeOfOpening } from '../positions/fill-position.ts';
import type { Step } from '../step.ts';
import { canExchange, canFill } from './can-fill.ts';
import { canBearIsolated, canPay, walletNeed } from './can-fill-isolated.ts';
import { closedPart, type Match } from './fill.ts';

/**
 * Both sides of trades of an account with itself. Margin and losses of isolated positions come out of one wallet, and in hedge mode what both
 * sides open stays open; all else evens itself out.
 */
export function canBearBoth(
  step: Step,
  terms: Terms,
  made: readonly Match[],
  taken: readonly Match[],
  standing: Standing = 'held',
): boolean {
  const [first] = made;
  if (first === undefined || !terms.futures) return true;
  // What the engine's own orders cost beyond what is there, the fund pays.
  if (taken[0]!.order.executionKind !== 'normal') return true;
  if (first.order.marginMode === 'isolated')
    return canPay(step, terms, taken[0]!.order, plus(walletNeed(step, terms, made), walletNeed(step, terms, taken)), standing);
  return first.order.positionMode === 'oneWay' || canHoldBoth(step, terms, first.order, [...made, ...taken]);
}

/** Equity must stay above the maintenance of a long and a short that are opened together. */
function canHoldBoth(step: Step, terms: Terms, { uid }: Order, matches: readonly Match[]): boolean {
  const { state, derived } = step;
  const { marginCoin } = terms.instrument;
  const { holder, long, short } = seatOf(step, matches[0]!.order);
  const entries = { long: long?.entry ?? NO_ENTRY, short: short?.entry ?? NO_ENTRY };
  const sums = freeSums(state, derived, uid);
  addLocked(sums, state, uid);
  for (const { order, tick, lots } of matches) {
    if (order.intent !== 'open' || order.positionSide === undefined) return true;
    const [price, size] = [priceOf(terms, tick), sizeOf(terms, lots)];
    const gained = profit(terms.kind, order.positionSide, entryAt(price, size), markOf(state, terms));
    sums.add(marginCoin, minus(gained, feeOfOpening({ terms, tick, lots, feeRate: holder.futuresFees.taker })));
    entries[order.positionSide] = increaseEntry(entries[order.positionSide], price, size);
  }
  const before = [long, short].map((position) => (position === undefined ? ZERO_AMOUNT : maintenanceOf(state, position, terms)));
  const after = [entries.long, entries.short].map((entry) => maintenanceAt(state, uid, entry, terms));
  const more = minus(after.reduce(plus), before.reduce(plus));
  return sums.equity() > plus(accountMaintenance(state, derived, uid), neededUsd(more, indexOf(state, marginCoin)));
}

/** Makers of one account, in the order they are met; each of them alone can be filled. */
export function canFillTogether(step: Step, terms: Terms, matches: readonly Match[]): boolean {
  const [first] = matches;
  if (first === undefined || matches.length === 1) return true;
  if (!terms.futures) return canFillCoins(step, terms, matches);
  if (first.order.marginMode === 'isolated') return canBearIsolated(step, terms, matches);
  return canFillCrossed(step, terms, first, matches);
}

const lotsOf = (matches: readonly Match[]): Lots => matches.reduce((sum, { lots }) => sum + lots, 0) as Lots;

/** Orders on spot and on margin lean on the account. Those of a pair lean on the pair, and are looked at as one order, at the price that is the worst. */
function canFillCoins(step: Step, terms: Terms, matches: readonly Match[]): boolean {
  const ofPair = matches.filter(({ order }) => order.hold.kind === 'isolated');
  const ofAccount = matches.filter(({ order }) => order.hold.kind !== 'isolated');
  if (ofAccount.length > 0 && !canExchange(step, terms, ofAccount)) return false;
  return ofPair.length < 2 || canFill(step, ofPair[0]!.order, terms, ofPair[0]!.tick, lotsOf(ofPair));
}

/** Equity must bear all of them and stay above the maintenance of what they open; what no order holds margin for must find it. */
function canFillCrossed(step: Step, terms: Terms, first: Match, matches: readonly Match[]): boolean {
  const { state, derived } = step;
  const { uid, side, leverage } = first.order;
  const { marginCoin } = terms.instrument;
  const seat = seatOf(step, first.order);
  const opens = side === 'buy' ? 'long' : 'short';
  const sums = freeSums(state, derived, uid);
  let closable: number = reducedBy(seat, side)?.lots ?? 0;
  const grown = seat.position(opens);
  let entry = grown?.entry ?? NO_ENTRY;
  let uncovered = 0;
  for (const { order, tick, lots } of matches) {
    const closing = closedPart(order, lots, closable);
    closable -= closing;
    const [price, opening] = [priceOf(terms, tick), (lots - closing) as Lots];
    const fee = feeOfOpening({ terms, tick, lots, feeRate: seat.holder.futuresFees.taker });
    sums.add(marginCoin, minus(profit(terms.kind, opens, entryAt(price, sizeOf(terms, lots)), markOf(state, terms)), fee));
    if (opening > 0) entry = increaseEntry(entry, price, sizeOf(terms, opening));
    uncovered += Math.max(0, opening - openingLots(order));
  }
  if (uncovered > 0) {
    sums.need(
      marginCoin,
      orderMargin(terms.kind, priceOf(terms, matches.at(-1)!.tick), sizeOf(terms, uncovered as Lots), rateFromText(leverage!)),
    );
    if (sums.equity() < sums.initial) return false;
  }
  addLocked(sums, state, uid);
  if (entry === (grown?.entry ?? NO_ENTRY)) return sums.equity() >= 0n;
  const more = minus(maintenanceAt(state, uid, entry, terms), grown === undefined ? ZERO_AMOUNT : maintenanceOf(state, grown, terms));
  return sums.equity() > plus(accountMaintenance(state, derived, uid), neededUsd(more, indexOf(state, marginCoin)));
}
