import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Uid } from '../kernel/ids.ts';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../kernel/time.ts';
import { DEMO_INDEX_PRICES } from '../listings/default-instruments.ts';
import { bitcoinAt, openExchange, START } from './market-driver.test-support.ts';

describe('prices of the operator', () => {
  test('[MKT-23][MKT-24] the makers quote the new price in every book of the coin, and in no other book', async () => {
    const { engine, driver, submit } = openExchange();
    await driver.switchOn();
    const ofBitcoin = new Set(
      [...engine.state.instruments]
        .filter(([, { instrument }]) => [instrument.baseCoin, instrument.quoteCoin].includes('BTC'))
        .map(([key]) => key),
    );
    const others = (): number[] =>
      [...engine.state.orders.values()]
        .filter(({ key }) => !ofBitcoin.has(key))
        .map(({ id }) => id);
    const before = { others: others(), orders: engine.state.orders.size };
    const command = driver.withQuotes(bitcoinAt('75000'));
    expect(command).toMatchObject({
      type: 'setPricesWithQuotes',
      prices: bitcoinAt('75000').prices,
    });
    await submit(command);
    const limits = [...engine.state.orders.values()].filter(
      ({ key }) => key === 'USDT-FUTURES:BTCUSDT',
    );
    const [bids, asks] = (['buy', 'sell'] as const).map((way) =>
      limits.filter(({ side }) => side === way).map(({ limit }) => limit * 0.1),
    ) as [number[], number[]];
    expect(Math.max(...bids)).toBeGreaterThan(74_900);
    expect(Math.min(...asks)).toBeLessThan(75_100);
    expect(others()).toEqual(before.others);
    expect(engine.audit().violations).toEqual([]);
  });

  test('[MKT-24] an unchanged price, a pinned mark, and a price while the market is off bring no quotes', async () => {
    const { driver } = openExchange();
    expect(driver.withQuotes(bitcoinAt('75000'))).toEqual(bitcoinAt('75000'));
    await driver.switchOn();
    expect(driver.withQuotes(bitcoinAt(DEMO_INDEX_PRICES.BTC!))).toEqual(
      bitcoinAt(DEMO_INDEX_PRICES.BTC!),
    );
    const pin = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      mark: '75000' as DecimalText,
      releaseMark: false,
      force: true,
    } as const;
    expect(driver.withQuotes({ type: 'setPrices', prices: [pin] })).toEqual({
      type: 'setPrices',
      prices: [pin],
    });
    expect(driver.withQuotes(bitcoinAt('0'))).toEqual(bitcoinAt('0'));
  });

  test('[MKT-25] an unreadable file does not stop a price from being set', async () => {
    const { driver, submit, trouble } = openExchange();
    await driver.switchOn();
    const scene = {
      category: 'USDT-FUTURES',
      symbol: 'ETHUSDT',
      name: 'feed',
      file: 'a.csv',
      delayMs: 0,
      durationMs: HOUR,
    } as const;
    await submit({ type: 'playScene', ...scene, percent: '0' as DecimalText, down: false });
    trouble.error = new Error('EMFILE: too many open files');
    expect(driver.withQuotes(bitcoinAt('75000'))).toEqual(bitcoinAt('75000'));
    delete trouble.error;
    expect(driver.withQuotes(bitcoinAt('75000')).type).toBe('setPricesWithQuotes');
  });
});

