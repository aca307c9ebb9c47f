/** Public channels of v3: tickers, candles, trades, books, liquidations. */
import { listOf, object, sometimes, text, textRow, wholeNumber, word } from '../shapes.ts';
import { sideWords, wordOf } from '../wire-words.ts';
import { channel } from './channel.ts';
import { liquidationArg, v3CandleArg, v3MarketArg } from './market-args.ts';

const market = { version: 'v3', access: 'anybody', snapshot: true, arg: v3MarketArg } as const;

const ticker = object({
  lastPrice: text('Last price'),
  openPrice24h: text('Price 24 hours ago'),
  highPrice24h: text('Highest price of 24 hours'),
  lowPrice24h: text('Lowest price of 24 hours'),
  ask1Price: text('Best ask; empty without one'),
  bid1Price: text('Best bid; empty without one'),
  bid1Size: text('Size at the best bid'),
  ask1Size: text('Size at the best ask'),
  price24hPcnt: text('Change in 24 hours; 0.01 means 1 %'),
  volume24h: text('Volume of 24 hours, base coin'),
  turnover24h: text('Volume of 24 hours, quote coin'),
  indexPrice: sometimes(text('Index price; futures only')),
  markPrice: sometimes(text('Mark price; futures only')),
  fundingRate: sometimes(text('Funding rate; futures only')),
  nextFundingTime: sometimes(text('Next funding time (ms); futures only')),
  openInterest: sometimes(text('Open interest, base coin; futures only')),
});

const trade = object({
  i: text('Trade ID'),
  p: text('Price'),
  P: text('Price, under its other name'),
  v: text('Size, base coin'),
  S: wordOf(sideWords, 'Side of the taker'),
  T: text('Time (ms)'),
  L: text('Trade ID'),
  isRPI: word(['no'], 'Whether it was a retail price improvement'),
});

const candle = object({
  start: text('Start (ms)'),
  open: text('First price'),
  high: text('Highest price'),
  low: text('Lowest price'),
  close: text('Last price'),
  volume: text('Volume, base coin'),
  turnover: text('Volume, quote coin'),
});

const level = textRow(['price', 'size'], 'A price level; the size is 0 where one is gone');
const book = object({
  a: listOf(level),
  b: listOf(level),
  seq: wholeNumber('Number of this push; grows with each'),
  pseq: wholeNumber('`seq` of the push before; 0 if this push does not depend on it'),
  ts: text('Time (ms)'),
});

const liquidation = object({
  symbol: text('Symbol'),
  side: word(['buy', 'sell'], '`buy` if a long position was liquidated, `sell` if a short one'),
  price: text('Average price'),
  amount: text('Value, quote coin'),
  ts: text('Time (ms)'),
});

export const v3MarketChannels = {
  v3Ticker: channel({
    ...market,
    names: ['ticker'],
    summary: 'The ticker of a symbol',
    kind: 'state',
    data: listOf(ticker),
    rules: ['STR-40', 'STR-41'],
  }),

  v3PublicTrade: channel({
    ...market,
    names: ['publicTrade'],
    summary: 'The trades of a symbol, newest first',
    kind: 'event',
    data: listOf(trade),
    rules: ['STR-40', 'STR-42'],
  }),

  v3Kline: channel({
    ...market,
    names: ['kline'],
    summary: 'The candles of a symbol; first the latest 500, then those that changed',
    kind: 'change',
    arg: v3CandleArg,
    data: listOf(candle),
    rules: ['STR-40', 'STR-43'],
  }),

  v3Books: channel({
    ...market,
    names: ['books'],
    summary: 'A whole book, then each level that changes',
    kind: 'change',
    data: listOf(book),
    rules: ['STR-40', 'STR-44', 'STR-45'],
  }),

  v3TopBooks: channel({
    ...market,
    names: ['books1', 'books5', 'books15', 'books50'],
    summary: 'The best levels of each side of a book',
    kind: 'state',
    data: listOf(book),
    rules: ['STR-40', 'STR-47'],
  }),

  v3Liquidation: channel({
    ...market,
    names: ['liquidation'],
    summary: 'The largest liquidations of each second',
    kind: 'event',
    snapshot: false,
    arg: liquidationArg,
    data: listOf(liquidation),
    rules: ['STR-48'],
  }),
} as const;
