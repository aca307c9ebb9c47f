/**
 * How the money that a user has set apart is divided over pairs. Only the ledger moves it, line by
 * line, so the parts always make up the whole.
 */
import type { PairMovement, PairWallet, PairWallets } from '../state/pair.ts';
import { type Amount, ZERO_AMOUNT, plus } from '../../kernel/money.ts';
import type { State } from '../state/state.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';

const NO_WALLET: Readonly<PairWallet> = Object.freeze({
  isolated: ZERO_AMOUNT,
  isolatedLocked: ZERO_AMOUNT,
});

export const pairWalletOf = (
  { isolatedPairs }: State,
  uid: Uid,
  symbol: string,
  coin: string,
): Readonly<PairWallet> => isolatedPairs.get(uid)?.get(symbol)?.get(coin) ?? NO_WALLET;

/** What a pair has of a coin beside what its orders hold. */
export const pairFree = (
  state: State,
  { uid, symbol }: Pick<PairMovement, 'uid' | 'symbol'>,
  coin: string,
): Amount => pairWalletOf(state, uid, symbol, coin).isolated;

export const pairOwned = (state: State, uid: Uid, symbol: string, coin: string): Amount => {
  const { isolated, isolatedLocked } = pairWalletOf(state, uid, symbol, coin);
  return plus(isolated, isolatedLocked);
};

/** The pair's part of a ledger line; for the ledger alone. */
export function moveInPair(
  { isolatedPairs }: State,
  { uid, symbol, coin, account, amount }: PairMovement,
): void {
  const pairs = isolatedPairs.get(uid) ?? new Map<string, PairWallets>();
  isolatedPairs.set(uid, pairs);
  const wallets = pairs.get(symbol) ?? new Map<string, PairWallet>();
  pairs.set(symbol, wallets);
  const wallet = wallets.get(coin) ?? { ...NO_WALLET };
  wallets.set(coin, wallet);
  wallet[account] = plus(wallet[account], amount);
  invariant(wallet[account] >= 0n, `${account} of ${symbol} in ${coin} never falls below zero`);
}
