import { expect, test } from 'vitest';
import { createEngine, type Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { type Id, UID_FIRST, type Uid } from '../../src/kernel/ids.ts';
import { moneyFromText, moneyText, type Price } from '../../src/kernel/money.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { Event } from '../../src/messages/events.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import {
  EXIT_KINDS,
  POSITION_SIDES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SIDES,
} from '../../src/messages/vocabulary.ts';

const decimal = (value: number | string): DecimalText => String(value) as DecimalText;
const BTC = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const KEY = 'USDT-FUTURES:BTCUSDT';
const USERS = 8;
/** A mirrored price lies as far below it as the original lies above. */
const MIDDLE = 50_000;
const SIZES = ['0.01', '0.02', '0.05', '0.1', '0.3', '1'].map(decimal);

const IMAGES: Readonly<Record<string, string>> = {
  buy: 'sell',
  sell: 'buy',
  long: 'short',
  short: 'long',
};
const isOfSide = (reason: string): boolean => /long|short|too/i.test(reason);
const PRICE_FIELDS: readonly string[] = ['price', 'triggerPrice', 'index', 'mark'];

/** The same command with opposite sides and mirrored prices. */
function mirrored<Value>(value: Value, field = ''): Value {
  if (Array.isArray(value)) return value.map((item) => mirrored(item)) as Value;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, mirrored(inner, name)]),
    ) as Value;
  if (typeof value !== 'string') return value;
  if (PRICE_FIELDS.includes(field)) return decimal(2 * MIDDLE - Number(value)) as Value;
  return (IMAGES[value] ?? value) as Value;
}

/**
 * One of the two exchanges. Its events become text without money, because money depends on the
 * price, and with numbers in place of ids.
 */
class World {
  readonly #isImage: boolean;
  readonly #names = new Map<Id, number>();
  readonly engine = createEngine();

  constructor(isImage: boolean) {
    this.#isImage = isImage;
  }

  /** The result of a command, in the words of the exchange that is not mirrored. */
  execute(command: Command, at: Timestamp): string[] {
    const { outcome, events } = this.engine.execute(
      this.#isImage ? mirrored(command) : command,
      at,
    );
    return [this.#answer(outcome), ...events.flatMap((event) => this.#line(event) ?? [])];
  }

  /** An open order or trigger of a user, by its place in the list. */
  openOrder = (uid: Uid, place: number): Id | undefined =>
    this.engine.state.accounts.get(uid)?.openOrders[place];
  trigger = (uid: Uid, place: number): Id | undefined =>
    [...(this.engine.state.accounts.get(uid)?.triggers.get(KEY) ?? [])][place];

  /** A refusal that depends on a side has a mirrored counterpart. */
  #answer(outcome: Executed['outcome']): string {
    if (!outcome.ok)
      return `refused ${isOfSide(outcome.refusal.reason) ? 'for a side' : outcome.refusal.reason}`;
    const rows = Array.isArray(outcome.value) ? (outcome.value as { readonly ok?: boolean }[]) : [];
    return `accepted ${rows.map(({ ok }) => ok).join()}`;
  }

  #name(id: Id): string {
    if (!this.#names.has(id)) this.#names.set(id, this.#names.size);
    return `#${this.#names.get(id)}`;
  }

  #image = (word: string): string => (this.#isImage ? (IMAGES[word] ?? word) : word);

  #price(price: Price): string {
    return moneyText(
      this.#isImage ? ((2n * moneyFromText<Price>(decimal(MIDDLE))! - price) as Price) : price,
    );
  }

  #line(event: Event): string | undefined {
    switch (event.type) {
      case 'orderAccepted': {
        const { orderId, uid, side, size, openSize, intent, origin } = event.order;
        return [
          `${this.#name(orderId)} of ${uid} ${this.#image(side)}`,
          `${size} ${openSize} ${intent} ${origin}`,
        ].join(' ');
      }
      case 'orderEnded':
        return [
          `${this.#name(event.end.orderId)} ended`,
          `${event.end.status} ${event.end.cancelReason}`,
        ].join(' ');
      case 'fillSettled': {
        const { orderId, size, price, role, positionSide, openedSize } = event.fill;
        return [
          `${this.#name(orderId)} filled ${size} at ${this.#price(price)} as ${role}`,
          `${this.#image(positionSide!)} ${openedSize}`,
        ].join(' ');
      }
      case 'positionChanged': {
        const { uid, side, size, lockedSize } = event.position;
        return `${uid} holds ${this.#image(side)} ${size} locked ${lockedSize}`;
      }
      case 'triggerPlaced': {
        const { triggerId, triggerPrice } = event.trigger;
        return `${this.#name(triggerId)} waits at ${this.#price(triggerPrice)}`;
      }
      case 'triggerFired':
        return `${this.#name(event.triggerId)} fired ${this.#name(event.orderId)}`;
      case 'triggerFailed':
        return `${this.#name(event.triggerId)} failed ${event.refusal.reason}`;
      case 'triggerCancelled':
        return `${this.#name(event.triggerId)} cancelled ${event.reason}`;
      default:
        return undefined;
    }
  }
}

/**
 * The last two are sub-accounts of the first two. Each has far more than it needs, because the
 * margin that an order needs depends on its price.
 */
const OPENING: readonly Command[] = [
  ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
  ...DEFAULT_INSTRUMENTS.filter(({ symbol }) => symbol === BTC.symbol).map(
    (instrument): Command => ({ type: 'listInstrument', instrument }),
  ),
  ...Array.from({ length: USERS }, (_, number): Command => {
    const parent = number < USERS - 2 ? {} : { parentUid: (UID_FIRST + number - USERS + 2) as Uid };
    return {
      type: 'createUser',
      level: 'VIP0',
      positionMode: number % 2 === 0 ? 'oneWay' : 'hedge',
      ...parent,
    };
  }),
  ...Array.from(
    { length: USERS },
    (_, number): Command => ({
      type: 'deposit',
      uid: (UID_FIRST + number) as Uid,
      coin: 'USDT',
      size: decimal(100_000_000),
    }),
  ),
  {
    type: 'setPrices',
    prices: [
      { ...BTC, index: decimal(MIDDLE), mark: decimal(MIDDLE), releaseMark: false, force: true },
    ],
  },
];

