import { describe, expect, test } from 'vitest';
import { NaiveTriggers } from '../../model/trigger-model.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { type Id, UID_FIRST, type Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { EXIT_KINDS, PRICE_SOURCES, type Side } from '../../src/messages/vocabulary.ts';
import { CrashSimulation } from '../../src/simulator/crash-simulation.ts';

const decimal = (value: number | string): DecimalText => String(value) as DecimalText;
const USERS = 6;
const user = (number: number): Uid => (UID_FIRST + number) as Uid;
const BTC = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

const index = (price: number): Command => ({
  type: 'setPrices',
  prices: [{ ...BTC, index: decimal(price), releaseMark: false, force: true }],
});
const pin = (price: number): Command => ({
  type: 'setPrices',
  prices: [{ ...BTC, mark: decimal(price), releaseMark: false, force: true }],
});
const order = (uid: Uid, side: Side, size: string, price: number): Command => {
  const draft: OrderDraft = {
    symbol: 'BTCUSDT',
    side,
    orderType: 'limit',
    size: decimal(size),
    price: decimal(price),
    timeInForce: 'gtc',
    reduceOnly: false,
  };
  return { type: 'placeOrders', uid, category: 'USDT-FUTURES', orders: [draft] };
};

const isTraded = ({ category, symbol }: { category: string; symbol: string }): boolean =>
  category === BTC.category && symbol === BTC.symbol;

/**
 * The first user makes the market, the second trades with it. Only this contract is listed, because
 * a run is repeated for each disk call.
 */
