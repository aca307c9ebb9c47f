/** Records of isolated margin: wallets, debts and movements of one pair. */

import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { IsolatedAccount } from '../../messages/vocabulary.ts';
import type { Debt } from './debt.ts';

/** By coin, without coins that are not owed. */
export type PairDebts = Map<string, Debt>;

/** One pair of one user. */
export interface PairName {
  readonly uid: Uid;
  readonly symbol: string;
}

/** The balances of a pair in one coin: available, and locked by orders. */
export type PairWallet = Record<IsolatedAccount, Amount>;

/** By coin. */
export type PairWallets = Map<string, PairWallet>;

/** In the order they were marked; empty between commands. */
export type PairsAtRisk = Map<string, PairName>;

/** A movement of money that belongs to one pair. */
export interface PairMovement {
  readonly uid: Uid;
  readonly coin: string;
  readonly account: IsolatedAccount;
  readonly symbol: string;
  readonly amount: Amount;
}