const priceNear = (random: Random): DecimalText =>
  decimal(
    MIDDLE + (random.below(121) - 60) * (random.below(3) === 0 ? 5 : 1) + random.below(2) / 2,
  );

function drawOrder(random: Random, isHedged: boolean): OrderDraft {
  const isMarket = random.below(5) === 0;
  return {
    symbol: BTC.symbol,
    side: random.pick(SIDES),
    orderType: isMarket ? 'market' : 'limit',
    size: random.pick(SIZES),
    timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'postOnly']),
    reduceOnly: !isHedged && random.below(3) === 0,
    selfTradeMode: random.pick(SELF_TRADE_MODES),
    ...(isMarket ? {} : { price: priceNear(random) }),
    ...(isHedged ? { positionSide: random.pick(POSITION_SIDES) } : {}),
  };
}

function drawTrigger(random: Random, uid: Uid, isHedged: boolean): Command {
  const { timeInForce: _left, ...order } = drawOrder(random, isHedged);
  const waiting = { triggerPrice: priceNear(random), source: random.pick(PRICE_SOURCES) };
  return {
    type: 'placeTrigger',
    uid,
    category: BTC.category,
    trigger: { ...order, ...waiting, kind: 'conditional', marginMode: 'asSet' },
  };
}

/**
 * Trailing triggers are left out: their distance is a part of the price, so it has no mirror image.
 */
function drawTpsl(random: Random, uid: Uid): Command {
  const tpsl = Array.from({ length: 1 + random.below(2) }, () => {
    const kind = random.pick(EXIT_KINDS.filter((known) => known !== 'trailingExit'));
    const size = kind.startsWith('position') ? {} : { size: random.pick(SIZES) };
    const limit = random.below(3) === 0 ? { price: priceNear(random) } : {};
    return {
      kind,
      triggerPrice: priceNear(random),
      source: random.pick(['last', 'mark'] as const),
      ...size,
      ...limit,
    };
  });
  return { type: 'placeTpsl', uid, ...BTC, side: random.pick(POSITION_SIDES), tpsl };
}

/** Draws the next command; each exchange gets it with its own ids. */
function draw(random: Random, { engine }: World): (world: World) => Command {
  const uid = (UID_FIRST + random.below(USERS)) as Uid;
  const { positionMode, openOrders, triggers } = engine.state.accounts.get(uid)!;
  const isHedged = positionMode === 'hedge';
  const always = (command: Command) => () => command;
  const kind = random.below(20);
  if (kind < 8)
    return always({
      type: 'placeOrders',
      uid,
      category: BTC.category,
      orders: Array.from({ length: 1 + random.below(3) }, () => drawOrder(random, isHedged)),
    });
  if (kind < 11) return always(drawTrigger(random, uid, isHedged));
  if (kind < 13) return always(drawTpsl(random, uid));
  if (kind === 13) {
    const changed = {
      price: priceNear(random),
      size: random.pick(SIZES),
      replace: random.below(2) === 0,
      autoCancel: false,
    };
    const place = random.below(openOrders.length);
    return (world) => ({
      type: 'modifyOrder',
      uid,
      orderId: world.openOrder(uid, place),
      ...changed,
    });
  }
  if (kind === 14) {
    const place = random.below(openOrders.length);
    return (world) => ({
      type: 'cancelOrders',
      uid,
      orders: [{ orderId: world.openOrder(uid, place) }],
    });
  }
  if (kind === 15) {
    const place = random.below(triggers.get(KEY)?.size ?? 0);
    const [exit, change] = [random.below(2) === 0, { triggerPrice: priceNear(random) }];
    return (world) => ({
      type: 'changeTrigger',
      uid,
      category: BTC.category,
      exit,
      triggerId: world.trigger(uid, place),
      change,
    });
  }
  if (kind === 16) return always({ type: 'closePositions', uid, ...BTC });
  if (kind === 17)
    return always({
      type: 'setInstrumentStatus',
      ...BTC,
      status: random.pick(['halted', 'normal', 'normal', 'normal', 'normal']),
    });
  const price = random.pick([{ mark: priceNear(random) }, { index: priceNear(random) }]);
  return always({
    type: 'setPrices',
    prices: [{ ...BTC, ...price, releaseMark: false, force: true }],
  });
}

test.each([1, 2, 3])('[SIM-09] a market and its mirror image trade alike, from seed %i', (seed) => {
  const random = seededRandom(seed);
  const [world, image] = [new World(false), new World(true)];
  let at = 1_735_689_600_000 as Timestamp;
  for (const command of OPENING)
    expect(image.execute(command, at)).toEqual(world.execute(command, at));
  const met = { filled: 0, fired: 0 };
  for (let count = 0; count < 1_500; count++) {
    at = (at + 1) as Timestamp;
    const command = draw(random, world);
    const [reflected, emitted] = [command(image), command(world)];
    const lines = world.execute(emitted, at);
    expect([count, emitted, image.execute(reflected, at)]).toEqual([count, emitted, lines]);
    for (const line of lines) {
      if (line.includes(' filled ')) met.filled++;
      if (line.includes(' fired ')) met.fired++;
    }
  }
  expect(met.filled).toBeGreaterThan(500);
  expect(met.fired).toBeGreaterThan(50);
});
