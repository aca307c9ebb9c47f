/** Trades of the last hours before the exchange began, which make up the minutes of the past. */
import type { Id } from '../../kernel/ids.ts';
import type { Price, Size } from '../../kernel/money.ts';
import { HOUR, MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import {
  PAST_TRADE_HOURS,
  PAST_TRADE_IDS,
  PAST_TRADES_PER_MINUTE,
  type Past,
} from '../../messages/past.ts';
import type { TradeRow } from '../market-rows.ts';
import { type BookHours, fillLegs, LEGS, MINUTES, ROW } from './book-hours.ts';
import type { TradePage } from './past-queries.ts';

/** One order may match several others at one price. */
const PIECES_MAX = 3;

interface Minute {
  readonly start: number;
  /** The number of a minute in the hours with trades. Ids of trades follow from it. */
  readonly place: number;
  readonly row: number;
}

/** The trades of a minute, oldest first. */
function tradesIn(
  hours: BookHours,
  idFirst: number,
  rows: Float64Array,
  { start, place, row }: Minute,
): TradeRow[] {
  const minute = start / MINUTE;
  const legs = new Float64Array(2 * LEGS);
  fillLegs(legs, rows, row, hours.shapeAt(minute));
  const quarter = Math.min(MINUTE, hours.end - start) / LEGS;
  const { tick, lot } = hours.units;
  const trades: TradeRow[] = [];
  for (let leg = 0; leg < LEGS; leg++) {
    const bits = hours.bitsOfTrades(minute, leg);
    const at = (start + Math.floor(quarter * (leg + (bits & 0xff) / 256))) as Timestamp;
    const [price, lots] = [legs[leg]!, legs[LEGS + leg]!];
    const before = leg === 0 ? price : legs[leg - 1]!;
    const isUp = before === price ? (bits & 0x100) !== 0 : price > before;
    const pieces = Math.min(lots, 1 + ((bits >>> 9) % PIECES_MAX));
    const piece = Math.floor(lots / pieces);
    for (let nth = 0; nth < pieces; nth++) {
      const size = nth === 0 ? lots - piece * (pieces - 1) : piece;
      trades.push({
        tradeId: (idFirst + place * PAST_TRADES_PER_MINUTE + leg * PIECES_MAX + nth) as Id,
        price: (BigInt(price) * tick) as Price,
        size: (BigInt(size) * lot) as Size,
        takerSide: isUp ? 'buy' : 'sell',
        at,
      });
    }
  }
  return trades;
}

export function drawnTrades(
  past: Past,
  book: number,
  hours: BookHours,
  { below, from, to, limit }: TradePage,
): TradeRow[] {
  const oldest = Math.max(past.begin, startOf(past.end - PAST_TRADE_HOURS * HOUR, MINUTE));
  const idFirst = past.tradeIdFirst + book * PAST_TRADE_IDS;
  // Ids contain their minute, so that a page need not start at the end.
  const belowMinute = Math.floor((below - idFirst) / PAST_TRADES_PER_MINUTE);
  let minute = Math.min(startOf(Math.min(past.end - 1, to), MINUTE), oldest + belowMinute * MINUTE);
  const rows = new Float64Array(MINUTES * ROW);
  let filled = -1;
  const trades: TradeRow[] = [];
  for (; minute >= oldest && minute > from - MINUTE && trades.length < limit; minute -= MINUTE) {
    const hour = startOf(minute, HOUR);
    if (hour !== filled) hours.fill(rows, 'trades', hour);
    filled = hour;
    const row = ((minute - hour) / MINUTE) * ROW;
    const made = tradesIn(hours, idFirst, rows, {
      start: minute,
      place: (minute - oldest) / MINUTE,
      row,
    });
    for (const trade of made.toReversed())
      if (trade.tradeId < below && trade.at >= from && trade.at <= to && trades.length < limit)
        trades.push(trade);
  }
  return trades;
}
