/**
 * The order book of the exchange: orders live in typed arrays and are linked at their price level,
 * so that an order allocates no memory.
 */
import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Side } from '../../messages/vocabulary.ts';
import {
  BOOK_ORDERS_MAX,
  checkRestingOrder,
  type Lots,
  type MakerVisitor,
  NO_LOTS,
  type OrderBook,
  type OrderGlance,
  type PriceLevel,
  REMOVE_MAKER,
  REMOVE_MAKER_AND_STOP,
  type RestingOrder,
  STOP,
  TICK_MAX,
  type Tick,
} from './order-book.ts';
import { NO_ORDER, OrderSlots } from './order-slots.ts';
import {
  BUYS,
  NONE,
  PriceLadder,
  RANK_MAX,
  rankOf,
  SELLS,
  type SideBit,
  sideBit,
  tickOf,
} from './price-ladder.ts';

const makersOf = (taker: Side): SideBit => (taker === 'buy' ? SELLS : BUYS);
/** Below every rank. */
const NO_RANK = -1;

/**
 * The worst rank a taker may reach. The limit may lie outside the valid ticks, for example where a
 * price band ends (ORD-44).
 */
function rankLimit(makers: SideBit, limit: Tick | undefined): number {
  if (limit === undefined) return RANK_MAX;
  if (limit < 1) return makers === BUYS ? RANK_MAX : NO_RANK;
  if (limit > TICK_MAX) return makers === SELLS ? RANK_MAX : NO_RANK;
  return rankOf(makers, limit);
}

export class FastOrderBook implements OrderBook {
  private readonly ladder = new PriceLadder();
  private readonly slots = new OrderSlots();
  private matching = false;

  get size(): number {
    return this.slots.count;
  }

  rest(id: Id, side: Side, tick: Tick, lots: Lots, owner: Uid): void {
    const slots = this.slots;
    const ladder = this.ladder;
    checkRestingOrder(id, tick, lots, owner);
    invariant(!this.matching, 'a visitor does not change the book');
    invariant(slots.count < BOOK_ORDERS_MAX, 'a book has room for its orders');

    const bit = sideBit(side);
    const level = ladder.ensure(bit, rankOf(bit, tick));
    const last = ladder.tail(level);
    const slot = slots.add(id, lots, owner, level, last);
    if (last === NO_ORDER) ladder.setHead(level, slot);
    ladder.setTail(level, slot);
    ladder.setLots(level, ladder.lots(level) + lots);
  }

  cancel(id: Id): Lots | undefined {
    invariant(!this.matching, 'a visitor does not change the book');
    const slot = this.slots.find(id);
    if (slot === NO_ORDER) return undefined;
    const lots = this.slots.lots(slot) as Lots;
    this.removeOrder(slot, lots);
    return lots;
  }

  reduce(id: Id, by: Lots): Lots | undefined {
    invariant(!this.matching, 'a visitor does not change the book');
    const slot = this.slots.find(id);
    if (slot === NO_ORDER) return undefined;
    const lots = this.slots.lots(slot);
    invariant(
      Number.isInteger(by) && by >= 1 && by <= lots,
      'an order is reduced by at most its lots',
    );
    this.takeLots(slot, lots, by);
    return (lots - by) as Lots;
  }

  lotsOf(id: Id): Lots | undefined {
    const slot = this.slots.find(id);
    return slot === NO_ORDER ? undefined : (this.slots.lots(slot) as Lots);
  }

  best(side: Side): Tick | undefined {
    const bit = sideBit(side);
    const level = this.ladder.best(bit);
    return level === NONE ? undefined : tickOf(bit, this.ladder.rankOf(level));
  }

  lotsAt(side: Side, tick: Tick): Lots {
    if (tick < 1 || tick > TICK_MAX) return NO_LOTS;
    const bit = sideBit(side);
    const level = this.ladder.find(bit, rankOf(bit, tick));
    return level === NONE ? NO_LOTS : (this.ladder.lots(level) as Lots);
  }

  depth(side: Side, levels: number): PriceLevel[] {
    const bit = sideBit(side);
    const ladder = this.ladder;
    const found: PriceLevel[] = [];
    for (
      let level = ladder.best(bit);
      level !== NONE && found.length < levels;
      level = ladder.next(level)
    ) {
      found.push({ tick: tickOf(bit, ladder.rankOf(level)), lots: ladder.lots(level) as Lots });
    }
    return found;
  }