describe('the market on the exchange clock', () => {
  test('[MKT-07] a switched-off market first cancels its orders and ends its scenes', async () => {
    const { engine, driver, commands, submit } = openExchange();
    await driver.switchOn();
    const scene = {
      category: 'SPOT',
      symbol: 'BTCUSDT',
      name: 'halt',
      percent: '0' as DecimalText,
      down: false,
    } as const;
    await submit({ type: 'playScene', ...scene, delayMs: 0, durationMs: MINUTE });
    commands.length = 0;
    await driver.switchOff();
    expect(commands.at(-1)).toEqual({ type: 'switchMarket', on: false });
    expect(commands[0]).toMatchObject({ type: 'endScene' });
    expect([engine.state.orders.size, engine.state.scenes.size, engine.state.marketOn]).toEqual([
      0,
      0,
      false,
    ]);
  });

  test('[MKT-150] a market that may not be switched on places no orders', async () => {
    const { driver, intake, commands } = openExchange();
    await driver.switchOn();
    await driver.switchOff();
    intake.isOpen = false;
    commands.length = 0;
    expect(await driver.switchOn()).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
    expect(commands.map(({ type }) => type)).toEqual(['setPrices', 'switchMarket']);
  });

  test('[MKT-05] it steps once a second while the clock runs, and not while it is frozen', async () => {
    const { driver, wall, updatedAt, turn } = openExchange();
    await driver.switchOn();
    expect(updatedAt()).toBe(START);
    wall.now = (START + 999) as Timestamp;
    driver.look();
    await turn();
    expect(updatedAt()).toBe(START);
    wall.now = (START + 1_000) as Timestamp;
    driver.look();
    await turn();
    expect(updatedAt()).toBe(START + 1_000);
    await driver.moveClock({ frozen: true });
    wall.now = (START + 60_000) as Timestamp;
    driver.look();
    await turn();
    expect(updatedAt()).toBe(START + 1_000);
  });

  test('[MKT-02] a user with the name of a market account is left alone', async () => {
    const { driver, engine, submit } = openExchange();
    const made = await submit({
      type: 'createUser',
      name: 'maker-1',
      level: 'VIP0',
      positionMode: 'oneWay',
    });
    const uid = (made as { value: { uid: Uid } }).value.uid;
    await driver.switchOn();
    expect(engine.state.orders.size).toBeGreaterThan(0);
    expect(engine.state.ledger.wallets.get(uid)).toBeUndefined();
    expect(engine.state.accounts.get(uid)!.openOrders).toEqual([]);
  });

  test('[MKT-151] on again after a day it starts at the present prices, with a book as wide as before', async () => {
    const { driver, engine, submit } = openExchange();
    const indexes = (): bigint[] =>
      [...engine.state.indexPrices.values()].map(({ price }) => price);
    const limits = (): number[] =>
      [...engine.state.orders.values()].map(({ limit }) => limit as number);
    await driver.switchOn();
    const usual = limits();
    await driver.switchOff();
    await submit({ type: 'moveClock', wall: START, advanceMs: DAY });
    const left = indexes();
    await driver.switchOn();
    expect(indexes()).toEqual(left);
    expect(limits().length).toBeGreaterThan(usual.length * 0.9);
    expect(engine.state.indexPrices.get('BTC')!.updatedAt).toBe(START + DAY);
  });

  test('[MKT-21] on a fast clock requests bring prices, once a second, and not while it is frozen', async () => {
    const { driver, wall, trouble, submit, updatedAt } = openExchange();
    const asksAt = (ms: number): number => {
      wall.now = (START + ms) as Timestamp;
      driver.keepKnown();
      return updatedAt() - START;
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

  test('[MKT-19] a failed step is logged once, affects no user, and the market continues when it can', async () => {
    const { driver, wall, trouble, failures, submit, updatedAt, turn } = openExchange();
    const lookAt = async (ms: number): Promise<void> => {
      wall.now = (START + ms) as Timestamp;
      driver.look();
      await turn();
    };
    await driver.switchOn();
    const scene = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      name: 'feed',
      file: 'a.csv',
      delayMs: 0,
      durationMs: HOUR,
    } as const;
    expect(
      await submit({ type: 'playScene', ...scene, percent: '0' as DecimalText, down: false }),
    ).toMatchObject({ ok: true });
    trouble.error = new Error('EMFILE: too many open files');
    for (const ms of [1_000, 2_000, 3_000]) await lookAt(ms);
    expect(failures).toEqual([trouble.error]);
    expect(updatedAt()).toBe(START);
    expect(await driver.moveClock({ advanceMs: 10 * SECOND })).toMatchObject({ ok: true });
    expect(failures).toHaveLength(1);

    delete trouble.error;
    await lookAt(4_000);
    expect(updatedAt()).toBe(START + 14_000);
  });
});
