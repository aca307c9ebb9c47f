/**
 * Whether an account can bear trades with itself. Each side of them may be bearable alone and both
 * together not: they are paid for with the same money, and what the one side gains against mark the
 * other one loses. So they are followed through as they would be settled. (ORD-83, ORD-180)
 */

import { addToEntry, type Entry, NO_ENTRY } from '../../../formulas/entry.ts';
import { neededUsd, orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import {
  type Amount,
  greatest,
  minus,
  negate,
  type Price,
  plus,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { isIsolated, POSITION_SIDES, type PositionSide } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { rateFromText } from '../../derived/instrument-spec.ts';
import { maintenanceAt, markOf, otherPositionSide } from '../../derived/position.ts';
import { accountMaintenance, addLocked, freeSums, indexOf } from '../../margin/account-margin.ts';
import { costMaintenance } from '../../margin/margin-fill.ts';
import type { Order, Standing } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { canFillPairBoth } from '../orders/pair-orders.ts';
import {
  eatenBeside,
  feeOfOpening,
  leastClosingOf,
  marginOfPart,
  type Part,
  partOf,
} from '../positions/fill-position.ts';
import { canExchangeBoth } from '../risk/can-exchange.ts';
import { fastPathCoversBothSides } from '../risk/can-fill.ts';
import { canPay, coversLossOf, walletNeed } from '../risk/can-fill-isolated.ts';
import { canClose, leavesPositionBacked, outOfReach } from '../risk/outcome.ts';
import { closedPart, grownSide, type Match } from '../risk/proposed-fill.ts';

/** One trade of a taker with an order of his own. */
export function canAffordSelfTrade(
  step: Step,
  spec: InstrumentSpec,
  taker: Order,
  made: Match,
  standing?: Standing,
): boolean {
  const { order: maker, tick, lots } = made;
  // Cheap and sufficient: the account has more to spare than both sides can cost.
  if (!isIsolated(maker.marginMode) && fastPathCoversBothSides(step, taker, spec, tick, lots, tick))
    return true;
  return canTradeWithSelf(step, spec, taker, [{ order: taker, tick, lots }, made], standing);
}

/**
 * `own` are the fills of the taker's account in the order in which they are settled: those of the
 * taker, and after each the maker's, when it is his.
 */
export function canTradeWithSelf(
  step: Step,
  spec: InstrumentSpec,
  taker: Order,
  own: readonly Match[],
  standing: Standing = 'held',
): boolean {
  const made = own.filter(({ order }) => order !== taker);
  const [first] = made;
  // What the engine's own orders cost beyond what is there, the fund pays.
  if (first === undefined || taker.executionKind !== 'normal') return true;
  if (!spec.futures) return canSwap(step, spec, taker, own, standing);
  const taken = own.filter(({ order }) => order === taker);
  const after = settledThrough(step, symbolAccountOf(step, taker), spec, own);
  if (!isIsolated(first.order.marginMode)) return canAffordCrossed(step, spec, taker, after);
  const need = plus(walletNeed(step, spec, made), walletNeed(step, spec, taken));
  return (
    canPay(step, spec, taker, need, standing) && canAffordIsolatedBoth(step, spec, taker, after)
  );
}

/**
 * Coins go round in a circle and leave their fees behind. Those of a pair stand for themselves, and
 * so do those of the account beside it.
 */
function canSwap(
  step: Step,
  spec: InstrumentSpec,
  taker: Order,
  own: readonly Match[],
  standing: Standing,
): boolean {
  const ofPair = own.filter(({ order }) => order.hold.kind === 'isolated');
  const ofAccount = own.filter(({ order }) => order.hold.kind !== 'isolated');
  // What trades in one direction only has been asked for by itself.
  const isCircle = (some: readonly Match[]): boolean =>
    new Set(some.map(({ order }) => order.side)).size > 1;
  if (isCircle(ofPair) && !canFillPairBoth(step, spec, taker, ofPair, standing)) return false;
  return !isCircle(ofAccount) || canExchangeBoth(step, spec, taker, ofAccount);
}

/** A position as it will be. */
interface SideAfter {
  entry: Entry;
  lots: Lots;
  margin: Amount;
  isGrown: boolean;
}

interface After {
  readonly long: SideAfter;
  readonly short: SideAfter;
  /** What the wallet gains, or loses. */
  wallet: Amount;
  /**
   * What trades take out of it, whatever others bring, and what the positions need less that they
   * close.
   */
  lost: Amount;
  released: Amount;
}

const sideOf = (symbolAccount: SymbolAccount, side: PositionSide): SideAfter => {
  const { entry, lots, margin } = symbolAccount.position(side) ?? {
    entry: NO_ENTRY,
    lots: NO_LOTS,
    margin: ZERO_AMOUNT,
  };
  return { entry, lots, margin, isGrown: false };
};

/** Fees are reckoned as if both sides took. */
function settledThrough(
  { state }: Step,
  symbolAccount: SymbolAccount,
  spec: InstrumentSpec,
  own: readonly Match[],
): After {
  const mark = markOf(state, spec);
  const sides = { long: sideOf(symbolAccount, 'long'), short: sideOf(symbolAccount, 'short') };
  const after: After = { ...sides, wallet: ZERO_AMOUNT, lost: ZERO_AMOUNT, released: ZERO_AMOUNT };
  const feeRate = symbolAccount.context.futuresFees.taker;
  for (const { order, tick, lots } of own) {
    const grown = grownSide(order);
    const closed = order.positionSide ?? otherPositionSide(grown);
    const closing = closedPart(order, lots, after[closed].lots);
    if (closing > 0) {
      const before = requirement(state, order.uid, spec, after[closed]);
      close(after, closed, partOf(spec, tick, closing, feeRate), mark);
      after.released = plus(
        after.released,
        minus(before, requirement(state, order.uid, spec, after[closed])),
      );
    }
    if (closing < lots)
      open(after, grown, order, partOf(spec, tick, (lots - closing) as Lots, feeRate));
  }
  return after;
}

/**
 * As a close is settled: an isolated loss eats the margin of its position, all of it, before it is
 * the wallet's.
 */
function close(after: After, side: PositionSide, part: Part, mark: Price): void {
  const position = after[side];
  const closing = leastClosingOf({ entry: position.entry, side }, part, mark);
  const marginPart = marginOfPart(position, part.lots);
  const marginOut = plus(marginPart, eatenBeside(position.margin, marginPart, closing));
  position.margin = minus(position.margin, marginOut);
  position.lots = (position.lots - part.lots) as Lots;
  position.entry = closing.left;
  pay(after, minus(closing.fee, plus(marginOut, closing.profit)));
}

function open(after: After, side: PositionSide, order: Order, part: Part): void {
  const { spec, lots, price, size } = part;
  const position = after[side];
  const margin = isIsolated(order.marginMode)
    ? orderMargin(spec.kind, price, size, rateFromText(order.leverage!))
    : ZERO_AMOUNT;
  position.margin = plus(position.margin, margin);
  position.lots = (position.lots + lots) as Lots;
  position.entry = addToEntry(position.entry, size, part.cost);
  position.isGrown = true;
  pay(after, plus(margin, feeOfOpening(part)));
}

/** Less than nothing is brought. */
function pay(after: After, amount: Amount): void {
  after.wallet = minus(after.wallet, amount);
  after.lost = plus(after.lost, greatest(ZERO_AMOUNT, amount));
}

const unrealised = (
  state: State,
  spec: InstrumentSpec,
  side: PositionSide,
  { entry }: Pick<SideAfter, 'entry'>,
): Amount =>
  entry.size === 0n ? ZERO_AMOUNT : profit(spec.kind, side, entry, markOf(state, spec));

/**
 * What is open afterwards must be kept up; where nothing was opened, it is a close as any other.
 */
function canAffordCrossed(step: Step, spec: InstrumentSpec, { uid }: Order, after: After): boolean {
  const { state, derived } = step;
  const { marginCoin } = spec.instrument;
  const symbolAccount = symbolAccountOf(step, { uid, key: spec.key });
  let { wallet: change } = after;
  let more = ZERO_AMOUNT;
  for (const side of POSITION_SIDES) {
    const now = sideOf(symbolAccount, side);
    change = plus(
      change,
      minus(unrealised(state, spec, side, after[side]), unrealised(state, spec, side, now)),
    );
    more = plus(
      more,
      minus(requirement(state, uid, spec, after[side]), requirement(state, uid, spec, now)),
    );
  }
  const left = new Map(
    POSITION_SIDES.map((side) => [symbolAccount.position(side), after[side].entry]),
  );
  if (!POSITION_SIDES.some((side) => after[side].isGrown))
    return canClose(step, uid, spec, { change, left, cost: after });
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(step.at, marginCoin);
  addLocked(sums, state, uid);
  sums.add(marginCoin, change);
  const needed = plus(
    neededUsd(more, indexOf(state, marginCoin)),
    costMaintenance(state, uid, marginCoin, after),
  );
  const required = plus(accountMaintenance(state, derived, uid), needed);
  return minus(sums.equity(), outOfReach(step, uid, spec)) > required;
}

const requirement = (
  state: State,
  uid: Order['uid'],
  spec: InstrumentSpec,
  { entry }: SideAfter,
): Amount => (entry.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, uid, entry, spec));

/**
 * Each position with the margin that it will have, and the rest of the account without what has
 * gone into them.
 */
function canAffordIsolatedBoth(
  step: Step,
  spec: InstrumentSpec,
  { uid }: Order,
  after: After,
): boolean {
  const { state } = step;
  const symbolAccount = symbolAccountOf(step, { uid, key: spec.key });
  for (const side of POSITION_SIDES) {
    const position = after[side];
    if (position.lots === 0) continue;
    if (
      !position.isGrown &&
      !leavesPositionBacked(state, spec, uid, side, sideOf(symbolAccount, side), position)
    )
      return false;
    const worth = plus(position.margin, unrealised(state, spec, side, position));
    if (position.isGrown && worth <= maintenanceAt(state, uid, position.entry, spec)) return false;
  }
  return (
    after.wallet >= 0n || coversLossOf(step, uid, spec.instrument.marginCoin, negate(after.wallet))
  );
}
