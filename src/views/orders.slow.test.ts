/** Compares the view of open orders with a plain list through many random changes. */
import { expect, test } from 'vitest';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { ClientOid, Id, Sequence, Uid } from '../kernel/ids.ts';
import { type Amount, type Price, type Size, ZERO_AMOUNT } from '../kernel/money.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import type { Event, EventOf } from '../messages/events.ts';
import type { FillRow, OrderRow } from '../messages/orders.ts';
import type { Category, Side } from '../messages/vocabulary.ts';
import { FIRST_AT, uidNumbered } from './event-streams.test-support.ts';
import { OrdersView } from './orders.ts';
import { feeding } from './view.ts';

const PEOPLE = [0, 1, 2, 700].map(uidNumbered);
const SYMBOL = 'BTCUSDT';
const CATEGORIES: readonly Category[] = ['USDT-FUTURES', 'SPOT', 'MARGIN'];
/**
 * More prices than the empty levels that a book keeps, so that empty levels are dropped many times.
 */
const PRICES = 300;
const NAMES = 40;

const newView = () =>
  new OrdersView(
    () => 'oneWay',
    () => undefined,
  );
const bookOf = (category: Category): Category => (category === 'MARGIN' ? 'SPOT' : category);

/** An open order of the plain list. */
interface Listed {
  order: OrderRow;
  left: bigint;
  waits: boolean;
}

class ManyOrders {
  view = newView();
  readonly listed: Listed[] = [];
  readonly #random: Random;
  #feed = feeding([this.view]);
  #nextId = 1_000_000;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Restores the view from its bytes, as at a start. */
  restart(): void {
    const saved = fromCanonicalBytes(canonicalBytes(this.view.save()));
    this.view = newView();
    this.view.restore(saved);
    this.#feed = feeding([this.view]);
  }

  accept(): void {
    const random = this.#random;
    const waits = random.below(8) === 0;
    const size = BigInt(1 + random.below(50)) as Size;
    const order: OrderRow = {
      orderId: this.#newId(),
      uid: random.pick(PEOPLE),
      clientOid: `name-${random.below(NAMES)}` as ClientOid,
      category: random.pick(CATEGORIES),
      symbol: SYMBOL,
      side: random.pick(['buy', 'sell'] as const),
      orderType: 'limit',
      timeInForce: 'gtc',
      ...(random.below(10) === 0 ? {} : { price: this.#price() }),
      size,
      status: waits ? 'live' : 'new',
      positionMode: 'oneWay',
      reduceOnly: false,
      selfTradeMode: 'none',
      executionKind: 'normal',
      origin: 'placed',
      feeCoin: 'USDT',
    };
    this.listed.push({ order, left: size, waits });
    this.#emit({ type: 'orderAccepted', order });
  }

  change(): void {
    const listed = this.#random.pick(this.listed);
    const { orderId, uid } = listed.order;
    if (listed.waits) {
      listed.waits = false;
      this.#emit({ type: 'orderActivated', orderId, uid });
    } else if (this.#random.below(3) === 0) {
      this.#modify(listed);
    } else if (this.#random.below(4) === 0) {
      this.#emit({ type: 'orderReleveraged', orderId, uid, marginHold: 1n as Amount });
    } else {
      this.#fill(listed, BigInt(1 + this.#random.below(Number(listed.left))));
    }
  }

  end(): void {
    const place = this.#random.below(this.listed.length);
    const [listed] = this.listed.splice(place, 1);
    const { orderId, uid, category, symbol } = listed!.order;
    this.#emit({
      type: 'orderEnded',
      end: { orderId, uid, category, symbol, status: 'cancelled' },
    });
  }

  #modify(listed: Listed): void {
    const left = BigInt(1 + this.#random.below(50));
    const { price } = listed.order;
    listed.order = {
      ...listed.order,
      openSize: left as Size,
      ...(price === undefined ? {} : { price: this.#price() }),
    };
    listed.left = left;
    this.#emit({ type: 'orderModified', order: listed.order });
  }

  /** A fully filled order ends in the same command. */
  #fill(listed: Listed, size: bigint): void {
    const { orderId, uid, clientOid, category, symbol, orderType, side, price } = listed.order;
    const fill: FillRow = {
      fillId: this.#newId(),
      tradeId: this.#newId(),
      ...{ orderId, uid, clientOid, category, symbol, orderType, side },
      price: price ?? this.#price(),
      size: size as Size,
      value: ZERO_AMOUNT,
      role: 'maker',
      feeCoin: 'USDT',
      fee: ZERO_AMOUNT,
      profit: ZERO_AMOUNT,
      executionKind: 'normal',
      selfTrade: false,
    };
    listed.left -= size;
    const events: Event[] = [{ type: 'fillSettled', fill }];
    if (listed.left === 0n) {
      this.listed.splice(this.listed.indexOf(listed), 1);
      const end: EventOf<'orderEnded'>['end'] = {
        orderId,
        uid,
        category,
        symbol,
        status: 'filled',
      };
      events.push({ type: 'orderEnded', end });
    }
    this.#emit(...events);
  }

  #price(): Price {
    return BigInt(1 + this.#random.below(PRICES)) as Price;
  }

  #newId(): Id {
    return this.#nextId++ as Id;
  }

