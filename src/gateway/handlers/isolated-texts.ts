/** Isolated pairs, their orders and fills, in v2 form. */
import { spotOrderStatusWords, timeInForceWords, wireWord } from '../../contract/wire-words.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { minus, moneyText, negate, notional, plus } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { EXECUTION_KINDS, type ExecutionKind } from '../../messages/vocabulary.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import { newBalance, type PairBalance, type PairRow } from '../../views/isolated-pairs.ts';
import { pairRisk } from '../../views/isolated-risks.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import { averagePrice, textOr } from './order-texts.ts';

const pairsNamed = (
  { isolatedPairs }: ViewQueries,
  uid: Uid,
  symbol: string | undefined,
): readonly PairRow[] =>
  isolatedPairs.pairs(uid).filter((pair) => symbol === undefined || pair.symbol === symbol);

function assetText(symbol: string, coin: string, firstUsed: Timestamp, balance: PairBalance) {
  const { available, locked, borrowed, interest, updatedAt } = balance;
  const owned = plus(available, locked);
  return {
    symbol,
    coin,
    totalAmount: moneyText(owned),
    available: moneyText(available),
    frozen: moneyText(locked),
    borrow: moneyText(borrowed),
    interest: moneyText(interest),
    net: moneyText(minus(owned, plus(borrowed, interest))),
    coupon: '0',
    cTime: String(firstUsed),
    uTime: String(updatedAt),
  };
}

/**
 * Both coins of a pair, used coins first. Clients expect both, so an unused coin has zero amounts.
 */
function assetTexts({ listings }: ViewQueries, { symbol, coins }: PairRow) {
  const [first] = coins.values();
  const firstUsed = first!.createdAt;
  const listed = listings.instrument('MARGIN', symbol)?.instrument;
  const names =
    listed === undefined
      ? coins.keys()
      : new Set([...coins.keys(), listed.baseCoin, listed.quoteCoin]);
  return [...names].map((coin) =>
    assetText(symbol, coin, firstUsed, coins.get(coin) ?? newBalance(firstUsed)),
  );
}

export const isolatedAssetTexts = (views: ViewQueries, uid: Uid, symbol: string | undefined) =>
  pairsNamed(views, uid, symbol).flatMap((pair) => assetTexts(views, pair));

export const isolatedRiskTexts = (views: ViewQueries, uid: Uid, symbol: string | undefined) =>
  pairsNamed(views, uid, symbol).map((pair) => ({
    symbol: pair.symbol,
    riskRateRatio: moneyText(pairRisk(views, pair)),
  }));

function quoteSizeText({ quoteAmount, price, size }: OrderRecord['order']): string {
  if (quoteAmount !== undefined) return moneyText(quoteAmount);
  return price === undefined ? '0' : moneyText(notional(price, size, 'nearest'));
}

const sourceOf = (kind: ExecutionKind) => (kind === 'normal' ? 'API' : 'SYS');
/** Orders from other sources do not exist. */
export const kindsFrom = (source: string): readonly ExecutionKind[] =>
  EXECUTION_KINDS.filter((kind) => sourceOf(kind) === source);

export function isolatedOrderText(record: OrderRecord) {
  const { order, status, filledSize, filledValue, createdAt, updatedAt } = record;
  return {
    orderId: idText(order.orderId),
    symbol: order.symbol,
    orderType: order.orderType,
    enterPointSource: sourceOf(order.executionKind),
    clientOid: order.clientOid as string,
    loanType: order.loanType ?? 'normal',
    price: textOr(order.price, '0'),
    side: order.side,
    status: wireWord(spotOrderStatusWords, status === 'live' ? 'new' : status),
    baseSize: moneyText(order.size),
    quoteSize: quoteSizeText(order),
    priceAvg: textOr(averagePrice(record), '0'),
    size: moneyText(filledSize),
    amount: moneyText(filledValue),
    force: wireWord(timeInForceWords, order.timeInForce),
    cTime: String(createdAt),
    uTime: String(updatedAt),
  } as const;
}

/** The fill's own id is the trade id here, because a self-trade has two fills. */
export const isolatedFillText = (fill: SettledFillRow) =>
  ({
    orderId: idText(fill.orderId),
    tradeId: idText(fill.id),
    orderType: fill.orderType,
    side: fill.side,
    size: moneyText(fill.size),
    priceAvg: moneyText(fill.price),
    amount: moneyText(fill.value),
    tradeScope: fill.role,
    feeDetail: {
      deduction: 'no',
      feeCoin: fill.feeCoin,
      totalDeductionFee: '0',
      totalFee: moneyText(negate(fill.fee)),
    },
    cTime: String(fill.time),
    uTime: String(fill.time),
  }) as const;
