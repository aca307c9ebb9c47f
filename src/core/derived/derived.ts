/**
 * What follows from the state and is kept beside it for speed: books, sums and ready numbers. Never
 * in a snapshot; rebuilt from the state alone.
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

/** What commands and timers are executed on. */
export interface CoreState {
  readonly state: State;
  /** What follows from the state: books and ready numbers. */
  readonly derived: Derived;
}

/** What there is to look at. */
export interface Moment extends CoreState {
  readonly at: Timestamp;
}

interface DerivedState {
  readonly state: State;
  readonly derived: Derived;
}

export interface Derived {
  readonly spec: Map<string, InstrumentSpec>;
  /** The same with all that an order looks at. */
  readonly marketContexts: MarketContexts;
  readonly books: Map<string, OrderBook>;
  /** Orders that wait for their symbol to resume, oldest first, by book. */
  readonly waiting: Map<string, Set<Id>>;
  /** Accounts with all that an order looks at, their open orders in futures among it. */
  readonly accountContexts: AccountContexts;
  /** What accounts surely have to spare. */
  readonly headroom: MarginHeadroom;
  /** Whom a price may liquidate. */
  readonly risk: RiskIndex;
  /** Whom a position is closed against that nobody wants, while liquidation lasts. */
  readonly rankings: Rankings;
  /** Client ids of the last hours, by user and name. */
  readonly clientOids: ClientOids;
  readonly subAccounts: SubAccounts;
  /** Isolated pairs to look at before the command ends. */
  readonly pairsAtRisk: PairsAtRisk;
  readonly safePairs: SafePairs;
  /** Open tracked orders by holder, and by the price that ends them. */
  readonly tracked: TrackedIndex;
  /** Triggers by the price that reaches them. */
  readonly triggers: TriggerIndex;
  readonly charging: ChargingLeft;
  readonly portions: WorkPortions;
  /** Counts the assets of an account for its level before its money or a debt changes (AGT-33). */
  readonly beforeMoneyMoves: (core: DerivedState, uid: Uid) => void;
  /**
   * Orders that have ended and whose ways out are not armed yet: none once everything has followed
   * from what happened.
   */
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
  // A sentence with a name in it is put together only when it is needed.
  if (spec === undefined) invariant(false, `${key} is listed`);
  return spec;
}

export function marketOf(derived: Derived, key: string): MarketContext {
  const market = derived.marketContexts.at(key);
  if (market === undefined) invariant(false, `${key} is listed`);
  return market;
}

/** Undefined for a uid that nobody has. */
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
  invariant(context !== undefined, 'whoever trades has an account');
  return context;
}

/** The place of an order of futures, or of a position: its holder's, in its instrument. */
export function symbolAccountOf(
  core: CoreState,
  { uid, key }: { readonly uid: Uid; readonly key: string },
): SymbolAccount {
  const market = core.derived.marketContexts.at(key);
  invariant(market !== undefined, 'what is traded is listed');
  return accountOf(core, uid).openSymbolAccount(core.state, market);
}

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

export function hasIsolated(state: State, uid: Uid): boolean {
  const positions = state.positions.get(uid);
  if (positions === undefined) return false;
  for (const { marginMode } of positions.values()) if (isIsolated(marginMode)) return true;
  return false;
}
