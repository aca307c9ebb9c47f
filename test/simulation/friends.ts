/**
 * Colluding accounts that try to take money from the house. They trade with each other at any
 * allowed price, borrow, transfer and send away what they can. A refused request is repeated with
 * less, so they end at the limit of what is accepted.
 */
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, money, moneyText } from '../../src/kernel/money.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR, MINUTE, SECOND } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import {
  type Category,
  type FuturesCategory,
  isFutures,
  LOAN_TYPES,
  type Side,
} from '../../src/messages/vocabulary.ts';
import { Market } from '../scenarios/market.test-support.ts';

export const UNIT = 10n ** 10n;
export const PRICES: Readonly<Record<string, number>> = { BTC: 60_000, ETH: 3_000 };
const MARKETS: readonly Category[] = ['USDT-FUTURES', 'USDT-FUTURES', 'SPOT', 'MARGIN', 'MARGIN'];
/** Distances of a price from the index, in hundredths of a percent. */
const DISTANCES = [0, 0, 1, 5, 30, 40, 50, 100, 200, 500, 1_000, 2_000, 4_000, 4_900];
const WEALTH = [
  { USDT: '10000' },
  { BTC: '0.3', USDT: '100' },
  { USDT: '5000', ETH: '2' },
  { ETH: '3', BTC: '0.05', USDT: '500' },
];
const text = (amount: bigint) => moneyText(amount as Amount) as never;

interface Where {
  readonly coin: string;
  readonly category: Category;
}

export class Friends {
  readonly market = new Market();
  readonly people: readonly Uid[];
  /**
   * Coins with a stale index. The accounts trade none of their contracts then, nor any contract
   * with an account that has a crossed position in one.
   */
  readonly stale = new Set<string>();
  readonly #chance: Random;

  constructor(seed: number) {
    const chance = seededRandom(seed);
    this.#chance = chance;
    this.update(PRICES);
    this.market.accepted({ type: 'switchMarket', on: true });
    this.people = Array.from({ length: 2 + chance.below(3) }, () =>
      this.market.joins(chance.pick(WEALTH), chance.pick(['oneWay', 'hedge'])),
    );
    // An empty insurance fund could lose nothing.
    const house = this.market.state.ledger.house.get('USDT')!;
    house.insurance = money<Amount>('1000000');
    house.outside = (house.outside - house.insurance) as Amount;
    for (const uid of this.people) this.#setUp(uid);
  }

