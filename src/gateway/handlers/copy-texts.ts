/** Tracked orders, copy settings and profit shares in wire form. */
import {
  copyCloserWords,
  copyLeverageWords,
  copyMarginWords,
  copySizingWords,
  wireWord,
} from '../../contract/wire-words.ts';
import { earnedAfterFees } from '../../formulas/copy-trading.ts';
import { profitRate } from '../../formulas/profit.ts';
import { type Id, idText, type Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  moneyText,
  negate,
  type Price,
  plus,
  type Rate,
  rateOf,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import type {
  CopySetting,
  TrackedOrderCloser,
  TrackedOrderRow,
} from '../../messages/copy-trading.ts';
import type { EndedTrackedOrder } from '../../views/history/tracked-orders.ts';
import type { UncopiedOrder } from '../../views/history/uncopied-orders.ts';
import type { PositionTpsl } from '../../views/triggers.ts';
import type { ViewQueries } from '../../views/views.ts';

const idOrNone = (id: Id | undefined): string => (id === undefined ? '' : idText(id));
const priceOrNone = (price: Price | undefined): string =>
  price === undefined ? '' : moneyText(price);

export const leaderName = ({ accounts }: ViewQueries, leader: Uid): string =>
  accounts.profile(leader)?.name ?? String(leader);

/** Fields that both lists of ended orders show. */
const endedText = (order: EndedTrackedOrder) => ({
  trackingNo: idText(order.id),
  openOrderId: idText(order.openOrderId),
  closeOrderId: idOrNone(order.closeOrderId),
  productType: order.category,
  symbol: order.symbol,
  posSide: order.side,
  openLeverage: order.leverage,
  openPriceAvg: moneyText(order.openPrice),
  openTime: String(order.openedAt),
  openSize: moneyText(order.openSize),
  closePriceAvg: moneyText(order.closedPrice),
  closeSize: moneyText(order.closedSize),
  closeTime: String(order.time),
  openFee: moneyText(negate(order.openFee)),
  closeFee: moneyText(negate(order.closeFee)),
  achievedPL: moneyText(order.profit),
});

export const followerHistoryText = (order: EndedTrackedOrder) => ({
  ...endedText(order),
  traderId: String(order.leader),
  profitRate: moneyText(profitRate(order.profit, order.margin)),
  netProfit: moneyText(
    minus(earnedAfterFees(order.profit, order.openFee, order.closeFee), order.share),
  ),
});

/** A leader's original has no leader above it that could close it. */
const ownCloser = (closer: TrackedOrderCloser | undefined) =>
  closer === undefined || closer === 'leader' ? 'follower' : closer;

export const leaderHistoryText = (order: EndedTrackedOrder) => ({
  ...endedText(order),
  stopType: wireWord(copyCloserWords, ownCloser(order.closer)),
  cTime: String(order.openedAt),
});

/**
 * The row of a tracked order. If the order has no take-profit or stop-loss, it shows that of its
 * position, which closes it too (CPY-67).
 */
export const leaderTrackedText = (
  order: TrackedOrderRow,
  followCount: number,
  tpsl: PositionTpsl,
) => ({
  trackingNo: idText(order.trackingId),
  symbol: order.symbol,
  posSide: order.side,
  openOrderId: idText(order.openOrderId),
  openLeverage: order.leverage,
  openPriceAvg: moneyText(order.openPrice),
  openTime: String(order.openedAt),
  openSize: moneyText(order.openSize),
  presetStopSurplusPrice: priceOrNone(order.takeProfit ?? tpsl.takeProfit?.triggerPrice),
  presetStopLossPrice: priceOrNone(order.stopLoss ?? tpsl.stopLoss?.triggerPrice),
  openFee: moneyText(negate(order.openFee)),
  followCount: String(followCount),
});

export const followerTrackedText = (order: TrackedOrderRow, traderName: string) => ({
  trackingNo: idText(order.trackingId),
  traderName,
  openOrderId: idText(order.openOrderId),
  closeOrderId: idOrNone(order.closeOrderId),
  traderId: String(order.leader),
  productType: order.category,
  symbol: order.symbol,
  posSide: order.side,
  openLeverage: order.leverage,
  openAvgPrice: moneyText(order.openPrice),
  openPriceAvg: moneyText(order.openPrice),
  openTime: String(order.openedAt),
  openSize: moneyText(order.openSize),
  openFee: moneyText(negate(order.openFee)),
  closeAvgPrice: order.closedSize === 0n ? '' : moneyText(order.closedPrice),
  closeSize: moneyText(order.closedSize),
  openMarginSz: moneyText(order.margin),
  closeTime: '',
  presetStopSurplusPrice: priceOrNone(order.takeProfit),
  presetStopLossPrice: priceOrNone(order.stopLoss),
});

export const settingText = ({ listings }: ViewQueries, setting: CopySetting) => ({
  symbol: setting.symbol,
  productType: setting.category,
  marginType: wireWord(copyMarginWords, setting.margin),
  marginCoin:
    setting.marginCoin ??
    listings.instrument(setting.category, setting.symbol)?.instrument.marginCoin ??
    '',
  leverType: wireWord(copyLeverageWords, setting.leverage),
  longLeverage: setting.longLeverage ?? '',
  shortLeverage: setting.shortLeverage ?? '',
  traceType: wireWord(copySizingWords, setting.sizing),
  traceValue: setting.value,
  maxHoldSize: setting.heldMax === undefined ? '' : String(setting.heldMax),
  stopSurplusRatio: setting.takeProfitRatio ?? '',
  stopLossRatio: setting.stopLossRatio ?? '',
});

/**
 * The total of amounts in several coins in USD, at their index prices; a coin without a price
 * counts zero.
 */
export function inUsd(
  { prices }: ViewQueries,
  amounts: Iterable<readonly [coin: string, amount: Amount]>,
): string {
  let sum = ZERO_AMOUNT;
  for (const [coin, amount] of amounts)
    sum = plus(sum, rateOf(amount, (prices.coinIndex(coin) ?? 0n) as bigint as Rate, 'down'));
  return moneyText(sum);
}

export const uncopiedText = (row: UncopiedOrder) => ({
  id: idText(row.id),
  traderId: String(row.leader),
  productType: row.category,
  symbol: row.symbol,
  posSide: row.side,
  size: moneyText(row.size),
  reason: row.reason,
  time: String(row.time),
});

export const operatorUncopiedText = (row: UncopiedOrder) => ({
  id: idText(row.id),
  time: String(row.time),
  uid: row.follower === undefined ? null : String(row.follower),
  leader: String(row.leader),
  orderId: idText(row.openOrderId),
  category: row.category,
  symbol: row.symbol,
  side: row.side,
  size: moneyText(row.size),
  reason: row.reason,
});
