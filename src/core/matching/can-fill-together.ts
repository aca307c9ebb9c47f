/**
 * Whether one account can bear several fills that are settled without asking again: those that an order makes which is filled whole or not at
 * all. Each of them alone may be bearable and all of them not. (ORD-71)
 */
import { entryAt, increaseEntry, NO_ENTRY } from '../../formulas/entry.ts';
import { neededUsd, orderMargin } from '../../formulas/margin.ts';
import { profit } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { symbolAccountOf } from '../accounts/account-context.ts';
import type { Lots } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms } from '../instruments/terms.ts';
import { repays } from '../isolated/pair-holds.ts';
import { accountMaintenance, addLocked, freeSums } from '../margin/account-margin.ts';
import { indexOf } from '../margin/account-sums.ts';
import { costMaintenance } from '../margin/margin-fill.ts';
import { maintenanceAt, maintenanceOf, markOf, releasedBy, unrealisedProfit } from '../margin/position-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { openingLots } from '../orders/open-orders.ts';
import { feeOfOpening, partOf } from '../positions/fill-position.ts';
import type { Position } from '../positions/position.ts';
import type { State } from '../state.ts';
import type { Step } from '../step.ts';
import { canExchange } from './can-exchange.ts';
import { canFill } from './can-fill.ts';
import { canBearIsolated } from './can-fill-isolated.ts';
import type { Match } from './fill.ts';
import { fillsFitTier } from './fills-fit-tier.ts';
import { canClose } from './left-open.ts';
import { outOfReach } from './out-of-reach.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Makers of one account, in the order they are met; each of them alone can be filled. */
export function canFillTogether(step: Step, terms: Terms, matches: readonly Match[]): boolean {
  const [first] = matches;
  if (first === undefined || matches.length === 1) return true;
  if (!terms.futures) return canFillCoins(step, terms, matches);
  if (first.order.marginMode === 'isolated') return canBearIsolated(step, terms, matches);
  return canFillCrossed(step, terms, first, matches);
}

const lotsTogether = (matches: readonly Match[]): Lots => matches.reduce((sum, { lots }) => sum + lots, 0) as Lots;

/**
 * Orders on spot and on margin lean on the account. Those of a pair lean on the pair, and are looked at as one order, at the price that is the
 * worst, which is that of the first; what they bring in makes the pair safer only where all of them pay back with it.
 */
function canFillCoins(step: Step, terms: Terms, matches: readonly Match[]): boolean {
  const ofPair = matches.filter(({ order }) => order.hold.kind === 'isolated');
  const ofAccount = matches.filter(({ order }) => order.hold.kind !== 'isolated');
  if (ofAccount.length > 0 && !canExchange(step, terms, ofAccount)) return false;
  if (ofPair.length < 2) return true;
  const { order } = ofPair.find((each) => !repays(each.order.loanType)) ?? ofPair[0]!;
  return canFill(step, order, terms, ofPair[0]!.tick, lotsTogether(ofPair));
}

/** Equity must bear all of them and stay above the maintenance of what they leave open; what no order holds margin for must find it. */
function canFillCrossed(step: Step, terms: Terms, first: Match, matches: readonly Match[]): boolean {
  const { state, derived } = step;
  const { uid, side } = first.order;
  const { marginCoin } = terms.instrument;
  const symbolAccount = symbolAccountOf(step, first.order);
  const feeRate = symbolAccount.context.futuresFees.taker;
  const outcome = outcomeOf(symbolAccount, terms, matches, feeRate, markOf(state, terms));
  const { closed, left, realised, fees, openings } = outcome;
  const opens = side === 'buy' ? 'long' : 'short';
  const mark = markOf(state, terms);
  if (openings.length === 0) return canCloseTogether(step, terms, uid, outcome);
  if (!fillsFitTier(step, terms, openings)) return false;
  const sums = freeSums(state, derived, uid);
  sums.leaveOutUnheard(step.at, marginCoin);
  sums.add(marginCoin, minus(realised, fees));
  if (closed !== undefined) {
    sums.add(marginCoin, minus(restOf(state, terms, closed, left), unrealisedProfit(state, closed, terms)));
  }
  let uncovered = ZERO_AMOUNT;
  let { lost } = outcome;
  for (const { order, tick, lots } of openings) {
    const price = priceOf(terms, tick);
    const gained = profit(terms.kind, opens, entryAt(price, sizeOf(terms, lots)), mark);
    const fee = feeOfOpening(partOf(terms, tick, lots, feeRate));
    sums.add(marginCoin, minus(gained, fee));
    lost = plus(lost, fee);
    const beyond = Math.max(0, lots - openingLots(order)) as Lots;
    if (beyond > 0) uncovered = plus(uncovered, orderMargin(terms.kind, price, sizeOf(terms, beyond), rateFromText(order.leverage!)));
  }
  if (uncovered > 0n) {
    sums.need(marginCoin, uncovered);
    if (sums.equity() < sums.initial) return false;
  }
  addLocked(sums, state, uid);
  const more = plus(
    neededUsd(moreMaintenance(step, terms, symbolAccount.position(opens), outcome), indexOf(state, marginCoin)),
    costMaintenance(state, uid, marginCoin, { lost, released: releasedOf(state, terms, outcome) }),
  );
  const kept = plus(accountMaintenance(state, derived, uid), more);
  return minus(sums.equity(), outOfReach(step, uid, terms)) > kept;
}

/** What only closes must be paid for, and leave enough behind what stays open. */
function canCloseTogether(step: Step, terms: Terms, uid: Uid, outcome: Outcome): boolean {
  const { state } = step;
  const { closed, left, realised, fees, lost } = outcome;
  const gained = minus(restOf(state, terms, closed, left), closed === undefined ? ZERO_AMOUNT : unrealisedProfit(state, closed, terms));
  const cost = { lost, released: releasedOf(state, terms, outcome) };
  return canClose(step, uid, terms, { change: plus(minus(realised, fees), gained), left: new Map([[closed, left]]), cost });
}

const releasedOf = (state: State, terms: Terms, { closed, left }: Outcome): Amount =>
  closed === undefined ? ZERO_AMOUNT : releasedBy(state, closed, left, terms);

/** What is left of a position is worth at mark. */
const restOf = (state: State, terms: Terms, closed: Position | undefined, left: Outcome['left']): Amount =>
  closed === undefined || left.size === 0n ? ZERO_AMOUNT : profit(terms.kind, closed.side, left, markOf(state, terms));

/** What the account must keep up more than now, for what grows and for what shrinks. */
function moreMaintenance({ state }: Step, terms: Terms, grown: Position | undefined, { openings, closed, left }: Outcome): Amount {
  const { uid } = openings[0]!.order;
  let entry = grown?.entry ?? NO_ENTRY;
  for (const { tick, lots } of openings) entry = increaseEntry(entry, priceOf(terms, tick), sizeOf(terms, lots));
  const of = (position: Position | undefined): Amount => (position === undefined ? ZERO_AMOUNT : maintenanceOf(state, position, terms));
  const more = minus(maintenanceAt(state, uid, entry, terms), of(grown));
  if (closed === undefined) return more;
  const rest = left.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, uid, left, terms);
  return plus(more, minus(rest, of(closed)));
}
