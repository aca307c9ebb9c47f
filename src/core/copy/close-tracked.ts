/** Closes tracked orders at market, for their account, for their leader, or at a price reached. */
import { entryPrice } from '../../formulas/entry.ts';
import type { Id } from '../../kernel/ids.ts';
import { MINUTE } from '../../kernel/time.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { TrackedOrderCloser } from '../../messages/copy-trading.ts';
import { matchesOrders, otherSide, type SelfTradeMode } from '../../messages/vocabulary.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { worstCopyPrice } from '../derived/copy-price-limit.ts';
import type { Moment } from '../derived/derived.ts';
import { accountOf, bookOf, specOf } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { markOf, positionOf } from '../derived/position.ts';
import { closesWithLeader, priceLimitKey } from '../derived/stuck-index.ts';
import type { TrackedOrder } from '../state/copy-state.ts';
import type { Position } from '../state/position.ts';
import { settleOwnCopies } from '../trading/charges/settle-charges.ts';
import { closingSide, sendClose } from '../trading/orders/engine-orders.ts';
import { endOrder, openOrdersOf } from '../trading/orders/open-orders.ts';
import { bandTick, tickNoWorse } from '../trading/risk/backing.ts';
import { accept, type Handler, reject, type Step } from '../transaction/step.ts';

/**
 * A close that its account could not pay for is not retried sooner (CPY-174): each attempt leaves
 * an order in the lists.
 */
const RETRY_MS_MIN = MINUTE;

const isTraded = ({ state }: Moment, { key }: InstrumentSpec): boolean =>
  matchesOrders(state.instruments.get(key)?.status) &&
  state.symbolPrices.get(key)?.mark !== undefined;

/**
 * Own orders do not stop a close (CPY-65). Unless the mode is `none`, those that the close meets on
 * its way to other orders are cancelled, whichever mode is set.
 */
const closingMode = (mode: SelfTradeMode): SelfTradeMode =>
  mode === 'none' ? 'none' : 'cancelMaker';

/**
 * A close that mirrors a leader's goes as far as a copy (CPY-68); any other as far as a market
 * order.
 */
function worstTick(
  { state }: Moment,
  position: Position,
  spec: InstrumentSpec,
  order: TrackedOrder,
  byAccount: boolean,
): Tick {
  const band = bandTick(state, spec, position);
  if (!closesWithLeader(order, byAccount)) return band;
  const mark = markOf(state, spec);
  // An original stays until its copies are closed. If it was taken over, it has no closing price.
  const { closed } = state.copy.tracked.get(order.originalId)!;
  const worst = worstCopyPrice(
    closingSide(position),
    mark,
    closed.size === 0n ? mark : entryPrice(closed),
  );
  const tick = tickNoWorse(spec, position, worst);
  return (position.side === 'long' ? Math.max(band, tick) : Math.min(band, tick)) as Tick;
}

/** The best price within the band of an order with which a close can trade now. */
function takerTick(step: Moment, position: Position, spec: InstrumentSpec): Tick | undefined {
  const { state, derived } = step;
  const { profile, selfTradeMode } = accountOf(step, position.uid).account;
  const own = profile.parentUid ?? profile.uid;
  let found: Tick | undefined;
  bookOf(derived, spec).look(
    closingSide(position),
    bandTick(state, spec, position),
    (_id, owner, tick) => {
      if (owner !== own || selfTradeMode === 'none') found = tick;
      return found === undefined;
    },
  );
  return found;
}

const isNoWorse = ({ side }: Position, tick: Tick | undefined, worst: Tick): boolean =>
  tick !== undefined && (side === 'long' ? tick >= worst : tick <= worst);

/** The worst price that a close may take; undefined if the book has no order that near. */
function reachableTick(step: Moment, order: TrackedOrder, byAccount: boolean): Tick | undefined {
  const { uid, key, side } = order;
  const spec = specOf(step.derived, key);
  if (!isTraded(step, spec)) return undefined;
  // Tracked orders never exceed their position (CPY-57).
  const position = positionOf(step.state, uid, key, side)!;
  const worst = worstTick(step, position, spec, order, byAccount);
  return isNoWorse(
    position,
    bookOf(step.derived, spec).best(otherSide(closingSide(position))),
    worst,
  )
    ? worst
    : undefined;
}

/**
 * The tracked orders that can trade now. The book is read once for each position, because an
 * account may have hundreds of them without a counterparty. If no order is near enough for a group
 * of copies, none of their accounts is examined (CPY-69).
 */
function withCounterparty(
  step: Moment,
  orders: readonly TrackedOrder[],
  byAccount: boolean,
): TrackedOrder[] {
  const best = new Map<Position, Tick | undefined>();
  const worstTicks = new Map<string, Tick | undefined>();
  return orders.filter((order) => {
    const name = priceLimitKey(order, byAccount);
    if (!worstTicks.has(name)) worstTicks.set(name, reachableTick(step, order, byAccount));
    const worst = worstTicks.get(name);
    if (worst === undefined) return false;
    const position = positionOf(step.state, order.uid, order.key, order.side)!;
    if (!best.has(position))
      best.set(position, takerTick(step, position, specOf(step.derived, order.key)));
    return isNoWorse(position, best.get(position), worst);
  });
}

/**
 * The waiting closes of an instrument that can trade now. One of each group that goes equally far
 * is checked first (CPY-69).
 */
