import { describe, expect, test } from 'vitest';
import { createEngine } from '../core/engine.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Uid } from '../kernel/ids.ts';
import { refuse } from '../kernel/result.ts';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../kernel/time.ts';
import { DEFAULT_COINS } from '../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../listings/default-instruments.ts';
import type { Command, CommandOf } from '../messages/commands.ts';
import { rejection } from '../messages/rejections.ts';
import type { Submit } from '../simulator/market/market-accounts.ts';
import { MarketDriver, spacingOf } from './market-driver.ts';

/** Six hours and a minute past midnight UTC, on a day whose UTC+8 midnight is at 16:00 UTC. */
const START = Date.UTC(2026, 0, 5, 6, 1) as Timestamp;

function openExchange() {
  const engine = createEngine();
  const wall = { now: START };
  const commands: Command[] = [];
  /** Whether commands are taken; they are not while the disk is full. */
  const door = { isOpen: true };
  /** Kept when history has room. */
  const room = { kept: Promise.resolve() };
  /** What files of prices fail with, while they do. */
  const trouble: { error?: Error } = {};
  const failures: Error[] = [];
  const submit: Submit = (async (command: Command) => {
    commands.push(command);
    if (!door.isOpen) return refuse(rejection('notServing'));
    return engine.execute(command, engine.exchangeTime(wall.now)).outcome;
  }) as Submit;
  const driver = new MarketDriver({
    engine,
    wall: () => wall.now,
    now: () => engine.exchangeTime(wall.now),
    seed: 1,
    submit,
    feeds: () => {
      if (trouble.error !== undefined) throw trouble.error;
      return undefined;
    },
    queued: () => 0,
    room: () => room.kept,
    onFailure: (error) => failures.push(error),
  });
  for (const coin of DEFAULT_COINS) void submit({ type: 'listCoin', coin });
  for (const instrument of DEFAULT_INSTRUMENTS) void submit({ type: 'listInstrument', instrument });
  for (const [coin, index] of Object.entries(DEMO_INDEX_PRICES))
    void submit({
      type: 'setPrices',
      prices: [{ category: 'USDT-FUTURES', symbol: `${coin}USDT`, index: index as DecimalText, releaseMark: false, force: false }],
    });
  const heardAt = (): number => engine.state.indexPrices.get('BTC')!.heardAt;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { engine, wall, driver, commands, door, room, trouble, failures, submit, heardAt, turn };
}

/** Prices with the makers' quotes, or without any to change. */
const isPrice = ({ type }: Command): boolean => type === 'setPrices' || type === 'setPricesWithQuotes';

const bitcoinAt = (index: string): CommandOf<'setPrices'> => ({
  type: 'setPrices',
  prices: [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: index as DecimalText, releaseMark: false, force: true }],
});

