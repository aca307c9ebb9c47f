/**
 * Measures triggers: a price that fires none among few and among many, a crash that fires a hundred
 * thousand, and the memory of one.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, type Engine } from '../src/core/engine.ts';
import type { DecimalText } from '../src/kernel/decimal-text.ts';
import type { Id } from '../src/kernel/ids.ts';
import { invariant } from '../src/kernel/invariant.ts';
import { type Random, seededRandom } from '../src/kernel/random.ts';
import { TRIGGERS_PER_SYMBOL_MAX } from '../src/messages/bounds.ts';
import type { Command } from '../src/messages/commands.ts';
import type { TriggerDraft } from '../src/messages/triggers.ts';
import { expectAccepted, MARKET_START, openingCommands, uidAt } from './exchange/market.ts';
import { type Measured, median } from './rows.ts';

export interface TriggerBenchOptions {
  readonly repetitions: number;
  readonly few: number;
  readonly many: number;
  readonly ticks: number;
  /** Fired by one price. */
  readonly crash: number;
}

const decimal = (value: number | string): DecimalText => String(value) as DecimalText;
const counted = (count: number): string => count.toLocaleString('en-US');

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const BTC = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const pin = (price: number): Command => ({
  type: 'setPrices',
  prices: [
    { ...BTC, index: undefined, mark: decimal(price.toFixed(1)), releaseMark: false, force: true },
  ],
});

/** An engine with many users, each of whom may have five hundred triggers. */
class Crowd {
  readonly engine: Engine = createEngine();
  readonly #random: Random = seededRandom(7);

  constructor(triggers: number) {
    for (const command of openingCommands(Math.ceil(triggers / TRIGGERS_PER_SYMBOL_MAX) + 1))
      this.submit(command);
    this.submit(pin(60_000));
  }

  submit(command: Command) {
    const executed = this.engine.execute(command, MARKET_START);
    expectAccepted(command, executed.outcome);
    return executed;
  }

  /** The first user makes the market; triggers belong to the others. */
  place(place: number, draft: Partial<TriggerDraft> & Pick<TriggerDraft, 'triggerPrice'>): void {
    const trigger: TriggerDraft = {
      kind: 'conditional',
      symbol: 'BTCUSDT',
      marginMode: 'crossed',
      size: decimal('0.0001'),
      source: 'mark',
      side: 'sell',
      positionSide: undefined,
      orderType: 'market',
      price: undefined,
      callbackRate: undefined,
      reduceOnly: false,
      clientOid: undefined,
      selfTradeMode: 'none',
      takeProfit: undefined,
      stopLoss: undefined,
      ...draft,
    };
    this.submit({
      type: 'placeTrigger',
      uid: uidAt(1 + Math.floor(place / TRIGGERS_PER_SYMBOL_MAX)),
      category: 'USDT-FUTURES',
      trigger,
    });
  }

