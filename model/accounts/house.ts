/** Holdings and debts of the house in each coin, summed from every ledger line. */

import type { EmittedEvents } from '../lists/recorded-run.ts';
import { decimals, eventsOf } from '../lists/row.ts';
import { coinsOf } from './pairs.ts';
import type { Question } from './question.ts';

interface Books {
  /** Balances of the house accounts. */
  readonly house: Map<string, bigint>;
  users: bigint;
}

/** For every listed coin. */
function booksOf(emitted: readonly EmittedEvents[]): ReadonlyMap<string, Books> {
  const books = new Map(
    [...coinsOf(emitted).keys()].map((coin): [string, Books] => [
      coin,
      { house: new Map(), users: 0n },
    ]),
  );
  for (const { event } of eventsOf(emitted, 'entryPosted'))
    for (const { uid, coin, account, amount } of event.lines) {
      const book = books.get(coin)!;
      if (uid === undefined) book.house.set(account, (book.house.get(account) ?? 0n) + amount);
      else book.users += amount;
    }
  return books;
}

/**
 * The operator's reserve less what was sent since (WDR-39). Money returned to users here (WDR-46)
 * never left.
 */
function reservesOf(emitted: readonly EmittedEvents[]): ReadonlyMap<string, bigint> {
  const reserves = new Map<string, bigint>();
  for (const { event, sequence } of emitted) {
    if (event.type === 'reserveSet') {
      if (event.amount === undefined) reserves.delete(event.coin);
      else reserves.set(event.coin, event.amount);
    }
    if (event.type !== 'entryPosted' || event.reason !== 'withdrawalSent') continue;
    const { coin, amount: sent } = event.lines.find(({ account }) => account === 'outside')!;
    const reserve = reserves.get(coin);
    const isBack = eventsOf(emitted, 'depositCredited').some(
      (each) => each.sequence === sequence && each.event.arrival !== undefined,
    );
    if (reserve !== undefined && !isBack) reserves.set(coin, reserve > sent ? reserve - sent : 0n);
  }
  return reserves;
}

export interface CoinFigures {
  readonly coin: string;
  readonly difference: bigint;
  readonly held: bigint;
  readonly owed: bigint;
  readonly insurance: bigint;
  readonly clearing: bigint;
}

/** WDR-40: user balances less loans of the pool. */
export function houseFigures(emitted: readonly EmittedEvents[]): readonly CoinFigures[] {
  const reserves = reservesOf(emitted);
  return [...booksOf(emitted)].map(([coin, { house, users }]) => {
    const of = (account: string): bigint => house.get(account) ?? 0n;
    return {
      coin,
      difference: [...house.values()].reduce((sum, amount) => sum + amount, users),
      held: reserves.get(coin) ?? -of('outside'),
      owed: users + of('borrowPool'),
      insurance: of('insurance'),
      clearing: of('clearing'),
    };
  });
}

export function reserveQuestion(emitted: readonly EmittedEvents[]): Question {
  const reserves = reservesOf(emitted);
  const isHalted = (coin: string): boolean =>
    eventsOf(emitted, 'withdrawalsSwitched').findLast(({ event }) => event.coin === coin)?.event
      .on === false;
  const right = [...coinsOf(emitted).keys()].map((coin) => ({
    coin,
    reserve: reserves.has(coin) ? decimals(reserves.get(coin)!) : null,
    withdrawals: isHalted(coin) ? 'off' : 'on',
  }));
  const input = new Map(
    eventsOf(emitted, 'reserveSet').map(({ event }) => [event.coin, event.amount]),
  );
  const isLowered = [...reserves].some(([coin, reserve]) => input.get(coin) !== reserve);
  return {
    name: 'listReserves',
    uid: 0,
    asked: {},
    right,
    reached: isLowered ? ['a reserve that was lowered'] : [],
  };
}
