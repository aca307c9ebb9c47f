/** Proposed fills of an account, and the result whether the account covers them. */

import type { Product } from '../../../formulas/exact.ts';
import { countOf } from '../../../kernel/count.ts';
import type { Id } from '../../../kernel/ids.ts';
import {
  type Amount,
  minus,
  type Price,
  plus,
  type Rate,
  type Size,
} from '../../../kernel/money.ts';
import type { PositionSide } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { type InstrumentSpec, worthOf } from '../../derived/instrument-spec.ts';
import type { Acceptance, Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { reducedBy } from '../orders/reduce-only.ts';

/** What one order would trade at one price. */
export interface ProposedFill {
  readonly order: Order;
  readonly tick: Tick;
  readonly lots: Lots;
}

/** Fills of one account in one direction, in the order in which they are settled. */
export interface Proposal {
  readonly spec: InstrumentSpec;
  readonly fills: readonly ProposedFill[];
  readonly acceptance: Acceptance;
}

/** Fills of a taker with orders of its own account: the taker's, and after each the maker's. */
export interface SelfTrade extends Proposal {
  readonly taker: Order;
}

type ShortReason = 'tier' | 'initialMargin' | 'maintenanceMargin' | 'wallet' | 'stalePrice';

/** Why the account does not cover the fills, and by how much in USD if one figure says it. */
export interface Short {
  readonly covered: false;
  readonly reason: ShortReason;
  readonly by: Amount | undefined;
}

export type Coverage = { readonly covered: true } | Short;

export const COVERED: Coverage = { covered: true };

export const short = (reason: ShortReason, by?: Amount): Short => ({ covered: false, reason, by });

export const coveredIf = (isCovered: boolean, reason: ShortReason): Coverage =>
  isCovered ? COVERED : short(reason);

/** Equity that equals the requirement is liquidated, so it does not cover it. */
export const aboveMaintenance = (equity: Amount, required: Amount): Coverage =>
  equity > required ? COVERED : short('maintenanceMargin', minus(required, equity));

/** Returns the first check that is short, and does not compute the others. */
export function firstShort(checks: readonly (() => Coverage)[]): Coverage {
  for (const check of checks) {
    const coverage = check();
    if (!coverage.covered) return coverage;
  }
  return COVERED;
}

/** A fill, split into what it closes and what it opens. */
export interface SplitFill {
  readonly symbolAccount: SymbolAccount;
  readonly order: Order;
  readonly spec: InstrumentSpec;
  readonly tick: Tick;
  readonly closing: Lots;
  readonly opening: Lots;
  /** A proposed fill is charged as a taker, a trade by its role. */
  readonly feeRate: Rate;
}

/**
 * The lots that an order's money still buys at this price, at most `lots`. An order in lots may
 * trade all of them.
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

/** How many of an order's lots close a position that has `closable` lots. */
export function closedPart(order: Order, lots: Lots, closable: number): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  return Math.max(0, Math.min(lots, closable)) as Lots;
}

export const grownSide = ({ positionSide, side }: Order): PositionSide =>
  positionSide ?? (side === 'buy' ? 'long' : 'short');

/** The position that an order increases. */
export const grownBy = ({ symbolAccount, order }: SplitFill): Position | undefined =>
  symbolAccount.position(grownSide(order));

/** The position that an order reduces. */
export const closedBy = ({ symbolAccount, order }: SplitFill): Position | undefined =>
  order.positionSide === undefined
    ? reducedBy(symbolAccount, order.side)
    : symbolAccount.position(order.positionSide);

export interface Trade {
  readonly tradeId: Id;
  readonly spec: InstrumentSpec;
  readonly maker: Order;
  readonly taker: Order;
  readonly tick: Tick;
  readonly lots: Lots;
  readonly price: Price;
  readonly size: Size;
  /** Price × size, rounded to money. */
  readonly value: Amount;
  /** Price × size, not rounded. */
  readonly cost: Product;
}

/** Counts a trade in one of its orders. An order in quote coin counts its money, not its lots. */
export function countFill(order: Order, { lots, value }: Trade): void {
  if (order.quoteAmount === undefined) order.left = (order.left - lots) as Lots;
  order.filled = (order.filled + lots) as Lots;
  order.filledValue = plus(order.filledValue, value);
}
