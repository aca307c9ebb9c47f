/**
 * Recomputes what must hold of copy trading: followings on both sides, sums of sizes, and work that
 * is queued exactly once (CPY-57).
 */

import { copyLotsLeft } from '../../formulas/copy-trading.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { TRACKED_ORDERS_PER_ACCOUNT_MAX } from '../../messages/bounds.ts';
import { SharesDue, shareDue } from '../derived/copy-indexes.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import { sizeOf } from '../derived/instrument-spec.ts';
import { positionKey } from '../derived/position.ts';
import { priceLimitKey } from '../derived/stuck-index.ts';
import { tpslOfTracked } from '../derived/tracked-index.ts';
import {
  type Copy,
  type CopyState,
  followingOf,
  type Original,
  type TrackedOrder,
} from '../state/copy-state.ts';
import type { State } from '../state/state.ts';

function leaderFaults({ copy, accounts }: State): string[] {
  const faults: string[] = [];
  const followersOf = new Map(
    [...copy.leaders].map(([uid, { followers }]) => [
      uid,
      new Set(followers.map((follower) => follower.uid)),
    ]),
  );
  for (const [uid, { followers, profitShare }] of copy.leaders) {
    if (accounts.get(uid)?.positionMode !== 'hedge')
      faults.push(`leader ${uid} is not in hedge mode`);
    if (copy.followings.has(uid)) faults.push(`leader ${uid} follows a leader`);
    if (profitShare < 0n) faults.push(`leader ${uid} has a negative profit share`);
    let last = 0;
    for (const { followingId, uid: follower } of followers) {
      if (followingOf(copy, follower, uid)?.id !== followingId || followingId <= last)
        faults.push(`${follower} is out of order among the followers of ${uid}`);
      last = followingId;
    }
  }
  for (const [uid, own] of copy.followings) {
    if (accounts.get(uid)?.positionMode !== 'hedge')
      faults.push(`follower ${uid} is not in hedge mode`);
    for (const leader of own.keys())
      if (followersOf.get(leader)?.has(uid) !== true)
        faults.push(`${uid} follows ${leader}, which does not list it`);
  }
  return faults;
}

function numberFaults(
  { id, opened, entry, closed, lots, target, key }: TrackedOrder,
  derived: Derived,
): string[] {
  const faults: string[] = [];
  if (lots < 0 || entry.size !== sizeOf(specOf(derived, key), lots))
    faults.push(`tracked order ${id} has a size and lots that differ`);
  if (entry.size + closed.size !== opened.size)
    faults.push(`tracked order ${id} has closed and open parts that do not add up`);
  if (target !== undefined && target >= lots && lots > 0)
    faults.push(`tracked order ${id} has reached its target and still has it`);
  return faults;
}

/** Queued work, by what it concerns. */
interface QueuedWork {
  readonly ended: ReadonlySet<Id>;
  readonly originals: ReadonlySet<Id>;
  readonly orders: ReadonlySet<Id>;
  readonly counts: ReadonlyMap<Id, number>;
}

function queuedWork({ jobs, leaderClosings, stuck, ended, tracked }: CopyState): QueuedWork {
  const originals = new Set<Id>();
  const orders = new Set<Id>();
  const counts = new Map<Id, number>();
  const count = (id: Id): unknown => counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const job of jobs) {
    if (job.kind === 'open' || job.kind === 'close') count(job.originalId);
    if (job.kind === 'close') originals.add(job.originalId);
    if (job.kind === 'exit') for (const id of job.targets.slice(job.next)) orders.add(id);
  }
  for (const closed of leaderClosings.values()) for (const id of closed.keys()) count(id);
  for (const id of ended) if (tracked.get(id)?.kind === 'original') count(id);
  for (const ids of stuck.values()) for (const id of ids) orders.add(id);
  return { ended: new Set(ended), originals, orders, counts };
}

function originalFaults({ copy }: State, original: Original, queued: QueuedWork): string[] {
  const faults: string[] = [];
  const { id, copies, heldLots, lots, pending, leader, uid } = original;
  if (leader !== uid || !copy.leaders.has(uid))
    faults.push(`original ${id} does not belong to its leader`);
  for (const copyId of copies) {
    const held = copy.tracked.get(copyId);
    if (held?.kind !== 'copy' || held.originalId !== id || held.lots === 0)
      faults.push(`original ${id} lists ${copyId}, which is no open copy of it`);
  }
  let closing = 0;
  for (const closed of copy.leaderClosings.values()) closing += closed.get(id) ?? 0;
  if (heldLots - lots !== closing)
    faults.push(`original ${id} holds copies to ${heldLots} lots and has ${lots}`);
  if (pending !== (queued.counts.get(id) ?? 0))
    faults.push(`original ${id} counts ${pending} pending jobs, which is wrong`);
  if (lots === 0 && copies.size === 0 && pending === 0)
    faults.push(`original ${id} has ended and was not deleted`);
  return faults;
}

