/**
 * Random runs of a few traders on the real exchange, for tests of views; each command's events go
 * to the observers.
 */

import { createEngine, type Engine } from '../core/engine.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import type { Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../listings/default-instruments.ts';
import type { Command } from '../messages/commands.ts';
import type { EventBatch } from '../messages/events.ts';
import type { OrderDraft } from '../messages/orders.ts';
import {
  type Category,
  type FuturesCategory,
  isMarket,
  type Side,
} from '../messages/vocabulary.ts';

export const RUN_START = 1_789_000_000_000 as Timestamp;
export const MARKETS: readonly (readonly [Category, string])[] = [
  ['USDT-FUTURES', 'BTCUSDT'],
  ['COIN-FUTURES', 'BTCUSD'],
  ['SPOT', 'BTCUSDT'],
  ['MARGIN', 'BTCUSDT'],
];
const PRICE = 60_000;
/**
 * Index prices with fractions, so that USD values need rounding; and a coin whose unit is worth
 * less than one unit of USD.
 */
const CENTS = '.4567891237';
const CHEAP = '0.4659692063';
const PEOPLE = 4;

const decimal = (text: string): DecimalText => text as DecimalText;

function randomOrder(random: Random, category: Category): OrderDraft {
  const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
  const orderType = random.below(4) === 0 ? 'market' : 'limit';
  const quote =
    isMarket(orderType) && side === 'buy' && (category === 'SPOT' || category === 'MARGIN');
  return {
    symbol: category === 'COIN-FUTURES' ? 'BTCUSD' : 'BTCUSDT',
    side,
    orderType,
    size: decimal(
      quote
        ? String(100 + random.below(5_000))
        : `0.${String(1 + random.below(900)).padStart(4, '0')}`,
    ),
    price: decimal(String(PRICE + (random.below(21) - 10) * 10)),
    timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'postOnly'] as const),
    positionSide: random.pick(['long', 'short'] as const),
    reduceOnly: random.below(5) === 0,
    selfTradeMode: random.pick(['none', 'cancelTaker', 'cancelMaker', 'cancelBoth'] as const),
  };
}

export class TradingRun {
  readonly engine: Engine = createEngine();
  readonly batches: EventBatch[] = [];
  readonly people: Uid[] = [];
  readonly #random: Random;
  readonly #watch: (batch: EventBatch) => void;
  #at = RUN_START;

  constructor(seed: number, watch: (batch: EventBatch) => void) {
    this.#random = seededRandom(seed);
    this.#watch = watch;
    for (const coin of DEFAULT_COINS) this.#submit({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS)
      this.#submit({ type: 'listInstrument', instrument });
    this.#setIndex(PRICE);
    for (let at = 0; at < PEOPLE; at++) {
      const created = this.#submit({
        type: 'createUser',
        level: 'VIP0',
        positionMode: at % 2 === 0 ? 'oneWay' : 'hedge',
      });
      const { uid } = (created as { value: { uid: Uid } }).value;
      this.people.push(uid);
      this.#submit({ type: 'deposit', uid, coin: 'USDT', size: decimal('30000') });
      this.#submit({ type: 'deposit', uid, coin: 'BTC', size: decimal('0.7') });
      this.#submit({ type: 'deposit', uid, coin: 'XRP', size: decimal('20000') });
    }
  }

  #submit(command: Command): unknown {
    this.#at = (this.#at + 250) as Timestamp;
    const executed = this.engine.execute(command, this.engine.exchangeTime(this.#at));
    const { sequence, at, events } = executed;
    this.batches.push({ sequence, at, events });
    this.#watch(this.batches.at(-1)!);
    return executed.outcome;
  }

  #setIndex(price: number): void {
    const quoted = { category: 'USDT-FUTURES' as const, releaseMark: false, force: true };
    const prices = [
      { ...quoted, symbol: 'BTCUSDT', index: decimal(`${price}${CENTS}`) },
      { ...quoted, symbol: 'XRPUSDT', index: decimal(CHEAP) },
    ];
    this.#submit({ type: 'setPrices', prices });
  }

  /** Makes one random request, mostly an order. */
  act(): void {
    const random = this.#random;
    const uid = random.pick(this.people);
    const [category, symbol] = random.pick(MARKETS);
    const roll = random.below(100);
    if (roll < 70)
      this.#submit({ type: 'placeOrders', uid, category, orders: [randomOrder(random, category)] });
    else if (roll < 80) this.#cancelOne(uid);
    else if (roll < 84) this.#setIndex(PRICE - 1_000 + random.below(2_000));
    else if (roll < 91) this.#changeSetting(uid, roll);
    else if (roll < 94)
      this.#submit({
        type: 'setInstrumentStatus',
        category,
        symbol,
        status: random.pick(['normal', 'halted'] as const),
      });
    else if (roll < 96)
      this.#submit({ type: 'setInstrumentStatus', category, symbol, status: 'normal' });
    else
      this.#submit({
        type: 'closePositions',
        uid,
        category: category as FuturesCategory,
        symbol: undefined,
        side: undefined,
      });
  }

  #cancelOne(uid: Uid): void {
    const open: readonly Id[] = [...this.engine.state.accounts.get(uid)!.openOrders];
    if (open.length > 0)
      this.#submit({ type: 'cancelOrders', uid, orders: [{ orderId: this.#random.pick(open) }] });
  }

  #changeSetting(uid: Uid, roll: number): void {
    const market = { uid, category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    if (roll < 88)
      this.#submit({
        type: 'setLeverage',
        ...market,
        leverage: decimal(String(2 + this.#random.below(20))),
      });
    else
      this.#submit({
        type: 'setMarginMode',
        ...market,
        marginMode: this.#random.pick(['crossed', 'isolated'] as const),
      });
  }
}