describe('prices of the operator', () => {
  test('[MKT-23][MKT-24] the makers quote the new price in every book of the coin, and no other book', async () => {
    const { engine, driver, submit } = openExchange();
    await driver.switchOn();
    const ofBitcoin = new Set(
      [...engine.state.instruments]
        .filter(([, { instrument }]) => [instrument.baseCoin, instrument.quoteCoin].includes('BTC'))
        .map(([key]) => key),
    );
    const others = (): number[] => [...engine.state.orders.values()].filter(({ key }) => !ofBitcoin.has(key)).map(({ id }) => id);
    const before = { others: others(), orders: engine.state.orders.size };
    const command = driver.withQuotes(bitcoinAt('75000'));
    expect(command).toMatchObject({ type: 'setPricesWithQuotes', prices: bitcoinAt('75000').prices });
    await submit(command);
    const limits = [...engine.state.orders.values()].filter(({ key }) => key === 'USDT-FUTURES:BTCUSDT');
    const [bids, asks] = (['buy', 'sell'] as const).map((way) =>
      limits.filter(({ side }) => side === way).map(({ limit }) => limit * 0.1),
    ) as [number[], number[]];
    expect(Math.max(...bids)).toBeGreaterThan(74_900);
    expect(Math.min(...asks)).toBeLessThan(75_100);
    expect(others()).toEqual(before.others);
    expect(engine.audit().violations).toEqual([]);
  });

  test('[MKT-24] a price that stands, a pinned mark, or a price while the market is off brings no quotes', async () => {
    const { driver } = openExchange();
    expect(driver.withQuotes(bitcoinAt('75000'))).toEqual(bitcoinAt('75000'));
    await driver.switchOn();
    expect(driver.withQuotes(bitcoinAt(DEMO_INDEX_PRICES.BTC!))).toEqual(bitcoinAt(DEMO_INDEX_PRICES.BTC!));
    const pin = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: '75000' as DecimalText, releaseMark: false, force: true } as const;
    expect(driver.withQuotes({ type: 'setPrices', prices: [pin] })).toEqual({ type: 'setPrices', prices: [pin] });
    expect(driver.withQuotes(bitcoinAt('0'))).toEqual(bitcoinAt('0'));
  });

  test('[MKT-25] a file that cannot be read keeps no price from being set', async () => {
    const { driver, submit, trouble } = openExchange();
    await driver.switchOn();
    const scene = { category: 'USDT-FUTURES', symbol: 'ETHUSDT', name: 'feed', file: 'a.csv', delayMs: 0, durationMs: HOUR } as const;
    await submit({ type: 'playScene', ...scene, percent: '0' as DecimalText, down: false });
    trouble.error = new Error('EMFILE: too many open files');
    expect(driver.withQuotes(bitcoinAt('75000'))).toEqual(bitcoinAt('75000'));
    delete trouble.error;
    expect(driver.withQuotes(bitcoinAt('75000')).type).toBe('setPricesWithQuotes');
  });
});

