/** Followings and their results, computed by the rules from all events. */
import type { Random } from '../../src/kernel/random.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import type {
  CopySetting,
  FollowingRow,
  LeaderRow,
  TrackedOrderRow,
} from '../../src/messages/copy-trading.ts';
import type { Instrument } from '../../src/messages/listings.ts';
import { type TrackedState, trackedStates } from '../lists/copy-rows.ts';
import type { EmittedEvents } from '../lists/recorded-run.ts';
import { decimals, eventsOf, wireId } from '../lists/row.ts';
import { DOLLARS, listingsOf, UNIT, whole } from './pairs.ts';
import { type Question, Refused } from './question.ts';

const MARGIN_WORDS = { leader: 'trader', own: 'specify' } as const;
const LEVERAGE_WORDS = { position: 'position', own: 'specify', leader: 'trader' } as const;
const SIZING_WORDS = { multiple: 'percent', amount: 'amount', size: 'count' } as const;

/** An amount of a coin, to be shown in USD. */
type Sum = readonly [coin: string, amount: bigint];
/** Totals since the start of a following. */
interface Brought {
  readonly margins: Sum[];
  readonly profits: Sum[];
  readonly kept: Sum[];
}
interface Followed {
  readonly following: FollowingRow;
  readonly brought: Brought;
}
/** Payments of followers to a leader. */
interface Paid {
  readonly coin: string;
  readonly amount: bigint;
  readonly at: number;
}

const FIRST_HOUR_OF_DAY = 8 * HOUR;
/** Days begin at midnight in UTC+8. */
const dayOf = (time: number): number =>
  Math.floor((time + FIRST_HOUR_OF_DAY) / DAY) * DAY - FIRST_HOUR_OF_DAY;

/** The base coin for inverse contracts. */
const kindOf = (coin: string): string => (DOLLARS.has(coin) ? 'dollars' : 'coins');

const sumOf = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n);

export class Copies {
  readonly leaders = new Map<number, LeaderRow>();
  /** By follower: the followed leaders, the latest last. */
  readonly followed = new Map<number, Map<number, Followed>>();
  readonly paid = new Map<number, Paid[]>();
  readonly names = new Map<number, string>();
  /** Copies that ended after their follower had left the leader and come back. */
  endedFromBefore = 0;
  readonly #prices = new Map<string, bigint>();
  /** The following that an open copy counts for. */
  readonly #counted = new Map<number, Brought>();

  constructor(emitted: readonly EmittedEvents[]) {
    for (const each of emitted) this.#take(each);
  }

  /** At the current index, each coin rounded towards zero (CPY-47). */
  inUsd(sums: readonly Sum[]): bigint {
    const coins = [...new Set(sums.map(([coin]) => coin))];
    const ofCoin = (coin: string): bigint =>
      sumOf(sums.filter(([each]) => each === coin).map(([, amount]) => amount));
    return sumOf(coins.map((coin) => (ofCoin(coin) * (this.#prices.get(coin) ?? UNIT)) / UNIT));
  }

  #take({ event, at }: EmittedEvents): void {
    switch (event.type) {
      case 'userCreated':
        this.names.set(event.user.uid, event.user.name ?? String(event.user.uid));
        break;
      case 'indexPriceMoved':
        this.#prices.set(event.baseCoin, event.price);
        break;
      case 'leaderMade':
        this.leaders.set(event.leader.uid, event.leader);
        break;
      case 'followingChanged':
        this.#follow(event.following);
        break;
      case 'followingEnded':
        this.followed.get(event.follower)?.delete(event.leader);
        break;
      case 'trackedOrderOpened':
        this.#open(event.order);
        break;
      case 'trackedOrderEnded':
        this.#end(event.order, event.share, at);
        break;
      default:
    }
  }

  #follow(following: FollowingRow): void {
    const { follower, leader } = following;
    const leaders = this.followed.get(follower) ?? new Map<number, Followed>();
    this.followed.set(follower, leaders);
    leaders.set(leader, {
      following,
      brought: leaders.get(leader)?.brought ?? { margins: [], profits: [], kept: [] },
    });
  }

  #open({ trackingId, originalId, uid, leader, margin, marginCoin }: TrackedOrderRow): void {
    const brought =
      originalId === undefined ? undefined : this.followed.get(uid)?.get(leader)?.brought;
    if (brought === undefined) return;
    brought.margins.push([marginCoin, margin]);
    this.#counted.set(trackingId, brought);
  }

  #end(order: TrackedOrderRow, share: bigint, at: number): void {
    const { trackingId, leader, originalId, marginCoin: coin, profit, openFee, closeFee } = order;
    if (originalId === undefined) return;
    const brought = this.#counted.get(trackingId);
    const present = this.followed.get(order.uid)?.get(leader)?.brought;
    if (present !== undefined && present !== brought) this.endedFromBefore++;
    brought?.profits.push([coin, profit]);
    brought?.kept.push([coin, profit - openFee - closeFee - share]);
    if (share === 0n) return;
    const paid = this.paid.get(leader) ?? [];
    this.paid.set(leader, paid);
    paid.push({ coin, amount: share, at });
  }

