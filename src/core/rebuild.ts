/** Builds all derived data from the state. */

import type { Id } from '../kernel/ids.ts';
import type { Instrument } from '../messages/listings.ts';
import { addSubAccount } from './accounts/sub-accounts.ts';
import { FastOrderBook } from './book/fast-order-book.ts';
import { noAccountContexts } from './derived/account-context.ts';
import { ClientOids } from './derived/client-oids.ts';
import { bookOf, type Derived, marketOf, specOf, waitingIn } from './derived/derived.ts';
import { specFrom } from './derived/instrument-spec.ts';
import { MarginHeadroom } from './derived/margin-headroom.ts';
import { MarketContext, MarketContexts } from './derived/market-context.ts';
import { Rankings, RiskIndex } from './derived/risk-index.ts';
import { SafePairs } from './derived/safe-pairs.ts';
import { rebuildTracked, TrackedIndex } from './derived/tracked-index.ts';
import { TriggerIndex } from './derived/trigger-index.ts';
import { WORK_PORTIONS, type WorkPortions } from './derived/work-portions.ts';
import { keepAssets } from './levels/fee-levels.ts';
import type { Position } from './state/position.ts';
import type { State } from './state/state.ts';
import { addOpenOrder } from './trading/orders/open-orders.ts';
import type { Reaction } from './transaction/step.ts';

export interface EngineOptions {
  /** A secret of up to 53 bits. It never changes a decision of the engine (ORD-105). */
  readonly salt?: number;
  readonly portions?: WorkPortions;
}

/** The default, for tests. A server draws a random salt. */
const NO_SALT = 0;

/** Derived data of an empty state. */
export const emptyDerived = (
  state: Pick<State, 'clientOids'>,
  { salt = NO_SALT, portions = WORK_PORTIONS }: EngineOptions = {},
): Derived => ({
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
  beforeMoneyMoves: keepAssets,
  endedWithTpsl: new Set(),
});

/** Adds a market context for a new listing, or updates the known one, which keeps its book. */
function openMarketContext(state: State, derived: Derived, instrument: Instrument): void {
  const spec = specFrom(instrument);
  const listed = state.instruments.get(spec.key)!;
  derived.spec.set(spec.key, spec);
  const known = derived.marketContexts.at(spec.key);
  if (known !== undefined) return known.relist(spec, listed);
  const book = derived.books.get(spec.bookKey) ?? new FastOrderBook();
  const waiting = derived.waiting.get(spec.bookKey) ?? new Set<Id>();
  derived.books.set(spec.bookKey, book);
  derived.waiting.set(spec.bookKey, waiting);
  derived.marketContexts.add(
    new MarketContext(derived.marketContexts.size, spec, listed, book, waiting),
  );
}

const positionsByAge = ({ positions }: State): Position[] =>
  [...positions.values()]
    .flatMap((own) => [...own.values()])
    .sort((one, other) => one.id - other.id);

/** Orders rest by priority, to restore time priority; sums and queues follow their arrival. */
export function rebuildDerived(state: State, options: EngineOptions = {}): Derived {
  const derived = emptyDerived(state, options);
  for (const { instrument } of state.instruments.values())
    openMarketContext(state, derived, instrument);
  for (const { profile } of state.accounts.values()) addSubAccount(derived.subAccounts, profile);
  for (const position of positionsByAge(state)) marketOf(derived, position.key).held.add(position);
  const orders = [...state.orders.values()];
  for (const order of orders) {
    addOpenOrder({ state, derived }, order);
    if (order.waiting) waitingIn(derived, specOf(derived, order.key).bookKey).add(order.id);
  }
  for (const order of orders
    .filter(({ waiting }) => !waiting)
    .sort((left, right) => left.priority - right.priority))
    bookOf(derived, specOf(derived, order.key)).rest(
      order.id,
      order.side,
      order.limit,
      order.left,
      order.owner,
    );
  rebuildTracked(state.copy, derived.tracked, (key) => specOf(derived, key).instrument.marginCoin);
  for (const trigger of state.triggers.values())
    if (!state.reachedTriggers.has(trigger.id)) derived.triggers.arm(trigger);
  // The examination of a marked account computes its thresholds, and does not change a safe one.
  for (const uid of state.positions.keys()) derived.risk.mark(uid);
  for (const uid of state.debts.keys()) derived.risk.mark(uid);
  return derived;
}

export const openBook: Reaction<'instrumentListed'> = ({ state, derived }, { instrument }) =>
  openMarketContext(state, derived, instrument);
