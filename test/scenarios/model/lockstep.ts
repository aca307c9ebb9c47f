/** Runs the engine and the naive exchange side by side on one random stream and compares everything they say and keep. */
import { DEFAULT_COINS } from '../../../src/app/world/coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../../src/app/world/instruments.ts';
import { createEngine, type Engine, type Executed } from '../../../src/core/engine.ts';
import { canonicalBytes } from '../../../src/kernel/canonical.ts';
import type { DecimalText } from '../../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../../src/kernel/random.ts';
import type { Timestamp } from '../../../src/kernel/time.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { OrderDraft } from '../../../src/messages/orders.ts';
import type { SelfTradeMode, TimeInForce } from '../../../src/messages/vocabulary.ts';
import { type NaiveDraft, NaiveExchange } from './naive-exchange.ts';
import type { NaiveInstrument, NaiveUser } from './naive-state.ts';
import { shown, UNIT, units } from './whole-units.ts';

const AT = 1_735_689_600_000 as Timestamp;
const decimal = (text: string): DecimalText => text as DecimalText;

export const INSTRUMENTS: readonly NaiveInstrument[] = DEFAULT_INSTRUMENTS.filter(
  ({ category, symbol }) =>
    (category === 'USDT-FUTURES' || category === 'SPOT') && (symbol === 'BTCUSDT' || (symbol === 'ETHUSDT' && category !== 'SPOT')),
).map((listed) => ({
  category: listed.category as NaiveInstrument['category'],
  symbol: listed.symbol,
  base: listed.baseCoin,
  tick: units(listed.priceStep),
  lot: units(listed.sizeStep),
  sizeMin: units(listed.sizeMin),
  sizeMax: units(listed.sizeMax),
  tiers: listed.tiers.map((tier) => ({
    from: units(tier.fromValue),
    to: units(tier.toValue),
    leverage: units(tier.leverageMax),
    rate: units(tier.maintenanceRate),
  })),
}));

/** Who trades: mode, margin, leverage, money, and under whom. */
const CAST = [
  { hedge: false, isolated: false, leverage: 10, usdt: '1000000', btc: '20' },
  { hedge: false, isolated: false, leverage: 20, usdt: '4000', btc: '0' },
  { hedge: true, isolated: false, leverage: 5, usdt: '400000', btc: '0' },
  { hedge: false, isolated: true, leverage: 3, usdt: '300000', btc: '5' },
  { hedge: true, isolated: true, leverage: 7, usdt: '60000', btc: '2' },
  { hedge: false, isolated: false, leverage: 50, usdt: '0', btc: '3', under: 0 },
  { hedge: false, isolated: true, leverage: 25, usdt: '3000.0000000007', btc: '0' },
] as const;

/** Cheaper than a matcher by far, and called a hundred times for each command. */
function same(what: string, engine: readonly unknown[], naive: readonly unknown[]): void {
  const isSame = engine.length === naive.length && engine.every((value, at) => value === naive[at]);
  if (!isSame) throw new Error(`${what}: the engine says ${engine.join(', ')}; the naive exchange ${naive.join(', ')}`);
}

/** How often each thing happened, so that a stream that tests nothing fails. */
export type Counters = Record<string, number>;

export class Lockstep {
  engine: Engine;
  readonly naive = new NaiveExchange();
  readonly #random: Random;
  readonly #uids: Uid[] = [];
  /** Engine ids by the naive exchange's order numbers. */
  readonly #ids: Id[] = [];
  readonly #numbers = new Map<Id, number>();
  readonly #counters: Counters;

  constructor(seed: number, counters: Counters) {
    this.#random = seededRandom(seed);
    this.#counters = counters;
    this.engine = createEngine();
    for (const coin of DEFAULT_COINS) this.#run({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS) this.#run({ type: 'listInstrument', instrument });
    this.#prices(units('60000'), units('3000'));
    for (const [at, role] of CAST.entries()) this.#join(role, at);
  }

