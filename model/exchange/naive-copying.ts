/** The naive exchange with leaders and followers. */
import { NaiveExchange } from './naive-exchange.ts';
import { drawMark } from './naive-freshness.ts';
import { liquidateAll } from './naive-liquidation.ts';
import { type NaiveFollowLimits, NaiveMirroring } from './naive-mirroring.ts';
import type { NaiveChange } from './naive-modifying.ts';
import { indexOf, repay, walletOf } from './naive-money.ts';
import type { NaiveDraft } from './naive-placing.ts';
import { canLeave } from './naive-stale.ts';
import type {
  NaiveSpec as ListedSpec,
  NaiveInstrument,
  NaivePrices,
  NaiveStatus,
  NaiveUser,
  PositionSide,
} from './naive-state.ts';
import { statusOf, takesOrders } from './naive-statuses.ts';
import { isReached } from './naive-tpsl.ts';
import { NaiveCopying } from './naive-tracking.ts';
import type {
  NaiveFollowing,
  NaiveSetting,
  NaiveSpec,
  NaiveTracked,
} from './naive-tracking-state.ts';
import { UNIT } from './whole-units.ts';

/** A request to follow a leader. */
export type NaiveRequest = Omit<NaiveFollowing, 'autoCopy' | 'begun'> & {
  readonly autoCopy: boolean | undefined;
};

/** Filter of the tracked orders to close; all given fields must match. */
interface NaiveClosing {
  readonly role: 'leader' | 'follower';
  readonly category: string;
  readonly tracked?: NaiveTracked;
  readonly instrument?: NaiveInstrument;
  readonly side?: PositionSide;
  readonly isolated?: boolean;
  readonly coin?: string;
}

/** A custom leverage is a whole number within the limits, for at least one side. */
function leverageRefusal({
  leverage,
  longLeverage,
  shortLeverage,
  instrument,
}: NaiveSetting): string | undefined {
  if (leverage !== 'own') return undefined;
  if (longLeverage === undefined && shortLeverage === undefined) return 'fieldMissing';
  const most = instrument.tiers[0]!.leverage;
  const mayBe = (each: bigint | undefined): boolean =>
    each === undefined || (each >= UNIT && each <= most && each % UNIT === 0n);
  return mayBe(longLeverage) && mayBe(shortLeverage) ? undefined : 'leverageOutOfRange';
}

export class CopyingExchange extends NaiveExchange {
  readonly copying = new NaiveCopying(this);
  readonly mirroring: NaiveMirroring;
  readonly #futures: readonly NaiveInstrument[];

  constructor(now: number, futures: readonly NaiveInstrument[], limits: NaiveFollowLimits) {
    super(now, futures);
    this.#futures = futures;
    this.mirroring = new NaiveMirroring(this.copying, limits);
    this.copying.mirror = () => this.mirroring.work();
  }

  indexOf(coin: string): bigint {
    return indexOf(this, coin);
  }

  /** Profit shares of the user's ended copies are settled before the command. */
  override begin(user?: NaiveUser): void {
    super.begin();
    this.copying.emitted = [];
    this.copying.tracked = this.copying.open();
    if (user === undefined || this.copying.ended.length + this.copying.stale.length === 0) return;
    this.copying.settleOwn(user);
    liquidateAll(this);
  }

  override setPrices(prices: NaivePrices): void {
    this.#applyIndexes(prices);
    const before = { ...this.marks };
    super.setPrices(prices);
    for (const instrument of this.#futures)
      if (this.marks[instrument.symbol] !== before[instrument.symbol])
        this.copying.wake(instrument);
    this.copying.freshAgain = this.copying.stale.length > 0;
  }

  /** Moves of the indexes come before pinned and released marks, coin by coin. */
  #applyIndexes({ indexes }: NaivePrices): void {
    Object.assign(this.indexes, indexes);
    for (const coin of Object.keys(indexes))
      for (const instrument of this.#futures)
        if (instrument.base === coin && drawMark(this, instrument)) this.copying.wake(instrument);
  }

  /** Switching the market on twice changes nothing. */
  override switchMarket(on: boolean): void {
    const before = this.freshness.on;
    super.switchMarket(on);
    if (before !== on) this.copying.freshAgain = this.copying.stale.length > 0;
  }

  #settled(user: NaiveUser): true {
    this.copying.settleOwn(user);
    return true;
  }

