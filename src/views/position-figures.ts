/** Figures of a position at this moment: profit, margin, and liquidation price. */
import { breakEvenPrice } from '../formulas/break-even.ts';
import { contractKindOf } from '../formulas/contract-kind.ts';
import { entryPrice } from '../formulas/entry.ts';
import {
  type CrossedAccount,
  crossedLiquidationPrice,
  isolatedLiquidationPrice,
  type Leg,
} from '../formulas/liquidation-price.ts';
import { tierOf } from '../formulas/maintenance.ts';
import {
  type ExactEquity,
  exactEquity,
  marginRatio,
  neededUsd,
  roundedEquity,
} from '../formulas/margin.ts';
import { profitRate } from '../formulas/profit.ts';
import { getOrMake } from '../kernel/get-or-make.ts';
import type { Uid } from '../kernel/ids.ts';
import {
  type Amount,
  minus,
  type Price,
  plus,
  type Rate,
  type Size,
  ZERO_AMOUNT,
  ZERO_SIZE,
} from '../kernel/money.ts';
import type { PositionRow } from '../messages/orders.ts';
import { isCrossed, isIsolated } from '../messages/vocabulary.ts';
import {
  type AccountMargin,
  accountMargin,
  coinEquity,
  type MarginSources,
  type MarkedPosition,
} from './account-margins.ts';
import type { OrderRecord } from './records.ts';
import { symbolKey } from './symbol-keys.ts';

export interface PositionFigures extends MarkedPosition {
  readonly entryPrice: Price;
  readonly profitRate: Rate;
  readonly maintenanceRate: Rate;
  readonly marginRatio: Rate;
  readonly liquidationPrice: Price;
  readonly breakEvenPrice: Price;
  /** Unfilled size of open orders that increase it. */
  readonly openOrderSize: Size;
  /** The size that open orders will close, at most the position's size. */
  readonly lockedSize: Size;
}

/** Whether an open order of the symbol would increase this position. */
function increases({ order }: OrderRecord, { side, positionMode }: PositionRow): boolean {
  if (order.intent !== 'open') return false;
  if (positionMode === 'hedge') return order.positionSide === side;
  return (order.side === 'buy') === (side === 'long');
}

/** Whether a one-way open order of the symbol only reduces this position. */
const reduces = ({ order }: OrderRecord, { side }: PositionRow): boolean =>
  order.intent === 'close' && (order.side === 'sell') === (side === 'long');

const leftOf = (orders: readonly OrderRecord[]): Size =>
  orders.reduce((sum, { left }) => plus(sum, left), ZERO_SIZE);

/**
 * In hedge mode the engine reserves the size. In one-way mode a later close may replace an earlier
 * one, so the value is computed for display only.
 */
function lockedSizeOf(open: readonly OrderRecord[], row: PositionRow): Size {
  if (row.positionMode === 'hedge') return row.lockedSize;
  const closing = leftOf(open.filter((order) => reduces(order, row)));
  return closing < row.size ? closing : row.size;
}

const legOf = ({ row: { side }, entry }: MarkedPosition): Leg => ({ side, entry });

/** An account's open orders and positions by symbol, collected once for all requested positions. */
interface OpenInSymbols {
  readonly orders: ReadonlyMap<string, readonly OrderRecord[]>;
  /** Crossed positions. */
  readonly legs: ReadonlyMap<string, readonly MarkedPosition[]>;
  /** The liquidation price of a symbol's crossed positions, one for both sides, computed once. */
  readonly liquidationPrices: Map<string, Price>;
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) getOrMake(groups, keyOf(item), () => []).push(item);
  return groups;
}

const openInSymbols = (
  { orders }: MarginSources,
  { marked }: AccountMargin,
  uid: Uid,
): OpenInSymbols => ({
  orders: grouped(orders.open(uid), ({ order }) => symbolKey(order.category, order.symbol)),
  legs: grouped(
    marked.filter(({ row }) => isCrossed(row.marginMode)),
    ({ row }) => symbolKey(row.category, row.symbol),
  ),
  liquidationPrices: new Map(),
});

/** The account without the legs of one symbol. */
function accountBehind(
  sources: MarginSources,
  margin: AccountMargin,
  legs: readonly MarkedPosition[],
): CrossedAccount {
  const { marginCoin } = legs[0]!.row;
  const whole = coinEquity(sources, marginCoin, margin.nets.get(marginCoin) ?? ZERO_AMOUNT);
  const { net, index, collateralRate } = whole;
  const legsProfit = legs.reduce((sum, { unrealised }) => plus(sum, unrealised), ZERO_AMOUNT);
  const legsMaintenance = legs.reduce(
    (sum, leg) => plus(sum, neededUsd(leg.maintenance, index)),
    ZERO_AMOUNT,
  );
  return {
    coin: { balance: minus(net, legsProfit), index, collateralRate },
    otherEquity: roundedEquity((margin.exact - exactEquity([whole])) as ExactEquity),
    otherMaintenance: minus(margin.maintenance, legsMaintenance),
  };
}

function liquidationPriceOf(
  sources: MarginSources,
  margin: AccountMargin,
  open: OpenInSymbols,
  marked: MarkedPosition,
): Price {
  const { row, tiers, closeRate, mark } = marked;
  const kind = contractKindOf(row.category);
  if (isIsolated(row.marginMode))
    return isolatedLiquidationPrice(kind, legOf(marked), row.margin, tiers, closeRate, mark);
  const key = symbolKey(row.category, row.symbol);
  return getOrMake(open.liquidationPrices, key, () => {
    const legs = open.legs.get(key)!;
    return crossedLiquidationPrice(
      kind,
      legs.map(legOf),
      tiers,
      closeRate,
      accountBehind(sources, margin, legs),
      mark,
    );
  });
}

function figuresOf(
  sources: MarginSources,
  margin: AccountMargin,
  open: OpenInSymbols,
  marked: MarkedPosition,
): PositionFigures {
  const orders = open.orders.get(symbolKey(marked.row.category, marked.row.symbol)) ?? [];
  const { row, entry, unrealised, maintenance, tiers, tierValue, takerRate } = marked;
  const isolated = isIsolated(row.marginMode);
  const paid: Amount = minus(row.openFees, row.funding ?? ZERO_AMOUNT);
  const ratio = isolated
    ? marginRatio(maintenance, plus(row.margin, unrealised))
    : marginRatio(margin.maintenance, margin.equity);
  return {
    ...marked,
    entryPrice: entryPrice(entry),
    profitRate: profitRate(unrealised, marked.margin),
    maintenanceRate: tierOf(tiers, tierValue).rate,
    marginRatio: ratio,
    liquidationPrice: liquidationPriceOf(sources, margin, open, marked),
    breakEvenPrice: breakEvenPrice(contractKindOf(row.category), row.side, entry, paid, takerRate),
    openOrderSize: leftOf(orders.filter((order) => increases(order, row))),
    lockedSize: lockedSizeOf(orders, row),
  };
}

/** A user's positions with their figures, latest first; only those that `wanted` selects. */
export function positionFigures(
  sources: MarginSources,
  uid: Uid,
  wanted: (row: PositionRow) => boolean,
): readonly PositionFigures[] {
  const margin = accountMargin(sources, uid);
  const open = openInSymbols(sources, margin, uid);
  return margin.marked
    .filter(({ row }) => wanted(row))
    .map((marked) => figuresOf(sources, margin, open, marked));
}
