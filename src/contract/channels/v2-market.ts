/** Public channels of v2: tickers, candles, trades, books. */
import { listOf, object, sometimes, text, wholeNumber } from '../shapes.ts';
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

export const v2MarketChannels = {
  v2Ticker: channel({
    ...market,
    names: ['ticker'],
    summary: 'The ticker of a symbol',
    kind: 'state',
    data: listOf(ticker),
    rules: ['STR-40', 'STR-41'],
  }),
} as const;
