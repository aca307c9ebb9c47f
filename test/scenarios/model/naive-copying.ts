/** The naive exchange with leaders and followers. */
import { NaiveExchange } from './naive-exchange.ts';
import { type NaiveFollowLimits, NaiveMirroring } from './naive-mirroring.ts';
import type { NaiveInstrument, NaivePrices, NaiveUser, PositionSide } from './naive-state.ts';
import { isReached, NaiveCopying, type NaiveFollowing, type NaiveTracked } from './naive-tracking.ts';

export class CopyingExchange extends NaiveExchange {
  readonly copying = new NaiveCopying(this);
  readonly mirroring: NaiveMirroring;
  readonly #futures: readonly NaiveInstrument[];

  constructor(now: number, futures: readonly NaiveInstrument[], limits: NaiveFollowLimits) {
    super(now, futures);
    this.#futures = futures;
    this.mirroring = new NaiveMirroring(this.copying, limits);
  }

  override begin(): void {
    super.begin();
    this.copying.told = [];
  }

  override setPrices(prices: NaivePrices): void {
    super.setPrices(prices);
    for (const instrument of this.#futures) this.copying.wake(instrument);
  }

  /** What the command has begun is mirrored, until nothing is left. */
  override finish(): void {
    super.finish();
    this.mirroring.work();
  }

  /** Settings for symbols that are not named stay as they are. */
  follow(wish: NaiveFollowing): void {
    const { followings } = this.copying;
    const before = followings.find(({ follower, leader }) => follower === wish.follower && leader === wish.leader);
    const isNamed = (instrument: NaiveInstrument): boolean => wish.settings.some((each) => each.instrument === instrument);
    const settings = [...(before?.settings ?? []).filter(({ instrument }) => !isNamed(instrument)), ...wish.settings];
    if (wish.mode === 'basic' && settings.some(({ sizing }) => sizing === 'size')) return void this.report.answers.push('fieldInvalid');
    if (before === undefined) followings.push(wish);
    else {
      before.mode = wish.mode;
      before.autoCopy = wish.autoCopy;
      before.settings = settings;
    }
    this.report.answers.push('accepted');
  }

  unfollow(follower: NaiveUser, leader: NaiveUser): void {
    const { followings } = this.copying;
    const left = followings.filter((each) => each.follower !== follower || each.leader !== leader);
    this.report.answers.push(left.length === followings.length ? 'notFollowing' : 'accepted');
    this.copying.followings = left;
  }

  override selfTradeOf(user: NaiveUser): string {
    return this.copying.selfTrades.get(user) ?? 'none';
  }

  /** At market, the one that is named or all of a symbol's side. */
  closeTracked(
    user: NaiveUser,
    wanted: { category: string; tracked?: NaiveTracked; instrument?: NaiveInstrument; side?: PositionSide },
  ): void {
    const { category, tracked, instrument, side } = wanted;
    const all = this.copying
      .open(user)
      .filter(
        (each) =>
          each.instrument.category === category &&
          (tracked === undefined || each === tracked) &&
          (instrument === undefined || each.instrument === instrument) &&
          (side === undefined || each.side === side),
      );
    const sent = all.filter((each) => each.size > 0n && this.mirroring.closeTracked(each, each.size, true));
    this.report.answers.push(sent.length > 0 ? 'accepted' : all.length === 0 ? 'nothingToClose' : 'noLiquidity');
  }

  /** Nothing that is left out changes, and nothing takes away what is zero. */
  setExits(tracked: NaiveTracked, takeProfit: bigint | undefined, stopLoss: bigint | undefined): void {
    const last = this.copying.lasts[tracked.instrument.symbol]!;
    const wrong = (wish: Pick<NaiveTracked, 'takeProfit' | 'stopLoss'>): boolean => isReached({ ...tracked, ...wish }, last);
    const isSet = (price: bigint | undefined): price is bigint => price !== undefined && price > 0n;
    if (isSet(takeProfit) && wrong({ takeProfit, stopLoss: undefined })) this.report.answers.push('takeProfitOnWrongSide');
    else if (isSet(stopLoss) && wrong({ takeProfit: undefined, stopLoss })) this.report.answers.push('stopLossOnWrongSide');
    else if (tracked.target === 0n) this.report.answers.push('copyNotNow');
    else {
      if (takeProfit !== undefined) tracked.takeProfit = isSet(takeProfit) ? takeProfit : undefined;
      if (stopLoss !== undefined) tracked.stopLoss = isSet(stopLoss) ? stopLoss : undefined;
      this.report.answers.push('accepted');
    }
  }
}
