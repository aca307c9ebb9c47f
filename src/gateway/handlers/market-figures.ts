/** Reads the market data of views, from which tickers and books of v2 and v3 are built. */
import { type CandleLength, candleInterval } from '../../contract/candle-fields.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  moneyText,
  notional,
  type Price,
  ratio,
  type Size,
} from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { startOfDayUtc, type Timestamp } from '../../kernel/time.ts';
import type { Category, FuturesCategory, Side } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { Candle, TradeRow } from '../../views/market-rows.ts';
import { isReversed } from '../../views/pages.ts';
import type { CandleWindow } from '../../views/past/candle-page.ts';
import type { CandlePrice } from '../../views/price-candles.ts';
import type { Merging } from '../../views/price-levels.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Reply } from './handler.ts';
import { textOr } from './order-texts.ts';

/** The requested instrument; refuses an unlisted one. */
export function listedIn(
  { listings }: ViewQueries,
  category: Category,
  symbol: string,
): Reply<ListedInstrument> {
  const listed = listings.instrument(category, symbol);
  return listed === undefined
    ? refuse(wireRejection('unknownSymbol', 'symbol', symbol))
    : ok(listed);
}

interface TimesAsked {
  readonly startTime?: Timestamp | undefined;
  readonly endTime?: Timestamp | undefined;
}

/**
 * The instrument of a request with a time window; refuses a window that ends before its start
 * (LIST-10).
 */
export function listedDuring(
  views: ViewQueries,
  category: Category,
  symbol: string,
  { startTime, endTime }: TimesAsked,
) {
  const listed = listedIn(views, category, symbol);
  return listed.ok && isReversed(startTime, endTime)
    ? refuse(wireRejection('startAfterEnd'))
    : listed;
}

/**
 * The instrument of a candle request. A client that pages to the newest candle may request a window
 * from the future until now. That is an empty list, not an error (VIEW-72).
 */
export const listedForCandles = (
  views: ViewQueries,
  category: Category,
  symbol: string,
  { startTime, endTime }: TimesAsked,
  now: Timestamp,
) =>
  startTime !== undefined && startTime > now
    ? listedIn(views, category, symbol)
    : listedDuring(views, category, symbol, { startTime, endTime });

/** All instruments of a category, or the requested one. */
export function listedOf(
  views: ViewQueries,
  category: Category,
  symbol: string | undefined,
): Reply<readonly ListedInstrument[]> {
  if (symbol === undefined) return ok(views.listings.instruments(category));
  const listed = listedIn(views, category, symbol);
  return listed.ok ? ok([listed.value]) : listed;
}

const changeText = (from: Price | undefined, to: Price | undefined): string => {
  if (from === undefined || to === undefined || from === 0n) return '0';
  return moneyText(ratio(minus(to, from) as bigint as Amount, from as bigint as Amount, 'nearest'));
};

/** A quote volume in USDT at the current index, rounded to the nearest like every volume. */
export const usdtVolumeText = (quoteVolume: Amount, quoteIndex: Price | undefined): string =>
  quoteIndex === undefined
    ? '0'
    : moneyText(notional(quoteIndex, quoteVolume as bigint as Size, 'nearest'));

/** All ticker fields as text. An unknown price is an empty text. */
export function figuresOf(
  views: ViewQueries,
  { instrument: { category, symbol, quoteCoin } }: ListedInstrument,
  now: Timestamp,
) {
  const { orders, prices, trades } = views;
  const last = prices.last(category, symbol);
  const day = trades.day(category, symbol, now);
  const [bid] = orders.depth(category, symbol, 'buy', 1);
  const [ask] = orders.depth(category, symbol, 'sell', 1);
  const open = day.open ?? last;
  const openUtc = trades.openSince(category, symbol, startOfDayUtc(now)) ?? last;
  return {
    last: textOr(last, ''),
    bid: textOr(bid?.price, ''),
    ask: textOr(ask?.price, ''),
    bidSize: textOr(bid?.size, '0'),
    askSize: textOr(ask?.size, '0'),
    open: textOr(open, ''),
    high: textOr(day.high ?? last, ''),
    low: textOr(day.low ?? last, ''),
    openUtc: textOr(openUtc, ''),
    change: changeText(open, last),
    changeUtc: changeText(openUtc, last),
    baseVolume: moneyText(day.baseVolume),
    quoteVolume: moneyText(day.quoteVolume),
    usdtVolume: usdtVolumeText(day.quoteVolume, prices.coinIndex(quoteCoin)),
  };
}

