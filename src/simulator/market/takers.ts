/**
 * What takers do at a step: trade a little with whoever shows a price, so that there are trades,
 * candles and volume.
 */
import { netPositionOf } from '../../core/derived/position.ts';
import type { State } from '../../core/state/state.ts';
import { chanceAt } from '../../kernel/chance.ts';
import type { Uid } from '../../kernel/ids.ts';
import { MINUTE, type Timestamp } from '../../kernel/time.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import { broughtOf } from './market-accounts.ts';
import { type MarketBook, plainNumber } from './market-books.ts';
import { TOLD_WORTH_MAX } from './recorded-path.ts';
import type { Mood } from './scenes.ts';

/** Of a book of the usual weight: enough for every candle of a minute to move. */
const TRADES_PER_MINUTE = 4;
/** However long the time between two steps was. */
const TRADES_PER_STEP_MAX = 2;
/**
 * Trades are worth from this many dollars to a hundred times as many, the small ones being the
 * most.
 */
const WORTH_MIN = 60;
const WORTH_SPAN = 100;
/** A taker pays no worse than this away from the price he sees. */
const SLIPPAGE = 0.01;
/** Someone who holds this much either way mostly trades to hold less. */
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
  /**
   * What a file says was traded since the last step; absent where none does, and then chance
   * decides.
   */
  readonly emitted?: number;
  /** How much deeper than usual the book is made for what a recording says. */
  readonly deeper: number;
}

/** What a taker holds of a book, in dollars: a position, or coins beyond what he came with. */
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

/** How many trades fall into the time since the last step. */
function tradesNow(book: MarketBook, { at, passedMs, salt, mood, emitted }: TakerView): number {
  if (emitted !== undefined) return emitted > 0 ? 1 : 0;
  const expected = (TRADES_PER_MINUTE * book.weight * mood.flow * passedMs) / MINUTE;
  const whole = Math.floor(expected);
  const one = chanceAt(salt, at) < expected - whole ? 1 : 0;
  return Math.min(TRADES_PER_STEP_MAX, whole + one);
}

/** How much one of them trades. */
function sizeNow(
  { weight }: MarketBook,
  { salt, fair, quoteDollars, emitted, deeper }: TakerView,
  draw: number,
): number {
  const dollars = fair * quoteDollars;
  if (emitted !== undefined) return Math.min(emitted, (TOLD_WORTH_MAX * deeper) / dollars);
  return (WORTH_MIN * WORTH_SPAN ** chanceAt(salt + 2, draw) * weight) / dollars;
}

/** The orders of takers at this step. */
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
