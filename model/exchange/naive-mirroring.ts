/** Mirroring in the naive exchange: one job after another, follower by follower. */
import { liquidateAll } from './naive-liquidation.ts';
import { endOrder, match, met, others, trim } from './naive-matching.ts';
import { leverageOf, setMarginMode, sidesApart } from './naive-modes.ts';
import { type NaiveBooks, walletOf } from './naive-money.ts';
import { bandOf, riskRefusal, setAside } from './naive-placing.ts';
import { setLeverage } from './naive-settings.ts';
import {
  madeOrder,
  type NaiveInstrument,
  type NaiveOrder,
  type NaivePosition,
  type NaiveUser,
  type PositionSide,
  type Side,
} from './naive-state.ts';
import { statusOf } from './naive-statuses.ts';
import type { NaiveCopying } from './naive-tracking.ts';
import type {
  NaiveErrand,
  NaiveFollowing,
  NaiveJob,
  NaiveSetting,
  NaiveTracked,
} from './naive-tracking-state.ts';
import { ceiling, floor, max, min, nearest, UNIT } from './whole-units.ts';

/** Size limits of copies, by symbol. */
export type NaiveFollowLimits = Readonly<Record<string, NaiveFollowLimit>>;

interface NaiveFollowLimit {
  readonly least: bigint;
  readonly most: bigint;
}

export class NaiveMirroring {
  readonly #copying: NaiveCopying;
  readonly #books: NaiveBooks;
  readonly #limits: Record<string, NaiveFollowLimit>;

  constructor(copying: NaiveCopying, limits: NaiveFollowLimits) {
    this.#copying = copying;
    this.#books = copying.books;
    this.#limits = { ...limits };
  }

  /** Applies to new copies; open ones stay. */
  setLimits(symbol: string, limit: NaiveFollowLimit): void {
    this.#limits[symbol] = limit;
  }

