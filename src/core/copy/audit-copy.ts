/**
 * Recomputes what must hold of copy trading: who follows whom, that sizes add up, and that nothing
 * is closed twice or forgotten.
 */

import { copyLotsLeft } from '../../formulas/copy-trading.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { TRACKED_ORDERS_PER_ACCOUNT_MAX } from '../../messages/bounds.ts';
import { SharesDue, shareDue } from '../derived/copy-indexes.ts';
import { type Derived, specOf } from '../derived/derived.ts';
import { sizeOf } from '../derived/instrument-spec.ts';
import { positionKey } from '../derived/position.ts';
import { reachName } from '../derived/stuck-index.ts';
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
    if (copy.followings.has(uid)) faults.push(`leader ${uid} follows somebody`);
    if (profitShare < 0n) faults.push(`leader ${uid} has a share below nothing`);
    let last = 0;
    for (const { followingId, uid: follower } of followers) {
      if (followingOf(copy, follower, uid)?.id !== followingId || followingId <= last)
        faults.push(`${follower} follows ${uid} out of line`);
      last = followingId;
    }
  }
  for (const [uid, own] of copy.followings) {
    if (accounts.get(uid)?.positionMode !== 'hedge')
      faults.push(`follower ${uid} is not in hedge mode`);
    for (const leader of own.keys())
      if (followersOf.get(leader)?.has(uid) !== true)
        faults.push(`${uid} follows ${leader} on one side only`);
  }
  return faults;
}

function numberFaults(
  { id, opened, entry, closed, lots, target, key }: TrackedOrder,
  derived: Derived,
): string[] {
  const faults: string[] = [];
  if (lots < 0 || entry.size !== sizeOf(specOf(derived, key), lots))
    faults.push(`tracked order ${id} has a size that is not its lots`);
  if (entry.size + closed.size !== opened.size)
    faults.push(`tracked order ${id} has closed and open parts that are not the whole`);
  if (target !== undefined && target >= lots && lots > 0)
    faults.push(`tracked order ${id} has been brought down and does not know it`);
  return faults;
}

/** Work that is in line, by what it is about. */
interface Waiting {
  readonly ended: ReadonlySet<Id>;
  readonly originals: ReadonlySet<Id>;
  readonly orders: ReadonlySet<Id>;
  readonly counts: ReadonlyMap<Id, number>;
}

function workWaiting({ jobs, leaderClosings, stuck, ended, tracked }: CopyState): Waiting {
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

function originalFaults({ copy }: State, original: Original, waiting: Waiting): string[] {
  const faults: string[] = [];
  const { id, copies, heldLots, lots, pending, leader, uid } = original;
  if (leader !== uid || !copy.leaders.has(uid)) faults.push(`original ${id} is not its leader's`);
  for (const copyId of copies) {
    const held = copy.tracked.get(copyId);
    if (held?.kind !== 'copy' || held.originalId !== id || held.lots === 0)
      faults.push(`original ${id} counts ${copyId}, which copies it not`);
  }
  let closing = 0;
  for (const closed of copy.leaderClosings.values()) closing += closed.get(id) ?? 0;
  if (heldLots - lots !== closing)
    faults.push(`original ${id} holds its followers to ${heldLots} of ${lots} lots`);
  if (pending !== (waiting.counts.get(id) ?? 0))
    faults.push(`original ${id} waits for ${pending} things that are not there`);
  if (lots === 0 && copies.size === 0 && pending === 0)
    faults.push(`original ${id} has ended and is still there`);
  return faults;
}

/** A copy has what its share of the leader's lots is, or somebody is about to see to it. */
function copyFaults(
  { copy, marketOn }: State,
  { tracked }: Derived,
  held: Copy,
  waiting: Waiting,
): string[] {
  const faults: string[] = [];
  const { id, originalId, lots, base } = held;
  const original = copy.tracked.get(originalId);
  if (lots === 0) {
    const mayWait = marketOn && shareDue(held) > 0n && tracked.stale.of(held.uid).has(id);
    return waiting.ended.has(id) !== mayWait
      ? []
      : [`copy ${id} has ended and is not settled once`];
  }
  if (original?.kind !== 'original' || !original.copies.has(id))
    return [`copy ${id} copies nothing`];
  const kept =
    original.heldLots === 0 ? 0 : copyLotsLeft(base.lots, original.heldLots, base.leaderLots);
  if (lots > kept && !waiting.originals.has(originalId) && !waiting.orders.has(id))
    faults.push(`copy ${id} has ${lots} lots where its leader would have it keep ${kept}`);
  if (held.target !== undefined && !waiting.orders.has(id))
    faults.push(`copy ${id} is to be closed and nobody does it`);
  return faults;
}

/** Tracked lots by position. */
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
    if (sum > lots) faults.push(`${order.uid} has more tracked than ${lots} lots of ${place}`);
  }
  for (const [uid, count] of counts) {
    if (count > TRACKED_ORDERS_PER_ACCOUNT_MAX) faults.push(`${uid} has ${count} tracked orders`);
    if (derived.tracked.count(uid) !== count)
      faults.push(`${uid} has ${count} tracked orders and the index another number`);
  }
  if (derived.tracked.watched !== watched)
    faults.push(`${watched} exits are set and ${derived.tracked.watched} watched`);
  return faults;
}