/** Ticker fields that only futures have. */
export function futuresFiguresOf(
  { prices, positions, funding }: ViewQueries,
  category: FuturesCategory,
  symbol: string,
  now: Timestamp,
) {
  return {
    index: textOr(prices.index(category, symbol), ''),
    mark: textOr(prices.mark(category, symbol), ''),
    fundingRate: moneyText(funding.of(category, symbol, now)!.rate),
    openInterest: moneyText(positions.openInterest(category, symbol)),
  };
}

export function fundingText(
  { funding }: ViewQueries,
  category: FuturesCategory,
  symbol: string,
  now: Timestamp,
) {
  const { rate, bounds, hours, next } = funding.of(category, symbol, now)!;
  return {
    symbol,
    fundingRate: moneyText(rate),
    fundingRateInterval: String(hours),
    nextUpdate: String(next),
    minFundingRate: moneyText(bounds.min),
    maxFundingRate: moneyText(bounds.max),
  };
}

/** Price levels, best first, merged by a coarser step if one is given. */
export const levelsOf = (
  { orders }: ViewQueries,
  category: Category,
  symbol: string,
  side: Side,
  count: number,
  merging?: Merging,
): readonly (readonly string[])[] =>
  orders
    .depth(category, symbol, side, count, merging)
    .map(({ price, size }) => [moneyText(price), moneyText(size)]);

interface TradesAsked extends TimesAsked {
  readonly limit: number;
  readonly idLessThan?: Id | undefined;
}

/** The latest trades, newest first. */
export const tradesOf = (
  { trades }: ViewQueries,
  category: Category,
  symbol: string,
  { limit, idLessThan, startTime, endTime }: TradesAsked,
): readonly TradeRow[] =>
  trades.trades(category, symbol, {
    below: idLessThan ?? Number.POSITIVE_INFINITY,
    from: startTime ?? 0,
    to: endTime ?? Number.POSITIVE_INFINITY,
    limit,
  });

export const tradeText = ({ tradeId, price, size, at }: TradeRow) => ({
  tradeId: idText(tradeId),
  price: moneyText(price),
  size: moneyText(size),
  ts: String(at),
});

export interface CandleQuery {
  readonly length: CandleLength;
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
  readonly limit: number;
}

const windowOf = ({ length, startTime, endTime, limit }: CandleQuery): CandleWindow => ({
  interval: candleInterval(length),
  startTime,
  endTime,
  limit,
});

export const candlesOf = (
  { trades }: ViewQueries,
  category: Category,
  symbol: string,
  query: CandleQuery,
): readonly Candle[] => trades.candles(category, symbol, windowOf(query));

interface PriceCandleQuery extends CandleQuery {
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly of: CandlePrice;
}

/** Mark and index prices have no trades, so their candles have no volumes. */
export const priceCandlesOf = (
  { priceCandles }: ViewQueries,
  query: PriceCandleQuery,
  now: Timestamp,
): readonly (readonly string[])[] =>
  priceCandles
    .candles(query.of, query.category, query.symbol, windowOf(query), now)
    .map(({ start, open, high, low, close }) => [
      String(start),
      ...[open, high, low, close].map((price) => moneyText(price)),
      '0',
      '0',
    ]);

export const candleText = ({
  start,
  open,
  high,
  low,
  close,
  baseVolume,
  quoteVolume,
}: Candle): readonly string[] => [
  String(start),
  ...[open, high, low, close, baseVolume, quoteVolume].map((value) => moneyText(value)),
];
