/** Records of isolated margin: wallets, debts and movements of one pair. */

import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { IsolatedAccount } from '../../messages/vocabulary.ts';
import type { Debt } from './debt.ts';

/** By coin; a coin of which nothing is owed is not there. */
export type PairDebts = Map<string, Debt>;

/** One pair of one user. */
export interface PairName {
  readonly uid: Uid;
  readonly symbol: string;
}

/** What a pair has of one coin: free, and held by its orders. */
export type PairWallet = Record<IsolatedAccount, Amount>;

/** By coin. */
export type PairWallets = Map<string, PairWallet>;

/** In the order they were marked; empty between commands. */
export type PairsAtRisk = Map<string, PairName>;

/** A movement on money that is set apart for one pair. */
export interface PairMovement {
  readonly uid: Uid;
  readonly coin: string;
  readonly account: IsolatedAccount;
  readonly symbol: string;
  readonly amount: Amount;
}
