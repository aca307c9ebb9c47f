/** Public channels of v2: tickers, candles, trades, books. */
import { streamedLengths } from '../candle-fields.ts';
import { listOf, object, sometimes, text, textRow, wholeNumber } from '../shapes.ts';
import { sideWords, wordOf } from '../wire-words.ts';
import { channel } from './channel.ts';
import { v2MarketArg } from './market-args.ts';

const market = { version: 'v2', access: 'anybody', snapshot: true, arg: v2MarketArg } as const;

const ticker = object({
  instId: text('Symbol'),
  lastPr: text('Last price'),
  bidPr: text('Best bid; empty without one'),
  askPr: text('Best ask; empty without one'),
  bidSz: text('Size at the best bid'),
  askSz: text('Size at the best ask'),
  open24h: text('Price 24 hours ago'),
  high24h: text('Highest price of 24 hours'),
  low24h: text('Lowest price of 24 hours'),
  change24h: text('Change in 24 hours; 0.01 means 1 %'),
  openUtc: text('Price at midnight UTC'),
  changeUtc24h: text('Change since midnight UTC'),
  baseVolume: text('Volume of 24 hours, base coin'),
  quoteVolume: text('Volume of 24 hours, quote coin'),
  ts: text('Time (ms)'),
  symbol: sometimes(text('Symbol; futures only')),
  symbolType: sometimes(wholeNumber('1 for a perpetual; futures only')),
  markPrice: sometimes(text('Mark price; futures only')),
  indexPrice: sometimes(text('Index price; futures only')),
  fundingRate: sometimes(text('Funding rate; futures only')),
  nextFundingTime: sometimes(text('Next funding time (ms); futures only')),
  holdingAmount: sometimes(text('Open interest, base coin; futures only')),
  deliveryPrice: sometimes(text('Delivery price; 0 for perpetuals, futures only')),
});

const trade = object({
  ts: text('Time (ms)'),
  price: text('Price'),
  size: text('Size, base coin'),
  side: wordOf(sideWords, 'Side of the taker'),
  tradeId: text('Trade ID'),
});

const candle = textRow(
  ['ts', 'open', 'high', 'low', 'close', 'baseVolume', 'quoteVolume', 'usdtVolume'],
  'A candle',
);

const level = textRow(['price', 'size'], 'A price level; the size is 0 where one is gone');
const book = {
  asks: listOf(level),
  bids: listOf(level),
  checksum: wholeNumber('CRC-32 of the best 25 levels, signed'),
  seq: wholeNumber('Number of this push; grows with each'),
  ts: text('Time (ms)'),
};

export const v2MarketChannels = {
  v2Ticker: channel({
    ...market,
    names: ['ticker'],
    summary: 'The ticker of a symbol',
    kind: 'state',
    data: listOf(ticker),
    rules: ['STR-40', 'STR-41'],
  }),

  v2Trade: channel({
    ...market,
    names: ['trade'],
    summary: 'The trades of a symbol, newest first',
    kind: 'event',
    data: listOf(trade),
    rules: ['STR-40', 'STR-42'],
  }),

  v2Candle: channel({
    ...market,
    names: Object.keys(streamedLengths).map((length) => `candle${length}`),
    summary: 'The candles of a symbol; first the latest 500, then those that changed',
    kind: 'change',
    data: listOf(candle),
    rules: ['STR-40', 'STR-43'],
  }),

  v2Books: channel({
    ...market,
    names: ['books'],
    summary: 'A whole book, then each level that changes',
    kind: 'change',
    data: listOf(
      object({ ...book, pseq: wholeNumber('`seq` of the push before; 0 in the first') }),
    ),
    rules: ['STR-40', 'STR-44', 'STR-45', 'STR-46'],
  }),

  v2TopBooks: channel({
    ...market,
    names: ['books1', 'books5', 'books15', 'books50'],
    summary: 'The best levels of each side of a book',
    kind: 'state',
    data: listOf(object(book)),
    rules: ['STR-40', 'STR-47'],
  }),
} as const;