  /** Profit shares of copies that end are settled between orders. */
  override place(
    user: NaiveUser,
    instrument: NaiveInstrument,
    draft: NaiveDraft,
    all = false,
  ): void {
    this.copying.settleOwn(user);
    super.place(user, instrument, draft, all);
    if (!all) this.copying.settleOwn(user);
  }

  override modify(user: NaiveUser, number: number, change: NaiveChange): void {
    const instrument = this.orders.find((each) => each.number === number)?.instrument;
    super.modify(user, number, change);
    if (instrument !== undefined && this.report.answers.includes('accepted'))
      this.copying.wake(instrument);
  }

  override setStatus(instrument: NaiveInstrument, onMargin: boolean, status: NaiveStatus): void {
    const before = statusOf(this, instrument, onMargin);
    super.setStatus(instrument, onMargin, status);
    if (before !== status) this.copying.wake(instrument);
  }

  /** A new listing may change the allowed prices. */
  override relist(instrument: NaiveInstrument, spec: ListedSpec, onMargin: boolean): void {
    super.relist(instrument, spec, onMargin);
    if (this.copying.waiting.some((each) => each.instrument === instrument))
      this.report.happened.push('listed while copies wait');
    this.copying.wake(instrument);
  }

  /** Leaders and followers stay in hedge mode. */
  override setPositionMode(user: NaiveUser, hedge: boolean): void {
    const { leaders, followings } = this.copying;
    const copies = leaders.has(user) || followings.some(({ follower }) => follower === user);
    if (copies && user.hedge !== hedge) this.report.answers.push('positionModeInUse');
    else super.setPositionMode(user, hedge);
  }

  /** A one-way account without open positions changes to hedge mode. */
  makeLeader(user: NaiveUser, spec: NaiveSpec): void {
    const isUsed = [...this.orders, ...this.positions, ...this.triggers].some(
      (each) => each.user === user,
    );
    if (this.copying.followings.some(({ follower }) => follower === user))
      return void this.report.answers.push('cannotFollow');
    if (!user.hedge && isUsed) return void this.report.answers.push('positionModeInUse');
    if (!this.copying.leaders.has(user)) this.report.happened.push('became a leader');
    user.hedge = true;
    this.copying.leaders.set(user, spec);
    this.report.answers.push('accepted');
  }

  transfer(user: NaiveUser, other: NaiveUser, coin: string, amount: bigint): void {
    const refused =
      user === other
        ? 'transferToSelf'
        : amount === 0n
          ? 'withdrawalTooSmall'
          : canLeave(this, user, coin, amount)
            ? undefined
            : 'insufficientBalance';
    this.report.answers.push(refused ?? 'accepted');
    if (refused !== undefined) return;
    walletOf(user, coin).available -= amount;
    walletOf(other, coin).available += amount;
    repay(this, other, coin);
    this.report.happened.push('sent away');
  }

  /** Found by trial. */
  mostToLeave(user: NaiveUser, coin: string): bigint {
    let [can, cannot] = [0n, walletOf(user, coin).available + 1n];
    while (cannot - can > 1n) {
      const middle = (can + cannot) / 2n;
      if (canLeave(this, user, coin, middle)) can = middle;
      else cannot = middle;
    }
    return can;
  }

  /** Symbols that are not named keep their settings, and new symbols get defaults. */
  follow(request: NaiveRequest): void {
    const { followings } = this.copying;
    const before = followings.find(
      ({ follower, leader }) => follower === request.follower && leader === request.leader,
    );
    const refused = this.#followRefusal(request, before);
    if (refused !== undefined) return void this.report.answers.push(refused);
    const isNamed = (instrument: NaiveInstrument): boolean =>
      request.settings.some((each) => each.instrument === instrument);
    const settings = [
      ...(before?.settings ?? []).filter(({ instrument }) => !isNamed(instrument)),
      ...request.settings,
    ];
    const autoCopy = request.autoCopy ?? before?.autoCopy ?? false;
    if (before === undefined)
      followings.push({ ...request, autoCopy, begun: this.copying.trackedEver });
    else Object.assign(before, { mode: request.mode, autoCopy, settings });
    this.report.answers.push('accepted');
  }

