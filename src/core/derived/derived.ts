/**
 * Data derived from the state and cached for speed: books, sums and parsed numbers. It is in no
 * snapshot; it is rebuilt from the state.
 */

import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isIsolated } from '../../messages/vocabulary.ts';
import type { WithdrawalRow } from '../../messages/withdrawals.ts';
import type { OrderBook } from '../book/order-book.ts';
import type { SubAccounts } from '../state/account.ts';
import type { ChargingLeft } from '../state/charges.ts';
import type { PairsAtRisk } from '../state/pair.ts';
import type { State, Wallet } from '../state/state.ts';
import type { Withdrawal } from '../state/withdrawal.ts';
import { AccountContext, type AccountContexts, type SymbolAccount } from './account-context.ts';
import type { ClientOids } from './client-oids.ts';
import type { InstrumentSpec } from './instrument-spec.ts';
import type { MarginHeadroom } from './margin-headroom.ts';
import type { MarketContext, MarketContexts } from './market-context.ts';
import type { Rankings, RiskIndex } from './risk-index.ts';
import type { SafePairs } from './safe-pairs.ts';
import type { TrackedIndex } from './tracked-index.ts';
import type { TriggerIndex } from './trigger-index.ts';
import type { WorkPortions } from './work-portions.ts';

/** Commands and timers run on it. */
export interface CoreState {
  readonly state: State;
  readonly derived: Derived;
}

/** The core state at an exchange time. */
export interface Moment extends CoreState {
  readonly at: Timestamp;
}

interface DerivedState {
  readonly state: State;
  readonly derived: Derived;
}

export interface Derived {
  readonly spec: Map<string, InstrumentSpec>;
  readonly marketContexts: MarketContexts;
  readonly books: Map<string, OrderBook>;
  /** Orders that wait for their symbol to resume, oldest first, by book. */
  readonly waiting: Map<string, Set<Id>>;
  readonly accountContexts: AccountContexts;
  /** Lower bounds of the free margin of accounts. */
  readonly headroom: MarginHeadroom;
  /** Accounts by the prices that may liquidate them. */
  readonly risk: RiskIndex;
  /** Positions in the order of auto-deleveraging, cached during a liquidation. */
  readonly rankings: Rankings;
  readonly clientOids: ClientOids;
  readonly subAccounts: SubAccounts;
  /** Isolated pairs to examine before the command ends. */
  readonly pairsAtRisk: PairsAtRisk;
  readonly safePairs: SafePairs;
  /** Open tracked orders by account, and by the price that ends them. */
  readonly tracked: TrackedIndex;
  /** Triggers by the price that reaches them. */
  readonly triggers: TriggerIndex;
  readonly charging: ChargingLeft;
  readonly portions: WorkPortions;
  /** Records the assets of an account for its level before its money or a debt changes (AGT-33). */
  readonly beforeMoneyMoves: (core: DerivedState, uid: Uid) => void;
  /** Ended orders whose attached take-profit and stop-loss are not armed; empty after reactions. */
  readonly endedWithTpsl: Set<Id>;
}

export function bookOf(derived: Derived, spec: InstrumentSpec): OrderBook {
  const book = derived.books.get(spec.bookKey);
  invariant(book !== undefined, 'a listed instrument has a book');
  return book;
}

export function waitingIn(derived: Derived, bookKey: string): Set<Id> {
  const waiting = derived.waiting.get(bookKey);
  invariant(waiting !== undefined, 'a listed instrument has a queue');
  return waiting;
}

export function specOf(derived: Derived, key: string): InstrumentSpec {
  const spec = derived.spec.get(key);
  // Not `invariant(spec !== undefined, …)`, which would build the text on every call.
  if (spec === undefined) invariant(false, `${key} is listed`);
  return spec;
}

export function marketOf(derived: Derived, key: string): MarketContext {
  const market = derived.marketContexts.at(key);
  if (market === undefined) invariant(false, `${key} is listed`);
  return market;
}

/** Undefined if no account has the uid. */
export function findAccountContext(
  { state, derived }: CoreState,
  uid: Uid,
): AccountContext | undefined {
  const known = derived.accountContexts.get(uid);
  if (known !== undefined) return known;
  const account = state.accounts.get(uid);
  if (account === undefined) return undefined;
  const context = new AccountContext(state, uid, account);
  derived.accountContexts.set(uid, context);
  return context;
}

export function accountOf(core: CoreState, uid: Uid): AccountContext {
  const context = findAccountContext(core, uid);
  invariant(context !== undefined, 'a trading user has an account');
  return context;
}

/** The symbol account of a futures order or of a position. */
export function symbolAccountOf(
  core: CoreState,
  { uid, key }: { readonly uid: Uid; readonly key: string },
): SymbolAccount {
  const market = core.derived.marketContexts.at(key);
  invariant(market !== undefined, 'a traded instrument is listed');
  return accountOf(core, uid).openSymbolAccount(core.state, market);
}

/** Withdrawals that have not ended. */
export const LIVE_WITHDRAWALS_MAX = 1_000_000;

/**
 * Client ids of withdrawals never expire, so that a late repeat does not pay twice. A Map holds at
 * most sixteen million entries.
 */
export const WITHDRAWALS_MAX = 10_000_000;

/** The total cost of a withdrawal: the amount sent and the fee. */
export const holdOf = ({ sent, fee }: WithdrawalRow): Amount => plus(sent, fee);

/** True once the withdrawal is released. From then on the house must hold its coins. */
export const isOutgoing = ({ progress }: Withdrawal): boolean => progress.stage !== 'approval';

const heldForWithdrawals = ({ withdrawals }: State, uid: Uid, coin: string): Amount =>
  withdrawals.held.get(uid)?.get(coin) ?? ZERO_AMOUNT;

/** The part of a locked balance that still covers positions and loans; withdrawals do not. */
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

/** Stores no zero sums. */
export function changeSum(sums: Map<string, Amount>, coin: string, by: Amount): void {
  const sum = plus(sums.get(coin) ?? ZERO_AMOUNT, by);
  if (sum === 0n) sums.delete(coin);
  else sums.set(coin, sum);
}

export function hasIsolated(state: State, uid: Uid): boolean {
  const positions = state.positions.get(uid);
  if (positions === undefined) return false;
  for (const { marginMode } of positions.values()) if (isIsolated(marginMode)) return true;
  return false;
}