  match(side: Side, limit: Tick | undefined, lots: Lots, visitor: MakerVisitor): Lots {
    invariant(!this.matching, 'a visitor does not change the book');
    const makers = makersOf(side);
    const worst = rankLimit(makers, limit);
    const level = this.ladder.best(makers);
    if (level === NONE || this.ladder.rankOf(level) > worst) return NO_LOTS;
    this.matching = true;
    const traded = this.walk(makers, worst, lots, visitor);
    this.matching = false;
    return traded as Lots;
  }

  /** Fetches the best level anew for each maker, so the book is consistent at every visit. */
  private walk(makers: SideBit, worst: number, lots: number, visitor: MakerVisitor): number {
    const ladder = this.ladder;
    const slots = this.slots;
    let left = lots;
    while (left > 0) {
      const level = ladder.best(makers);
      if (level === NONE) break;
      const rank = ladder.rankOf(level);
      if (rank > worst) break;
      const slot = ladder.head(level);
      const available = slots.lots(slot);
      const fillable = available < left ? available : left;
      const decision = visitor.visit(
        slots.id(slot) as Id,
        slots.owner(slot) as Uid,
        tickOf(makers, rank),
        fillable as Lots,
      );
      if (decision > 0) {
        invariant(
          decision <= fillable && Number.isInteger(decision),
          'a maker trades no more than both sides have',
        );
        this.takeLots(slot, available, decision);
        left -= decision;
        if (decision < fillable) break;
        continue;
      }
      if (decision === STOP) break;
      invariant(
        decision === REMOVE_MAKER || decision === REMOVE_MAKER_AND_STOP,
        'a visitor returns a valid decision',
      );
      this.removeOrder(slot, available);
      if (decision === REMOVE_MAKER_AND_STOP) break;
    }
    return lots - left;
  }

  fillableLots(side: Side, limit: Tick | undefined, upTo: Lots): Lots {
    const ladder = this.ladder;
    const makers = makersOf(side);
    const worst = rankLimit(makers, limit);
    let found = 0;
    for (
      let level = ladder.best(makers);
      level !== NONE && ladder.rankOf(level) <= worst;
      level = ladder.next(level)
    ) {
      found += ladder.lots(level);
      if (found >= upTo) return upTo;
    }
    return found as Lots;
  }

  look(side: Side, limit: Tick | undefined, glance: OrderGlance): void {
    const makers = makersOf(side);
    this.lookThrough(makers, rankLimit(makers, limit), glance);
  }

  orders(): RestingOrder[] {
    const found: RestingOrder[] = [];
    const collect =
      (side: Side): OrderGlance =>
      (id, owner, tick, lots) => {
        found.push({ id, side, tick, lots, owner });
        return true;
      };
    this.lookThrough(BUYS, RANK_MAX, collect('buy'));
    this.lookThrough(SELLS, RANK_MAX, collect('sell'));
    return found;
  }

  private lookThrough(makers: SideBit, worst: number, glance: OrderGlance): void {
    const ladder = this.ladder;
    const slots = this.slots;
    for (let level = ladder.best(makers); level !== NONE; level = ladder.next(level)) {
      const rank = ladder.rankOf(level);
      if (rank > worst) return;
      const tick = tickOf(makers, rank);
      for (let slot = ladder.head(level); slot !== NO_ORDER; slot = slots.next(slot)) {
        if (!glance(slots.id(slot) as Id, slots.owner(slot) as Uid, tick, slots.lots(slot) as Lots))
          return;
      }
    }
  }

  /** Takes lots from an order that has `available` of them; an empty order leaves the book. */
  private takeLots(slot: number, available: number, lots: number): void {
    if (lots === available) {
      this.removeOrder(slot, available);
      return;
    }
    const level = this.slots.level(slot);
    this.slots.setLots(slot, available - lots);
    this.ladder.setLots(level, this.ladder.lots(level) - lots);
  }

  private removeOrder(slot: number, lots: number): void {
    const { ladder, slots } = this;
    const level = slots.level(slot);
    const next = slots.next(slot);
    const previous = slots.previous(slot);
    slots.remove(slot, previous, next);
    if (previous === NO_ORDER) {
      if (next === NO_ORDER) {
        ladder.drop(level);
        return;
      }
      ladder.setHead(level, next);
    } else if (next === NO_ORDER) ladder.setTail(level, previous);
    ladder.setLots(level, ladder.lots(level) - lots);
  }
}
