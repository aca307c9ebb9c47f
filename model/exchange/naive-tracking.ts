/** Copy trading in the naive exchange: the effects of fills on tracked orders. */

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
  /** Leaders and their conditions. */
  readonly leaders = new Map<NaiveUser, NaiveSpec>();
  followings: NaiveFollowing[] = [];
  /** Open tracked orders, and those that the last command ended. */
  tracked: NaiveTracked[] = [];
  /** Number of tracked orders ever opened. */
  trackedEver = 0;
  readonly errands = new Map<number, NaiveErrand>();
  /** Opened amounts of tracked opening orders that are not done, by order number. */
  readonly openings = new Map<
    number,
    { readonly order: NaiveOrder; size: bigint; cost: bigint; fee: bigint }
  >();
  /** Closed amounts of leaders' closing orders that are not done. */
  readonly closings = new Map<number, Map<NaiveTracked, bigint>>();
  jobs: NaiveJob[] = [];
  readonly lasts: Record<string, bigint> = {};
  /** Tracked orders that wait to be closed, oldest wait first. */
  waiting: NaiveTracked[] = [];
  /** Closed copies that are not settled, and liquidated originals whose end was not emitted. */
  ended: NaiveTracked[] = [];
  /**
   * Closed copies whose profit share waits for fresh prices, oldest first; and whether a price
   * became fresh since the last check.
   */
  stale: NaiveTracked[] = [];
  freshAgain = false;
  /** Tracked orders of the position in takeover. */
  #taken: NaiveTaken | undefined;
  /** Tracked orders that the last command ended, and copies it missed. */
  emitted: string[] = [];

  /** Jobs per portion, with other commands in between; unlimited if undefined. */
  slice: number | undefined;
  /** Runs queued jobs. */
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
   * If a leader closes more than is tracked, the rest was opened by orders that are not done; that
   * part is not tracked.
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

  /** Shares the cost of the fill by size; the last part gets the rounding rest. */
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
   * Copies, and originals that were liquidated, are settled in their turn. Other originals end at
   * once.
   */
  #end(tracked: NaiveTracked, forced: boolean): void {
    if (tracked.original !== undefined || forced) this.ended.push(tracked);
    else this.emitted.push(settleCopy(this.books, tracked));
  }

  /** Followers close when the order is done; a close outside the book is done at once. */
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

  /** One queued job is enough. */
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
    // The copy may have traded with the leader's closing order.
    if (original.held < errand.base) this.#closeCopies(original);
  }

  /** From now on all of it is to be closed. */
  #tpsl(tracked: NaiveTracked): void {
    tracked.target = 0n;
    tracked.tpsl = true;
    this.jobs.push({ kind: 'exit', tracked });
    this.books.report.happened.push('own TP/SL reached');
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

  /** Results of a liquidation are settled when the liquidation is done. */
  traded({ instrument, forced }: NaiveOrder, price: bigint): void {
    this.lasts[instrument.symbol] = price;
    const open = this.open().filter((each) => each.instrument === instrument && each.target > 0n);
    for (const tracked of inOrderReached(open, price)) this.#tpsl(tracked);
    if (!forced && this.slice === undefined) this.settle();
  }

  /** Retries waiting closes when a new counterparty may be in the book. */
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

  /** Copies that waited for prices that are fresh again come before later ends. */
  resume(): void {
    if (!this.freshAgain) return;
    this.freshAgain = false;
    const ready = this.stale.filter(
      ({ user }) => !waitsForPrices(this.books, this.stale.find((each) => each.user === user)!),
    );
    this.stale = this.stale.filter((each) => !ready.includes(each));
    this.ended = [...ready, ...this.ended];
    if (ready.length > 0) this.books.report.happened.push('share paid after waiting');
  }

  /** Settles the first `most` ended orders, once each, and returns their number. */
  settle(most = this.ended.length): number {
    const now = this.ended.splice(0, most);
    for (const tracked of now) this.#settle(tracked);
    return now.length;
  }

  /** Settles the user's ended copies before the user's command, the longest wait first. */
  settleOwn(user: NaiveUser): void {
    const isOwn = (each: NaiveTracked): boolean =>
      each.user === user && each.original !== undefined;
    const own = [...this.stale.filter(isOwn), ...this.ended.filter(isOwn)];
    this.stale = this.stale.filter((each) => !isOwn(each));
    this.ended = this.ended.filter((each) => !isOwn(each));
    for (const tracked of own) this.#settle(tracked);
  }

  #settle(tracked: NaiveTracked): void {
    const isBehind = dueOf(tracked) > 0n && this.stale.some(({ user }) => user === tracked.user);
    if (isBehind || waitsForPrices(this.books, tracked)) {
      this.stale = [...this.stale, tracked].sort((one, other) => one.number - other.number);
      this.books.report.happened.push('share waits for prices');
    } else this.emitted.push(settleCopy(this.books, tracked));
  }

  sharesReserved(user: NaiveUser): bigint {
    return this.#levy(
      [...this.ended, ...this.stale, ...this.open()].filter((each) => each.user === user),
    );
  }

  sharesDue(user: NaiveUser): bigint {
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