const OPENING: readonly Command[] = [
  ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
  ...DEFAULT_INSTRUMENTS.filter(isTraded).map(
    (instrument): Command => ({ type: 'listInstrument', instrument }),
  ),
  ...Array.from(
    { length: USERS },
    (): Command => ({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay' }),
  ),
  ...Array.from(
    { length: USERS },
    (_, number): Command => ({
      type: 'deposit',
      uid: user(number),
      coin: 'USDT',
      size: decimal(100_000_000),
    }),
  ),
  index(50_000),
  pin(50_000),
  order(user(0), 'sell', '1', 50_000),
  order(user(1), 'buy', '1', 50_000),
];

function drawTrigger(random: Random, uid: Uid, around: number): Command {
  const side: Side = random.below(2) === 0 ? 'buy' : 'sell';
  const at = decimal(Math.max(1_000, around + random.below(3_001) - 1_500));
  const source = random.pick(PRICE_SOURCES);
  const shared = {
    symbol: 'BTCUSDT',
    marginMode: 'crossed',
    size: decimal('0.01'),
    triggerPrice: at,
    source,
    side,
    reduceOnly: random.below(4) === 0,
  } as const;
  if (random.below(2) === 0)
    return {
      type: 'placeTrigger',
      uid,
      category: 'USDT-FUTURES',
      trigger: {
        ...shared,
        kind: 'trailing',
        orderType: 'market',
        callbackRate: decimal((100 + random.below(901)) / 100),
      },
    };
  const limit = random.below(3) === 0;
  return {
    type: 'placeTrigger',
    uid,
    category: 'USDT-FUTURES',
    trigger: {
      ...shared,
      kind: 'conditional',
      orderType: limit ? 'limit' : 'market',
      ...(limit ? { price: at } : {}),
    },
  };
}

function drawExit(random: Random, uid: Uid, around: number): Command {
  const kind = random.pick(EXIT_KINDS);
  const exit = {
    kind,
    triggerPrice: decimal(around + random.below(3_001) - 1_500),
    source: random.pick(PRICE_SOURCES),
    size: decimal('0.01'),
    ...(kind === 'trailingExit' ? { callbackRate: decimal((1 + random.below(1_000)) / 100) } : {}),
  };
  return {
    type: 'placeTpsl',
    uid,
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: random.below(2) === 0 ? 'long' : 'short',
    tpsl: [exit],
  };
}

/**
 * A random walk with gaps. The book has quotes around the price, so that market orders fill and
 * move it.
 */
class Stream {
  readonly #random: Random;
  #now = 50_000;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  next(engine: Engine): Command {
    const random = this.#random;
    const trader = user(2 + random.below(USERS - 2));
    switch (random.below(12)) {
      case 0:
      case 1:
      case 2:
        return drawTrigger(random, trader, this.#now);
      case 3:
        return drawExit(random, trader, this.#now);
      case 4:
        return index(this.#step());
      case 5:
        return pin(this.#step());
      case 6:
        return order(user(0), 'buy', '0.05', this.#now - 10 - random.below(200));
      case 7:
        return order(user(0), 'sell', '0.05', this.#now + 10 + random.below(200));
      case 8:
        return order(trader, random.below(2) === 0 ? 'buy' : 'sell', '0.02', this.#now);
      case 9:
        return this.#change(engine, trader);
      case 10:
        return {
          type: 'cancelAllOrders',
          uid: user(random.below(USERS)),
          category: 'USDT-FUTURES',
        };
      default:
        return random.below(4) === 0
          ? { type: 'cancelTriggers', uid: trader, category: 'USDT-FUTURES', kinds: [] }
          : { type: 'tick' };
    }
  }

  #step(): number {
    const far = this.#random.below(10) === 0 ? 4_000 : 300;
    this.#now = Math.min(
      65_000,
      Math.max(40_000, this.#now + this.#random.below(2 * far + 1) - far),
    );
    return this.#now;
  }

  #change(engine: Engine, uid: Uid): Command {
    const own = [...(engine.state.accounts.get(uid)?.triggers.get('USDT-FUTURES:BTCUSDT') ?? [])];
    if (own.length === 0) return { type: 'tick' };
    const triggerId = own[this.#random.below(own.length)]!;
    const exit =
      engine.state.triggers.get(triggerId)!.intent === 'close' &&
      engine.state.triggers.get(triggerId)!.positionSide !== undefined;
    return {
      type: 'changeTrigger',
      uid,
      category: 'USDT-FUTURES',
      exit,
      triggerId,
      change: { triggerPrice: decimal(this.#now + this.#random.below(2_001) - 1_000) },
    };
  }
}

const FIRST_SEED = Number.parseInt(process.env.SIMULATION_SEED ?? '1', 10);
const SEEDS = Array.from(
  { length: Number.parseInt(process.env.SIMULATION_SEEDS ?? '3', 10) },
  (_, at) => FIRST_SEED + at,
);
const COMMANDS = 1_500;

describe('triggers', () => {
  test.each(SEEDS)(
    '[TRG-32][TRG-35][TRG-37][TRG-38] the engine fires as a simple model does, from seed %i',
    (seed) => {
      const engine = createEngine();
      const naive = new NaiveTriggers();
      const stream = new Stream(seed);
      let at = 1_735_689_600_000 as Timestamp;
      for (const command of OPENING) naive.update(engine.execute(command, at).events);
      for (let count = 0; count < COMMANDS; count++) {
        at = (at + 1) as Timestamp;
        const { events } = engine.execute(stream.next(engine), at);
        expect([seed, count, naive.update(events)]).toEqual([seed, count, []]);
        expect([seed, count, naive.inLine, naive.live]).toEqual([
          seed,
          count,
          engine.state.reachedTriggers.size,
          engine.state.triggers.size,
        ]);
        if (count % 100 !== 0) continue;
        expect(engine.audit().violations).toEqual([]);
        // A restore from its own snapshot changes nothing.
        const bytes = engine.serialize();
        engine.restore(bytes);
        expect(engine.serialize()).toEqual(bytes);
      }
      expect(naive.fired).toBeGreaterThan(100);
    },
  );
});

/** Thirty triggers, a price that reaches them all, and some commands after it. */
const SCRIPT: readonly Command[] = [
  ...OPENING,
  ...Array.from(
    { length: 30 },
    (_, number): Command => ({
      type: 'placeTrigger',
      uid: user(2 + (number % 4)),
      category: 'USDT-FUTURES',
      trigger: {
        kind: number % 5 === 0 ? 'trailing' : 'conditional',
        symbol: 'BTCUSDT',
        marginMode: 'crossed',
        size: decimal('0.01'),
        triggerPrice: decimal(number % 5 === 0 ? 50_000 : 49_900 - number),
        source: number % 2 === 0 ? 'mark' : 'last',
        side: 'sell',
        orderType: 'market',
        reduceOnly: false,
        ...(number % 5 === 0 ? { callbackRate: decimal(1) } : {}),
        ...(number % 3 === 0 && number % 5 !== 0
          ? { takeProfit: { triggerPrice: decimal(48_000), source: 'mark' as const } }
          : {}),
      },
    }),
  ),
  order(user(0), 'buy', '1', 49_300),
  pin(49_000),
  order(user(1), 'buy', '0.1', 49_250),
  pin(48_000),
  pin(50_000),
  { type: 'tick' },
  { type: 'tick' },
];

const newRuns = (seed: number): CrashSimulation =>
  new CrashSimulation({
    seed,
    createMachine: createEngine,
    drawCommand: (_random, machine) => SCRIPT[machine.sequence] ?? { type: 'tick' },
    segmentBytes: 16_384,
    snapshotEvery: 25,
  });

/** How often each trigger ended in a replay of the whole history. */
function endings(runs: CrashSimulation): Map<Id, number> {
  const engine = createEngine();
  const ends = new Map<Id, number>();
  for (const { command, at } of runs.history)
    for (const event of engine.execute(command, at).events)
      if (
        event.type === 'triggerFired' ||
        event.type === 'triggerFailed' ||
        event.type === 'triggerCancelled'
      )
        ends.set(event.triggerId, (ends.get(event.triggerId) ?? 0) + 1);
  expect(engine.audit().violations).toEqual([]);
  expect([engine.state.triggers.size, engine.state.reachedTriggers.size]).toEqual([0, 0]);
  return ends;
}

async function runToEnd(runs: CrashSimulation): Promise<void> {
  const run = await runs.start();
  expect(run!.machine.stateHash()).toBe(runs.hashFromZero());
  // The journal refuses a command while it prepares its next segment; the loop submits it again.
  while (run!.machine.sequence < SCRIPT.length)
    expect(await runs.work(run!, SCRIPT.length - run!.machine.sequence)).toBe(true);
  expect(await runs.stop(run!)).toBe(true);
}

describe('a crash while triggers fire', () => {
  test('[TRG-46][JRN-01] if the power fails at any disk call, each trigger still ends exactly once', async () => {
    const whole = newRuns(1);
    await runToEnd(whole);
    const expected = endings(whole);
    expect(expected.size).toBeGreaterThan(30);
    expect([...expected.values()].every((count) => count === 1)).toBe(true);
    for (let call = 1; call <= whole.disk.calls; call++) {
      const runs = newRuns(1);
      runs.disk.setFaults((at) => (at === call ? 'powerLoss' : undefined));
      const first = await runs.start();
      if (first !== undefined) await runs.work(first, SCRIPT.length);
      runs.disk.crash();
      runs.disk.setFaults(() => undefined);
      await runToEnd(runs);
      expect([call, endings(runs)]).toEqual([call, expected]);
    }
  });
});
