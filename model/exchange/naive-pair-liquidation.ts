/** Liquidation of pairs of isolated spot margin in the naive exchange. */

import { forcedCloseRate } from './naive-contracts.ts';
import { houseGains } from './naive-deleveraging.ts';
import { endOrder, match, others } from './naive-matching.ts';
import { houseOf, type NaiveBooks, pairIndex } from './naive-money.ts';
import { allPairs, hasStalePrice, isLost, owedBy, repayLoans, worthText } from './naive-pairs.ts';
import {
  madeOrder,
  type NaiveInstrument,
  type NaiveOrder,
  type NaivePair,
  type Side,
} from './naive-state.ts';
import { isTrading } from './naive-statuses.ts';
import { ceiling, floor, max, min, UNIT } from './whole-units.ts';

const TWENTIETH = 20n;

/**
 * Liquidates the pair whose debt is oldest; returns whether there was one. A pair waits while its
 * symbol is halted.
 */
export function pairLiquidated(books: NaiveBooks): boolean {
  const lost = allPairs(books).filter((pair) => isLost(books, pair));
  if (lost.some(({ instrument }) => !isTrading(books, instrument)))
    books.report.happened.push('liquidation of a pair waits for its symbol');
  if (lost.some((pair) => hasStalePrice(books, pair)))
    books.report.happened.push('liquidation of a pair waits for its price');
  const [first] = lost
    .filter((pair) => isTrading(books, pair.instrument) && !hasStalePrice(books, pair))
    .sort((left, right) => left.symbolSince - right.symbolSince || left.since - right.since);
  if (first !== undefined) liquidatePair(books, first);
  return first !== undefined;
}

function liquidatePair(books: NaiveBooks, pair: NaivePair): void {
  const { instrument } = pair;
  books.report.liquidations.push(worthText(books, pair));
  books.report.happened.push('pair liquidated');
  const own = books.orders.filter(
    (each) =>
      each.user === pair.user && each.loanType !== undefined && each.instrument === instrument,
  );
  for (const order of own) endOrder(books, order, 'liquidation');
  if (!isLost(books, pair)) {
    books.report.happened.push('pair saved by cancelling its orders');
    return;
  }
  repayOwn(books, pair);
  while (tradeInBook(books, pair, pair.quote) || tradeInBook(books, pair, pair.base));
  for (const coin of [pair.base, pair.quote])
    if (owedBy(pair, coin) > 0n) giveToFund(books, pair, coin);
}

function repayOwn(books: NaiveBooks, pair: NaivePair): void {
  for (const coin of [pair.base, pair.quote])
    houseOf(books, coin).interest += repayLoans(pair, coin, pair.wallets[coin]!.free);
}

/** The worst tick: 5 % from the index, and such that all available or needed lots suffice. */
function worstTick(
  books: NaiveBooks,
  { instrument }: NaivePair,
  side: Side,
  size: bigint,
  amount: bigint,
): bigint {
  const { tick } = instrument;
  const index = pairIndex(books, instrument);
  if (side === 'sell') {
    const enough = ceiling(amount * UNIT * UNIT, size * (UNIT - forcedCloseRate(instrument)));
    return ceiling(max(ceiling(index * (TWENTIETH - 1n), TWENTIETH), enough), tick) * tick;
  }
  return (
    floor(min(floor(index * (TWENTIETH + 1n), TWENTIETH), floor(amount * UNIT, size)), tick) * tick
  );
}

/** Exchanges one coin for the other up to the debt and the book; returns whether it traded. */
function tradeInBook(books: NaiveBooks, pair: NaivePair, coin: string): boolean {
  const { instrument, base, quote, wallets } = pair;
  const { lot } = instrument;
  const owed = owedBy(pair, coin);
  const side = coin === quote ? 'sell' : 'buy';
  const most =
    side === 'sell'
      ? wallets[base]!.free / lot
      : ceiling(owed * UNIT, lot * (UNIT - forcedCloseRate(instrument)));
  const spendable = side === 'sell' ? most : wallets[quote]!.free;
  if (owed === 0n || spendable === 0n) return false;
  const limit = worstTick(books, pair, side, most * lot, side === 'sell' ? owed : spendable);
  const makers = others(books, instrument, side).filter((maker) =>
    side === 'sell' ? maker.limit >= limit : maker.limit <= limit,
  );
  const lots =
    side === 'buy' ? min(most, lotsOf(makers, lot)) : lotsThatRepay(makers, instrument, most, owed);
  return lots > 0n && send(books, pair, { side, limit, size: lots * lot });
}

const lotsOf = (makers: readonly NaiveOrder[], lot: bigint): bigint =>
  makers.reduce((sum, { left }) => sum + left / lot, 0n);

/** The fewest lots that repay the debt after fees, as far as bids take them. */
function lotsThatRepay(
  buyers: readonly NaiveOrder[],
  instrument: NaiveInstrument,
  most: bigint,
  owed: bigint,
): bigint {
  const { lot } = instrument;
  const rate = forcedCloseRate(instrument);
  let [lots, missing] = [0n, owed];
  for (const { limit, left } of buyers) {
    const bring = (count: bigint): bigint => netOf((limit * count * lot) / UNIT, rate);
    let wanted = ceiling(missing * UNIT, ((limit * lot) / UNIT) * (UNIT - rate));
    if (bring(wanted) < missing) wanted++;
    const taken = min(min(wanted, left / lot), most - lots);
    lots += taken;
    missing = max(0n, missing - bring(taken));
  }
  return lots;
}

const netOf = (value: bigint, fee: bigint): bigint => value - ceiling(value * fee, UNIT);

/** An order of the pair that never rests and has no risk check. */
function send(
  books: NaiveBooks,
  pair: NaivePair,
  { side, limit, size }: Pick<NaiveOrder, 'side' | 'limit' | 'size'>,
): boolean {
  const { instrument } = pair;
  const coin = side === 'sell' ? instrument.base : instrument.coin;
  const hold = { kind: 'pair', coin, amount: pair.wallets[coin]!.free, size } as const;
  const turn = { number: books.accepted++, place: books.places++ };
  const order = madeOrder({
    ...turn,
    user: pair.user,
    instrument,
    side,
    limit,
    size,
    forced: true,
    loanType: 'autoRepay',
    hold,
  });
  pair.wallets[coin]!.free -= order.hold.amount;
  pair.wallets[coin]!.locked += order.hold.amount;
  pair.loans.push({ hold: order.hold, coin, left: 0n });
  books.orders.push(order);
  match(books, order);
  books.report.happened.push(
    order.filled > 0n ? `pair traded by a ${side}` : 'pair found no counterparty',
  );
  return order.filled > 0n;
}

/** Sells to the fund at 5 % from the index as much as repays; the fund pays all of the debt. */
function giveToFund(books: NaiveBooks, pair: NaivePair, coin: string): void {
  const { base, quote, wallets } = pair;
  const index = pairIndex(books, pair.instrument);
  const owed = owedBy(pair, coin);
  const other = coin === quote ? base : quote;
  const wanted =
    coin === quote
      ? ceiling(owed * UNIT * TWENTIETH, index * (TWENTIETH - 1n))
      : ceiling(owed * index * (TWENTIETH + 1n), UNIT * TWENTIETH);
  const given = min(wanted, wallets[other]!.free);
  books.report.happened.push(
    given < wanted ? 'pair worth less than its debt' : 'pair ended by the fund',
  );
  wallets[other]!.free -= given;
  houseGains(books, other, given);
  houseGains(books, coin, -owed);
  wallets[coin]!.free += owed;
  houseOf(books, coin).interest += repayLoans(pair, coin, owed);
}
