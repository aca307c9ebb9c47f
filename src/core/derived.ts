/** What follows from the state and is kept beside it for speed: books, sums and ready numbers. Never in a snapshot; rebuilt from the state alone. */
import type { Id } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Instrument } from '../messages/listings.ts';
import { type AccountContexts, noAccountContexts } from './accounts/account-context.ts';
import { addSubAccount, type SubAccounts } from './accounts/sub-accounts.ts';
import { FastOrderBook } from './book/fast-order-book.ts';
import type { OrderBook } from './book/order-book.ts';
import type { ChargingLeft } from './charges/pending-charges.ts';
import { rebuildTracked, TrackedIndex } from './copy/tracked-index.ts';
import { type InstrumentSpec, specFrom } from './instruments/instrument-spec.ts';
import { MarketContext, MarketContexts } from './instruments/market-context.ts';
import { SafePairs } from './isolated/safe-pairs.ts';
import type { PairsAtRisk } from './isolated/watch-pairs.ts';
import { Rankings } from './liquidation/rankings.ts';
import { RiskIndex } from './liquidation/risk-index.ts';
import { MarginHeadroom } from './margin/margin-headroom.ts';
import { ClientOids } from './orders/client-oids.ts';
import { addOpenOrder } from './orders/open-orders.ts';
import type { Position } from './positions/position.ts';
import { WORK_PORTIONS, type WorkPortions } from './work-portions.ts';
import type { State } from './state.ts';
import { TriggerIndex } from './triggers/trigger-index.ts';

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
  /** Orders that have ended and whose ways out are not armed yet: none once everything has followed from what happened. */
  readonly endedWithTpsl: Set<Id>;
}

export interface EngineOptions {
  /** A number of up to 53 bits that users do not know; whatever it is, the engine decides the same (ORD-105). */
  readonly salt?: number;
  readonly portions?: WorkPortions;
}

/** For whoever has nobody to fear; a program that serves users draws one. */
const NO_SALT = 0;

/** Of a state that nothing has happened to. */
export const emptyDerived = (state: Pick<State, 'clientOids'>, { salt = NO_SALT, portions = WORK_PORTIONS }: EngineOptions = {}): Derived => ({
  spec: new Map(),
  marketContexts: new MarketContexts(),
  books: new Map(),
  waiting: new Map(),
  accountContexts: noAccountContexts(),
  headroom: new MarginHeadroom(),
  risk: new RiskIndex(),
  rankings: new Rankings(),
  clientOids: new ClientOids(state, salt),
  subAccounts: new Map(),
  pairsAtRisk: new Map(),
  safePairs: new SafePairs(),
  tracked: new TrackedIndex(),
  triggers: new TriggerIndex(),
  charging: { count: portions.pendingCharges },
  portions,
  endedWithTpsl: new Set(),
});

/** Opens what is listed for trading; what is listed anew keeps its book. */
export function openMarketContext(state: State, derived: Derived, instrument: Instrument): void {
  const spec = specFrom(instrument);
  const listed = state.instruments.get(spec.key)!;
  derived.spec.set(spec.key, spec);
  const known = derived.marketContexts.at(spec.key);
  if (known !== undefined) return known.listAnew(spec, listed);
  const book = derived.books.get(spec.bookKey) ?? new FastOrderBook();
  const waiting = derived.waiting.get(spec.bookKey) ?? new Set<Id>();
  derived.books.set(spec.bookKey, book);
  derived.waiting.set(spec.bookKey, waiting);
  derived.marketContexts.add(new MarketContext(derived.marketContexts.size, spec, listed, book, waiting));
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

const positionsByAge = ({ positions }: State): Position[] =>
  [...positions.values()].flatMap((own) => [...own.values()]).sort((one, other) => one.id - other.id);

/** Orders rest in the order of their priority, so that time priority is what it was; sums and queues follow the order they came in. */
export function rebuildDerived(state: State, options: EngineOptions = {}): Derived {
  const derived = emptyDerived(state, options);
  for (const { instrument } of state.instruments.values()) openMarketContext(state, derived, instrument);
  for (const { profile } of state.accounts.values()) addSubAccount(derived.subAccounts, profile);
  for (const position of positionsByAge(state)) marketOf(derived, position.key).held.add(position);
  const orders = [...state.orders.values()];
  for (const order of orders) {
    addOpenOrder({ state, derived }, order);
    if (order.waiting) waitingIn(derived, specOf(derived, order.key).bookKey).add(order.id);
  }
  for (const order of orders.filter(({ waiting }) => !waiting).sort((left, right) => left.priority - right.priority))
    bookOf(derived, specOf(derived, order.key)).rest(order.id, order.side, order.limit, order.left, order.owner);
  rebuildTracked(state.copy, derived.tracked, (key) => specOf(derived, key).instrument.marginCoin);
  for (const trigger of state.triggers.values()) if (!state.reachedTriggers.has(trigger.id)) derived.triggers.arm(trigger);
  // Thresholds follow from looking, and looking at whoever is safe changes nothing.
  for (const uid of state.positions.keys()) derived.risk.mark(uid);
  for (const uid of state.debts.keys()) derived.risk.mark(uid);
  return derived;
}