describe('the market on the exchange clock', () => {
  test('[MKT-07] switched off, its orders are gone and its scenes over before it is off', async () => {
    const { engine, driver, commands, submit } = openExchange();
    await driver.switchOn();
    const scene = { category: 'SPOT', symbol: 'BTCUSDT', name: 'halt', percent: '0' as DecimalText, down: false } as const;
    await submit({ type: 'playScene', ...scene, delayMs: 0, durationMs: MINUTE });
    commands.length = 0;
    await driver.switchOff();
    expect(commands.at(-1)).toEqual({ type: 'switchMarket', on: false });
    expect(commands[0]).toMatchObject({ type: 'endScene' });
    expect([engine.state.orders.size, engine.state.scenes.size, engine.state.marketOn]).toEqual([0, 0, false]);
  });

  test('[MKT-07] a market that may not be switched on places nothing', async () => {
    const { driver, door, commands } = openExchange();
    await driver.switchOn();
    await driver.switchOff();
    door.isOpen = false;
    commands.length = 0;
    expect(await driver.switchOn()).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
    expect(commands.map(({ type }) => type)).toEqual(['setPrices', 'switchMarket']);
  });

  test('[MKT-05] it steps once a second while the clock runs, and not while it stands', async () => {
    const { driver, wall, heardAt, turn } = openExchange();
    await driver.switchOn();
    expect(heardAt()).toBe(START);
    wall.now = (START + 999) as Timestamp;
    driver.look();
    await turn();
    expect(heardAt()).toBe(START);
    wall.now = (START + 1_000) as Timestamp;
    driver.look();
    await turn();
    expect(heardAt()).toBe(START + 1_000);
    await driver.moveClock({ frozen: true });
    wall.now = (START + 60_000) as Timestamp;
    driver.look();
    await turn();
    expect(heardAt()).toBe(START + 1_000);
  });

  test('[MKT-02] whoever is called like somebody of the market is left alone', async () => {
    const { driver, engine, submit } = openExchange();
    const made = await submit({ type: 'createUser', name: 'maker-1', level: 'VIP0', positionMode: 'oneWay' });
    const uid = (made as { value: { uid: Uid } }).value.uid;
    await driver.switchOn();
    expect(engine.state.orders.size).toBeGreaterThan(0);
    expect(engine.state.ledger.wallets.get(uid)).toBeUndefined();
    expect(engine.state.accounts.get(uid)!.openOrders).toEqual([]);
  });

  test('[MKT-07] on again after a day it begins at the prices that stand, with a book as wide as ever', async () => {
    const { driver, engine, submit } = openExchange();
    const indexes = (): bigint[] => [...engine.state.indexPrices.values()].map(({ price }) => price);
    const limits = (): number[] => [...engine.state.orders.values()].map(({ limit }) => limit as number);
    await driver.switchOn();
    const usual = limits();
    await driver.switchOff();
    await submit({ type: 'moveClock', wall: START, advanceMs: DAY });
    const left = indexes();
    await driver.switchOn();
    expect(indexes()).toEqual(left);
    expect(limits().length).toBeGreaterThan(usual.length * 0.9);
    expect(engine.state.indexPrices.get('BTC')!.heardAt).toBe(START + DAY);
  });

  test('[MKT-05][CLK-07] a clock that is moved takes the market along, to the very end', async () => {
    const { driver, commands, heardAt, engine } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 10 * SECOND })).toEqual({ ok: true, value: { now: START + 10_000 } });
    expect(commands.slice(before).filter(isPrice)).toHaveLength(10);
    expect(heardAt()).toBe(START + 10_000);
    expect(engine.audit().violations).toEqual([]);
    expect(await driver.moveClock({ to: START })).toMatchObject({ ok: false, refusal: { reason: 'clockNotForward', field: 'to' } });
  });

  test('[CLK-26] a year without a market is moved through month by month, and a month that is refused ends it there', async () => {
    const { driver, commands, door, engine } = openExchange();
    await driver.moveClock({ frozen: true });
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 365 * DAY })).toEqual({ ok: true, value: { now: START + 365 * DAY } });
    const months = Array.from({ length: 12 }, (_, n) => START + (n + 1) * 30 * DAY);
    const moves = commands.slice(before).map((command) => (command as CommandOf<'moveClock'>).to);
    expect(moves).toEqual([...months, START + 365 * DAY]);

    door.isOpen = false;
    expect(await driver.moveClock({ advanceMs: 365 * DAY })).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
    expect(commands).toHaveLength(before + 14);
    expect(engine.at).toBe(START + 365 * DAY);
  });

  test('[CLK-26] a year that is broken off with the market on ends month by month too', async () => {
    const { driver, commands, engine } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    driver.breakOff();
    const before = commands.length;
    await driver.moveClock({ advanceMs: 365 * DAY });
    expect(commands.slice(before).filter(({ type }) => type === 'moveClock')).toHaveLength(13);
    expect(engine.at).toBe(START + 365 * DAY);
  });

  test('[MKT-05] a way on which nothing is taken is broken off at a step that is refused twice, and whoever asked is told so', async () => {
    const { driver, commands, door, engine, wall } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    door.isOpen = false;
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 7 * DAY })).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
    expect(commands.slice(before).filter(({ type }) => type === 'moveClock')).toHaveLength(3);
    expect(engine.exchangeTime(wall.now)).toBe(START);
  });

  test('[MKT-05] a way on which nothing is taken for a moment is played whole', async () => {
    const { driver, commands, door } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    door.isOpen = false;
    const before = commands.length;
    const moving = driver.moveClock({ advanceMs: 10 * SECOND });
    setTimeout(() => {
      door.isOpen = true;
    }, 20);
    expect(await moving).toEqual({ ok: true, value: { now: START + 10_000 } });
    expect(commands.slice(before).filter(isPrice)).toHaveLength(10);
  });

  test('[CLK-07] a move is answered when history has room for what comes next, with a market and without one', async () => {
    const { driver, engine, room, turn } = openExchange();
    for (const begin of [() => driver.moveClock({ frozen: true }), () => driver.switchOn()]) {
      await begin();
      const from = engine.state.at;
      let store = (): void => {};
      room.kept = new Promise((resolve) => {
        store = resolve;
      });
      let answered: unknown;
      const moving = driver.moveClock({ advanceMs: SECOND }).then((reply) => {
        answered = reply;
      });
      for (let turns = 0; turns < 10; turns++) await turn();
      expect([engine.state.at, answered]).toEqual([from + SECOND, undefined]);
      store();
      await moving;
      expect(answered).toEqual({ ok: true, value: { now: from + SECOND } });
    }
  });

  test('[RUN-22] a way that waits for a history without room does not hold up the end', async () => {
    const { driver, door, room, turn } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    door.isOpen = false;
    room.kept = new Promise(() => {});
    const moving = driver.moveClock({ advanceMs: DAY });
    await turn();
    await driver.settle();
    expect(await moving).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
  }, 5_000);

  test('[MKT-21] on a fast clock prices are said when somebody asks for something, once a second, and not while it stands', async () => {
    const { driver, wall, trouble, submit, heardAt } = openExchange();
    const asksAt = (ms: number): number => {
      wall.now = (START + ms) as Timestamp;
      driver.keepHeard();
      return heardAt() - START;
    };
    await driver.switchOn();
    expect(asksAt(20)).toBe(0);
    await driver.moveClock({ rate: 1_000 });
    expect([asksAt(40), asksAt(40), asksAt(50)]).toEqual([20_020, 20_020, 30_020]);
    await submit({
      type: 'playScene',
      category: 'SPOT',
      symbol: 'BTCUSDT',
      name: 'feed',
      file: 'gone.csv',
      delayMs: 0,
      durationMs: 5_000,
      percent: '0' as DecimalText,
      down: false,
    });
    trouble.error = new Error('a file that cannot be read');
    expect(asksAt(51)).toBe(30_020);
    delete trouble.error;
    expect(asksAt(60)).toBe(40_020);
    await driver.moveClock({ frozen: true });
    expect(asksAt(80)).toBe(40_020);
  });

  test('[MKT-19] a step that fails is told of once, nobody else is harmed, and the market goes on when it can', async () => {
    const { driver, wall, trouble, failures, submit, heardAt, turn } = openExchange();
    const lookAt = async (ms: number): Promise<void> => {
      wall.now = (START + ms) as Timestamp;
      driver.look();
      await turn();
    };
    await driver.switchOn();
    const scene = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', name: 'feed', file: 'a.csv', delayMs: 0, durationMs: HOUR } as const;
    expect(await submit({ type: 'playScene', ...scene, percent: '0' as DecimalText, down: false })).toMatchObject({ ok: true });
    trouble.error = new Error('EMFILE: too many open files');
    for (const ms of [1_000, 2_000, 3_000]) await lookAt(ms);
    expect(failures).toEqual([trouble.error]);
    expect(heardAt()).toBe(START);
    expect(await driver.moveClock({ advanceMs: 10 * SECOND })).toMatchObject({ ok: true });
    expect(failures).toHaveLength(1);

    delete trouble.error;
    await lookAt(4_000);
    expect(heardAt()).toBe(START + 14_000);
  });

  test('[MKT-05] steps are wider on a longer way, and never more than 2,016 of them beyond a day', () => {
    expect([SECOND, MINUTE, MINUTE + 1, HOUR, HOUR + 1, DAY].map(spacingOf)).toEqual([
      SECOND,
      SECOND,
      10 * SECOND,
      10 * SECOND,
      MINUTE,
      MINUTE,
    ]);
    expect(spacingOf(7 * DAY)).toBe(5 * MINUTE);
    expect((365 * DAY) / spacingOf(365 * DAY)).toBeLessThanOrEqual(2_016);
  });

  test('[CLK-19] to the next funding and to the next day in UTC+8', async () => {
    const { driver } = openExchange();
    await driver.moveClock({ frozen: true });
    expect(await driver.moveClock({ to: 'nextFunding' })).toEqual({ ok: true, value: { now: Date.UTC(2026, 0, 5, 8) } });
    expect(await driver.moveClock({ to: 'nextFunding' })).toEqual({ ok: true, value: { now: Date.UTC(2026, 0, 5, 16) } });
    expect(await driver.moveClock({ to: 'nextDay' })).toEqual({ ok: true, value: { now: Date.UTC(2026, 0, 6, 16) } });
  });
});