  #run(command: Command): Executed {
    return this.engine.execute(command, AT);
  }

  /** Marks are pinned, so that nothing but the stream moves them. */
  #prices(btc: bigint, eth: bigint): void {
    const price = (category: 'USDT-FUTURES', symbol: string, value: bigint) => ({
      category,
      symbol,
      index: decimal(shown(value)),
      mark: decimal(shown(value)),
      releaseMark: false,
      force: true,
    });
    const { outcome, events } = this.#run({
      type: 'setPrices',
      prices: [price('USDT-FUTURES', 'BTCUSDT', btc), price('USDT-FUTURES', 'ETHUSDT', eth)],
    });
    same('prices', [outcome.ok], [true]);
    this.#watch(events.some(({ type }) => type === 'liquidationBegun'));
    Object.assign(this.naive.indexes, { BTC: btc, ETH: eth });
    Object.assign(this.naive.marks, { BTCUSDT: btc, ETHUSDT: eth });
  }

  isLiquidated = false;
  #watch(isLiquidated: boolean): void {
    if (isLiquidated) this.isLiquidated = true;
  }

  #join(role: (typeof CAST)[number], at: number): void {
    const parentUid = 'under' in role ? this.#uids[role.under] : undefined;
    const { outcome } = this.#run({ type: 'createUser', level: 'VIP0', positionMode: role.hedge ? 'hedge' : 'oneWay', parentUid });
    const { uid } = (outcome as { value: { uid: Uid } }).value;
    this.#uids.push(uid);
    const leverage = BigInt(role.leverage) * UNIT;
    const setting = () => ({ isolated: role.isolated, leverage });
    const user: NaiveUser = {
      name: at,
      owner: 'under' in role ? role.under : at,
      hedge: role.hedge,
      wallets: {},
      settings: { BTCUSDT: setting(), ETHUSDT: setting() },
    };
    for (const symbol of ['BTCUSDT', 'ETHUSDT'] as const) {
      const category = 'USDT-FUTURES' as const;
      this.#run({ type: 'setMarginMode', uid, category, symbol, marginMode: role.isolated ? 'isolated' : 'crossed' });
      this.#run({ type: 'setLeverage', uid, category, symbol, leverage: decimal(`${role.leverage}`) });
    }
    for (const [coin, size] of [
      ['USDT', role.usdt],
      ['BTC', role.btc],
    ] as const) {
      if (size === '0') continue;
      this.#run({ type: 'deposit', uid, coin, size: decimal(size) });
      user.wallets[coin] = { available: units(size), locked: 0n, margin: 0n, debt: 0n };
    }
    this.naive.users.push(user);
  }

  /** One command on both sides, compared. */
  step(): void {
    const random = this.#random;
    const dice = random.below(100);
    if (dice < 4) this.#movePrices();
    else if (dice < 6) this.#setLeverage();
    else if (dice < 8) this.#adjustMargin();
    else if (dice < 9) this.#closeAll();
    else if (dice < 18 && this.naive.orders.length > 0) this.#cancel();
    else this.#place();
    if (random.below(200) === 0) this.#restart();
  }

  #count(name: string): void {
    this.#counters[name] = (this.#counters[name] ?? 0) + 1;
  }

  #movePrices(): void {
    const { marks } = this.naive;
    const moved = (symbol: string, step: bigint): bigint => {
      const widest = this.#random.below(10) === 0 ? 2_000 : 200;
      const by = BigInt(this.#random.below(2 * widest + 1) - widest);
      return ((marks[symbol]! * (100_000n + by)) / 100_000n / step) * step;
    };
    this.#prices(moved('BTCUSDT', units('0.1')), moved('ETHUSDT', units('0.01')));
    this.#count('prices');
  }

  #cancel(): void {
    const order = this.#random.pick(this.naive.orders);
    const user = this.#random.below(10) === 0 ? this.#random.pick(this.naive.users) : order.user;
    this.naive.begin();
    this.naive.cancel(user, order.number);
    this.#compare(this.#run({ type: 'cancelOrders', uid: this.#uids[user.name]!, orders: [{ orderId: this.#ids[order.number]! }] }));
  }

  #setLeverage(): void {
    const [user, { category, symbol }] = this.#someone();
    const leverage = this.#random.pick(['1', '2', '3', '5', '7', '10', '20', '50', '75', '125']);
    this.naive.begin();
    this.naive.setLeverage(user, instrumentOf(category, symbol), units(leverage));
    const uid = this.#uids[user.name]!;
    this.#compare(this.#run({ type: 'setLeverage', uid, category, symbol, leverage: decimal(leverage) }));
  }

  #adjustMargin(): void {
    const [user, { category, symbol }] = this.#someone();
    const side = this.#random.pick(['long', 'short'] as const);
    const amount = this.#random.pick(['0.0000000001', '10', '333.3333333333', '5000', '100000']);
    const direction = this.#random.pick(['add', 'remove'] as const);
    this.naive.begin();
    this.naive.adjustMargin(user, instrumentOf(category, symbol), side, direction === 'add' ? units(amount) : -units(amount));
    const uid = this.#uids[user.name]!;
    this.#compare(this.#run({ type: 'adjustMargin', uid, category, symbol, side, amount: decimal(amount), direction }));
  }

  #closeAll(): void {
    const [user, { category, symbol }] = this.#someone();
    this.naive.begin();
    this.naive.closeAll(user, instrumentOf(category, symbol));
    this.#compare(this.#run({ type: 'closePositions', uid: this.#uids[user.name]!, category, symbol }));
  }

  #someone(): [NaiveUser, { readonly category: 'USDT-FUTURES'; readonly symbol: string }] {
    return [this.#random.pick(this.naive.users), { category: 'USDT-FUTURES', symbol: this.#random.pick(['BTCUSDT', 'ETHUSDT']) }];
  }

  #place(): void {
    const random = this.#random;
    const user = random.pick(this.naive.users);
    const { category } = random.pick(INSTRUMENTS);
    const count = random.below(8) === 0 ? 1 + random.below(5) : 1;
    const items = Array.from({ length: count }, () => {
      const instrument = random.pick(INSTRUMENTS.filter((each) => each.category === category));
      return { instrument, draft: this.#draft(user, instrument) };
    });
    const before = random.below(30) === 0 ? this.#plain() : undefined;
    this.naive.begin();
    for (const { instrument, draft } of items) this.naive.place(user, instrument, draft);
    const executed = this.#run({
      type: 'placeOrders',
      uid: this.#uids[user.name]!,
      category,
      orders: items.map(({ instrument, draft }) => engineDraft(instrument, draft)),
    });
    this.#compare(executed);
    if (!this.naive.report.answers.includes('accepted')) {
      same('events of refused orders', executed.events, []);
      if (before !== undefined) same('state after refused orders', [this.#plain()], [before]);
    }
  }

  #plain(): string {
    const { sequence: _sequence, at: _at, digest: _digest, ...rest } = this.engine.state;
    return Buffer.from(canonicalBytes(rest)).toString('base64');
  }

  #draft(user: NaiveUser, instrument: NaiveInstrument): NaiveDraft {
    const random = this.#random;
    const side = random.pick(['buy', 'sell'] as const);
    const market = random.below(10) === 0;
    return {
      side,
      market,
      size: this.#closingSize(user, instrument) ?? this.#size(instrument, market && side === 'buy' && instrument.category === 'SPOT'),
      price: random.below(300) === 0 ? undefined : this.#price(instrument),
      timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'postOnly', 'ioc', 'fok']),
      positionSide: random.below(100) === 0 ? undefined : random.pick(['long', 'short'] as const),
      stp: random.pick(['none', 'none', 'none', 'cancelTaker', 'cancelMaker', 'cancelBoth']),
      reduceOnly: !user.hedge && random.below(3) === 0,
    };
  }

  /** Now and then just what is there to close, or half of it. */
  #closingSize(user: NaiveUser, instrument: NaiveInstrument): string | undefined {
    const own = this.naive.positions.filter((position) => position.user === user && position.instrument === instrument);
    if (own.length === 0 || this.#random.below(4) > 0) return undefined;
    const { size } = this.#random.pick(own);
    return shown(this.#random.below(2) === 0 ? size : (size / 2n / instrument.lot) * instrument.lot);
  }

  /** Mostly a few lots up to a few coins; now and then nothing, too much, or between two lots. */
  #size({ lot, base, sizeMax }: NaiveInstrument, inQuote: boolean): string {
    const random = this.#random;
    if (inQuote) return random.pick(['0', '0.000000001', '0.5', '37', '1000', '12345.678', '60000', '250000', '900000000']);
    const odd = random.below(80);
    if (odd === 0) return shown(lot / 2n);
    if (odd === 1) return '0';
    if (odd === 2) return shown(sizeMax + lot);
    const coins = base === 'ETH' ? units('20') : units('1');
    const most = random.pick([coins * 3n, coins, coins / 10n, coins / 100n, lot * 3n]);
    return shown(((most * BigInt(1 + random.below(1000))) / 1000n / lot + 1n) * lot);
  }

  #price({ symbol, tick }: NaiveInstrument): string {
    const random = this.#random;
    const mark = this.naive.marks[symbol]!;
    const odd = random.below(100);
    if (odd === 0) return shown(mark + tick / 2n);
    if (odd === 1) return shown((mark * 3n) / 2n);
    if (odd === 2) return shown(mark / 2n);
    if (odd === 4) return shown((mark / 2n / tick - 1n) * tick);
    if (odd === 3) return shown(((mark * 3n) / 2n / tick + 2n) * tick);
    // ETH trades all over the place, so that fills far from mark happen to those who can hardly bear them.
    const wide = symbol === 'ETHUSDT' ? 12_000 : 3_000;
    const range = odd < 10 ? 45_000 : odd < 50 ? wide : 300;
    const by = BigInt(random.below(2 * range + 1) - range);
    const step = random.below(2) === 0 ? tick : tick * 100n;
    return shown(((mark * (100_000n + by)) / 100_000n / step) * step);
  }

  #restart(): void {
    const bytes = this.engine.serialize();
    const other = createEngine();
    other.restore(bytes);
    same('restored', [other.digest(), other.stateHash()], [this.engine.digest(), this.engine.stateHash()]);
    this.engine = other;
    this.#count('restarts');
  }

  #compare({ outcome, events }: Executed): void {
    const { answers, trades, ends } = this.naive.report;
    for (const event of events) if (event.type === 'orderAccepted') this.#name(event.order.orderId);
    if (events.some(({ type }) => type === 'liquidationBegun')) {
      this.isLiquidated = true;
      return;
    }
    same('answers', answersOf(outcome), answers);
    const number = (id: Id): number => this.#numbers.get(id)!;
    const expected = trades.map(({ maker, taker, price, size }) => `${taker} takes ${shown(size)} at ${shown(price)} from ${maker}`);
    same('trades', engineTrades(events, number), expected);
    same('ends', engineEnds(events, number), ends.map(([at, reason]) => `${at} ${reason}`).sort());
    for (const answer of answers) this.#count(answer);
    for (const [, reason] of ends) this.#count(`ended ${reason}`);
    this.#counters.trades = (this.#counters.trades ?? 0) + trades.length;
    if (answers.includes('accepted')) this.#compareMoney();
  }

  #name(id: Id): void {
    this.#numbers.set(id, this.#ids.length);
    this.#ids.push(id);
  }

  #compareMoney(): void {
    const { state } = this.engine;
    for (const user of this.naive.users) {
      const uid = this.#uids[user.name]!;
      for (const [coin, wallet] of Object.entries(user.wallets)) {
        const own = state.ledger.wallets.get(uid)?.get(coin);
        const debt = state.debts.get(uid)?.get(coin)?.principal ?? 0n;
        const engine = [own?.available ?? 0n, own?.locked ?? 0n, own?.margin ?? 0n, debt];
        same(`${coin} of ${user.name}`, engine, [wallet.available, wallet.locked, wallet.margin, wallet.debt]);
      }
    }
    same('positions', [[...state.positions.values()].reduce((sum, own) => sum + own.size, 0)], [this.naive.positions.length]);
    for (const { user, instrument, side, ...rest } of this.naive.positions) {
      const own = state.positions.get(this.#uids[user.name]!)?.get(`USDT-FUTURES:${instrument.symbol}:${side}`);
      const engine = own === undefined ? [] : [own.entry.size, own.entry.cost, own.margin, own.realisedProfit, own.openFees, own.closeFees];
      same(`${side} of ${user.name}`, engine, [rest.size, rest.cost, rest.margin, rest.realised, rest.openFees, rest.closeFees]);
    }
    same('open orders', [state.orders.size], [this.naive.orders.length]);
    for (const { number, left, filled, instrument, hold } of this.naive.orders) {
      const own = state.orders.get(this.#ids[number]!)!;
      const held = own.hold.kind === 'none' ? [0n, 0n] : [own.hold.amount, BigInt(own.hold.lots) * instrument.lot];
      const engine = [BigInt(own.left) * instrument.lot, BigInt(own.filled) * instrument.lot, ...held];
      same(`order ${number}`, engine, [left, filled, hold.amount, hold.size]);
    }
  }

  audit(): void {
    const { coins, violations } = this.engine.audit();
    same('violations', violations, []);
    same(
      'differences',
      coins.filter(({ difference }) => difference !== 0n),
      [],
    );
    this.#counters['most open orders'] = Math.max(this.#counters['most open orders'] ?? 0, this.naive.orders.length);
  }
}

