/** Copy trading: leaders, followings, open tracked orders, and profit and shares. */

import { earnedAfterFees } from '../formulas/copy-trading.ts';
import { getOrMake } from '../kernel/get-or-make.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import { type Amount, minus, plus, ZERO_AMOUNT } from '../kernel/money.ts';
import { startOfSettlementDay, type Timestamp } from '../kernel/time.ts';
import type { FollowingRow, LeaderRow, TrackedOrderRow } from '../messages/copy-trading.ts';
import type { EventOf } from '../messages/events.ts';
import type { Listeners, View } from './view.ts';

/** Totals of a follower's copies of one leader since the following began, by coin. */
export interface FollowingTotals {
  /** The margin of all opened copies, and the profit and kept profit of the closed ones. */
  readonly margin: Amount;
  readonly profit: Amount;
  readonly netProfit: Amount;
}

/** Profit shares paid to a leader in one coin. */
export interface ShareTotals {
  readonly sum: Amount;
  readonly lastAt: Timestamp;
  /** Sums of the settlement day of `lastAt`, and of the last earlier day with a payment. */
  readonly day: { readonly start: Timestamp; readonly sum: Amount };
  readonly dayBefore?: { readonly start: Timestamp; readonly sum: Amount };
}

export interface CopyTradingQueries {
  leader(uid: Uid): LeaderRow | undefined;
  followerCount(leader: Uid): number;
  following(follower: Uid, leader: Uid): FollowingRow | undefined;
  /** In the order they were started. */
  followings(follower: Uid): readonly FollowingRow[];
  totals(follower: Uid, leader: Uid): ReadonlyMap<string, FollowingTotals>;
  /** Open tracked orders of a leader, or copies of a follower, oldest first. */
  open(uid: Uid): readonly TrackedOrderRow[];
  /** The profit shares a follower reserves for open or unsettled copies, by coin. */
  sharesDue(uid: Uid): ReadonlyMap<string, Amount>;
  /** Number of followers with an open copy of a leader's order. */
  followCount(trackingId: Id): number;
  shares(leader: Uid): ReadonlyMap<string, ShareTotals>;
}

interface Saved {
  readonly leaders: Map<Uid, LeaderRow>;
  readonly followerCounts: Map<Uid, number>;
  readonly followings: Map<Uid, Map<Uid, FollowingRow>>;
  readonly totals: Map<Uid, Map<Uid, Map<string, FollowingTotals>>>;
  /** Closed copies stay here until their share is settled, because it is reserved (CPY-71). */
  readonly open: Map<Id, TrackedOrderRow>;
  readonly shares: Map<Uid, Map<string, ShareTotals>>;
}

const nothing = (): Saved => ({
  leaders: new Map(),
  followerCounts: new Map(),
  followings: new Map(),
  totals: new Map(),
  open: new Map(),
  shares: new Map(),
});

const isClosed = ({ closedSize, openSize }: TrackedOrderRow): boolean => closedSize === openSize;

const NO_TOTALS: FollowingTotals = {
  margin: ZERO_AMOUNT,
  profit: ZERO_AMOUNT,
  netProfit: ZERO_AMOUNT,
};

export class CopyTradingView implements View<'copyTrading'>, CopyTradingQueries {
  readonly name = 'copyTrading';
  #held = nothing();
  #byUser = new Map<Uid, Set<Id>>();
  #followCounts = new Map<Id, number>();

  readonly on: Listeners<'copyTrading'> = {
    leaderMade: ({ leader }) => void this.#held.leaders.set(leader.uid, leader),
    followingChanged: ({ following }) => this.#follow(following),
    followingEnded: (event) => this.#unfollow(event),
    trackedOrderOpened: ({ order }) => {
      this.#held.open.set(order.trackingId, order);
      this.#index(order);
      this.#count(order, { ...NO_TOTALS, margin: order.margin });
    },
    trackedOrderChanged: ({ order }) => this.#change(order),
    trackedOrderEnded: (event, at) => this.#end(event, at),
  };

