/**
 * What followers will owe their leaders of what their copies have earned so far, by coin. A share
 * is paid once, when its copy has ended (CPY-29); until then its holder keeps it ready, or he would
 * close all of the copy but a step and give away what it brought (CPY-71).
 */
import { type Amount, ZERO_AMOUNT, plus } from '../../kernel/money.ts';
import type { TrackedOrder } from '../state/copy-state.ts';
import { earnedAfterFees, leaderShare } from '../../formulas/copy-trading.ts';
import type { Uid } from '../../kernel/ids.ts';
import { getOrMake } from '../../kernel/get-or-make.ts';

const NONE: ReadonlyMap<string, Amount> = new Map();

/** The share of what a copy has earned after fees; an original owes nobody. */
export const shareDue = (order: TrackedOrder): Amount =>
  order.kind === 'copy'
    ? leaderShare(earnedAfterFees(order.profit, order.openFee, order.closeFee), order.profitShare)
    : ZERO_AMOUNT;

export class SharesDue {
  readonly #byAccount = new Map<Uid, Map<string, Amount>>();

  of(uid: Uid): ReadonlyMap<string, Amount> {
    return this.#byAccount.get(uid) ?? NONE;
  }

  add(uid: Uid, coin: string, amount: Amount): void {
    if (amount === 0n) return;
    const own = getOrMake(this.#byAccount, uid, () => new Map<string, Amount>());
    const sum = plus(own.get(coin) ?? ZERO_AMOUNT, amount);
    if (sum === 0n) own.delete(coin);
    else own.set(coin, sum);
    if (own.size === 0) this.#byAccount.delete(uid);
  }

  /** Everybody's: for the audit. */
  all(): ReadonlyMap<Uid, ReadonlyMap<string, Amount>> {
    return this.#byAccount;
  }
}