  followersOf = (leader: number): number =>
    [...this.followed.values()].filter((leaders) => leaders.has(leader)).length;
}

const settingText = (
  { symbol, category, ...setting }: CopySetting,
  listings: ReadonlyMap<string, Instrument>,
) => ({
  symbol,
  productType: category,
  marginType: MARGIN_WORDS[setting.margin],
  marginCoin: setting.marginCoin ?? listings.get(`${category}:${symbol}`)!.marginCoin,
  leverType: LEVERAGE_WORDS[setting.leverage],
  longLeverage: setting.longLeverage ?? '',
  shortLeverage: setting.shortLeverage ?? '',
  traceType: SIZING_WORDS[setting.sizing],
  traceValue: setting.value,
  maxHoldSize: setting.heldMax === undefined ? '' : String(setting.heldMax),
  stopSurplusRatio: setting.takeProfitRatio ?? '',
  stopLossRatio: setting.stopLossRatio ?? '',
});

function profitText(copies: Copies, paid: readonly Paid[], now: number) {
  const yesterday = dayOf(dayOf(now) - 1);
  const usd = (some: readonly Paid[]): string =>
    decimals(copies.inUsd(some.map(({ coin, amount }) => [coin, amount])));
  const coins = [...new Set(paid.map(({ coin }) => coin))];
  return {
    profitSummary: {
      yesterdayProfit: usd(paid.filter(({ at }) => dayOf(at) === yesterday)),
      sumProfit: usd(paid),
      waitProfit: '0',
      yesterdayTime: String(yesterday),
    },
    profitHistoryList: coins.map((coin) => {
      const ofCoin = paid.filter((each) => each.coin === coin);
      return {
        coin,
        profitCount: decimals(sumOf(ofCoin.map(({ amount }) => amount))),
        lastProfitTime: String(ofCoin.at(-1)!.at),
      };
    }),
  };
}

/** CPY-40: whole steps, within the limits of a market order. */
function followLimits({
  symbol,
  sizeStep,
  sizeMin,
  marketSizeMax,
  followSizeMin,
  followSizeMax,
}: Instrument) {
  const step = whole(sizeStep);
  const [least, largest] = [whole(followSizeMin ?? sizeMin), whole(followSizeMax ?? marketSizeMax)];
  const min = least < whole(sizeMin) ? whole(sizeMin) : least;
  const max = largest > whole(marketSizeMax) ? whole(marketSizeMax) : largest;
  return {
    symbol,
    maxFollowSize: decimals((max / step) * step),
    minFollowSize: decimals(((min + step - 1n) / step) * step),
  };
}

export class CopyQuestions {
  readonly #random: Random;
  readonly #copies: Copies;
  readonly #listings: ReadonlyMap<string, Instrument>;
  readonly #tracked: readonly TrackedState[];
  readonly #now: number;
  readonly #everyone: readonly number[];

  constructor(random: Random, emitted: readonly EmittedEvents[], now: number) {
    this.#random = random;
    this.#copies = new Copies(emitted);
    this.#listings = listingsOf(emitted);
    this.#tracked = trackedStates(emitted);
    this.#now = now;
    this.#everyone = eventsOf(emitted, 'userCreated').map(({ event }) => event.user.uid);
  }

