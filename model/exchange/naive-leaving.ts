/**
 * Money that may leave an account (POS-37, WDR-22): all free money of an account without crossed
 * margin in use.
 */

import {
  type DeskCoin,
  type DeskOrder,
  type DeskUser,
  isLive,
  walletOf,
} from './naive-desk-state.ts';
import type { NaiveBooks } from './naive-money.ts';
import { ceiling, floor, UNIT } from './whole-units.ts';

/** A crossed position. */
export interface CrossedPosition {
  /** Coin of margin and profit. */
  readonly coin: string;
  /** An inverse contract: value in dollars, paid in the coin. */
  readonly inverse: boolean;
  readonly long: boolean;
  readonly leverage: bigint;
  readonly size: bigint;
  /** At 10^-20. */
  readonly cost: bigint;
  readonly mark: bigint;
  /** The mark is frozen because the index is stale. */
  readonly isFrozen: boolean;
  readonly tiers: readonly { readonly from: bigint; readonly to: bigint; readonly rate: bigint }[];
}

export interface Account {
  readonly user: DeskUser;
  readonly orders: readonly DeskOrder[];
  readonly coins: Readonly<Record<string, DeskCoin>>;
  readonly indexes: Readonly<NaiveBooks['indexes']>;
  readonly positions: readonly CrossedPosition[];
  /** Coins with a stale index. */
  readonly stale: readonly string[];
  /** Crossed margin of open orders, by coin. */
  readonly margins: Readonly<Record<string, bigint>>;
  readonly takerFee: bigint;
}

const LOAN_LEVERAGE = 3n;
const LOAN_MAINTENANCE = 20n;

const indexOf = ({ indexes }: Account, coin: string): bigint =>
  coin === 'USDT' || coin === 'USDC' ? UNIT : (indexes[coin] ?? 0n);
const dollars = (account: Account, coin: string, amount: bigint): bigint =>
  ceiling(amount * indexOf(account, coin), UNIT);

/** Money on hold for withdrawals is no collateral. */
const heldBack = ({ orders, user }: Account, coin: string): bigint =>
  orders
    .filter((order) => order.uid === user.uid && order.coin === coin && isLive(order))
    .reduce((sum, { held }) => sum + held, 0n);

/** Value in dollars; an inverse contract keeps its entry value. */
const dollarsOf = ({ inverse, size, cost, mark }: CrossedPosition): bigint =>
  ceiling(inverse ? cost : size * mark, UNIT);
/** A dollar value, at 10^-20, in the margin coin of a position. */
const perCoin = ({ inverse, mark }: CrossedPosition): bigint => (inverse ? mark : UNIT);

function profitOf(position: CrossedPosition): bigint {
  const { long, size, cost, mark } = position;
  return floor(long ? size * mark - cost : cost - size * mark, perCoin(position));
}

/** `without`: coins that do not count as collateral. */
function equity(
  account: Account,
  less: Readonly<Record<string, bigint>>,
  withLocked: boolean,
  without: readonly string[],
): bigint {
  const { user, positions, coins } = account;
  let sum = 0n;
  for (const coin of new Set([
    ...Object.keys(user.wallets),
    ...Object.keys(user.debts),
    ...positions.map((position) => position.coin),
  ])) {
    const wallet = walletOf(user, coin);
    const debt = user.debts[coin];
    let net =
      wallet.available - (less[coin] ?? 0n) - (debt === undefined ? 0n : debt.loan + debt.interest);
    if (withLocked) net += wallet.locked - heldBack(account, coin);
    for (const position of positions) if (position.coin === coin) net += profitOf(position);
    if (net > 0n && without.includes(coin)) continue;
    sum += net * indexOf(account, coin) * (net > 0n ? coins[coin]!.collateral : UNIT);
  }
  return floor(sum, UNIT * UNIT);
}

function initialMargin(account: Account): bigint {
  const { user, positions, margins } = account;
  let sum = 0n;
  for (const position of positions) {
    const value = ceiling(dollarsOf(position) * UNIT, perCoin(position));
    sum += dollars(account, position.coin, ceiling(value * UNIT, position.leverage));
  }
  for (const [coin, amount] of Object.entries(margins)) sum += dollars(account, coin, amount);
  for (const [coin, { loan }] of Object.entries(user.debts))
    sum += dollars(account, coin, ceiling(loan, LOAN_LEVERAGE));
  return sum;
}

function maintenance(account: Account): bigint {
  let sum = 0n;
  for (const position of account.positions) {
    const { tiers } = position;
    const value = dollarsOf(position);
    let requirement = 0n;
    tiers.forEach(({ from, to, rate }, at) => {
      if (value <= from) return;
      const end = at === tiers.length - 1 || value < to ? value : to;
      requirement += (end - from) * (rate + account.takerFee);
    });
    sum += dollars(account, position.coin, ceiling(requirement, perCoin(position)));
  }
  for (const [coin, { margined }] of Object.entries(account.user.debts))
    sum += dollars(account, coin, ceiling(margined, LOAN_MAINTENANCE));
  return sum;
}

export const usesMargin = ({ positions, margins, user }: Account): boolean =>
  positions.length > 0 ||
  Object.values(margins).some((amount) => amount > 0n) ||
  Object.values(user.debts).some(({ loan, interest }) => loan > 0n || interest > 0n);

export function mayLeave(account: Account, coin: string, amount: bigint): boolean {
  const { user, positions, stale } = account;
  if (walletOf(user, coin).available < amount) return false;
  if (!usesMargin(account)) return true;
  const owes = Object.keys(user.debts).filter(
    (each) => user.debts[each]!.loan > 0n || user.debts[each]!.interest > 0n,
  );
  const isCarried = owes.length > 0 || positions.length > 0;
  // Current prices are needed (WDR-51).
  if (owes.some((each) => stale.includes(each)) || positions.some(({ isFrozen }) => isFrozen))
    return false;
  const without = isCarried ? stale : [];
  const [less, required] = [{ [coin]: amount }, maintenance(account)];
  return (
    equity(account, less, false, without) - initialMargin(account) >= 0n &&
    (required === 0n || equity(account, less, true, without) > required)
  );
}

/** Found by bisection. */
export function mostThatLeaves(account: Account, coin: string): bigint {
  let [least, most] = [0n, walletOf(account.user, coin).available];
  if (mayLeave(account, coin, most)) return most;
  if (!mayLeave(account, coin, 0n)) return 0n;
  while (most - least > 1n) {
    const middle = (least + most) / 2n;
    if (mayLeave(account, coin, middle)) least = middle;
    else most = middle;
  }
  return least;
}
