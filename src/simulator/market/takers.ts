/**
 * Takers of the simulated market: at each step they trade a little against the book, which makes
 * trades, candles and volume.
 */
import { netPositionOf } from '../../core/derived/position.ts';
import type { State } from '../../core/state/state.ts';
import { chanceAt } from '../../kernel/chance.ts';
import type { Uid } from '../../kernel/ids.ts';
import { MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import { broughtOf } from './market-accounts.ts';
import { type MarketBook, plainNumber } from './market-books.ts';
import { RECORDED_WORTH_MAX } from './recorded-path.ts';
import type { Mood } from './scenes.ts';

/** For a book of normal weight: enough for every one-minute candle to move. */
const TRADES_PER_MINUTE = 4;
/** Applies to steps of any length. */
const TRADES_PER_STEP_MAX = 2;
/** Trades are worth from this many dollars to a hundred times as many, mostly small ones. */
const WORTH_MIN = 60;
const WORTH_SPAN = 100;
/** A taker's limit price is at most this far from the price it sees. */
const SLIPPAGE = 0.01;
/** A taker with a larger position in either direction mostly trades to reduce it. */
const HOLDING_DOLLARS = 150_000;
const LEAN = 0.45;

export interface TakerView {
  readonly state: State;
  readonly uid: Uid;
  readonly at: Timestamp;
  readonly passedMs: number;
  readonly salt: number;
  readonly fair: number;
  readonly mood: Mood;
  readonly quoteDollars: number;
  /** Size traded since the last step according to a file; if omitted, it is random. */
  readonly tradedSize?: number;
  /** How much deeper than usual the book is because of a recording's volume. */
  readonly deeper: number;
}

/** A taker's position in a book, in dollars; for coins, the change since its deposit. */
function holding(book: MarketBook, { state, uid, fair, quoteDollars }: TakerView): number {
  if (!book.futures) {
    const wallet = state.ledger.wallets.get(uid)?.get(book.baseCoin);
    if (wallet === undefined) return 0;
    return (
      (plainNumber(wallet.available) - broughtOf(state, uid, book.baseCoin)) * fair * quoteDollars
    );
  }
  const position = netPositionOf(state, uid, book.key);
  if (position === undefined) return 0;
  return (position.side === 'long' ? 1 : -1) * position.lots * book.sizeStep * fair * quoteDollars;
}

/** Number of trades since the last step. */
function tradesNow(book: MarketBook, { at, passedMs, salt, mood, tradedSize }: TakerView): number {
  if (tradedSize !== undefined) return tradedSize > 0 ? 1 : 0;
  const expected = (TRADES_PER_MINUTE * book.weight * mood.flow * passedMs) / MINUTE;
  const whole = Math.floor(expected);
  const one = chanceAt(salt, at) < expected - whole ? 1 : 0;
  return Math.min(TRADES_PER_STEP_MAX, whole + one);
}

/** The size of one trade. */
function sizeNow(
  { weight }: MarketBook,
  { salt, fair, quoteDollars, tradedSize, deeper }: TakerView,
  draw: number,
): number {
  const dollars = fair * quoteDollars;
  if (tradedSize !== undefined)
    return Math.min(tradedSize, (RECORDED_WORTH_MAX * deeper) / dollars);
  return (WORTH_MIN * WORTH_SPAN ** chanceAt(salt + 2, draw) * weight) / dollars;
}

/** The takers' orders at this step. */
export function takerOrders(book: MarketBook, view: TakerView): OrderDraft[] {
  const { at, salt, fair, mood } = view;
  const trades = tradesNow(book, view);
  if (trades === 0) return [];
  const lean =
    Math.max(-1, Math.min(1, holding(book, view) / (HOLDING_DOLLARS * book.weight))) * LEAN;
  const orders: OrderDraft[] = [];
  for (let trade = 0; trade < trades; trade++) {
    const buys = chanceAt(salt + 1, at + trade) < mood.buyers - lean;
    const size = Math.max(book.sizeMin, Math.min(book.sizeMax, sizeNow(book, view, at + trade)));
    orders.push({
      symbol: book.symbol,
      side: buys ? 'buy' : 'sell',
      orderType: 'limit',
      price: book.priceText(fair * (buys ? 1 + SLIPPAGE : 1 - SLIPPAGE)),
      size: book.sizeText(size),
      timeInForce: 'ioc',
      reduceOnly: false,
    });
  }
  return orders;
}
