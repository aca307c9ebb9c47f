/**
 * Money on its way out: what is kept of each withdrawal until it ends, and what is remembered for
 * ever.
 */
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import { type Amount, ZERO_AMOUNT, minus, plus } from '../../kernel/money.ts';
import type { Withdrawal } from '../state/withdrawal.ts';
import type { State, Wallet } from '../state/state.ts';
import type { Uid } from '../../kernel/ids.ts';

/** Withdrawals that have not ended; a desk that is this far behind takes no more. */
export const LIVE_WITHDRAWALS_MAX = 1_000_000;

/**
 * A client id is remembered for ever, so that a late repeat never pays twice; a Map holds sixteen
 * million at most.
 */
export const WITHDRAWALS_MAX = 10_000_000;

/** What it costs its owner: what is sent and the fee, whichever of them the size names. */
export const holdOf = ({ sent, fee }: WithdrawalRow): Amount => plus(sent, fee);

/** Whether somebody has let it out: from then on the house must have it. */
export const isOutgoing = ({ progress }: Withdrawal): boolean => progress.stage !== 'approval';

const heldForWithdrawals = ({ withdrawals }: State, uid: Uid, coin: string): Amount =>
  withdrawals.held.get(uid)?.get(coin) ?? ZERO_AMOUNT;

/** What of a wallet still stands behind positions and loans: money on its way out does not. */
export const lockedByOrders = (
  state: State,
  uid: Uid,
  coin: string,
  { locked }: Readonly<Wallet>,
): Amount =>
  locked === 0n || state.withdrawals.held.size === 0
    ? locked
    : minus(locked, heldForWithdrawals(state, uid, coin));

export function changeHeld(
  { withdrawals: { held } }: State,
  uid: Uid,
  coin: string,
  by: Amount,
): void {
  const own = held.get(uid) ?? new Map<string, Amount>();
  changeSum(own, coin, by);
  if (own.size === 0) held.delete(uid);
  else held.set(uid, own);
}

/** A sum of nothing is not kept. */
export function changeSum(sums: Map<string, Amount>, coin: string, by: Amount): void {
  const sum = plus(sums.get(coin) ?? ZERO_AMOUNT, by);
  if (sum === 0n) sums.delete(coin);
  else sums.set(coin, sum);
}