/** An open copy has at most its share of the leader's lots, or a job to reduce it is queued. */
function copyFaults(
  { copy, marketOn }: State,
  { tracked }: Derived,
  held: Copy,
  queued: QueuedWork,
): string[] {
  const faults: string[] = [];
  const { id, originalId, lots, base } = held;
  const original = copy.tracked.get(originalId);
  if (lots === 0) {
    const mayWait = marketOn && shareDue(held) > 0n && tracked.stale.of(held.uid).has(id);
    return queued.ended.has(id) !== mayWait
      ? []
      : [`copy ${id} has ended and does not settle exactly once`];
  }
  if (original?.kind !== 'original' || !original.copies.has(id))
    return [`copy ${id} has no original`];
  const kept =
    original.heldLots === 0 ? 0 : copyLotsLeft(base.lots, original.heldLots, base.leaderLots);
  if (lots > kept && !queued.originals.has(originalId) && !queued.orders.has(id))
    faults.push(`copy ${id} has ${lots} lots and a share of ${kept}`);
  if (held.target !== undefined && !queued.orders.has(id))
    faults.push(`copy ${id} must close and no job does it`);
  return faults;
}

/** Tracked lots may not exceed the lots of their position. */
function positionFaults(state: State, derived: Derived): string[] {
  const faults: string[] = [];
  const sums = new Map<string, number>();
  const counts = new Map<Uid, number>();
  let watched = 0;
  for (const order of state.copy.tracked.values()) {
    if (order.lots === 0) continue;
    const place = positionKey(order.key, order.side);
    const name = `${order.uid} ${place}`;
    const sum = (sums.get(name) ?? 0) + order.lots;
    sums.set(name, sum);
    counts.set(order.uid, (counts.get(order.uid) ?? 0) + 1);
    watched += tpslOfTracked(order).length;
    if (!derived.tracked.at(order.uid, place).has(order.id))
      faults.push(`tracked order ${order.id} is not found by its position`);
    const lots = state.positions.get(order.uid)?.get(place)?.lots ?? 0;
    if (sum > lots) faults.push(`${order.uid} tracks more than the ${lots} lots of ${place}`);
  }
  for (const [uid, count] of counts) {
    if (count > TRACKED_ORDERS_PER_ACCOUNT_MAX) faults.push(`${uid} has ${count} tracked orders`);
    if (derived.tracked.count(uid) !== count)
      faults.push(`${uid} has ${count} tracked orders and another number in the index`);
  }
  if (derived.tracked.watched !== watched)
    faults.push(
      `${watched} take-profits and stop-losses are set, ${derived.tracked.watched} watched`,
    );
  return faults;
}

const areSame = (one: SharesDue, other: SharesDue): boolean =>
  one.all().size === other.all().size &&
  [...one.all()].every(
    ([uid, own]) =>
      other.of(uid).size === own.size &&
      [...own].every(([coin, due]) => other.of(uid).get(coin) === due),
  );

/** The reserved profit shares follow from the tracked orders. */
function shareFaults({ copy }: State, derived: Derived): string[] {
  const [reserved, ended] = [new SharesDue(), new SharesDue()];
  for (const order of copy.tracked.values()) {
    const { marginCoin } = specOf(derived, order.key).instrument;
    reserved.add(order.uid, marginCoin, shareDue(order));
    if (order.lots === 0) ended.add(order.uid, marginCoin, shareDue(order));
  }
  const { sharesDue, sharesOfEnded } = derived.tracked;
  return areSame(reserved, sharesDue) && areSame(ended, sharesOfEnded)
    ? []
    : ['reserved profit shares do not match what copies have earned'];
}

/** The indexes by account, and by how far a close may go, follow from the state. */
function indexFaults({ copy }: State, { tracked: index }: Derived): string[] {
  const faults: string[] = [];
  const ended = [...copy.tracked.values()].filter(
    ({ kind, lots }) => kind === 'copy' && lots === 0,
  );
  const openings = [...copy.openings].filter(([, { copyOf }]) => copyOf === undefined);
  if (
    index.ended.size !== ended.length ||
    ended.some(({ uid, id }) => !index.ended.of(uid).has(id))
  )
    faults.push('the index of copies that have ended is wrong');
  if (
    index.openings.size !== openings.length ||
    openings.some(([id, { uid }]) => !index.openings.of(uid).has(id))
  )
    faults.push('the index of orders that open tracked orders is wrong');
  for (const [key, ids] of copy.stuck) {
    const groups = index.stuck.groups(key);
    const reaches = groups.map(
      (group) => new Set([...group].map((id) => priceLimitKey(copy.tracked.get(id)!, false))).size,
    );
    if (
      index.stuck.oldestFirst(groups).join() !== [...ids].join() ||
      reaches.some((count) => count !== 1)
    )
      faults.push(`the index of closes that wait in ${key} is wrong`);
  }
  return faults;
}

export function auditCopy(state: State, derived: Derived): readonly string[] {
  const { copy, orders } = state;
  if (copy.leaders.size === 0) return [];
  const queued = queuedWork(copy);
  const faults = [
    ...leaderFaults(state),
    ...positionFaults(state, derived),
    ...indexFaults(state, derived),
    ...shareFaults(state, derived),
  ];
  if (queued.ended.size !== copy.ended.length)
    faults.push('a tracked order that has ended settles more than once');
  for (const order of copy.tracked.values()) {
    faults.push(...numberFaults(order, derived));
    faults.push(
      ...(order.kind === 'original'
        ? originalFaults(state, order, queued)
        : copyFaults(state, derived, order, queued)),
    );
  }
  if (copy.closings.size > 0)
    faults.push('an order that closed a tracked order has ended and is still listed');
  for (const id of [...copy.openings.keys(), ...copy.leaderClosings.keys()])
    if (!orders.has(id)) faults.push(`order ${id} has ended and is still listed`);
  return faults;
}