  #setUp(uid: Uid): void {
    for (const coin of Object.keys(PRICES)) {
      const on = { uid, category: 'USDT-FUTURES', symbol: `${coin}USDT` } as const;
      this.market.submit({
        type: 'setMarginMode',
        ...on,
        marginMode: this.#chance.pick(['crossed', 'isolated']),
      });
      this.market.submit({
        type: 'setLeverage',
        ...on,
        leverage: this.#chance.pick(['10', '50', '100', '125']) as never,
      });
    }
    for (const coin of ['USDT', 'BTC', 'ETH'])
      this.market.submit({
        type: 'setCoinLeverage',
        uid,
        coin,
        leverage: this.#chance.pick(['3', '10']) as never,
      });
  }

  update(prices: Readonly<Record<string, number>>): void {
    for (const [coin, price] of Object.entries(prices))
      if (!this.stale.has(coin)) this.market.index(coin, price.toFixed(2));
  }

  /** One random action, or time that passes. */
  step(): void {
    const roll = this.#chance.below(100);
    // An account that knows of a coming loss sends away what it has left.
    if (this.stale.size > 0 && this.#chance.below(2) === 0) this.#send();
    else if (roll < 45) this.#cross();
    else if (roll < 52) this.#rest();
    else if (roll < 60) this.#change();
    else if (roll < 68) this.#adjust();
    else if (roll < 84) this.#pair();
    else if (roll < 94) this.#send();
    else this.#wait();
  }

  #wait(): void {
    if (this.stale.size > 0) return;
    this.market.passes(this.#chance.pick([5 * SECOND, MINUTE, HOUR]));
    this.update(PRICES);
  }

  cancelAll(): void {
    for (const uid of this.people)
      for (const category of ['SPOT', 'MARGIN', 'USDT-FUTURES'] as const)
        this.market.submit({ type: 'cancelAllOrders', uid, category });
  }

  #does(command: Command): boolean {
    const { outcome } = this.market.submit(command);
    return (
      outcome.ok &&
      (command.type !== 'placeOrders' ||
        (outcome.value as readonly { readonly ok: boolean }[])[0]!.ok)
    );
  }

  /** Repeats the command with half the amount each time. */
  #all(most: bigint, asks: (amount: bigint) => Command): void {
    for (let amount = most; amount > most >> 30n; amount /= 2n) this.#does(asks(amount));
  }

  #where = (): Where => ({
    coin: this.#chance.pick(Object.keys(PRICES)),
    category: this.#chance.pick(MARKETS),
  });

  #isRuinous(uid: Uid, { coin, category }: Where): boolean {
    if (this.stale.size === 0 || !isFutures(category)) return false;
    const own = [...(this.market.state.positions.get(uid)?.values() ?? [])];
    return (
      this.stale.has(coin) ||
      own.some(
        ({ key, marginMode }) => marginMode === 'crossed' && this.stale.has(key.slice(-7, -4)),
      )
    );
  }

  #price({ coin, category }: Where): bigint {
    const parts = this.#chance.pick(DISTANCES) * this.#chance.pick([1, -1]);
    const step = isFutures(category) && coin === 'BTC' ? UNIT / 10n : UNIT / 100n;
    const price = (BigInt(PRICES[coin]! * 10_000) * BigInt(10_000 + parts) * UNIT) / 100_000_000n;
    return price - (price % step);
  }

  /** From the smallest size to more than any account can pay for. */
  #size({ coin }: Where): bigint {
    const dollars =
      this.#chance.pick([100, 1_000, 10_000, 30_000, 100_000, 300_000]) *
      (0.5 + this.#chance.fraction());
    return BigInt(Math.ceil((dollars / PRICES[coin]!) * 100)) * (UNIT / 100n);
  }

  #order(
    uid: Uid,
    where: Where,
    side: Side,
    price: bigint,
    size: bigint,
    timeInForce: OrderDraft['timeInForce'],
  ): boolean {
    if (this.#isRuinous(uid, where)) return false;
    const { coin, category } = where;
    const isHedged = this.market.state.accounts.get(uid)!.positionMode === 'hedge';
    const [own, other] =
      side === 'buy' ? (['long', 'short'] as const) : (['short', 'long'] as const);
    const draft: OrderDraft = {
      symbol: `${coin}USDT`,
      side,
      orderType: 'limit',
      size: text(size),
      price: text(price),
      timeInForce,
      reduceOnly: false,
      ...(isFutures(category) && isHedged
        ? { positionSide: this.#chance.below(3) === 0 ? other : own }
        : {}),
      ...(category === 'MARGIN' && this.#chance.below(2) === 0
        ? { loanType: this.#chance.pick(LOAN_TYPES) }
        : {}),
    };
    return this.#does({ type: 'placeOrders', uid, category, orders: [draft] });
  }

  #most(size: bigint, places: (size: bigint) => boolean): bigint {
    for (let tries = 0; tries < 12; tries++) {
      const less = (size * BigInt(3 ** tries)) / BigInt(4 ** tries);
      const lots = less - (less % (UNIT / 100n));
      if (lots > 0n && places(lots)) return lots;
    }
    return 0n;
  }

  /** One account places, another one takes. */
  #cross(): void {
    const chance = this.#chance;
    const [maker, taker, where] = [
      chance.pick(this.people),
      chance.pick(this.people),
      this.#where(),
    ];
    const [side, other] = chance.pick([['buy', 'sell'] as const, ['sell', 'buy'] as const]);
    const price = this.#price(where);
    const there: Where = isFutures(where.category)
      ? where
      : { ...where, category: chance.pick(['SPOT', 'MARGIN']) };
    let size = this.#size(where);
    for (let times = chance.pick([1, 5]); times > 0 && size > 0n; times--) {
      size = this.#most(size, (lots) => this.#order(maker, where, side, price, lots, 'gtc'));
      this.#most(size, (lots) =>
        this.#order(taker, there, other, price, lots, chance.pick(['ioc', 'fok', 'gtc'])),
      );
    }
    if (chance.below(3) > 0) this.cancelAll();
  }

  #rest(): void {
    const [uid, where] = [this.#chance.pick(this.people), this.#where()];
    const [side, price] = [this.#chance.pick(['buy', 'sell'] as const), this.#price(where)];
    this.#most(this.#size(where), (lots) => this.#order(uid, where, side, price, lots, 'gtc'));
  }

  #change(): void {
    const { state } = this.market;
    const open = this.people.flatMap((uid) => [...state.accounts.get(uid)!.openOrders]);
    const order = open.length === 0 ? undefined : state.orders.get(this.#chance.pick(open));
    const where =
      order === undefined ? undefined : { coin: order.key.slice(-7, -4), category: order.category };
    if (order === undefined || where === undefined || this.#isRuinous(order.uid, where)) return;
    const { uid, id: orderId } = order;
    this.#does({
      type: 'modifyOrder',
      uid,
      orderId,
      price: text(this.#price(where)),
      size: text(this.#size(where)),
      replace: false,
      autoCancel: false,
    });
  }

  /** Changes the margin or leverage of a position. */
  #adjust(): void {
    const chance = this.#chance;
    const own = this.people.flatMap((uid) => [
      ...(this.market.state.positions.get(uid)?.values() ?? []),
    ]);
    if (own.length === 0) return;
    const { uid, key, side, positionMode, marginMode, margin } = chance.pick(own);
    const [category, symbol] = key.split(':') as [FuturesCategory, string];
    const on = {
      uid,
      category,
      symbol,
      ...(positionMode === 'hedge' && marginMode === 'isolated' ? { side } : {}),
    };
    const direction = chance.pick(['add', 'remove'] as const);
    if (chance.below(3) === 0)
      this.#does({
        type: 'setLeverage',
        ...on,
        leverage: chance.pick(['2', '20', '100']) as never,
      });
    else
      this.#all(direction === 'add' ? 20_000n * UNIT : margin, (amount) => ({
        type: 'adjustMargin',
        ...on,
        amount: text(amount),
        direction,
      }));
  }

  #pair(): void {
    const chance = this.#chance;
    const [uid, base] = [chance.pick(this.people), chance.pick(Object.keys(PRICES))];
    const [symbol, coin] = [`${base}USDT`, chance.pick([base, 'USDT'])];
    const own = this.market.state.isolatedPairs.get(uid)?.get(symbol)?.get(coin)?.isolated ?? 0n;
    const on = { uid, symbol, coin };
    const what = chance.below(4);
    if (what === 0)
      this.#all(this.market.wallet(uid, coin).available, (amount) => ({
        type: 'transferIsolated',
        ...on,
        amount: text(amount),
        direction: 'in',
      }));
    else if (what === 1)
      this.#all(own, (amount) => ({
        type: 'transferIsolated',
        ...on,
        amount: text(amount),
        direction: 'out',
      }));
    else if (what === 2)
      this.#all(100_000n * UNIT, (amount) => ({
        type: 'borrowIsolated',
        ...on,
        amount: text(amount),
      }));
    else this.#does({ type: 'repayIsolated', ...on, amount: text(own) });
  }

  /** Sends money to another of the accounts, like a withdrawal. */
  #send(): void {
    const [uid, to] = [this.#chance.pick(this.people), this.#chance.pick(this.people)];
    const coin = this.#chance.pick(['USDT', 'BTC', 'ETH']);
    const { available } = this.market.wallet(uid, coin);
    const size = (amount: bigint) => text(amount - (amount % 100n));
    this.#all(available, (amount) => ({
      type: 'transferToUser',
      uid,
      coin,
      size: size(amount),
      recipientKind: 'uid',
      recipient: `${to}`,
    }));
  }
}
