/**
 * A small random population of leaders and followers. Its maker sometimes withdraws its quotes,
 * prices jump and symbols halt.
 */
import { expect } from 'vitest';
import { CopyModel } from '../../model/copy-model.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { PositionSide } from '../../src/messages/vocabulary.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';
import { Market } from '../scenarios/market.test-support.ts';

const category = 'USDT-FUTURES' as const;
const SYMBOLS = {
  BTCUSDT: { price: 50_000, tick: 0.1, lot: 0.0001 },
  ETHUSDT: { price: 2_500, tick: 0.01, lot: 0.01 },
} as const;
type Symbol = keyof typeof SYMBOLS;
const decimal = (value: number | string): DecimalText => String(value) as DecimalText;
const stepped = (value: number, step: number): string =>
  (Math.round(value / step) * step).toFixed(step < 0.001 ? 4 : step < 0.1 ? 2 : 1);

export class CopyPopulation {
  readonly market = new Market();
  readonly model = new CopyModel();
  readonly views: Views = createViews(createMemoryHistory());
  readonly #chance: Random;
  readonly #leaders: Uid[] = [];
  readonly #followers: Uid[] = [];
  readonly #maker: Uid;
  readonly #stranger: Uid;
  readonly #prices = new Map<Symbol, number>();
  /** An engine restored from a snapshot during the run; it receives the same commands. */
  #shadow: Engine | undefined;
  refused = 0;
  missed = 0;

  constructor(seed: number) {
    this.#chance = seededRandom(seed);
    const { market } = this;
    market.index('BTC', '50000');
    market.index('ETH', '2500');
    this.#maker = market.joins({ USDT: '900000000' });
    this.#stranger = market.joins({ USDT: '1000000' });
    for (let count = 0; count < 3; count++) {
      const uid = market.joins({ USDT: count === 2 ? '3000' : '200000' }, 'hedge');
      market.accepted({
        type: 'makeLeader',
        uid,
        profitShare: decimal(['0', '0.1', '0.35'][count]!),
      });
      this.#leaders.push(uid);
    }
    for (let count = 0; count < 14; count++)
      this.#followers.push(
        market.joins({ USDT: String([300, 4_000, 80_000][count % 3]) }, 'hedge'),
      );
    this.#catchUp();
    for (const symbol of Object.keys(SYMBOLS) as Symbol[]) this.#quote(symbol);
    for (const uid of this.#followers) this.#follow(uid);
  }

