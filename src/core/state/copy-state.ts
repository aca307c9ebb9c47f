/**
 * The records of copy trading: leaders, followers and their settings, tracked orders, and queued
 * mirroring.
 */

import type { Entry } from '../../formulas/entry.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Rate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { CopyMode, CopySetting, TrackedOrderCloser } from '../../messages/copy-trading.ts';
import type { MarginMode, PositionSide } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';

export const LEADERS_MAX = 10_000;

/** Leaders that one account follows. */
export const LEADERS_PER_FOLLOWER_MAX = 100;

export interface Leader {
  readonly uid: Uid;
  profitShare: Rate;
  /** All futures if absent. */
  symbols?: ReadonlySet<string>;
  followersMax: number;
  /** Oldest first, which is also the order of mirroring (CPY-42). */
  readonly followers: Follower[];
}

export interface Follower {
  readonly followingId: Id;
  readonly uid: Uid;
}

export interface Following {
  readonly id: Id;
  readonly leader: Uid;
  readonly since: Timestamp;
  mode: CopyMode;
  autoCopy: boolean;
  /** By instrument key. */
  readonly settings: Map<string, CopySetting>;
}

interface Tracked {
  readonly id: Id;
  readonly uid: Uid;
  readonly leader: Uid;
  readonly key: string;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
  readonly margin: Amount;
  readonly openOrderId: Id;
  readonly openedAt: Timestamp;
  readonly opened: Entry;
  readonly openFee: Amount;
  /** The size that is still open, and its exact cost. */
  lots: Lots;
  entry: Entry;
  closed: Entry;
  closeFee: Amount;
  profit: Amount;
  closeOrderId: Id | undefined;
  closer: TrackedOrderCloser | undefined;
  takeProfit: Price | undefined;
  stopLoss: Price | undefined;
  /** The lots that will remain open; set while the rest is to be closed. */
  target: Lots | undefined;
  /** Why the rest is to be closed. */
  closing: TrackedOrderCloser | undefined;
  /** The last attempt that found a counterparty but closed nothing. */
  triedAt: Timestamp | undefined;
}

/** A leader's own tracked order. It stays until its copies have ended. */
export interface Original extends Tracked {
  readonly kind: 'original';
  /** The size that copies follow: opened lots minus the lots of closing orders that have ended. */
  heldLots: Lots;
  /** Open copies, oldest first: one a follower. */
  readonly copies: Set<Id>;
  /** Counts queued mirror jobs, the leader's live closing orders and an unannounced liquidation. */
  pending: number;
  /** A `close` job is queued and has not started. */
  closeQueued: boolean;
}

/** A follower's copy of an original. */
export interface Copy extends Tracked {
  readonly kind: 'copy';
  readonly originalId: Id;
  /** As agreed when the copy was opened. */
  readonly profitShare: Rate;
  /**
   * The sizes of the copy and of its original when the follower last changed the copy. Mirroring
   * keeps their ratio (CPY-158).
   */
  base: { readonly lots: Lots; readonly leaderLots: Lots };
  /** The size of the original when it was last mirrored. */
  leaderLots: Lots;
}

export type TrackedOrder = Original | Copy;

/** An opening order, whose fills become a tracked order when it ends. */
export interface Opening {
  readonly uid: Uid;
  readonly key: string;
  readonly side: PositionSide;
  lots: Lots;
  entry: Entry;
  fee: Amount;
  /** For a copy: its original, the lots requested, and the size of the original at that time. */
  readonly copyOf?: { readonly originalId: Id; readonly lots: Lots; readonly leaderLots: Lots };
}

/**
 * `open` opens copies of an original. `close` reduces them. `exit` closes tracked orders whose
 * trigger price was reached. `retry` closes what earlier attempts in an instrument could not.
 */
export type MirrorJob =
  | { readonly kind: 'open'; readonly originalId: Id; targets?: readonly Uid[]; next: number }
  | { readonly kind: 'close'; readonly originalId: Id; targets?: readonly Id[]; next: number }
  | { readonly kind: 'exit'; targets: readonly Id[]; next: number }
  | { readonly kind: 'retry'; readonly key: string; targets?: readonly Id[]; next: number };

export interface CopyState {
  leaders: Map<Uid, Leader>;
  /** By follower and leader. */
  followings: Map<Uid, Map<Uid, Following>>;
  /** Open, waiting for settlement, or waiting for their copies to end. Oldest first. */
  tracked: Map<Id, TrackedOrder>;
  /** By order id: live orders that open tracked orders. */
  openings: Map<Id, Opening>;
  /**
   * Orders that close one tracked order, while they match. `own` means that its account requested
   * the close.
   */
  closings: Map<Id, { readonly trackingId: Id; readonly own: boolean }>;
  /** By a leader's live closing order: the lots that it has closed of each original. */
  leaderClosings: Map<Id, Map<Id, Lots>>;
  /** A queue. */
  jobs: MirrorJob[];
  /** Closed copies that are not yet settled, and originals with an unannounced liquidation. */
  ended: Id[];
  /** By instrument: tracked orders that found no counterparty to close with. */
  stuck: Map<string, Set<Id>>;
  /** Instruments with a queued `retry` job. */
  retries: Set<string>;
}

export const emptyCopyState = (): CopyState => ({
  leaders: new Map(),
  followings: new Map(),
  tracked: new Map(),
  openings: new Map(),
  closings: new Map(),
  leaderClosings: new Map(),
  jobs: [],
  ended: [],
  stuck: new Map(),
  retries: new Set(),
});

export const followingOf = (
  { followings }: CopyState,
  uid: Uid,
  leader: Uid,
): Following | undefined => followings.get(uid)?.get(leader);

/** The caller knows that the id is an original's. */
export const originalOf = ({ tracked }: CopyState, id: Id): Original => tracked.get(id) as Original;

export const isLeader = ({ leaders }: CopyState, uid: Uid): boolean => leaders.has(uid);

/** Leaders and followers stay in hedge mode (CPY-04). */
export const isCopying = ({ leaders, followings }: CopyState, uid: Uid): boolean =>
  leaders.has(uid) || followings.has(uid);
