import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { MINUTE } from '../../kernel/time.ts';
import { quotesOf } from './makers.ts';
import { MARKET_START, MarketWorld } from './market.test-support.ts';
import { marketUids } from './market-accounts.ts';
import { marketBooks } from './market-books.ts';

const BTC = 'USDT-FUTURES:BTCUSDT';

const tradesOf = (world: MarketWorld): string[] =>
  world
    .emitted('tradeExecuted')
    .map(
      ({ category, symbol, takerSide, price, size }) =>
        `${category} ${symbol} ${takerSide} ${price} ${size}`,
    );

describe('the simulated market', () => {
  test('[MKT-01] every book has both sides close together, and a large market order fills', async () => {
    const world = await MarketWorld.open();
    for (const { key } of marketBooks(world.engine.state)) {
      const [bid, ask] = [world.ticks(key, 'buy')[0]!, world.ticks(key, 'sell')[0]!];
      expect(bid, key).toBeLessThan(ask);
      expect(ask, key).toBeLessThan(bid * 1.02);
      expect(world.ticks(key, 'buy').length, key).toBeGreaterThanOrEqual(8);
    }
    const { uid } = world.execute({
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'oneWay',
    }) as { uid: Uid };
    world.execute({ type: 'deposit', uid, coin: 'USDT', size: '200000' as DecimalText });
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'market',
      size: '1.6' as DecimalText,
      timeInForce: 'ioc',
      reduceOnly: false,
    } as const;
    world.execute({ type: 'placeOrders', uid, category: 'USDT-FUTURES', orders: [order] });
    const filled = world.emitted('fillSettled').filter(({ fill }) => fill.uid === uid);
    expect(filled.reduce((sum, { fill }) => sum + fill.size, 0n)).toBe(16_000_000_000n);
  });

  test('[MKT-02] the money of the market was deposited once and adds up', async () => {
    const world = await MarketWorld.open();
    const uids = Object.values(marketUids(world.engine.state)!);
    // Four users, six coins: 200 million of each dollar coin, the rest worth 50 million each.
    expect(
      world
        .emitted('depositCredited')
        .map(({ coin, amount }) => `${amount / 10_000_000_000n} ${coin}`)
        .slice(0, 6),
    ).toEqual([
      '200000000 USDT',
      '200000000 USDC',
      '833 BTC',
      '16667 ETH',
      '333333 SOL',
      '100000000 XRP',
    ]);
    expect(new Set(world.emitted('depositCredited').map(({ uid }) => uid))).toEqual(new Set(uids));
    await world.seconds(60);
    expect(world.emitted('depositCredited')).toHaveLength(24);
    const { coins, violations } = world.engine.audit();
    expect(violations).toEqual([]);
    expect(coins.every(({ difference }) => difference === 0n)).toBe(true);
  });

  test('[MKT-01] a book of a coin that is listed later is made as soon as it has a price', async () => {
    const world = await MarketWorld.open();
    const { state } = world.engine;
    world.execute({ type: 'listCoin', coin: { ...state.coins.get('XRP')!, coin: 'DOGE' } });
    for (const category of ['SPOT', 'USDT-FUTURES'] as const)
      world.execute({
        type: 'listInstrument',
        instrument: {
          ...state.instruments.get(`${category}:XRPUSDT`)!.instrument,
          symbol: 'DOGEUSDT',
          baseCoin: 'DOGE',
        },
      });
    await world.seconds(1);
    world.setIndex('DOGEUSDT', '0.5');
    await world.seconds(2);
    for (const key of ['SPOT:DOGEUSDT', 'USDT-FUTURES:DOGEUSDT'])
      for (const side of ['buy', 'sell'] as const)
        expect(world.ticks(key, side).length, `${key} ${side}`).toBeGreaterThanOrEqual(8);
  });

  test('[MKT-150] the market rarely retries a deposit that the house may not hold', async () => {
    const world = await MarketWorld.open();
    const { state } = world.engine;
    world.execute({ type: 'listCoin', coin: { ...state.coins.get('XRP')!, coin: 'DOGE' } });
    const { instrument } = state.instruments.get('SPOT:XRPUSDT')!;
    world.execute({
      type: 'listInstrument',
      instrument: { ...instrument, symbol: 'DOGEUSDT', baseCoin: 'DOGE' },
    });
    world.execute({
      type: 'setReserve',
      coin: 'DOGE',
      amount: '5' as DecimalText,
      operator: 'olga',
    });
    const index = {
      category: 'SPOT' as const,
      symbol: 'DOGEUSDT',
      index: '0.5' as DecimalText,
      releaseMark: false,
      force: true,
    };
    world.execute({ type: 'setPrices', prices: [index] });
    const before = world.asked('deposit');
    await world.seconds(29);
    expect(world.asked('deposit') - before).toBe(4);
  });

  test('[MKT-01][MKT-03] a future with a low leverage limit is made and traded at that limit', async () => {
    const world = await MarketWorld.open();
    const { instrument } = world.engine.state.instruments.get('USDT-FUTURES:XRPUSDT')!;
    const tiers = instrument.tiers.map((tier) => ({ ...tier, leverageMax: '3' as DecimalText }));
    world.execute({
      type: 'listInstrument',
      instrument: { ...instrument, symbol: 'XRP3USDT', leverageMax: '3' as DecimalText, tiers },
    });
    await world.seconds(60);
    for (const side of ['buy', 'sell'] as const)
      expect(world.ticks('USDT-FUTURES:XRP3USDT', side).length, side).toBeGreaterThanOrEqual(8);
    expect(world.emitted('tradeExecuted').some(({ symbol }) => symbol === 'XRP3USDT')).toBe(true);
  });

  test('[MKT-03] prices move, makers follow and refill, and every book trades', async () => {
    const world = await MarketWorld.open();
    const before = { index: world.index('BTC'), best: world.ticks(BTC, 'buy')[0]! };
    await world.seconds(180);
    const index = world.index('BTC');
    expect(index).not.toBe(before.index);
    for (const { key, priceStep, baseCoin, quoteCoin } of marketBooks(world.engine.state)) {
      const fair = world.index(baseCoin) / (quoteCoin === 'BTC' ? world.index('BTC') : 1);
      const [bid, ask] = [
        world.ticks(key, 'buy')[0]! * priceStep,
        world.ticks(key, 'sell')[0]! * priceStep,
      ];
      expect(bid, key).toBeLessThan(fair * 1.001);
      expect(ask, key).toBeGreaterThan(fair * 0.999);
      expect(ask - bid, key).toBeLessThan(fair * 0.002);
    }
    const traded = new Set(
      world.emitted('tradeExecuted').map(({ category, symbol }) => `${category}:${symbol}`),
    );
    expect([...traded].toSorted()).toEqual(
      marketBooks(world.engine.state)
        .map(({ key }) => key)
        .toSorted(),
    );
  });

  test('[MKT-04][RUN-21] one seed gives the same market to the last digit, and another seed another', async () => {
    const runs = [];
    for (const seed of [7, 7, 8]) {
      const world = await MarketWorld.open(seed);
      await world.seconds(120);
      runs.push({ trades: tradesOf(world), hash: world.engine.stateHash() });
    }
    expect(runs[0]!.trades.length).toBeGreaterThan(50);
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]!.hash).not.toBe(runs[0]!.hash);
    expect(runs[2]!.trades).not.toEqual(runs[0]!.trades);
  });

  test('[MKT-05] a second step at the same time sets no price again', async () => {
    const world = await MarketWorld.open();
    await world.seconds(5);
    const input = world.emitted('indexPriceMoved').length;
    await world.seconds(0);
    expect(world.emitted('indexPriceMoved')).toHaveLength(input);
  });

  test('[MKT-06] after a restart the market continues as if it had not stopped', async () => {
    const whole = await MarketWorld.open();
    whole.play('trend', 'USDT-FUTURES', 'ETHUSDT', { durationMs: MINUTE });
    await whole.seconds(90);
    const parted = await MarketWorld.open();
    parted.play('trend', 'USDT-FUTURES', 'ETHUSDT', { durationMs: MINUTE });
    await parted.seconds(31);
    parted.restart();
    await parted.seconds(59);
    expect(parted.engine.stateHash()).toBe(whole.engine.stateHash());
  });

  test('[MKT-07][MKT-151] a market that is off has no orders and keeps its prices, from which it continues', async () => {
    const world = await MarketWorld.open();
    world.play('halt', 'SPOT', 'BTCUSDT');
    world.play('markIndexSplit', 'USDT-FUTURES', 'ETHUSDT');
    await world.seconds(20);
    const before = world.index('BTC');
    await world.leave();
    expect(world.engine.state.orders.size).toBe(0);
    expect(world.engine.state.scenes.size).toBe(0);
    expect(world.engine.state.instruments.get('SPOT:BTCUSDT')?.status).toBe('normal');
    expect(world.engine.state.symbolPrices.get('USDT-FUTURES:ETHUSDT')?.pinned).toBeUndefined();
    expect(world.index('BTC')).toBe(before);
    world.execute({ type: 'switchMarket', on: true });
    await world.seconds(1);
    expect(world.ticks(BTC, 'buy').length).toBeGreaterThanOrEqual(8);
    expect(Math.abs(world.index('BTC') / before - 1)).toBeLessThan(0.002);
  });

  test('[MKT-07] a scene without effect so far restores nothing when the market is switched off', async () => {
    const world = await MarketWorld.open();
    const later = {
      category: 'USDT-FUTURES',
      delayMs: MINUTE,
      durationMs: MINUTE,
      percent: '3' as DecimalText,
      down: false,
    } as const;
    world.execute({ type: 'playScene', ...later, symbol: 'BTCUSDT', name: 'halt' });
    world.execute({ type: 'playScene', ...later, symbol: 'ETHUSDT', name: 'markIndexSplit' });
    const pin = {
      category: 'USDT-FUTURES',
      symbol: 'ETHUSDT',
      mark: '3000' as DecimalText,
      releaseMark: false,
      force: false,
    } as const;
    world.execute({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'halted',
    });
    world.execute({ type: 'setPrices', prices: [pin] });
    await world.seconds(1);
    await world.leave();
    expect(world.engine.state.scenes.size).toBe(0);
    expect(world.engine.state.instruments.get(BTC)?.status).toBe('halted');
    expect(world.mark('USDT-FUTURES:ETHUSDT')).toBe(3_000);
  });

  test('[MKT-08] the market continues from an index that another source has set', async () => {
    const world = await MarketWorld.open();
    world.setIndex('BTCUSDT', '75000');
    await world.seconds(10);
    expect(Math.abs(world.index('BTC') / 75_000 - 1)).toBeLessThan(0.005);
    expect(Math.abs((world.ticks(BTC, 'buy')[0]! * 0.1) / 75_000 - 1)).toBeLessThan(0.005);
  });

  test('[MKT-23] a stop that a price gap fires fills at the new price', async () => {
    const world = await MarketWorld.open();
    const { uid } = world.execute({
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'oneWay',
    }) as { uid: Uid };
    world.execute({ type: 'deposit', uid, coin: 'USDT', size: '200000' as DecimalText });
    const futures = { uid, category: 'USDT-FUTURES' } as const;
    const order = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'market',
      size: '0.1' as DecimalText,
      timeInForce: 'ioc',
      reduceOnly: false,
    } as const;
    world.execute({ type: 'placeOrders', ...futures, orders: [order] });
    const before = world.index('BTC');
    const stop = {
      kind: 'stopLoss',
      triggerPrice: (before * 0.98).toFixed(1) as DecimalText,
      source: 'mark',
      size: '0.1' as DecimalText,
    } as const;
    world.execute({ type: 'placeTpsl', ...futures, symbol: 'BTCUSDT', side: 'long', tpsl: [stop] });
    world.play('gap', 'USDT-FUTURES', 'BTCUSDT');
    await world.seconds(2);
    const sold = world
      .emitted('fillSettled')
      .filter(({ fill }) => fill.uid === uid && fill.side === 'sell');
    expect(sold).toHaveLength(1);
    expect(Number(sold[0]!.fill.price) / 1e10 / before).toBeCloseTo(0.95, 2);
  });

  test('[MKT-24] quotes come in whole books, as long as there is room', async () => {
    const world = await MarketWorld.open();
    const changes = marketBooks(world.engine.state)
      .slice(0, 3)
      .map((book, at) => ({
        book,
        cancels: Array.from({ length: [4, 5, 3][at]! }, (_, id) => (10 * at + id + 1) as Id),
        places: [],
      }));
    const cancelsWith = (room: number) => quotesOf(1 as Uid, changes, room)?.cancels;
    expect(cancelsWith(12)).toHaveLength(12);
    expect(cancelsWith(8)).toEqual([1, 2, 3, 4, 21, 22, 23]);
    expect(cancelsWith(2)).toBeUndefined();
  });

  test('[MKT-09] a quiet minute places few orders', async () => {
    const world = await MarketWorld.open();
    const opened = world.emitted('orderAccepted').length;
    await world.seconds(300);
    // Thirteen books start with about twenty orders each; moves and trades of five minutes follow.
    expect(opened).toBeLessThan(13 * 22);
    expect(world.emitted('orderAccepted').length - opened).toBeLessThan(5 * 600);
    expect(world.engine.state.orders.size).toBeLessThan(13 * 40);
    expect(world.now).toBe(MARKET_START + 5 * MINUTE);
  });
});