export function tradableStuck(step: Moment, key: string): readonly Id[] {
  const { tracked } = step.state.copy;
  const { stuck } = step.derived.tracked;
  const near = stuck.groups(key).filter((ids) => {
    const [first] = ids;
    return reachableTick(step, tracked.get(first!)!, false) !== undefined;
  });
  const orders = stuck.oldestFirst(near).map((id) => tracked.get(id)!);
  return withCounterparty(step, orders, false).map(({ id }) => id);
}

/** Cancels resting closes, the oldest first, until the lots are free (CPY-46). */
function freeLots(step: Step, position: Position, lots: Lots): void {
  for (const order of [...(openOrdersOf(step.derived, position.uid, position.key)?.all ?? [])]) {
    if (position.locked <= position.lots - lots) return;
    if (order.intent === 'close' && order.positionSide === position.side)
      endOrder(step, order, 'reduceOnlyReplaced');
  }
}

/** Places one order that closes a part of a tracked order; undefined without a counterparty. */
function placeCloseFor(step: Step, order: TrackedOrder, lots: Lots, own: boolean): Id | undefined {
  const { state, derived } = step;
  const position = positionOf(state, order.uid, order.key, order.side);
  const spec = specOf(derived, order.key);
  if (position === undefined || !isTraded(step, spec)) return undefined;
  const limit = worstTick(step, position, spec, order, own);
  if (!isNoWorse(position, takerTick(step, position, spec), limit)) return undefined;
  freeLots(step, position, lots);
  const selfTradeMode = closingMode(accountOf(step, order.uid).account.selfTradeMode);
  const { id } = sendClose(step, position, spec, {
    lots,
    limit,
    executionKind: 'normal',
    selfTradeMode,
  });
  state.copy.closings.set(id, { trackingId: order.id, own });
  step.endPart();
  return id;
}

/** Closes a tracked order down to `target` lots; without a counterparty it waits (CPY-172). */
export function bringDownTo(
  step: Step,
  order: TrackedOrder,
  target: Lots,
  closing: TrackedOrderCloser,
): void {
  if (order.target === undefined || target < order.target) setTarget(step, order, target, closing);
  tryToClose(step, order);
}

/** Sets the lots to keep. If that is none, take-profit and stop-loss no longer apply. */
export function setTarget(
  { derived }: Step,
  order: TrackedOrder,
  target: Lots,
  closing: TrackedOrderCloser,
): void {
  if (target === 0) derived.tracked.unwatch(order);
  order.target = target;
  order.closing = closing;
  derived.tracked.stuck.renew(order);
}

export function tryToClose(step: Step, order: TrackedOrder): void {
  const { state, derived, at } = step;
  if (order.target === undefined) return;
  if (order.triedAt === undefined || at - order.triedAt >= RETRY_MS_MIN) {
    const before = order.lots;
    const sent = placeCloseFor(step, order, (order.lots - order.target) as Lots, false);
    if (sent !== undefined && order.lots === before) order.triedAt = at;
  }
  // The fills reached the target, which removed it.
  if (order.target === undefined) return;
  const { stuck } = state.copy;
  stuck.set(order.key, (stuck.get(order.key) ?? new Set<Id>()).add(order.id));
  derived.tracked.stuck.put(order);
}

type CloseRequest = CommandOf<'closeTrackedOrders'>;

function matches(
  step: Moment,
  order: TrackedOrder,
  { role, category, trackingId, symbol, side, marginMode, marginCoin }: CloseRequest,
): boolean {
  const { instrument } = specOf(step.derived, order.key);
  return (
    (order.kind === 'original') === (role === 'leader') &&
    instrument.category === category &&
    (trackingId === undefined || order.id === trackingId) &&
    (symbol === undefined || instrument.symbol === symbol) &&
    (side === undefined || order.side === side) &&
    (marginMode === undefined || order.marginMode === marginMode) &&
    (marginCoin === undefined || instrument.marginCoin === marginCoin)
  );
}

export const closeTrackedOrders: Handler<'closeTrackedOrders'> = (step, command) => {
  const { state, derived } = step;
  const { uid, role, category, symbol, trackingId } = command;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (role === 'leader' && !state.copy.leaders.has(uid)) return reject('notLeader');
  if (symbol !== undefined && !derived.spec.has(instrumentKey(category, symbol)))
    return reject('unknownSymbol', 'symbol', symbol);
  const orders = [...derived.tracked.of(uid)]
    .map((id) => state.copy.tracked.get(id)!)
    .filter((order) => matches(step, order, command));
  if (orders.length === 0)
    return trackingId === undefined
      ? reject('nothingToClose')
      : reject('unknownTrackedOrder', 'trackingId');
  const tradable = orders.filter((order) => isTraded(step, specOf(derived, order.key)));
  if (tradable.length === 0) return reject('symbolClosed', 'symbol', symbol);
  if (withCounterparty(step, tradable, true).length === 0) return reject('noLiquidity');

  const sent: { trackingId: Id; orderId: Id; symbol: string }[] = [];
  for (const order of tradable.sort((one, other) => one.id - other.id)) {
    // The profit of the close before is shared before this one can lose it (CPY-160).
    settleOwnCopies(step, uid);
    const orderId = order.lots > 0 ? placeCloseFor(step, order, order.lots, true) : undefined;
    if (orderId !== undefined)
      sent.push({
        trackingId: order.id,
        orderId,
        symbol: specOf(derived, order.key).instrument.symbol,
      });
  }
  return accept(sent);
};