  /**
   * Half of them are far from the price, half follow it with callback rates that no tick here
   * reaches.
   */
  arm(count: number): void {
    for (let place = 0; place < count; place++) {
      const far = 3_000 + this.#random.below(20_000);
      if (place % 2 === 0)
        this.place(place, { triggerPrice: decimal(60_000 + (place % 4 === 0 ? far : -far)) });
      else
        this.place(place, {
          kind: 'trailing',
          triggerPrice: decimal(60_000),
          callbackRate: decimal((500 + this.#random.below(501)) / 100),
          side: place % 4 === 1 ? 'sell' : 'buy',
        });
    }
    invariant(this.engine.state.triggers.size === count, 'all of them wait');
  }

  /**
   * Prices that fire nothing, up to one percent in either direction, with new highs and lows among
   * them.
   */
  tick(ticks: number): number {
    const before = process.cpuUsage();
    const armed = this.engine.state.triggers.size;
    for (let tick = 0; tick < ticks; tick++)
      this.submit(pin(60_000 + (this.#random.below(12_001) - 6_000) / 10));
    invariant(this.engine.state.triggers.size === armed, 'nothing has fired');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / ticks;
  }
}

function measureTicks({ repetitions, few, many, ticks }: TriggerBenchOptions): Measured[] {
  const small = new Crowd(few);
  small.arm(few);
  const large = new Crowd(many);
  const before = heapMegabytes();
  large.arm(many);
  const bytes = ((heapMegabytes() - before) * 2 ** 20) / many;
  for (const crowd of [small, large]) crowd.tick(ticks);
  const costs = Array.from({ length: repetitions }, () => ({
    few: small.tick(ticks),
    many: large.tick(ticks),
  }));
  const name = (count: number): string =>
    `price that fires nothing, ${counted(count)} triggers armed`;
  return [
    {
      name: name(few),
      value: median(costs.map((cost) => cost.few)),
      unit: 'µs CPU',
      lessIsBetter: true,
    },
    {
      name: name(many),
      value: median(costs.map((cost) => cost.many)),
      unit: 'µs CPU',
      lessIsBetter: true,
      ratioTo: name(few),
      // The cost as a multiple: the number that has a limit.
      ratio: median(costs.map((cost) => cost.many / cost.few)),
    },
    {
      name: `memory of an armed trigger, of ${counted(many)}`,
      value: bytes,
      unit: 'bytes',
      lessIsBetter: true,
    },
  ];
}

interface Crashed {
  /** Per second of processor time, so that other programs do not count. */
  readonly perSecond: number;
  /** The longest command in between: the worst waiting time of a cancel. */
  readonly longestMs: number;
}

/** Processor time spent so far, in milliseconds. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * One price fires them all; each sells to the only bid. Between work portions a user cancels an
 * order and gets an answer.
 */
function crash(count: number): Crashed {
  const crowd = new Crowd(count);
  const { state } = crowd.engine;
  const size = decimal((count / 10_000 + 1).toFixed(4));
  const bid = {
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    size,
    price: decimal(50_000),
    timeInForce: 'gtc',
    positionSide: undefined,
  } as const;
  const more = {
    clientOid: undefined,
    selfTradeMode: undefined,
    reduceOnly: false,
    marginMode: undefined,
    loanType: undefined,
  } as const;
  crowd.submit({
    type: 'placeOrders',
    uid: uidAt(0),
    category: 'USDT-FUTURES',
    orders: [{ ...bid, ...more }],
  });
  // From the far end, so that they do not fire in the order they were placed.
  for (let place = 0; place < count; place++)
    crowd.place(place, {
      triggerPrice: decimal((50_000 + ((place * 7_919) % 90_000) / 10).toFixed(1)),
    });
  const expected = [...state.triggers.values()]
    .sort((one, other) =>
      one.triggerPrice === other.triggerPrice
        ? one.id - other.id
        : one.triggerPrice > other.triggerPrice
          ? -1
          : 1,
    )
    .map(({ id }) => id);
  collectGarbage();

  const fired: Id[] = [];
  let longestMs = 0;
  const start = spentMs();
  const step = (command: Command): void => {
    const began = spentMs();
    const { events } = crowd.submit(command);
    longestMs = Math.max(longestMs, spentMs() - began);
    for (const event of events) if (event.type === 'triggerFired') fired.push(event.triggerId);
  };
  step(pin(50_000));
  while (state.reachedTriggers.size > 0) {
    step({ type: 'tick' });
    step({ type: 'cancelAllOrders', uid: uidAt(1), category: 'USDT-FUTURES', symbol: 'BTCUSDT' });
  }
  const seconds = (spentMs() - start) / 1_000;
  invariant(
    fired.length === count && fired.every((id, at) => id === expected[at]),
    'all of them fired, each once and in order',
  );
  return { perSecond: count / seconds, longestMs };
}

export async function benchTriggers(options: TriggerBenchOptions): Promise<Measured[]> {
  const ticks = measureTicks(options);
  const crashes = Array.from({ length: options.repetitions }, () => crash(options.crash));
  const name = `crash: ${counted(options.crash)} triggers and their orders, by one price, in order`;
  const single = crash(options.few * 10);
  const smaller = `crash: ${counted(options.few * 10)} triggers`;
  return [
    ...ticks,
    { name: smaller, value: single.perSecond, unit: 'triggers per CPU second' },
    {
      name,
      value: median(crashes.map(({ perSecond }) => perSecond)),
      unit: 'triggers per CPU second',
      ratioTo: smaller,
      ratio: median(crashes.map(({ perSecond }) => perSecond)) / single.perSecond,
    },
    {
      name: 'crash: longest wait of a cancel',
      value: median(crashes.map(({ longestMs }) => longestMs)),
      unit: 'ms CPU',
      lessIsBetter: true,
    },
  ];
}