function engineDraft({ symbol }: NaiveInstrument, draft: NaiveDraft): OrderDraft {
  return {
    symbol,
    side: draft.side,
    orderType: draft.market ? 'market' : 'limit',
    size: decimal(draft.size),
    ...(draft.price === undefined ? {} : { price: decimal(draft.price) }),
    timeInForce: draft.timeInForce as TimeInForce,
    ...(draft.positionSide === undefined ? {} : { positionSide: draft.positionSide }),
    selfTradeMode: draft.stp as SelfTradeMode,
    reduceOnly: draft.reduceOnly,
  };
}

const instrumentOf = (category: string, symbol: string): NaiveInstrument =>
  INSTRUMENTS.find((each) => each.category === category && each.symbol === symbol)!;

/** One answer, or one for each item. */
function answersOf(outcome: Executed['outcome']): string[] {
  if (!outcome.ok) return [outcome.refusal.reason];
  if (!Array.isArray(outcome.value)) return ['accepted'];
  return (outcome.value as { ok: boolean; refusal?: { reason: string } }[]).map((item) => (item.ok ? 'accepted' : item.refusal!.reason));
}

/** Each trade as its two fills tell it. */
function engineTrades(events: Executed['events'], number: (id: Id) => number): string[] {
  const fills = events.flatMap((event) => (event.type === 'fillSettled' ? [event.fill] : []));
  const told: string[] = [];
  for (let at = 0; at + 1 < fills.length; at += 2) {
    const [taker, maker] = [fills[at]!, fills[at + 1]!];
    same('fills', [taker.role, taker.tradeId, taker.size, taker.price], ['taker', maker.tradeId, maker.size, maker.price]);
    told.push(`${number(taker.orderId)} takes ${shown(taker.size)} at ${shown(taker.price)} from ${number(maker.orderId)}`);
  }
  return told;
}

const engineEnds = (events: Executed['events'], number: (id: Id) => number): string[] =>
  events
    .flatMap((event) => (event.type === 'orderEnded' ? [`${number(event.end.orderId)} ${event.end.cancelReason ?? event.end.status}`] : []))
    .sort();