const areSame = (one: SharesDue, other: SharesDue): boolean =>
  one.all().size === other.all().size &&
  [...one.all()].every(
    ([uid, own]) =>
      other.of(uid).size === own.size &&
      [...own].every(([coin, due]) => other.of(uid).get(coin) === due),
  );

/** What holders keep ready for their leaders. */
function shareFaults({ copy }: State, derived: Derived): string[] {
  const [levy, ended] = [new SharesDue(), new SharesDue()];
  for (const order of copy.tracked.values()) {
    const { marginCoin } = specOf(derived, order.key).instrument;
    levy.add(order.uid, marginCoin, shareDue(order));
    if (order.lots === 0) ended.add(order.uid, marginCoin, shareDue(order));
  }
  const { sharesDue, sharesOfEnded } = derived.tracked;
  return areSame(levy, sharesDue) && areSame(ended, sharesOfEnded)
    ? []
    : ['shares of what copies have earned are not kept ready'];
}

/** What is found by its holder, or by how far it may go. */
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
    faults.push('copies that have ended are not found by their holders');
  if (
    index.openings.size !== openings.length ||
    openings.some(([id, { uid }]) => !index.openings.of(uid).has(id))
  )
    faults.push('orders that open tracked orders are not found by their holders');
  for (const [key, ids] of copy.stuck) {
    const groups = index.stuck.groups(key);
    const reaches = groups.map(
      (group) => new Set([...group].map((id) => reachName(copy.tracked.get(id)!, false))).size,
    );
    if (
      index.stuck.inLine(groups).join() !== [...ids].join() ||
      reaches.some((count) => count !== 1)
    )
      faults.push(`what waits to be closed in ${key} is not found by how far it may go`);
  }
  return faults;
}

export function auditCopy(state: State, derived: Derived): readonly string[] {
  const { copy, orders } = state;
  if (copy.leaders.size === 0) return [];
  const waiting = workWaiting(copy);
  const faults = [
    ...leaderFaults(state),
    ...positionFaults(state, derived),
    ...indexFaults(state, derived),
    ...shareFaults(state, derived),
  ];
  if (waiting.ended.size !== copy.ended.length)
    faults.push('what has ended is settled more than once');
  for (const order of copy.tracked.values()) {
    faults.push(...numberFaults(order, derived));
    faults.push(
      ...(order.kind === 'original'
        ? originalFaults(state, order, waiting)
        : copyFaults(state, derived, order, waiting)),
    );
  }
  if (copy.closings.size > 0)
    faults.push('an order that closed a tracked order has ended and is still awaited');
  for (const id of [...copy.openings.keys(), ...copy.leaderClosings.keys()])
    if (!orders.has(id)) faults.push(`order ${id} has ended and is still awaited`);
  return faults;
}
