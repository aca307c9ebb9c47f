/**
 * What copy trading of the naive exchange keeps: plain lists, and what each fill does to tracked
 * orders.
 */

import { profitOf } from './naive-contracts.ts';
import { indexOf, type NaiveBooks } from './naive-money.ts';
import { dueOf, settleCopy, waitsForPrices } from './naive-shares.ts';
import type {
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaiveTracking,
  NaiveUser,
} from './naive-state.ts';
import { type NaiveTaken, shareTaken, takenParts } from './naive-taken.ts';
import { exitPrice, inOrderReached, isReached } from './naive-tpsl.ts';
import type {
  NaiveCopyErrand,
  NaiveErrand,
  NaiveFill,
  NaiveFollowing,
  NaiveJob,
  NaiveSpec,
  NaiveTracked,
} from './naive-tracking-state.ts';
import { ceiling, floor, min, nearest, UNIT } from './whole-units.ts';

export class NaiveCopying implements NaiveTracking {
  readonly books: NaiveBooks;
  /** Who leads, on which terms. */
  readonly leaders = new Map<NaiveUser, NaiveSpec>();
  followings: NaiveFollowing[] = [];
  /** Those that are open, and those that the last command has ended. */
  tracked: NaiveTracked[] = [];
  /** How many there ever were. */
  trackedEver = 0;
  readonly errands = new Map<number, NaiveErrand>();
  /** What orders that open tracked orders and are not done have opened, by their numbers. */
  readonly openings = new Map<
    number,
    { readonly order: NaiveOrder; size: bigint; cost: bigint; fee: bigint }
  >();
  /** What closing orders of leaders that are not done have closed. */
  readonly closings = new Map<number, Map<NaiveTracked, bigint>>();
  jobs: NaiveJob[] = [];
  readonly lasts: Record<string, bigint> = {};
  /** What waits to be closed, in the order it began to. */
  waiting: NaiveTracked[] = [];
  /**
   * Copies that are closed and not settled, and originals that were liquidated and are not told of.
   */
  ended: NaiveTracked[] = [];
  /**
   * Copies that are closed and whose share waits for prices, oldest first; and whether one was
   * heard since they were looked at.
   */
  stale: NaiveTracked[] = [];
  freshAgain = false;
  /** What is tracked of a position that is being taken over. */
  #taken: NaiveTaken | undefined;
  /** What the last command has ended, and what it has not copied. */
  emitted: string[] = [];

  /**
   * How much is mirrored at once, with commands of others in between; all of it where nothing is
   * said.
   */
  slice: number | undefined;
  /** Who does what is in line. */
  mirror = (): void => undefined;

  constructor(books: NaiveBooks) {
    this.books = books;
  }

  open(user?: NaiveUser): NaiveTracked[] {
    return this.tracked.filter(
      (each) => each.size > 0n && (user === undefined || each.user === user),
    );
  }

  opened(
    order: NaiveOrder,
    { price, size, fee }: { price: bigint; size: bigint; fee: bigint },
  ): void {
    const known = this.openings.get(order.number);
    if (known === undefined && !this.#leads(order) && !this.errands.has(order.number)) return;
    const opening = known ?? { order, size: 0n, cost: 0n, fee: 0n };
    opening.size += size;
    opening.cost += price * size;
    opening.fee += fee;
    this.openings.set(order.number, opening);
  }

  #leads({ user, instrument: { symbol } }: NaiveOrder): boolean {
    const spec = this.leaders.get(user);
    return spec !== undefined && spec.symbols?.includes(symbol) !== false;
  }

  /** Oldest first, unless the order was sent to close one of them. */
  closed(fill: NaiveFill, order?: NaiveOrder): void {
    const { user, instrument, side } = fill.position;
    const errand = order === undefined ? undefined : this.errands.get(order.number);
    const sent = errand !== undefined && 'closes' in errand ? errand : undefined;
    const own = this.open(user).filter(
      (each) => each.instrument === instrument && each.side === side,
    );
    let left = fill.size;
    for (const tracked of sent === undefined ? own : [sent.closes]) {
      const size = min(left, tracked.size);
      if (size === 0n) continue;
      this.#reduce(tracked, size, fill, fill.size - left);
      if (tracked.size === 0n) this.#end(tracked, order === undefined || order.forced);
      left -= size;
      if (tracked.original === undefined) this.#leaderCloses(tracked, size, order);
      else if (sent === undefined || sent.own) this.#accountCloses(tracked);
    }
    this.#forget(fill.position, left);
  }

