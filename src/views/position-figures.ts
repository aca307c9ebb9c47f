/** All that can be said of a position at this moment: its profit, its margin, and how far it is from liquidation. */
import { breakEvenPrice } from '../formulas/break-even.ts';
import { contractKindOf } from '../formulas/contract-kind.ts';
import { entryPrice } from '../formulas/entry.ts';
import { type CrossedAccount, crossedLiquidationPrice, isolatedLiquidationPrice, type Leg } from '../formulas/liquidation-price.ts';
import { tierOf } from '../formulas/maintenance.ts';
import { equityUsd, marginRatio, neededUsd } from '../formulas/margin.ts';
import { profitRate } from '../formulas/profit.ts';
import type { Uid } from '../kernel/ids.ts';
import { type Amount, minus, money, type Price, plus, type Rate, type Size, ZERO_AMOUNT, ZERO_SIZE } from '../kernel/money.ts';
import type { PositionRow } from '../messages/orders.ts';
import { type AccountMargin, accountMargin, type MarginSources, type MarkedPosition } from './account-margins.ts';
import type { OrderRecord } from './orders.ts';

export interface PositionFigures extends MarkedPosition {
  readonly entryPrice: Price;
  readonly profitRate: Rate;
  readonly maintenanceRate: Rate;
  readonly marginRatio: Rate;
  readonly liquidationPrice: Price;
  readonly breakEvenPrice: Price;
  /** Still to fill of the open orders that increase it. */
  readonly openOrderSize: Size;
  /** What open orders will close of it, never more than there is. */
  readonly lockedSize: Size;
}

/** Whether an open order makes this position larger. */
function increases({ order }: OrderRecord, { category, symbol, side, positionMode }: PositionRow): boolean {
  if (order.category !== category || order.symbol !== symbol || order.intent !== 'open') return false;
  if (positionMode === 'hedge') return order.positionSide === side;
  return (order.side === 'buy') === (side === 'long');
}

/** Whether an open order of one-way mode only makes this position smaller. */
const reduces = ({ order }: OrderRecord, { category, symbol, side }: PositionRow): boolean =>
  order.category === category && order.symbol === symbol && order.intent === 'close' && (order.side === 'sell') === (side === 'long');

const leftOf = (orders: readonly OrderRecord[]): Size => orders.reduce((sum, { left }) => plus(sum, left), ZERO_SIZE);

/** In hedge mode the exchange itself holds the size back. In one-way mode a later close may take the place of an earlier one, so it is only shown. */
function lockedSizeOf(open: readonly OrderRecord[], row: PositionRow): Size {
  if (row.positionMode === 'hedge') return row.lockedSize;
  const closing = leftOf(open.filter((order) => reduces(order, row)));
  return closing < row.size ? closing : row.size;
}

const legOf = ({ row: { side }, entry }: MarkedPosition): Leg => ({ side, entry });

const isSameSymbol = (left: PositionRow, right: PositionRow): boolean => left.category === right.category && left.symbol === right.symbol;

/** The account without the legs of one symbol: what is left over for them. */
function accountBehind(sources: MarginSources, margin: AccountMargin, legs: readonly MarkedPosition[]): CrossedAccount {
  const { marginCoin } = legs[0]!.row;
  const { prices, listings } = sources;
  const collateralOf = (coin: string): Rate => money<Rate>(listings.coin(coin)?.collateralRate ?? '0');
  const indexOf = (coin: string): Price => prices.coinIndex(coin) ?? (0n as Price);
  const legsProfit = legs.reduce((sum, { unrealised }) => plus(sum, unrealised), ZERO_AMOUNT);
  const legsMaintenance = legs.reduce((sum, leg) => plus(sum, neededUsd(leg.maintenance, indexOf(marginCoin))), ZERO_AMOUNT);
  const others = [...margin.nets].filter(([coin]) => coin !== marginCoin);
  return {
    coin: {
      balance: minus(margin.nets.get(marginCoin) ?? ZERO_AMOUNT, legsProfit),
      index: indexOf(marginCoin),
      collateralRate: collateralOf(marginCoin),
    },
    otherEquity: equityUsd(others.map(([coin, net]) => ({ net, index: indexOf(coin), collateralRate: collateralOf(coin) }))),
    otherMaintenance: minus(margin.maintenance, legsMaintenance),
  };
}

function liquidationPriceOf(sources: MarginSources, margin: AccountMargin, marked: MarkedPosition): Price {
  const { row, tiers, takerRate } = marked;
  const kind = contractKindOf(row.category);
  if (row.marginMode === 'isolated') return isolatedLiquidationPrice(kind, legOf(marked), row.margin, tiers, takerRate);
  const legs = margin.marked.filter((other) => other.row.marginMode === 'crossed' && isSameSymbol(other.row, row));
  return crossedLiquidationPrice(kind, legs.map(legOf), tiers, takerRate, accountBehind(sources, margin, legs));
}

function figuresOf(sources: MarginSources, margin: AccountMargin, open: readonly OrderRecord[], marked: MarkedPosition): PositionFigures {
  const { row, entry, unrealised, maintenance, tiers, tierValue, takerRate } = marked;
  const isolated = row.marginMode === 'isolated';
  const paid: Amount = minus(row.openFees, row.funding ?? ZERO_AMOUNT);
  const ratio = isolated ? marginRatio(maintenance, plus(row.margin, unrealised)) : marginRatio(margin.maintenance, margin.equity);
  return {
    ...marked,
    entryPrice: entryPrice(entry),
    profitRate: profitRate(unrealised, marked.margin),
    maintenanceRate: tierOf(tiers, tierValue).rate,
    marginRatio: ratio,
    liquidationPrice: liquidationPriceOf(sources, margin, marked),
    breakEvenPrice: breakEvenPrice(contractKindOf(row.category), row.side, entry, paid, takerRate),
    openOrderSize: leftOf(open.filter((order) => increases(order, row))),
    lockedSize: lockedSizeOf(open, row),
  };
}

/** A user's positions with their figures, the latest opened first; only those that `wanted` names. */
export function positionFigures(sources: MarginSources, uid: Uid, wanted: (row: PositionRow) => boolean): readonly PositionFigures[] {
  const margin = accountMargin(sources, uid);
  const open = sources.orders.open(uid);
  return margin.marked.filter(({ row }) => wanted(row)).map((marked) => figuresOf(sources, margin, open, marked));
}