  save(): unknown {
    return structuredClone(this.#held);
  }

  restore(saved: unknown): void {
    this.#held = structuredClone(saved as Saved);
    this.#byUser = new Map();
    this.#followCounts = new Map();
    for (const order of this.#held.open.values()) this.#index(order);
  }

  leader(uid: Uid): LeaderRow | undefined {
    return this.#held.leaders.get(uid);
  }

  followerCount(leader: Uid): number {
    return this.#held.followerCounts.get(leader) ?? 0;
  }

  following(follower: Uid, leader: Uid): FollowingRow | undefined {
    return this.#held.followings.get(follower)?.get(leader);
  }

  followings(follower: Uid): readonly FollowingRow[] {
    return [...(this.#held.followings.get(follower)?.values() ?? [])];
  }

  totals(follower: Uid, leader: Uid): ReadonlyMap<string, FollowingTotals> {
    return this.#held.totals.get(follower)?.get(leader) ?? new Map();
  }

  open(uid: Uid): readonly TrackedOrderRow[] {
    return [...(this.#byUser.get(uid) ?? [])]
      .map((id) => this.#held.open.get(id)!)
      .filter((order) => !isClosed(order));
  }

  sharesDue(uid: Uid): ReadonlyMap<string, Amount> {
    const shares = new Map<string, Amount>();
    for (const id of this.#byUser.get(uid) ?? []) {
      const { shareDue, marginCoin } = this.#held.open.get(id)!;
      if (shareDue !== undefined)
        shares.set(marginCoin, plus(shares.get(marginCoin) ?? ZERO_AMOUNT, shareDue));
    }
    return shares;
  }

  followCount(trackingId: Id): number {
    return this.#followCounts.get(trackingId) ?? 0;
  }

  shares(leader: Uid): ReadonlyMap<string, ShareTotals> {
    return this.#held.shares.get(leader) ?? new Map();
  }

  #follow(following: FollowingRow): void {
    const { followings, followerCounts } = this.#held;
    const { follower, leader } = following;
    const own = getOrMake(followings, follower, () => new Map<Uid, FollowingRow>());
    if (!own.has(leader)) followerCounts.set(leader, this.followerCount(leader) + 1);
    own.set(leader, following);
  }

  #unfollow({ follower, leader }: EventOf<'followingEnded'>): void {
    const { followings, followerCounts, totals } = this.#held;
    const own = followings.get(follower);
    own?.delete(leader);
    if (own?.size === 0) followings.delete(follower);
    followerCounts.set(leader, this.followerCount(leader) - 1);
    totals.get(follower)?.delete(leader);
    if (totals.get(follower)?.size === 0) totals.delete(follower);
  }

  #index(order: TrackedOrderRow): void {
    getOrMake(this.#byUser, order.uid, () => new Set<Id>()).add(order.trackingId);
    if (!isClosed(order)) this.#countFollower(order, 1);
  }

  #countFollower({ originalId }: TrackedOrderRow, more: 1 | -1): void {
    if (originalId === undefined) return;
    const count = this.followCount(originalId) + more;
    if (count === 0) this.#followCounts.delete(originalId);
    else this.#followCounts.set(originalId, count);
  }

  /** A fully closed copy is no longer open, even if its share is not settled. */
  #change(order: TrackedOrderRow): void {
    const before = this.#held.open.get(order.trackingId);
    if (before === undefined) return;
    this.#held.open.set(order.trackingId, order);
    if (isClosed(order) && !isClosed(before)) this.#countFollower(order, -1);
  }

  #close({ trackingId, uid }: TrackedOrderRow): void {
    const before = this.#held.open.get(trackingId);
    if (before === undefined) return;
    this.#held.open.delete(trackingId);
    const own = this.#byUser.get(uid);
    own?.delete(trackingId);
    if (own?.size === 0) this.#byUser.delete(uid);
    if (!isClosed(before)) this.#countFollower(before, -1);
  }

  #end({ order, share }: EventOf<'trackedOrderEnded'>, at: Timestamp): void {
    const { originalId, profit, openFee, closeFee } = order;
    this.#close(order);
    if (originalId === undefined) return;
    this.#count(order, {
      margin: ZERO_AMOUNT,
      profit,
      netProfit: minus(earnedAfterFees(profit, openFee, closeFee), share),
    });
    if (share > 0n) this.#share(order, share, at);
  }

  /**
   * The result of a copy is not counted after its follower has left the leader, even if the
   * follower has returned. Ids grow with time, so they show this.
   */
  #count(
    { trackingId, uid, leader, originalId, marginCoin }: TrackedOrderRow,
    more: FollowingTotals,
  ): void {
    const following = this.following(uid, leader);
    if (originalId === undefined || following === undefined || trackingId < following.followingId)
      return;
    const own = getOrMake(
      this.#held.totals,
      uid,
      () => new Map<Uid, Map<string, FollowingTotals>>(),
    );
    const coins = getOrMake(own, leader, () => new Map<string, FollowingTotals>());
    const { margin, profit, netProfit } = coins.get(marginCoin) ?? NO_TOTALS;
    coins.set(marginCoin, {
      margin: plus(margin, more.margin),
      profit: plus(profit, more.profit),
      netProfit: plus(netProfit, more.netProfit),
    });
  }

  #share({ leader, marginCoin }: TrackedOrderRow, share: Amount, at: Timestamp): void {
    const coins = getOrMake(this.#held.shares, leader, () => new Map<string, ShareTotals>());
    const known = coins.get(marginCoin);
    const start = startOfSettlementDay(at);
    const sum = plus(known?.sum ?? ZERO_AMOUNT, share);
    if (known?.day.start === start)
      coins.set(marginCoin, {
        ...known,
        sum,
        lastAt: at,
        day: { start, sum: plus(known.day.sum, share) },
      });
    else
      coins.set(marginCoin, {
        sum,
        lastAt: at,
        day: { start, sum: share },
        ...(known === undefined ? {} : { dayBefore: known.day }),
      });
  }
}