  /** Feeds the model and the views the commands of the constructor. */
  #catchUp(): void {
    const again = createEngine();
    for (const { command, at } of this.market.submitted) {
      const executed = again.execute(command, at);
      this.model.take(executed.events);
      this.views.apply(executed);
    }
  }

  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.#act();
      if (this.#chance.below(4) === 0)
        this.market.at = (this.market.at + this.#chance.below(30_000)) as Timestamp;
      if (this.#shadow === undefined && step > steps / 3) {
        this.#shadow = createEngine();
        this.#shadow.restore(this.market.engine.serialize());
      }
    }
    this.#tell('BTCUSDT', 'normal');
    while (this.market.engine.hasDeferredWork()) this.submit({ type: 'tick' });
  }

  submit(command: Command): boolean {
    const { market } = this;
    const executed = market.submit(command);
    if (!executed.outcome.ok) this.refused++;
    this.missed += executed.events.filter(({ type }) => type === 'orderNotCopied').length;
    this.model.take(executed.events);
    this.model.forgetFills();
    this.views.apply(executed);
    market.check();
    this.#shadow?.execute(command, market.at);
    return executed.outcome.ok;
  }

  /** The restored engine and restored views equal those that ran without a restart. */
  checkRuns(): void {
    const { engine } = this.market;
    expect(this.#shadow?.stateHash()).toBe(engine.stateHash());
    expect(this.#shadow?.digest()).toBe(engine.digest());
    const restored = createViews(createMemoryHistory());
    restored.restore(this.views.save());
    for (const uid of [...this.#leaders, ...this.#followers]) {
      expect(restored.copyTrading.open(uid)).toEqual(this.views.copyTrading.open(uid));
      const shown = this.views.copyTrading
        .open(uid)
        .map(({ trackingId, openSize, closedSize }) => [trackingId, openSize - closedSize]);
      const held = [...engine.state.copy.tracked.values()].filter(
        (order) => order.uid === uid && order.lots > 0,
      );
      expect(shown).toEqual(held.map(({ id, entry }) => [id, entry.size]));
      for (const order of held)
        if (order.kind === 'original')
          expect(this.views.copyTrading.followCount(order.id)).toBe(order.copies.size);
    }
  }

  #symbol(): Symbol {
    return this.#chance.below(3) === 0 ? 'ETHUSDT' : 'BTCUSDT';
  }

  #size(symbol: Symbol): DecimalText {
    const { lot, price } = SYMBOLS[symbol];
    return decimal(stepped(((1 + this.#chance.below(40)) * 500) / price, lot));
  }

  #side(): PositionSide {
    return this.#chance.below(2) === 0 ? 'long' : 'short';
  }

  #act(): void {
    const choices: readonly (readonly [number, () => void])[] = [
      [16, () => this.#quote(this.#symbol())],
      [14, () => this.#open(this.#chance.pick(this.#leaders))],
      [12, () => this.#close(this.#chance.pick(this.#leaders))],
      [5, () => this.#close(this.#chance.pick(this.#followers))],
      [4, () => this.#open(this.#chance.pick(this.#followers))],
      [8, () => this.#disturb()],
      [6, () => this.#setPrices()],
      [4, () => this.#closeTracked()],
      [4, () => this.#follow(this.#chance.pick(this.#followers))],
      [
        2,
        () =>
          this.submit({
            type: 'unfollow',
            uid: this.#chance.pick(this.#followers),
            leader: this.#chance.pick(this.#leaders),
          }),
      ],
      [
        3,
        () =>
          this.submit({
            type: 'cancelAllOrders',
            uid: this.#chance.pick([...this.#leaders, ...this.#followers]),
            category,
          }),
      ],
      [
        2,
        () =>
          this.#tell(
            this.#symbol(),
            this.#chance.pick(['halted', 'normal', 'cancelOnly', 'normal']),
          ),
      ],
      [
        1,
        () =>
          this.submit({
            type: 'makeLeader',
            uid: this.#leaders[1]!,
            profitShare: decimal(this.#chance.pick(['0.05', '0.2'])),
          }),
      ],
      [6, () => this.submit({ type: 'tick' })],
    ];
    let at = this.#chance.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of choices) {
      if (at < weight) {
        act();
        return;
      }
      at -= weight;
    }
  }

  /** Quotes near the last price. Large moves are rare, and sometimes there is little or no size. */
  #quote(symbol: Symbol): void {
    const { tick, lot, price: first } = SYMBOLS[symbol];
    const before = this.#prices.get(symbol) ?? first;
    const width = this.#chance.below(12) === 0 ? 0.12 : 0.015;
    const price = Math.min(
      first * 2,
      Math.max(first / 2, before * (1 + (this.#chance.fraction() - 0.5) * 2 * width)),
    );
    this.#prices.set(symbol, price);
    this.submit({ type: 'cancelAllOrders', uid: this.#maker, category, symbol } as Command);
    const mark = decimal(stepped(price, tick));
    this.submit({
      type: 'setPrices',
      prices: [{ category, symbol, mark, releaseMark: false, force: false }],
    });
    const depth = this.#chance.pick([0, 0.2, 1, 20, 20, 20]);
    const size = decimal(stepped((depth * 50_000) / first, lot));
    if (depth === 0) return;
    for (const [side, away] of [
      ['sell', 1],
      ['buy', -1],
    ] as const)
      this.#order(this.#maker, symbol, side, size, decimal(stepped(price + away * tick * 3, tick)));
  }

  #order(
    uid: Uid,
    symbol: Symbol,
    side: 'buy' | 'sell',
    size: DecimalText,
    price?: DecimalText,
    positionSide?: PositionSide,
  ): void {
    const draft = {
      symbol,
      side,
      size,
      orderType: price === undefined ? ('market' as const) : ('limit' as const),
      timeInForce: 'gtc' as const,
      reduceOnly: false,
      ...(price === undefined ? {} : { price }),
      ...(positionSide === undefined ? {} : { positionSide }),
    };
    this.submit({ type: 'placeOrders', uid, category, orders: [draft] });
  }

  /** Undefined for a market order, or a price near the last one. */
  #price(symbol: Symbol): DecimalText | undefined {
    const { tick, price } = SYMBOLS[symbol];
    if (this.#chance.below(4) > 0) return undefined;
    return decimal(
      stepped((this.#prices.get(symbol) ?? price) * (0.99 + this.#chance.fraction() * 0.02), tick),
    );
  }

  #open(uid: Uid): void {
    const [symbol, side] = [this.#symbol(), this.#side()];
    this.#order(
      uid,
      symbol,
      side === 'long' ? 'buy' : 'sell',
      this.#size(symbol),
      this.#price(symbol),
      side,
    );
  }

  #close(uid: Uid): void {
    const held = [...(this.market.state.positions.get(uid)?.values() ?? [])];
    if (held.length === 0) return;
    const { key, side, lots } = this.#chance.pick(held);
    const symbol = key.slice(category.length + 1) as Symbol;
    const { lot } = SYMBOLS[symbol];
    const size = decimal(
      stepped(Math.max(1, Math.floor(lots * this.#chance.pick([0.2, 0.5, 1]))) * lot, lot),
    );
    this.#order(uid, symbol, side === 'long' ? 'sell' : 'buy', size, this.#price(symbol), side);
  }

  /** A trade of another account moves the last price. */
  #disturb(): void {
    const symbol = this.#symbol();
    this.#order(
      this.#stranger,
      symbol,
      this.#chance.pick(['buy', 'sell']),
      decimal(stepped(SYMBOLS[symbol].lot * 10, SYMBOLS[symbol].lot)),
    );
  }

  #setPrices(): void {
    const open = [...this.market.state.copy.tracked.values()].filter(({ lots }) => lots > 0);
    if (open.length === 0) return;
    const { id, uid, kind, key, side } = this.#chance.pick(open);
    const symbol = key.slice(category.length + 1) as Symbol;
    const price = (by: number): DecimalText =>
      decimal(
        stepped(
          (this.#prices.get(symbol) ?? 0) * (1 + (side === 'long' ? by : 0 - by)),
          SYMBOLS[symbol].tick,
        ),
      );
    const role = kind === 'original' ? ('leader' as const) : ('follower' as const);
    const prices = this.#chance.pick([
      { takeProfit: price(0.005) },
      { stopLoss: price(-0.005) },
      { takeProfit: decimal('0') },
      { takeProfit: price(0.02), stopLoss: price(-0.02) },
    ]);
    this.submit({ type: 'setTrackedOrderTpsl', uid, role, trackingId: id, category, ...prices });
  }

  #closeTracked(): void {
    const open = [...this.market.state.copy.tracked.values()].filter(({ lots }) => lots > 0);
    if (open.length === 0) return;
    const { id, uid, kind } = this.#chance.pick(open);
    const role = kind === 'original' ? ('leader' as const) : ('follower' as const);
    const one: { trackingId?: Id } = this.#chance.below(2) === 0 ? { trackingId: id } : {};
    this.submit({ type: 'closeTrackedOrders', uid, role, category, ...one });
  }

  #tell(symbol: Symbol, status: 'halted' | 'normal' | 'cancelOnly'): void {
    this.submit({ type: 'setInstrumentStatus', category, symbol, status });
  }

  #setting(symbol: Symbol, mode: 'basic' | 'advanced'): CopySetting {
    const chance = this.#chance;
    const sizing = chance.pick(
      mode === 'basic'
        ? (['multiple', 'amount'] as const)
        : (['multiple', 'amount', 'size'] as const),
    );
    const value = {
      multiple: chance.pick(['0.1', '0.33', '1', '2.5']),
      amount: chance.pick(['5', '100', '900']),
      size: this.#size(symbol),
    }[sizing];
    return {
      category,
      symbol,
      margin: chance.pick(['leader', 'own']),
      leverage: chance.pick(['leader', 'position', 'own']),
      longLeverage: decimal(1 + chance.below(30)),
      shortLeverage: decimal(1 + chance.below(30)),
      sizing,
      value: decimal(value),
      ...(chance.below(3) === 0 ? { heldMax: 1 + chance.below(3) } : {}),
      ...(chance.below(4) === 0 ? { takeProfitRatio: decimal(1 + chance.below(30)) } : {}),
      ...(chance.below(4) === 0 ? { stopLossRatio: decimal(1 + chance.below(30)) } : {}),
    };
  }

  #follow(uid: Uid): void {
    const mode = this.#chance.pick(['basic', 'advanced'] as const);
    const settings = (Object.keys(SYMBOLS) as Symbol[])
      .slice(0, 1 + this.#chance.below(2))
      .map((symbol) => this.#setting(symbol, mode));
    const autoCopy = this.#chance.below(2) === 0;
    this.submit({
      type: 'setCopySettings',
      uid,
      leader: this.#chance.pick(this.#leaders),
      mode,
      autoCopy,
      settings,
    });
  }
}
