/** Proves what scenes do to books, marks and the status of a symbol. */
import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { MINUTE, SECOND } from '../../kernel/time.ts';
import { MarketWorld } from './market.test-support.ts';
import { readFeed } from './price-feed.ts';

const BTC = 'USDT-FUTURES:BTCUSDT';

describe('scenes of a book', () => {
  test('[MKT-12] a frozen feed is stale after ten seconds and resumes at its end', async () => {
    const world = await MarketWorld.open();
    world.play('frozenFeed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 20 * SECOND });
    const { updatedAt } = world.engine.state.indexPrices.get('BTC')!;
    const mark = world.mark(BTC);
    await world.seconds(19);
    expect(world.engine.state.indexPrices.get('BTC')!.updatedAt).toBe(updatedAt);
    expect(Math.abs(world.mark(BTC) / mark - 1)).toBeLessThan(0.0005);
    expect(world.engine.state.indexPrices.get('ETH')!.updatedAt).toBe(world.now);
    await world.seconds(1);
    expect(world.engine.state.indexPrices.get('BTC')!.updatedAt).toBe(world.now);
  });

  test('[MKT-13] one side of the book is empty, and returns', async () => {
    const world = await MarketWorld.open();
    world.play('oneSided', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    world.play('oneSided', 'USDT-FUTURES', 'ETHUSDT', {
      durationMs: 5 * SECOND,
      percent: '1',
      down: false,
    });
    await world.seconds(2);
    const sides = (key: string): boolean[] => [
      world.ticks(key, 'buy').length > 0,
      world.ticks(key, 'sell').length > 0,
    ];
    expect([sides(BTC), sides('USDT-FUTURES:ETHUSDT')]).toEqual([
      [false, true],
      [true, false],
    ]);
    await world.seconds(4);
    expect([sides(BTC), sides('USDT-FUTURES:ETHUSDT')]).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test('[MKT-13] two opposite scenes leave the book empty', async () => {
    const world = await MarketWorld.open();
    world.play('oneSided', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    world.play('oneSided', 'USDT-FUTURES', 'BTCUSDT', {
      durationMs: 5 * SECOND,
      percent: '1',
      down: false,
    });
    await world.seconds(2);
    expect([world.ticks(BTC, 'buy'), world.ticks(BTC, 'sell')]).toEqual([[], []]);
  });

  test('[MKT-14] the mark is held away from the index, and released', async () => {
    const world = await MarketWorld.open();
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 10 * SECOND });
    await world.seconds(5);
    expect(world.mark(BTC) / world.index('BTC')).toBeCloseTo(1.03, 6);
    await world.seconds(6);
    expect(Math.abs(world.mark(BTC) / world.index('BTC') - 1)).toBeLessThan(0.005);
  });

  test('[MKT-15] a halt ends', async () => {
    const world = await MarketWorld.open();
    const status = (): string | undefined => world.engine.state.instruments.get(BTC)?.status;
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    await world.seconds(1);
    expect(status()).toBe('halted');
    await world.seconds(5);
    expect(status()).toBe('normal');
    expect(world.engine.state.scenes.size).toBe(0);
  });

  test('[MKT-15] of two halts the first one to end does not open the symbol', async () => {
    const world = await MarketWorld.open();
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 10 * SECOND });
    await world.seconds(6);
    expect(world.emitted('instrumentStatusChanged').map(({ status }) => status)).toEqual([
      'halted',
    ]);
    await world.seconds(5);
    expect(world.emitted('instrumentStatusChanged').map(({ status }) => status)).toEqual([
      'halted',
      'normal',
    ]);
  });

  const status = (world: MarketWorld): string | undefined =>
    world.engine.state.instruments.get(BTC)?.status;
  const setStatus = (world: MarketWorld, input: 'normal' | 'halted' | 'cancelOnly'): unknown =>
    world.execute({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: input,
    });

  test.each(['normal', 'halted', 'cancelOnly'] as const)(
    '[MKT-15] a status that the operator sets during a scene stays: %s',
    async (input) => {
      const world = await MarketWorld.open();
      world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
      await world.seconds(1);
      expect(status(world)).toBe('halted');
      setStatus(world, input);
      world.restart();
      for (let passed = 0; passed < 6; passed++) {
        await world.seconds(1);
        expect(status(world)).toBe(input);
      }
      expect(world.engine.state.scenes.size).toBe(0);
    },
  );

  test('[MKT-15] a symbol that the operator had halted before stays halted', async () => {
    const world = await MarketWorld.open();
    setStatus(world, 'halted');
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    await world.seconds(6);
    expect(status(world)).toBe('halted');
    expect(world.engine.state.scenes.size).toBe(0);
  });

  test('[MKT-15] a symbol that is listed again during a halt is open at its end', async () => {
    const world = await MarketWorld.open();
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    await world.seconds(1);
    world.execute({
      type: 'listInstrument',
      instrument: world.engine.state.instruments.get(BTC)!.instrument,
    });
    await world.seconds(5);
    expect(status(world)).toBe('normal');
  });

  const setMark = (world: MarketWorld, mark?: string): void => {
    const input =
      mark === undefined
        ? { releaseMark: true }
        : { mark: mark as DecimalText, releaseMark: false };
    world.execute({
      type: 'setPrices',
      prices: [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', force: false, ...input }],
    });
  };
  const pinned = (world: MarketWorld): number | undefined => {
    const price = world.engine.state.symbolPrices.get(BTC)?.pinned;
    return price === undefined ? undefined : Number(price) / 1e10;
  };

  test.each([
    ['while it plays', true],
    ['before it plays', false],
  ])(
    '[MKT-153] a mark that the operator pins %s keeps its pin, also after the scene',
    async (_, isLate) => {
      const world = await MarketWorld.open();
      if (!isLate) setMark(world, '50000');
      world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
      await world.seconds(1);
      if (isLate) setMark(world, '50000');
      await world.seconds(1);
      expect(pinned(world)).toBe(50_000);
      await world.seconds(5);
      expect(pinned(world)).toBe(50_000);
    },
  );

  test('[MKT-153] a mark that the operator releases during a scene stays released', async () => {
    const world = await MarketWorld.open();
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND });
    await world.seconds(2);
    setMark(world);
    await world.seconds(2);
    expect(pinned(world)).toBeUndefined();
  });

  test('[MKT-14] of two splits the later one counts, and the mark is released with the last', async () => {
    const world = await MarketWorld.open();
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 9 * SECOND });
    await world.seconds(1);
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', {
      durationMs: 3 * SECOND,
      percent: '1',
      down: true,
    });
    const split = (): number => world.mark(BTC) / world.index('BTC');
    await world.seconds(2);
    expect(split()).toBeCloseTo(0.99, 6);
    const before = world.emitted('markPinned').length;
    await world.seconds(2);
    expect(split()).toBeCloseTo(1.03, 6);
    expect(world.emitted('markPinned').slice(before)).not.toContainEqual(
      expect.not.objectContaining({ price: expect.anything() }),
    );
    await world.seconds(5);
    expect(pinned(world)).toBeUndefined();
  });

  test('[MKT-14][MKT-15] the end of a scene releases what it held in the same command', async () => {
    const world = await MarketWorld.open();
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: MINUTE });
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: MINUTE });
    await world.seconds(1);
    expect([status(world), pinned(world) === undefined]).toEqual(['halted', false]);
    for (const id of [...world.engine.state.scenes.keys()]) world.execute({ type: 'endScene', id });
    expect([status(world), pinned(world)]).toEqual(['normal', undefined]);
  });

  test('[MKT-16] a price file is followed, and the price stays at its last row', async () => {
    const world = await MarketWorld.open();
    world.feeds.set(
      'btc.csv',
      readFeed('time,price\n1600000000,61000\n1600000010,62000\n1600000020,63000\n'),
    );
    world.play('feed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 20 * SECOND, file: 'btc.csv' });
    const seen: number[] = [];
    for (let passed = 0; passed < 19; passed++) {
      await world.seconds(1);
      seen.push(world.index('BTC'));
    }
    expect([seen[0], seen[8], seen[9], seen[18]]).toEqual([61_000, 61_000, 62_000, 62_000]);
    await world.seconds(1);
    expect(world.index('BTC')).toBe(63_000);
    await world.seconds(30);
    expect(Math.abs(world.index('BTC') / 63_000 - 1)).toBeLessThan(0.005);
  });

  test('[MKT-16] a step past the end of a file continues from its last price', async () => {
    const world = await MarketWorld.open();
    world.feeds.set('btc.csv', readFeed('time,price\n1600000000,61000\n1600000005,80000\n'));
    world.play('feed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND, file: 'btc.csv' });
    await world.seconds(10, 10 * SECOND);
    expect(Math.abs(world.index('BTC') / 80_000 - 1)).toBeLessThan(0.005);
    expect(world.index('BTC')).not.toBe(80_000);
  });

  test('[MKT-18] takers trade the sizes of a file, each row once, the last one too', async () => {
    const world = await MarketWorld.open();
    world.feeds.set(
      'btc.csv',
      readFeed(
        '1600000000,61000,0.5\n1600000002,61000,0.25\n1600000002,61000,0.25\n1600000004,61000,0.125\n',
      ),
    );
    world.play('feed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 4 * SECOND, file: 'btc.csv' });
    const traded: number[] = [];
    for (let passed = 0; passed < 4; passed++) {
      const before = world.emitted('tradeExecuted').length;
      await world.seconds(1);
      const trades = world.emitted('tradeExecuted').slice(before);
      traded.push(
        trades
          .filter(({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT')
          .reduce((sum, { size }) => sum + Number(size) / 1e10, 0),
      );
    }
    expect(traded).toEqual([0.5, 0, 0.5, 0.125]);
  });

  test('[MKT-18] if a file has more volume than any book, a step trades a hundred thousand dollars', async () => {
    const world = await MarketWorld.open();
    world.feeds.set('btc.csv', readFeed('1600000000,50000,1000\n1600000002,50000,0\n'));
    world.play('feed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 2 * SECOND, file: 'btc.csv' });
    const before = world.emitted('tradeExecuted').length;
    await world.seconds(2);
    const trades = world.emitted('tradeExecuted').slice(before);
    const own = trades.filter(
      ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT',
    );
    const traded = own.reduce((sum, { size }) => sum + Number(size) / 1e10, 0);
    // The future differs from the coin's 50,000 by its basis.
    expect(Math.abs(traded - 2)).toBeLessThan(0.02);
  });

  test('[MKT-17] a book is deeper or absent, as configured', async () => {
    const world = await MarketWorld.open();
    const making = (symbol: string, depth: string, spread: string): unknown =>
      world.execute({
        type: 'setMaking',
        category: 'USDT-FUTURES',
        symbol,
        making: { depth: depth as DecimalText, spread: spread as DecimalText },
      });
    making('BTCUSDT', '0', '1');
    making('ETHUSDT', '1', '10');
    await world.seconds(1);
    expect(world.ticks(BTC, 'buy')).toEqual([]);
    const [bid, ask] = [
      world.ticks('USDT-FUTURES:ETHUSDT', 'buy')[0]!,
      world.ticks('USDT-FUTURES:ETHUSDT', 'sell')[0]!,
    ];
    // Ten times as wide: at least ten times the two half spreads of 0.006 %.
    expect(ask / bid - 1).toBeGreaterThan(0.0012);
    expect(() => making('BTCUSDT', '101', '1')).toThrow('fieldOutOfRange depth');
    expect(() => making('BTCUSDT', '1', '0')).toThrow('fieldOutOfRange spread');
  });
});
