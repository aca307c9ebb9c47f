/** Tickers computed by the rules from all emitted events, in the words of each API version. */
import { DAY, MINUTE, startOf } from '../../src/kernel/time.ts';
import { decimals, nearest } from '../lists/row.ts';
import { extremes, sizeOf, worthTraded } from './candles.ts';
import { isFutures, type Level, type Market, UNIT } from './markets.ts';

function changeOf(last: bigint, open: bigint): string {
  const share = nearest((last < open ? open - last : last - open) * UNIT, open);
  return decimals(last < open ? -share : share);
}

/** A minute counts only if it began less than a day ago (VIEW-23). */
export const tradesOfDay = ({ trades }: Market, now: number) =>
  trades.filter(({ at }) => startOf(at, MINUTE) > now - DAY);

export const lastOf = ({ trades, index }: Market): bigint => (trades.at(-1) ?? index.at(-1)!).price;

const bestOf = (level: Level | undefined) => ({
  price: level === undefined ? '' : decimals(level[0]),
  size: decimals(level?.[1] ?? 0n),
});

function figuresOf(market: Market, now: number) {
  const { trades, bids, asks, quoteIndex } = market;
  const last = lastOf(market);
  const ofDay = tradesOfDay(market, now);
  const prices = ofDay.length === 0 ? [last] : ofDay.map(({ price }) => price);
  const midnight = startOf(now, DAY);
  const openUtc = trades.find(({ at }) => at >= midnight)?.price ?? last;
  const [high, low] = extremes(prices).map(decimals);
  return {
    last: decimals(last),
    open: decimals(prices[0]!),
    openUtc: decimals(openUtc),
    high,
    low,
    change: changeOf(last, prices[0]!),
    changeUtc24h: changeOf(last, openUtc),
    bid: bestOf(bids[0]),
    ask: bestOf(asks[0]),
    size: decimals(sizeOf(ofDay)),
    value: decimals(worthTraded(ofDay)),
    usdtVolume: decimals(nearest(worthTraded(ofDay) * quoteIndex, UNIT)),
  };
}

const pricesOf = ({ index, mark }: Market) => ({
  indexPrice: decimals(index.at(-1)!.price),
  markPrice: decimals(mark.at(-1)!.price),
});

export function classicTicker(market: Market, now: number) {
  const { instrument, openInterest } = market;
  const {
    last,
    open,
    openUtc,
    high,
    low,
    change,
    changeUtc24h,
    bid,
    ask,
    size,
    value,
    usdtVolume,
  } = figuresOf(market, now);
  return {
    symbol: instrument.symbol,
    lastPr: last,
    high24h: high,
    low24h: low,
    change24h: change,
    openUtc,
    changeUtc24h,
    bidPr: bid.price,
    bidSz: bid.size,
    askPr: ask.price,
    askSz: ask.size,
    baseVolume: size,
    quoteVolume: value,
    usdtVolume,
    ts: String(now),
    ...(isFutures(instrument)
      ? { open24h: open, ...pricesOf(market), holdingAmount: decimals(openInterest) }
      : { open }),
  };
}

export function unifiedTicker(market: Market, now: number) {
  const { instrument, openInterest } = market;
  const { last, open, high, low, change, bid, ask, size, value } = figuresOf(market, now);
  return {
    category: instrument.category,
    symbol: instrument.symbol,
    lastPrice: last,
    openPrice24h: open,
    highPrice24h: high,
    lowPrice24h: low,
    price24hPcnt: change,
    bid1Price: bid.price,
    bid1Size: bid.size,
    ask1Price: ask.price,
    ask1Size: ask.size,
    volume24h: size,
    turnover24h: value,
    ts: String(now),
    ...(isFutures(instrument) ? { ...pricesOf(market), openInterest: decimals(openInterest) } : {}),
  };
}

export const symbolPrices = (market: Market, now: number) => ({
  symbol: market.instrument.symbol,
  price: decimals(lastOf(market)),
  ...pricesOf(market),
  ts: String(now),
});
