/** Rows of public market data: trades, candles and settled funding rates. */

import type { Id } from '../kernel/ids.ts';
import type { Amount, Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Side } from '../messages/vocabulary.ts';

export interface SettledRate {
  readonly rate: Rate;
  readonly at: Timestamp;
}

export interface TradeRow {
  readonly tradeId: Id;
  readonly price: Price;
  readonly size: Size;
  readonly takerSide: Side;
  readonly at: Timestamp;
}

export interface Candle {
  readonly start: Timestamp;
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
  readonly baseVolume: Size;
  readonly quoteVolume: Amount;
}