  #emit(...events: readonly Event[]): void {
    this.#feed({ sequence: 1 as Sequence, at: FIRST_AT, events });
  }
}

const shownOf = (open: OrdersView, uid: Uid): readonly string[] =>
  open.open(uid).map(({ order, left }) => `${order.orderId}:${left}`);

/** Best first, by adding up all resting orders. A bid has no level zero. */
function levelsOf(
  listed: readonly Listed[],
  category: Category,
  side: Side,
  step = 1n,
): readonly string[] {
  const merged = (price: bigint): bigint =>
    side === 'sell' ? ((price + step - 1n) / step) * step : (price / step) * step || 1n;
  const levels = new Map<bigint, bigint>();
  for (const { order, left, waits } of listed)
    if (
      !waits &&
      order.price !== undefined &&
      order.side === side &&
      bookOf(order.category) === category
    )
      levels.set(merged(order.price), (levels.get(merged(order.price)) ?? 0n) + left);
  return [...levels]
    .sort(([one], [other]) => (one < other === (side === 'sell') ? -1 : 1))
    .map(([price, size]) => `${size} at ${price}`);
}

function expectAsListed({ view, listed }: ManyOrders, ended: readonly OrderRow[]): void {
  for (const uid of PEOPLE) {
    const own = listed.filter(({ order }) => order.uid === uid);
    expect(shownOf(view, uid)).toEqual(own.map(({ order, left }) => `${order.orderId}:${left}`));
    for (let name = 0; name < NAMES; name++) {
      const clientOid = `name-${name}` as ClientOid;
      const newest = own.findLast(({ order }) => order.clientOid === clientOid);
      expect(view.findNamed(uid, clientOid)?.order.orderId).toBe(newest?.order.orderId);
    }
  }
  for (const { order } of listed) {
    expect(view.find(order.uid, order.orderId)?.order).toEqual(order);
    expect(view.find(uidNumbered(3), order.orderId)).toBe(undefined);
  }
  for (const { uid, orderId } of ended) expect(view.find(uid, orderId)).toBe(undefined);
  for (const category of ['USDT-FUTURES', 'SPOT'] as const)
    for (const side of ['buy', 'sell'] as const) {
      const shown = view
        .depth(category, SYMBOL, side, PRICES)
        .map(({ price, size }) => `${size} at ${price}`);
      expect(shown).toEqual(levelsOf(listed, category, side));
      // Sometimes one step more than the view caches.
      for (const step of listed.length % 5 === 0 ? [3n, 7n, 50n, 8n] : [3n, 7n, 50n]) {
        const merged = view
          .depth(category, SYMBOL, side, PRICES, { step: step as Price, lowest: 1n as Price })
          .map(({ price, size }) => `${size} at ${price}`);
        expect(merged).toEqual(levelsOf(listed, category, side, step));
      }
    }
}

test.each([1, 2, 3])(
  '[VIEW-38][VIEW-22][VIEW-44] lists, ids, names and books match the open orders (%i)',
  (seed) => {
    const orders = new ManyOrders(seed);
    const random = seededRandom(seed + 100);
    let before: readonly OrderRow[] = [];
    for (let step = 0; step < 6_000; step++) {
      // The list repeatedly grows to hundreds and shrinks again.
      const grows = Math.floor(step / 1_000) % 2 === 0;
      if (orders.listed.length === 0 || random.fraction() < (grows ? 0.5 : 0.15)) orders.accept();
      else if (random.fraction() < 0.6) orders.change();
      else orders.end();
      if (step % 97 !== 0) continue;
      const open = new Set(orders.listed.map(({ order }) => order.orderId));
      expectAsListed(
        orders,
        before.filter(({ orderId }) => !open.has(orderId)),
      );
      before = orders.listed.map(({ order }) => order);
      if (step % 5 === 0) orders.restart();
    }
    while (orders.listed.length > 0) orders.end();
    expectAsListed(orders, before);
    expect(orders.view.save()).toEqual(new Map());
  },
);

test('[VIEW-38] of two open orders with one name the newest is found, then the older one', () => {
  const orders = new ManyOrders(9);
  while (
    new Set(orders.listed.map(({ order }) => `${order.uid} ${order.clientOid}`)).size ===
    orders.listed.length
  )
    orders.accept();
  const { uid, clientOid } = orders.listed.at(-1)!.order;
  const [older, newest] = orders.listed
    .filter(({ order }) => order.uid === uid && order.clientOid === clientOid)
    .map(({ order }) => order);
  orders.restart();
  expect(orders.view.findNamed(uid, clientOid)?.order.orderId).toBe(newest!.orderId);
  const { orderId, category, symbol } = newest!;
  feeding([orders.view])({
    sequence: 1 as Sequence,
    at: FIRST_AT,
    events: [{ type: 'orderEnded', end: { orderId, uid, category, symbol, status: 'cancelled' } }],
  });
  expect(orders.view.findNamed(uid, clientOid)?.order.orderId).toBe(older!.orderId);
});
