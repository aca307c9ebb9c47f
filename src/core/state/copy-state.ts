/**
 * What copy trading keeps: leaders, who follows them and how, tracked orders, and the work that is
 * still to be mirrored.
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
  /** All futures when absent. */
  symbols?: ReadonlySet<string>;
  followersMax: number;
  /** In the order they began to follow, which is the order they are mirrored in (CPY-42). */
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
  /** What is still open of it, with its own exact cost. */
  lots: Lots;
  entry: Entry;
  closed: Entry;
  closeFee: Amount;
  profit: Amount;
  closeOrderId: Id | undefined;
  closer: TrackedOrderCloser | undefined;
  takeProfit: Price | undefined;
  stopLoss: Price | undefined;
  /** How many lots may stay, while something has still to be closed. */
  target: Lots | undefined;
  /** Why the rest has to be closed. */
  closing: TrackedOrderCloser | undefined;
  /** When the last attempt found somebody to trade with and closed nothing. */
  triedAt: Timestamp | undefined;
}

/** A leader's own. It stays until its copies are gone. */
export interface Original extends Tracked {
  readonly kind: 'original';
  /**
   * What followers are held to: less than what was opened once orders that closed some of it are
   * done.
   */
  heldLots: Lots;
  /** Open copies, oldest first: one a follower. */
  readonly copies: Set<Id>;
  /**
   * Mirroring of it that is waiting, orders of the leader that are closing some of it, and the news
   * that it was liquidated.
   */
  pending: number;
  /** A `close` of it is in line and not yet begun. */
  closeQueued: boolean;
}

/** A follower's copy of an original. */
export interface Copy extends Tracked {
  readonly kind: 'copy';
  readonly originalId: Id;
  /** As agreed when it was opened. */
  readonly profitShare: Rate;
  /**
   * What it had, beside what its leader had, when its holder last changed it himself: from there it
   * keeps its share (CPY-158).
   */
  base: { readonly lots: Lots; readonly leaderLots: Lots };
  /** What its leader had when it was last mirrored. */
  leaderLots: Lots;
}

export type TrackedOrder = Original | Copy;

/** An opening order whose fills become a tracked order when it ends. */
export interface Opening {
  readonly uid: Uid;
  readonly key: string;
  readonly side: PositionSide;
  lots: Lots;
  entry: Entry;
  fee: Amount;
  /**
   * Of a copy: what it copies, how much of it was asked for, and what its leader had of it then.
   */
  readonly copyOf?: { readonly originalId: Id; readonly lots: Lots; readonly leaderLots: Lots };
}

/**
 * `open`: an original, for its leader's followers. `close`: an original, for its copies. `exit`:
 * tracked orders whose price was reached. `retry`: what could not be closed in an instrument.
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
  /** Open ones and those that wait to be settled or for their copies, oldest first. */
  tracked: Map<Id, TrackedOrder>;
  /** By order id: orders that open tracked orders and have not ended. */
  openings: Map<Id, Opening>;
  /**
   * Orders sent to close one tracked order, while they are being matched; `own` when its holder
   * asked for it.
   */
  closings: Map<Id, { readonly trackingId: Id; readonly own: boolean }>;
  /** By closing order of a leader that has not ended: what it has closed of which originals. */
  leaderClosings: Map<Id, Map<Id, Lots>>;
  /** What is to be mirrored, in this order. */
  jobs: MirrorJob[];
  /**
   * Copies that are closed and not yet settled with their leader, and originals that were
   * liquidated and are not yet told of.
   */
  ended: Id[];
  /** By instrument: tracked orders that found nobody to close with. */
  stuck: Map<string, Set<Id>>;
  /** Instruments with a retry among the jobs. */
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

/** Of an id that is known to be an original's. */
export const originalOf = ({ tracked }: CopyState, id: Id): Original => tracked.get(id) as Original;

export const isLeader = ({ leaders }: CopyState, uid: Uid): boolean => leaders.has(uid);

/** Leaders and followers stay in hedge mode (CPY-04). */
export const isCopying = ({ leaders, followings }: CopyState, uid: Uid): boolean =>
  leaders.has(uid) || followings.has(uid);