  /** At most the size of one market order. */
  #limitsOf({ symbol, sizeMin, marketSizeMax }: NaiveInstrument): NaiveFollowLimit {
    const { least, most } = this.#limits[symbol]!;
    return { least: max(least, sizeMin), most: min(most, marketSizeMax) };
  }

  /** Does one portion, or all jobs if there is no limit; then liquidates accounts at risk. */
  work(): void {
    const { jobs, slice } = this.#copying;
    let left = slice ?? Number.MAX_SAFE_INTEGER;
    this.#copying.resume();
    left -= this.#copying.settle(left);
    while (left > 0 && jobs.length > 0) {
      const job = jobs[0]!;
      const targets = this.#begin(job);
      for (; left > 0 && targets.length > 0; left--) {
        this.#do(job, targets.shift()!);
        this.#copying.settle();
      }
      if (targets.length === 0) jobs.shift();
      else this.#books.report.happened.push('portion ends within a job');
    }
    liquidateAll(this.#books);
  }

  #begin(job: NaiveJob): (NaiveUser | NaiveTracked)[] {
    const { followings, waiting } = this.#copying;
    if (job.kind === 'open') {
      const own = followings.filter(
        ({ leader, begun }) => leader === job.original.user && begun <= job.original.number,
      );
      job.targets ??= own.map(({ follower }) => follower);
    } else if (job.kind === 'close')
      job.targets ??= this.#copying.open().filter((each) => each.original === job.original);
    else if (job.kind === 'exit') job.targets ??= [job.tracked];
    else
      job.targets ??= waiting.filter(
        (each) => each.instrument === job.instrument && this.#isWanted(each),
      );
    return job.targets;
  }

  #do(job: NaiveJob, target: NaiveUser | NaiveTracked): void {
    const { followings } = this.#copying;
    if (job.kind === 'open') {
      // A follower who left and came back follows from then on.
      const isMeant = ({ follower, leader, begun }: NaiveFollowing): boolean =>
        follower === target && leader === job.original.user && begun <= job.original.number;
      const following = followings.find(isMeant);
      if (following !== undefined) this.#copy(job.original, following);
      return;
    }
    const tracked = target as NaiveTracked;
    if (tracked.size === 0n) return;
    if (job.kind === 'close') this.#follow(tracked);
    if (job.kind === 'exit') this.#close(tracked);
    if (job.kind === 'retry') this.#retry(tracked);
  }

  #copy(original: NaiveTracked, following: NaiveFollowing): void {
    const { follower, mode, autoCopy, settings } = following;
    const { instrument, side } = original;
    const own = settings.find((each) => each.instrument === instrument);
    if (own === undefined && !(mode === 'basic' && autoCopy)) return;
    const setting: NaiveSetting = own ?? {
      instrument,
      sizing: 'multiple',
      value: UNIT,
      margin: 'leader',
      leverage: 'leader',
    };
    const miss = (size: bigint, reason: string): void =>
      this.#copying.miss(original, follower, size, reason);
    if (original.held === 0n) return miss(0n, 'originalClosed');
    const leverage = this.#leverageOf(original, following, setting);
    const { least, most } = this.#limitsOf(instrument);
    const mayBe = leverage <= instrument.tiers[0]!.leverage;
    const size = mayBe ? min(most, this.#sizeOf(original, setting, leverage)) : 0n;
    const open = this.#copying
      .open(follower)
      .filter((each) => each.leader === original.user && each.instrument === instrument);
    if (setting.heldMax !== undefined && open.length >= setting.heldMax)
      return miss(size, 'tooManyTrackedOrders');
    if (statusOf(this.#books, instrument, false) !== 'normal') return miss(size, 'symbolClosed');
    if (!mayBe) return miss(size, 'leverageOutOfRange');
    if (size < least) return miss(size, 'belowFollowLimit');
    const restore = this.#remember(follower, instrument);
    const unset = this.#takeSettings(original, following, setting, leverage);
    if (unset !== undefined) {
      restore();
      return miss(size, unset);
    }
    const limit = this.#limit(original, opens(side), original.opened);
    const order = {
      ...orderOf(follower, instrument, opens(side), side, size, limit),
      stp: follower.selfTrade,
    };
    const isAlone = others(this.#books, instrument, opens(side)).length === 0;
    const refused = isAlone
      ? 'noLiquidity'
      : (setAside(this.#books, order) ?? riskRefusal(this.#books, order));
    if (refused !== undefined) {
      restore();
      return miss(size, refused);
    }
    this.#books.report.happened.push('copied');
    this.#send(order, { copies: original, following, base: original.held });
  }

  /** Sets margin mode and leverage of the copy; returns the reason if that is refused. */
  #takeSettings(
    original: NaiveTracked,
    { follower, mode }: NaiveFollowing,
    setting: NaiveSetting,
    leverage: bigint,
  ): string | undefined {
    const { instrument, side } = original;
    const { isolated } = follower.settings[instrument.symbol]!;
    const wanted = mode === 'basic' || setting.margin === 'leader' ? original.isolated : isolated;
    if (wanted !== isolated) {
      const refused = setMarginMode(this.#books, follower, instrument, wanted);
      if (refused !== undefined) return refused;
      this.#books.report.happened.push(`copied ${wanted ? 'isolated' : 'crossed'} as its leader`);
    }
    if (leverageOf(follower, instrument, side) === leverage) return undefined;
    return setLeverage(
      this.#books,
      follower,
      instrument,
      leverage,
      sidesApart(follower, instrument) ? side : undefined,
    );
  }

  /**
   * Saves what a change of margin mode or leverage touches; returns a function that restores it.
   */
  #remember(user: NaiveUser, instrument: NaiveInstrument): () => void {
    const isOwn = (each: NaiveOrder | NaivePosition): boolean =>
      each.user === user && each.instrument === instrument;
    const before = { ...user.settings[instrument.symbol]! };
    const sides = { ...before.sides };
    const wallet = { ...walletOf(user, instrument.coin) };
    const positions = this.#books.positions
      .filter(isOwn)
      .map((each) => ({ each, leverage: each.leverage }));
    const orders = this.#books.orders
      .filter(isOwn)
      .map((each) => ({ each, leverage: each.leverage, amount: each.hold.amount }));
    return () => {
      Object.assign(user.settings[instrument.symbol]!, before, { sides });
      Object.assign(walletOf(user, instrument.coin), wallet);
      for (const { each, leverage } of positions) each.leverage = leverage;
      for (const { each, leverage, amount } of orders) {
        each.leverage = leverage;
        each.hold.amount = amount;
      }
    };
  }

  #leverageOf(
    { leverage, side }: NaiveTracked,
    { follower, mode }: NaiveFollowing,
    setting: NaiveSetting,
  ): bigint {
    if (mode === 'basic' || setting.leverage === 'leader') return leverage;
    const own = leverageOf(follower, setting.instrument, side);
    if (setting.leverage === 'own')
      return (side === 'long' ? setting.longLeverage : setting.shortLeverage) ?? own;
    return own;
  }

  #sizeOf(
    { held, opened, instrument: { lot, category } }: NaiveTracked,
    { sizing, value }: NaiveSetting,
    leverage: bigint,
  ): bigint {
    if (sizing === 'multiple') return floor(held * value, UNIT * lot) * lot;
    if (sizing === 'size') return floor(value, lot) * lot;
    // An inverse contract has its size in dollars.
    if (category === 'COIN-FUTURES') return floor(value * leverage, UNIT * lot) * lot;
    return floor(value * leverage, nearest(opened.cost, opened.size) * lot) * lot;
  }

  /**
   * 2 % from mark, or from the leader's price if that is worse and at most a tenth beyond mark; and
   * within the band.
   */
  #limit(
    { instrument }: NaiveTracked,
    side: Side,
    { size, cost }: { readonly size: bigint; readonly cost: bigint },
  ): bigint {
    const mark = this.#books.marks[instrument.symbol]!;
    const { tick } = instrument;
    const { highest, lowest } = bandOf(this.#books, instrument);
    const paid = size === 0n ? mark : nearest(cost, size);
    if (side === 'buy') {
      const from = max(mark, min(paid, floor(mark * 11n, 10n)));
      return min(floor(from * 102n, 100n * tick) * tick, highest);
    }
    const from = min(mark, max(paid, ceiling(mark * 9n, 10n)));
    return max(ceiling(from * 98n, 100n * tick) * tick, lowest);
  }

  /** Closes the share that the leader has closed, rounded down to the step. */
  #follow(copy: NaiveTracked): void {
    const original = copy.original!;
    const { size, leader } = copy.base;
    const { lot } = copy.instrument;
    copy.followed = original.held;
    const left =
      original.held === 0n ? 0n : size - floor(size * (leader - original.held), leader * lot) * lot;
    copy.target = min(copy.target, left);
    if (copy.size > left) this.#close(copy);
  }

  #retry(tracked: NaiveTracked): void {
    this.#books.report.happened.push('tried again');
    this.#close(tracked);
  }

  /** After a fill that could not be afforded, the next attempt waits one minute. */
  #close(tracked: NaiveTracked): void {
    if (tracked.triedAt === undefined || this.#books.now >= tracked.triedAt + 60_000) {
      const before = tracked.size;
      const isSent = this.closeTracked(tracked, tracked.size - tracked.target, tracked.tpsl);
      if (isSent) tracked.triedAt = tracked.size === before ? this.#books.now : undefined;
    }
    const { waiting } = this.#copying;
    if (tracked.size > tracked.target && !waiting.includes(tracked)) waiting.push(tracked);
  }

  /** At market: a user's close goes to the band, a mirrored one to the copy limit. */
  closeTracked(tracked: NaiveTracked, wanted: bigint, own: boolean): boolean {
    const { user, instrument, side } = tracked;
    if (statusOf(this.#books, instrument, false) !== 'normal') return false;
    const order = this.#closingOrder(tracked, wanted, own);
    if (!this.#isTaken(order)) return false;
    this.#free(user, instrument, side, wanted);
    this.#books.report.happened.push(own ? 'closed by its account' : 'closed with its leader');
    this.#send(order, { closes: tracked, own });
    return true;
  }

  /** Whether an order in the book would take some of it now. */
  #isWanted(tracked: NaiveTracked): boolean {
    const { instrument, size, target, tpsl } = tracked;
    return (
      statusOf(this.#books, instrument, false) === 'normal' &&
      this.#isTaken(this.#closingOrder(tracked, size - target, tpsl))
    );
  }

  /**
   * With self-trade prevention, the user's own orders are no counterparty, and end when others
   * cannot be reached before them.
   */
  #isTaken(order: NaiveOrder): boolean {
    return met(this.#books, order).some(
      (maker) => order.stp === 'none' || maker.user.owner !== order.user.owner,
    );
  }

  #closingOrder(tracked: NaiveTracked, wanted: bigint, own: boolean): NaiveOrder {
    const { user, instrument, side, original } = tracked;
    const books = this.#books;
    const closing = side === 'long' ? 'sell' : 'buy';
    const band = bandOf(books, instrument)[closing === 'sell' ? 'lowest' : 'highest'];
    const limit =
      own || original === undefined ? band : this.#limit(tracked, closing, original.closed);
    const stp = user.selfTrade === 'none' ? 'none' : 'cancelMaker';
    return { ...orderOf(user, instrument, closing, side, wanted, limit), stp };
  }

  /** Cancels the oldest orders that hold size needed by the close. */
  #free(user: NaiveUser, instrument: NaiveInstrument, side: PositionSide, wanted: bigint): void {
    const books = this.#books;
    const position = books.positions.find(
      (each) => each.user === user && each.instrument === instrument && each.side === side,
    )!;
    const closes = books.orders.filter(
      (each) =>
        each.closes &&
        each.user === user &&
        each.instrument === instrument &&
        each.positionSide === side,
    );
    let held = closes.reduce((sum, { left }) => sum + left, 0n);
    for (const order of closes) {
      if (held <= position.size - wanted) return;
      held -= order.left;
      books.report.happened.push('cancelled for mirroring');
      endOrder(books, order, 'reduceOnlyReplaced');
    }
  }

  #send(order: NaiveOrder, errand: NaiveErrand): void {
    const books = this.#books;
    const sent = { ...order, number: books.accepted++, place: books.places++ };
    this.#copying.errands.set(sent.number, errand);
    books.orders.push(sent);
    match(books, sent);
    trim(books);
  }
}

const opens = (side: PositionSide): Side => (side === 'long' ? 'buy' : 'sell');

function orderOf(
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: Side,
  positionSide: PositionSide,
  size: bigint,
  limit: bigint,
): NaiveOrder {
  const { isolated } = user.settings[instrument.symbol]!;
  const leverage = leverageOf(user, instrument, positionSide);
  return madeOrder({
    user,
    instrument,
    side,
    positionSide,
    size,
    limit,
    closes: opens(positionSide) !== side,
    isolated,
    leverage,
  });
}
