/**
 * What follows from the state and is kept beside it for speed: books, sums and ready numbers. Never
 * in a snapshot; rebuilt from the state alone.
 */

import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { OrderBook } from '../book/order-book.ts';
import type { TrackedIndex } from './tracked-index.ts';
import type { InstrumentSpec } from './instrument-spec.ts';
import type { Rankings } from './rankings.ts';
import type { SubAccounts } from '../state/account.ts';
import type { ChargingLeft } from '../state/charges.ts';
import type { PairsAtRisk } from '../state/pair.ts';
import type { State } from '../state/state.ts';
import type { WorkPortions } from './work-portions.ts';
import type { AccountContexts } from './account-context.ts';
import type { ClientOids } from './client-oids.ts';
import type { MarginHeadroom } from './margin-headroom.ts';
import type { MarketContext, MarketContexts } from './market-context.ts';
import type { RiskIndex } from './risk-index.ts';
import type { SafePairs } from './safe-pairs.ts';
import type { TriggerIndex } from './trigger-index.ts';

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
