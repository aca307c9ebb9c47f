/** Balances and debts of isolated spot margin pairs. */
import type { Uid } from '../kernel/ids.ts';
import { type Amount, plus, ZERO_AMOUNT } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { LedgerLine } from '../messages/events.ts';
import type { Listeners, View } from './view.ts';

/** One coin of a pair. */
export interface PairBalance {
  readonly available: Amount;
  readonly locked: Amount;
  readonly borrowed: Amount;
  readonly interest: Amount;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A pair that was used, with its used coins. */
export interface PairRow {
  readonly symbol: string;
  readonly coins: ReadonlyMap<string, PairBalance>;
}

export interface IsolatedPairQueries {
  /** A user's pairs in order of first use. */
  pairs(uid: Uid): readonly PairRow[];
  /** The total of a coin in a pair, including amounts held by orders. */
  holds(uid: Uid, symbol: string, coin: string): Amount;
}

type Pairs = Map<string, Map<string, PairBalance>>;

/** A zero balance of a coin. */
export const newBalance = (at: Timestamp): PairBalance => ({
  available: ZERO_AMOUNT,
  locked: ZERO_AMOUNT,
  borrowed: ZERO_AMOUNT,
  interest: ZERO_AMOUNT,
  createdAt: at,
  updatedAt: at,
});

export class IsolatedPairsView implements View<'isolatedPairs'>, IsolatedPairQueries {
  readonly name = 'isolatedPairs';
  #users = new Map<Uid, Pairs>();

  readonly on: Listeners<'isolatedPairs'> = {
    isolatedDebtChanged: ({ uid, symbol, coin, borrowed, interest }, at) =>
      this.#change(uid, symbol, coin, at, (before) => ({
        ...before,
        borrowed,
        interest,
        updatedAt: at,
      })),
    entryPosted: ({ lines }, at) => {
      for (const line of lines) this.#move(line, at);
    },
  };

  save(): unknown {
    return structuredClone(this.#users);
  }

  restore(saved: unknown): void {
    this.#users = structuredClone(saved as Map<Uid, Pairs>);
  }

  pairs(uid: Uid): readonly PairRow[] {
    return [...(this.#users.get(uid) ?? [])].map(([symbol, coins]) => ({ symbol, coins }));
  }

  holds(uid: Uid, symbol: string, coin: string): Amount {
    const balance = this.#users.get(uid)?.get(symbol)?.get(coin);
    return balance === undefined ? ZERO_AMOUNT : plus(balance.available, balance.locked);
  }

  #move({ uid, symbol, coin, account, amount }: LedgerLine, at: Timestamp): void {
    if (uid === undefined || symbol === undefined) return;
    const part = account === 'isolated' ? 'available' : 'locked';
    this.#change(uid, symbol, coin, at, (before) => ({
      ...before,
      [part]: plus(before[part], amount),
      updatedAt: at,
    }));
  }

  #change(
    uid: Uid,
    symbol: string,
    coin: string,
    at: Timestamp,
    change: (before: PairBalance) => PairBalance,
  ): void {
    const pairs: Pairs = this.#users.get(uid) ?? new Map();
    this.#users.set(uid, pairs);
    const coins = pairs.get(symbol) ?? new Map<string, PairBalance>();
    pairs.set(symbol, coins);
    coins.set(coin, change(coins.get(coin) ?? newBalance(at)));
  }
}
