/** An engine with the default listings and its own market, on a clock that tests move. */

import { createEngine, type Engine } from '../../core/engine.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import type { Event, EventOf, EventType } from '../../messages/events.ts';
import type { SceneName } from '../../messages/scenes.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { Market } from './market.ts';
import { ensureMarketAccounts, type Submit } from './market-accounts.ts';
import type { FeedRow } from './price-feed.ts';
import type { RecordedPath } from './recorded-path.ts';
import { SCENES } from './scenes.ts';

export const MARKET_START = 1_700_000_000_000 as Timestamp;

export class MarketWorld {
  engine: Engine = createEngine();
  now = MARKET_START;
  readonly events: Event[] = [];
  readonly feeds = new Map<string, readonly FeedRow[]>();
  readonly recorded = new Map<string, RecordedPath>();
  readonly #asked = new Map<Command['type'], number>();
  #market: Market;

  private constructor(seed: number) {
    this.#market = this.#newMarket(seed);
  }

  static async open(seed = 1): Promise<MarketWorld> {
    const world = new MarketWorld(seed);
    for (const coin of DEFAULT_COINS) world.execute({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS)
      world.execute({ type: 'listInstrument', instrument });
    for (const [coin, index] of Object.entries(DEMO_INDEX_PRICES))
      world.setIndex(`${coin}USDT`, index);
    await ensureMarketAccounts(() => world.engine.state, world.submit);
    world.execute({ type: 'switchMarket', on: true });
    await world.#market.step(world.now, 0);
    return world;
  }

  #newMarket(seed: number): Market {
    return new Market({
      seed,
      state: () => this.engine.state,
      submit: this.submit,
      feeds: (file) => this.feeds.get(file),
      recorded: (hash) => this.recorded.get(hash)!,
    });
  }

  execute(command: Command): unknown {
    const { outcome, events } = this.engine.execute(command, this.now);
    this.events.push(...events);
    if (!outcome.ok)
      throw new Error(
        `${command.type} was refused: ${outcome.refusal.reason} ${outcome.refusal.field ?? ''}`,
      );
    return outcome.value;
  }

  /** Number of submitted commands of a type. */
  asked(type: Command['type']): number {
    return this.#asked.get(type) ?? 0;
  }

  submit: Submit = (async (command: Command) => {
    this.#asked.set(command.type, this.asked(command.type) + 1);
    const { outcome, events } = this.engine.execute(command, this.now);
    this.events.push(...events);
    return outcome;
  }) as Submit;

  setIndex(symbol: string, index: string): void {
    const price = {
      category: 'USDT-FUTURES' as const,
      symbol,
      index: index as DecimalText,
      releaseMark: false,
      force: true,
    };
    this.execute({ type: 'setPrices', prices: [price] });
  }

  /** One step per second. */
  async seconds(count: number, stepMs = 1_000): Promise<void> {
    for (let passed = 0; passed < count * 1_000; passed += stepMs) {
      this.now = (this.now + stepMs) as Timestamp;
      await this.#market.step(this.now, stepMs);
    }
  }

  play(
    name: SceneName,
    category: Category,
    symbol: string,
    request: { percent?: string; down?: boolean; durationMs?: number; file?: string } = {},
  ): void {
    const usual = SCENES[name];
    const { percent = usual.percent, ...rest } = request;
    const asked = {
      durationMs: usual.durationMs,
      down: usual.down,
      ...rest,
      percent: percent as DecimalText,
    };
    this.execute({ type: 'playScene', category, symbol, name, delayMs: 0, ...asked });
  }

  leave(): Promise<void> {
    this.execute({ type: 'switchMarket', on: false });
    return this.#market.leave();
  }

  /** Restarts the program: a new engine with the old state, a new market with the old seed. */
  restart(seed = 1): void {
    const bytes = this.engine.serialize();
    this.engine = createEngine();
    this.engine.restore(bytes);
    this.#market = this.#newMarket(seed);
  }

  index(coin: string): number {
    return Number(this.engine.state.indexPrices.get(coin)!.price) / 1e10;
  }

  mark(key: string): number {
    return Number(this.engine.state.symbolPrices.get(key)!.mark) / 1e10;
  }

  /** Ticks of the open orders of a book's side, best first. */
  ticks(key: string, side: 'buy' | 'sell'): number[] {
    const ticks = [...this.engine.state.orders.values()]
      .filter((order) => order.key === key && order.side === side)
      .map(({ limit }) => limit as number);
    return ticks.toSorted((one, other) => (side === 'buy' ? other - one : one - other));
  }

  emitted<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.events.filter((event) => event.type === type) as Event[] as EventOf<Type>[];
  }
}