  /** Refusal of a setting, by its fields, by the kept settings of the other mode, or by limits. */
  #followRefusal(
    { follower, leader, mode, settings }: NaiveRequest,
    before: NaiveFollowing | undefined,
  ): string | undefined {
    if (follower === leader) return 'followsHimself';
    const spec = this.copying.leaders.get(leader);
    if (spec === undefined) return 'unknownLeader';
    if (this.copying.leaders.has(follower) || follower.owner === leader.owner || !follower.hedge)
      return 'cannotFollow';
    const { symbols, followersMax } = spec;
    for (const setting of settings) {
      if (symbols?.includes(setting.instrument.symbol) === false) return 'symbolNotLed';
      const refused = mode === 'basic' ? undefined : leverageRefusal(setting);
      if (refused !== undefined) return refused;
      if (mode === 'basic' && setting.sizing === 'size') return 'fieldInvalid';
    }
    const named = settings.map(({ instrument }) => instrument);
    for (const kept of before?.settings ?? []) {
      if (named.includes(kept.instrument)) continue;
      if (mode === 'basic' && kept.sizing === 'size') return 'fieldInvalid';
      if (mode === 'advanced' && before?.mode === 'basic' && leverageRefusal(kept) !== undefined)
        return 'fieldInvalid';
    }
    if (named.some((instrument) => statusOf(this, instrument, false) === 'off'))
      return 'copyNotNow';
    const others = this.copying.followings.filter((each) => each.leader === leader);
    return before === undefined && followersMax !== undefined && others.length >= followersMax
      ? 'leaderFull'
      : undefined;
  }

  unfollow(follower: NaiveUser, leader: NaiveUser): void {
    if (!this.copying.leaders.has(leader)) return void this.report.answers.push('unknownLeader');
    const { followings } = this.copying;
    const left = followings.filter((each) => each.follower !== follower || each.leader !== leader);
    this.report.answers.push(left.length === followings.length ? 'notFollowing' : 'accepted');
    this.copying.followings = left;
  }

  /** Closes at market the named tracked order, or all of a symbol's side. */
  closeTracked(user: NaiveUser, wanted: NaiveClosing): void {
    const { role, category, tracked, instrument, side, isolated, coin } = wanted;
    const all = this.copying
      .open(user)
      .filter(
        (each) =>
          (each.original === undefined) === (role === 'leader') &&
          each.instrument.category === category &&
          (tracked === undefined || each === tracked) &&
          (instrument === undefined || each.instrument === instrument) &&
          (side === undefined || each.side === side) &&
          (isolated === undefined || each.isolated === isolated) &&
          (coin === undefined || each.instrument.coin === coin),
      );
    if (isolated !== undefined || coin !== undefined)
      this.report.happened.push(`closed by mode or coin: ${all.length > 0}`);
    const tradable = all.filter(({ instrument: each }) => statusOf(this, each, false) === 'normal');
    if (all.length === 0 && tracked !== undefined)
      return void this.report.answers.push('unknownTrackedOrder');
    if (all.length > 0 && tradable.length === 0)
      return void this.report.answers.push('symbolClosed');
    const sent = tradable.filter(
      (each) =>
        this.#settled(user) && each.size > 0n && this.mirroring.closeTracked(each, each.size, true),
    );
    this.report.answers.push(
      sent.length > 0 ? 'accepted' : all.length === 0 ? 'nothingToClose' : 'noLiquidity',
    );
  }

  /** A missing field changes nothing; zero removes a price. */
  setTpsl(
    tracked: NaiveTracked,
    takeProfit: bigint | undefined,
    stopLoss: bigint | undefined,
  ): void {
    const last = this.copying.lasts[tracked.instrument.symbol]!;
    const wrong = (request: Pick<NaiveTracked, 'takeProfit' | 'stopLoss'>): boolean =>
      isReached({ ...tracked, ...request }, last);
    const isSet = (price: bigint | undefined): price is bigint => price !== undefined && price > 0n;
    if (isSet(takeProfit) && wrong({ takeProfit, stopLoss: undefined }))
      this.report.answers.push('takeProfitOnWrongSide');
    else if (isSet(stopLoss) && wrong({ takeProfit: undefined, stopLoss }))
      this.report.answers.push('stopLossOnWrongSide');
    else if (tracked.target === 0n) this.report.answers.push('copyNotNow');
    else if (
      (isSet(takeProfit) || isSet(stopLoss)) &&
      !takesOrders(this, tracked.instrument, false)
    )
      this.report.answers.push('copyNotNow');
    else {
      if (takeProfit !== undefined) tracked.takeProfit = isSet(takeProfit) ? takeProfit : undefined;
      if (stopLoss !== undefined) tracked.stopLoss = isSet(stopLoss) ? stopLoss : undefined;
      this.report.answers.push('accepted');
    }
  }
}