  get all(): readonly Question[] {
    const { leaders, followed } = this.#copies;
    const someone = this.#random.pick(this.#everyone);
    return [
      ...[...followed.keys(), someone].flatMap((uid) => [
        this.#followedBy(uid),
        ...this.#settings(uid),
        this.#namesOf(uid),
      ]),
      ...[...leaders.keys(), someone].map((uid) => this.#profits(uid)),
      ...this.#limits(),
    ];
  }

  /** CPY-47. */
  #followedBy(uid: number): Question {
    const leaders = [...(this.#copies.followed.get(uid) ?? [])].toReversed();
    const right = leaders.map(([leader, { following, brought }]) => ({
      certificationType: '',
      traderId: String(leader),
      traderName: this.#copies.names.get(leader),
      maxFollowLimit: String(this.#copies.leaders.get(leader)!.followersMax),
      followCount: String(this.#copies.followersOf(leader)),
      traceTotalMarginAmount: decimals(this.#copies.inUsd(brought.margins)),
      traceTotalNetProfit: decimals(this.#copies.inUsd(brought.kept)),
      traceTotalProfit: decimals(this.#copies.inUsd(brought.profits)),
      currentTradingPairs: following.settings.map(({ symbol }) => symbol),
      followerTime: String(following.since),
      bgbMaxFollowLimit: '0',
      bgbFollowCount: '0',
    }));
    const reached = leaders.flatMap(([, { brought, following }]) => [
      ...(this.#copies.endedFromBefore > 0 ? ['a copy from before has ended'] : []),
      ...(brought.margins.length > 0 ? ['margin of copies'] : []),
      ...brought.kept.map(
        ([coin, amount]) => `copies have ${amount > 0n ? 'gained' : 'lost'} ${kindOf(coin)}`,
      ),
      ...(following.settings.length > 1 ? ['several settings'] : []),
      ...(this.#copies.names.get(following.leader) === String(following.leader)
        ? []
        : ['a leader with a name']),
    ]);
    return { name: 'listFollowedLeaders', uid, asked: { pageSize: '100' }, right, reached };
  }

  /** CPY-48. */
  #settings(uid: number): readonly Question[] {
    const known = this.#copies.followed.get(uid) ?? new Map<number, Followed>();
    const { leaders } = this.#copies;
    const strangers = [this.#random.pick([...leaders.keys()]), this.#random.pick(this.#everyone)];
    return [...new Set([...known.keys(), ...strangers])].map((leader) => {
      const asked = { traderId: String(leader) };
      if (!leaders.has(leader))
        return {
          name: 'getCopySettings',
          uid,
          asked,
          right: new Refused('40860'),
          reached: ['no leader to follow'],
        };
      const following = known.get(leader)?.following;
      const right = {
        followerEnable: following === undefined ? 'NO' : 'YES',
        mode: following?.mode ?? 'advanced',
        autoCopy: following?.autoCopy === true ? 'on' : 'off',
        detailList: (following?.settings ?? []).map((setting) =>
          settingText(setting, this.#listings),
        ),
      };
      const reached = [
        following === undefined ? 'a leader not followed' : `copied in ${following.mode} mode`,
      ];
      return { name: 'getCopySettings', uid, asked, right, reached };
    });
  }

  /** Other tests compare the other fields of the row. */
  #namesOf(uid: number): Question {
    const productType = this.#random.pick(['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES']);
    const open = this.#tracked.filter(
      ({ order, isOpen }) => isOpen && order.uid === uid && order.originalId !== undefined,
    );
    const shown = open
      .filter(({ order }) => order.category === productType)
      .toSorted((one, other) => other.order.trackingId - one.order.trackingId)
      .slice(0, 100);
    const right = shown.map(({ order }) => ({
      trackingNo: wireId(order.trackingId),
      traderName: this.#copies.names.get(order.leader),
    }));
    return {
      name: 'listFollowerTrackedOrders',
      uid,
      asked: { productType, limit: '100' },
      right,
      reached: [],
    };
  }

  /** CPY-53. */
  #profits(uid: number): Question {
    const isLeader = this.#copies.leaders.has(uid);
    const paid = this.#copies.paid.get(uid) ?? [];
    const right = isLeader ? profitText(this.#copies, paid, this.#now) : new Refused('40732');
    const yesterday = dayOf(dayOf(this.#now) - 1);
    const reached = [
      ...(paid.length > 0 ? ['shares paid'] : []),
      ...(paid.some(({ at }) => dayOf(at) === yesterday) ? ['shares paid yesterday'] : []),
      ...(paid.some(({ at }) => dayOf(at) > yesterday) ? ['shares paid today'] : []),
      ...new Set(paid.map(({ coin }) => `share in ${kindOf(coin)}`)),
      ...(isLeader ? [] : ['no leader']),
    ];
    return { name: 'getProfitShares', uid, asked: {}, right, reached };
  }

  #limits(): readonly Question[] {
    return ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'].flatMap((productType) => {
      const listed = [...this.#listings.values()].filter(
        ({ category }) => category === productType,
      );
      const rows = listed.map(followLimits);
      const one = this.#random.pick(listed);
      const limits = (asked: Question['asked'], right: unknown): Question => ({
        name: 'listFollowLimits',
        uid: 1,
        asked,
        right,
        reached: [],
      });
      return [
        limits({ productType }, rows),
        limits({ productType, symbol: one.symbol }, [followLimits(one)]),
      ];
    });
  }
}
