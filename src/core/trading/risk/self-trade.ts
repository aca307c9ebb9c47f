/**
 * Computes the settlement of trades of an account with itself. The same money pays both sides, and
 * what one side gains against mark the other loses. So an account may cover each side alone and not
 * both together (ORD-83, ORD-180).
 */

import { addToEntry, type Entry, NO_ENTRY } from '../../../formulas/entry.ts';
import { orderMargin } from '../../../formulas/margin.ts';
import { profit } from '../../../formulas/profit.ts';
import {
  type Amount,
  greatest,
  minus,
  type Price,
  plus,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { isIsolated, type PositionSide } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import { type InstrumentSpec, rateFromText } from '../../derived/instrument-spec.ts';
import { maintenanceAt, markOf, otherPositionSide } from '../../derived/position.ts';
import type { Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import {
  feeOfOpening,
  leastClosingOf,
  lossBeyondPart,
  marginOfPart,
  type Part,
  partOf,
} from '../positions/fill-position.ts';
import { closedPart, grownSide, type SelfTrade } from './proposed-fill.ts';

/** A position after the trades. */
export interface SideAfter {
  entry: Entry;
  lots: Lots;
  margin: Amount;
  isGrown: boolean;
}

export interface Settled {
  readonly long: SideAfter;
  readonly short: SideAfter;
  /** The change of the wallet. */
  wallet: Amount;
  /** The sum that single trades take out of the wallet, without what other trades bring in. */
  lost: Amount;
  /** The requirement that the trades release. */
  released: Amount;
}

export const sideOf = (symbolAccount: SymbolAccount, side: PositionSide): SideAfter => {
  const { entry, lots, margin } = symbolAccount.position(side) ?? {
    entry: NO_ENTRY,
    lots: NO_LOTS,
    margin: ZERO_AMOUNT,
  };
  return { entry, lots, margin, isGrown: false };
};

/** Both sides are charged the taker's fee. */
export function settleSelfTrades(step: Step, { spec, taker, fills }: SelfTrade): Settled {
  const { state } = step;
  const symbolAccount = symbolAccountOf(step, taker);
  const mark = markOf(state, spec);
  const sides = { long: sideOf(symbolAccount, 'long'), short: sideOf(symbolAccount, 'short') };
  const after: Settled = {
    ...sides,
    wallet: ZERO_AMOUNT,
    lost: ZERO_AMOUNT,
    released: ZERO_AMOUNT,
  };
  const feeRate = symbolAccount.context.futuresFees.taker;
  for (const { order, tick, lots } of fills) {
    const grown = grownSide(order);
    const closed = order.positionSide ?? otherPositionSide(grown);
    const closing = closedPart(order, lots, after[closed].lots);
    if (closing > 0) {
      const before = requirementOf(state, order.uid, spec, after[closed]);
      close(after, closed, partOf(spec, tick, closing, feeRate), mark);
      after.released = plus(
        after.released,
        minus(before, requirementOf(state, order.uid, spec, after[closed])),
      );
    }
    if (closing < lots)
      open(after, grown, order, partOf(spec, tick, (lots - closing) as Lots, feeRate));
  }
  return after;
}

/**
 * Follows the settlement of a close: an isolated loss takes the position's margin before the
 * wallet's money.
 */
function close(after: Settled, side: PositionSide, part: Part, mark: Price): void {
  const position = after[side];
  const closing = leastClosingOf({ entry: position.entry, side }, part, mark);
  const marginPart = marginOfPart(position, part.lots);
  const marginOut = plus(marginPart, lossBeyondPart(position.margin, marginPart, closing));
  position.margin = minus(position.margin, marginOut);
  position.lots = (position.lots - part.lots) as Lots;
  position.entry = closing.left;
  pay(after, minus(closing.fee, plus(marginOut, closing.profit)));
}

function open(after: Settled, side: PositionSide, order: Order, part: Part): void {
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

/** A negative amount is a receipt. */
function pay(after: Settled, amount: Amount): void {
  after.wallet = minus(after.wallet, amount);
  after.lost = plus(after.lost, greatest(ZERO_AMOUNT, amount));
}

export const unrealised = (
  state: State,
  spec: InstrumentSpec,
  side: PositionSide,
  { entry }: Pick<SideAfter, 'entry'>,
): Amount =>
  entry.size === 0n ? ZERO_AMOUNT : profit(spec.kind, side, entry, markOf(state, spec));

export const requirementOf = (
  state: State,
  uid: Order['uid'],
  spec: InstrumentSpec,
  { entry }: SideAfter,
): Amount => (entry.size === 0n ? ZERO_AMOUNT : maintenanceAt(state, uid, entry, spec));