  /**
   * What a leader closes beyond all that is tracked was opened by orders that are not done yet, and
   * will not be tracked.
   */
  #forget({ user, instrument, side }: NaivePosition, size: bigint): void {
    let left = size;
    for (const [number, opening] of this.openings) {
      const { order } = opening;
      if (
        this.errands.has(number) ||
        order.user !== user ||
        order.instrument !== instrument ||
        order.positionSide !== side
      )
        continue;
      const part = min(opening.size, left);
      if (part === 0n) continue;
      opening.cost -= nearest(opening.cost * part, opening.size);
      opening.fee -= floor(opening.fee * part, opening.size);
      opening.size -= part;
      left -= part;
      this.books.report.happened.push('opened and closed before it was tracked');
    }
  }

  /**
   * Of what the fill has cost each has its part by size, and what is left of a unit comes with the
   * last.
   */
  #reduce(tracked: NaiveTracked, size: bigint, fill: NaiveFill, before: bigint): void {
    const partOf = (amount: bigint): bigint =>
      floor(amount * (before + size), fill.size) - floor(amount * before, fill.size);
    const cost = nearest(tracked.cost * size, tracked.size);
    tracked.size -= size;
    tracked.cost -= cost;
    tracked.closed = {
      size: tracked.closed.size + size,
      cost: tracked.closed.cost + fill.price * size,
    };
    tracked.closeFee += partOf(fill.fee);
    tracked.profit +=
      profitOf(tracked.instrument, tracked.side, size, cost, fill.price) - partOf(fill.due ?? 0n);
    if (tracked.size <= tracked.target)
      this.waiting = this.waiting.filter((each) => each !== tracked);
  }

  /**
   * Copies are settled, and what a leader lost by force is told, when their turn comes; what else
   * he closed is told at once.
   */
  #end(tracked: NaiveTracked, forced: boolean): void {
    if (tracked.original !== undefined || forced) this.ended.push(tracked);
    else this.emitted.push(settleCopy(this.books, tracked));
  }

  /**
   * Followers are held to what he has once the order is done; what is closed outside the book is
   * done.
   */
  #leaderCloses(tracked: NaiveTracked, size: bigint, order: NaiveOrder | undefined): void {
    if (order === undefined) {
      tracked.held -= size;
      this.#closeCopies(tracked);
      return;
    }
    const closings = this.closings.get(order.number) ?? new Map<NaiveTracked, bigint>();
    closings.set(tracked, (closings.get(tracked) ?? 0n) + size);
    this.closings.set(order.number, closings);
  }

  /** One that is in line is enough. */
  #closeCopies(original: NaiveTracked): void {
    const isIn = this.jobs.some(
      (job) => job.kind === 'close' && job.original === original && job.targets === undefined,
    );
    if (!isIn && this.open().some((each) => each.original === original))
      this.jobs.push({ kind: 'close', original });
  }

  #accountCloses(copy: NaiveTracked): void {
    copy.target = min(copy.target, copy.size);
    copy.base = { size: copy.target, leader: copy.followed };
  }

  orderEnded(order: NaiveOrder, reason: string): void {
    const opening = this.openings.get(order.number);
    this.openings.delete(order.number);
    const errand = this.errands.get(order.number);
    if (errand !== undefined && 'copies' in errand) {
      if (opening !== undefined) this.#copied(order, opening, errand);
      if (order.left > 0n) this.miss(errand.copies, order.user, order.left, reason);
    } else if (opening !== undefined) this.#led(order, opening);
    for (const [original, size] of this.closings.get(order.number) ?? []) {
      original.held -= size;
      this.#closeCopies(original);
    }
    this.closings.delete(order.number);
  }

  #led(order: NaiveOrder, opening: NaiveTracked['opened']): void {
    const original = this.#track(order, opening, {
      leader: order.user,
      original: undefined,
      share: 0n,
    });
    if (original !== undefined) this.jobs.push({ kind: 'open', original });
  }

  #copied(order: NaiveOrder, opening: NaiveTracked['opened'], errand: NaiveCopyErrand): void {
    const { copies: original, following } = errand;
    const copy = this.#track(order, opening, {
      leader: original.user,
      original,
      share: this.leaders.get(original.user)!.share,
    });
    if (copy === undefined) return;
    copy.base = { size: copy.size, leader: errand.base };
    copy.followed = errand.base;
    const setting = following.settings.find(({ instrument }) => instrument === copy.instrument);
    if (setting?.takeProfitRatio !== undefined)
      copy.takeProfit = exitPrice(copy, setting.takeProfitRatio, 1n);
    if (setting?.stopLossRatio !== undefined)
      copy.stopLoss = exitPrice(copy, setting.stopLossRatio, -1n);
    if (isReached(copy, this.lasts[copy.instrument.symbol]!)) this.#tpsl(copy);
    // It may have traded with the very order by which its leader closes.
    if (original.held < errand.base) this.#closeCopies(original);
  }

  /** From now on all of it is to be closed. */
  #tpsl(tracked: NaiveTracked): void {
    tracked.target = 0n;
    tracked.tpsl = true;
    this.jobs.push({ kind: 'exit', tracked });
    this.books.report.happened.push('own price reached');
  }

  #track(
    order: NaiveOrder,
    { size, cost, fee }: NaiveTracked['opened'],
    spec: Pick<NaiveTracked, 'leader' | 'original' | 'share'>,
  ): NaiveTracked | undefined {
    const { user, instrument } = order;
    const side = order.positionSide!;
    if (size === 0n) return undefined;
    const opened = { size, cost, fee };
    const tracked: NaiveTracked = {
      ...spec,
      number: this.trackedEver++,
      user,
      instrument,
      side,
      isolated: order.isolated,
      leverage: order.leverage,
      opened,
      size,
      cost: opened.cost,
      closed: { size: 0n, cost: 0n },
      closeFee: 0n,
      profit: 0n,
      takeProfit: undefined,
      stopLoss: undefined,
      held: size,
      base: { size, leader: size },
      followed: size,
      target: size,
      tpsl: false,
      triedAt: undefined,
    };
    this.tracked.push(tracked);
    return tracked;
  }

  miss(original: NaiveTracked, follower: NaiveUser, size: bigint, reason: string): void {
    this.emitted.push(`${follower.name} missed ${size} of ${original.user.name}: ${reason}`);
    this.books.report.happened.push(`not copied ${reason}`);
  }

  /** What a liquidation ends is settled when all of it is done. */
  traded({ instrument, forced }: NaiveOrder, price: bigint): void {
    this.lasts[instrument.symbol] = price;
    const open = this.open().filter((each) => each.instrument === instrument && each.target > 0n);
    for (const tracked of inOrderReached(open, price)) this.#tpsl(tracked);
    if (!forced && this.slice === undefined) this.settle();
  }

  /** What waits to be closed is tried again when somebody else can be there to trade with. */
  wake(instrument: NaiveInstrument): void {
    const isIn = this.jobs.some(
      (job) => job.kind === 'retry' && job.instrument === instrument && job.targets === undefined,
    );
    const waits = this.waiting.some((each) => each.instrument === instrument);
    if (waits && !isIn) this.jobs.push({ kind: 'retry', instrument });
  }

  takeoverBegins(position: NaivePosition): void {
    const { user, instrument, side } = position;
    const own = this.open(user).filter(
      (each) => each.instrument === instrument && each.side === side,
    );
    this.#taken = takenParts(this.books, own, position);
  }

  takenOver(brought: bigint): void {
    if (this.#taken!.parts.length > 0) this.books.report.happened.push('tracked orders taken over');
    shareTaken(this.#taken!, brought);
    this.#taken = undefined;
  }

  isBehind(): boolean {
    return this.jobs.length > 0 || this.ended.length > 0 || this.freshAgain;
  }

  doPortion(): void {
    if (this.isBehind()) this.mirror();
  }

  /** What waited for prices that are heard by now comes before what has ended since. */
  resume(): void {
    if (!this.freshAgain) return;
    this.freshAgain = false;
    const ready = this.stale.filter(
      ({ user }) => !waitsForPrices(this.books, this.stale.find((each) => each.user === user)!),
    );
    this.stale = this.stale.filter((each) => !ready.includes(each));
    this.ended = [...ready, ...this.ended];
    if (ready.length > 0) this.books.report.happened.push('share heard again');
  }

  /** Everything that has ended is settled, once; or so many, the first first. Says how many. */
  settle(most = this.ended.length): number {
    const now = this.ended.splice(0, most);
    for (const tracked of now) this.#settle(tracked);
    return now.length;
  }

  /** What has ended of his copies, before he does anything else: what waited first. */
  settleOwn(user: NaiveUser): void {
    const isHis = (each: NaiveTracked): boolean =>
      each.user === user && each.original !== undefined;
    const own = [...this.stale.filter(isHis), ...this.ended.filter(isHis)];
    this.stale = this.stale.filter((each) => !isHis(each));
    this.ended = this.ended.filter((each) => !isHis(each));
    for (const tracked of own) this.#settle(tracked);
  }

  #settle(tracked: NaiveTracked): void {
    const isBehind = dueOf(tracked) > 0n && this.stale.some(({ user }) => user === tracked.user);
    if (isBehind || waitsForPrices(this.books, tracked)) {
      this.stale = [...this.stale, tracked].sort((one, other) => one.number - other.number);
      this.books.report.happened.push('share waits for prices');
    } else this.emitted.push(settleCopy(this.books, tracked));
  }

  keptReady(user: NaiveUser): bigint {
    return this.#levy(
      [...this.ended, ...this.stale, ...this.open()].filter((each) => each.user === user),
    );
  }

  aboutToPay(user: NaiveUser): bigint {
    return this.#levy([...this.ended, ...this.stale].filter((each) => each.user === user));
  }

  #levy(tracked: readonly NaiveTracked[]): bigint {
    const sums: Record<string, bigint> = {};
    for (const copy of tracked)
      if (copy.original !== undefined)
        sums[copy.instrument.coin] = (sums[copy.instrument.coin] ?? 0n) + dueOf(copy);
    return Object.entries(sums).reduce(
      (all, [coin, sum]) => all + ceiling(sum * indexOf(this.books, coin), UNIT),
      0n,
    );
  }
}
