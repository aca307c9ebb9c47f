/** Public channels of v3: tickers, candles, trades, books, liquidations. */
import { listOf, object, sometimes, text } from '../shapes.ts';
import { channel } from './channel.ts';
import { v3MarketArg } from './market-args.ts';

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

export const v3MarketChannels = {
  v3Ticker: channel({
    ...market,
    names: ['ticker'],
    summary: 'The ticker of a symbol',
    kind: 'state',
    data: listOf(ticker),
    rules: ['STR-40', 'STR-41'],
  }),
} as const;
