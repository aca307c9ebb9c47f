import { beforeAll, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { MINUTE, SECOND } from '../../kernel/time.ts';
import { MarketWorld } from './market.test-support.ts';
import { readFeed } from './price-feed.ts';

const BTC = 'USDT-FUTURES:BTCUSDT';

/** The price without a scene, second by second: worked out once, since nothing changes it. */
const plain: number[] = [];
beforeAll(async () => {
  const world = await MarketWorld.open();
  for (let passed = 0; passed < 62; passed++) {
    await world.seconds(1);
    plain.push(world.index('BTC'));
  }
});

/**
 * How far the price of a coin is from where it would be without a scene, in percent, second by
 * second.
 */
async function courseOf(play: (world: MarketWorld) => void, seconds: number): Promise<number[]> {
  const world = await MarketWorld.open();
  play(world);
  const course: number[] = [];
  for (let passed = 0; passed < seconds; passed++) {
    await world.seconds(1);
    course.push(100 * (world.index('BTC') / plain[passed]! - 1));
  }
  return course;
}

const lowest = (course: readonly number[]): number => Math.min(...course);

describe('scenes of the price', () => {
  test('[MKT-11] a trend goes there and stays', async () => {
    const course = await courseOf(
      (world) =>
        world.play('trend', 'USDT-FUTURES', 'BTCUSDT', { percent: '5', durationMs: 20 * SECOND }),
      30,
    );
    expect(course[9]).toBeCloseTo(2.5, 3);
    expect(course[19]).toBeCloseTo(5, 3);
    expect(course[29]).toBeCloseTo(5, 3);
  });

  test('[MKT-11] a wick goes there and comes back', async () => {
    const course = await courseOf(
      (world) => world.play('wick', 'SPOT', 'BTCUSDT', { percent: '8', durationMs: 20 * SECOND }),
      25,
    );
    expect(lowest(course)).toBeCloseTo(-8, 3);
    expect(course[24]).toBeCloseTo(0, 3);
  });

  test('[MKT-11] a gap is there at the next step', async () => {
    const course = await courseOf(
      (world) => world.play('gap', 'USDC-FUTURES', 'BTCPERP', { percent: '40', down: true }),
      3,
    );
    expect(course.map((percent) => Math.round(percent))).toEqual([-40, -40, -40]);
  });

  test('[MKT-11] a crash and a cascade fall all the way and stay, the one at once fast, the other in five legs', async () => {
    const crash = await courseOf(
      (world) => world.play('crash', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 20 * SECOND }),
      22,
    );
    expect(crash[9]!).toBeLessThan(-25 / 2);
    expect(crash[21]).toBeCloseTo(-25, 3);
    const cascade = await courseOf(
      (world) => world.play('cascade', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 60 * SECOND }),
      62,
    );
    // A leg is a fifth of the way and of the time: four seconds of falling, eight of rest.
    expect([5, 11, 23, 61].map((at) => Math.round(cascade[at]!))).toEqual([-3, -3, -6, -15]);
  });

  test('[MKT-11] in a calm the price goes a tenth of its way', async () => {
    const calm = await MarketWorld.open();
    calm.play('calm', 'USDT-FUTURES', 'BTCUSDT');
    await calm.seconds(62);
    const way = (price: number): number => Math.log(price / 60_000);
    expect(way(calm.index('BTC'))).toBeCloseTo(0.1 * way(plain.at(-1)!), 6);
  });
});

describe('prices that cannot be said', () => {
  test.each([
    ['above the highest', '600000000', false, 922_337_203],
    ['below the lowest', '0.0000000002', true, 0.000_000_000_1],
  ])(
    '[MKT-20] a coin that a scene takes %s stands there, and all others are heard',
    async (_, index, down, reached) => {
      const world = await MarketWorld.open();
      world.setIndex('XRPUSDT', index);
      world.play('gap', 'USDT-FUTURES', 'XRPUSDT', { percent: '90', down });
      await world.seconds(1);
      expect(world.index('XRP')).toBe(reached);
      expect(world.engine.state.indexPrices.get('BTC')!.updatedAt).toBe(world.now);
    },
  );
});

describe('scenes of a book', () => {
  test('[MKT-12] a frozen feed is stale after ten seconds and heard again at its end', async () => {
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

  test('[MKT-13] one side of the book is empty, and comes back', async () => {
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

  test('[MKT-13] two opposite ones leave nobody in the book', async () => {
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

  test('[MKT-14] the mark is held away from the index, and let go', async () => {
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

  test('[MKT-15] of two halts the first one to end opens nothing', async () => {
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
    '[MKT-15] what the operator says of it while it plays stands: %s',
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

  test('[MKT-15] a symbol that is listed anew while it plays is open at its end', async () => {
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

  test('[MKT-14] of two at once the later one counts, and the mark is let go with the last', async () => {
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

  test('[MKT-14][MKT-15] the end of a scene lets go of what it held in the same command: no crash comes between', async () => {
    const world = await MarketWorld.open();
    world.play('halt', 'USDT-FUTURES', 'BTCUSDT', { durationMs: MINUTE });
    world.play('markIndexSplit', 'USDT-FUTURES', 'BTCUSDT', { durationMs: MINUTE });
    await world.seconds(1);
    expect([status(world), pinned(world) === undefined]).toEqual(['halted', false]);
    for (const id of [...world.engine.state.scenes.keys()]) world.execute({ type: 'endScene', id });
    expect([status(world), pinned(world)]).toEqual(['normal', undefined]);
  });

  test('[MKT-16] a file of prices is followed, and left at its last one', async () => {
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

  test('[MKT-16] a step that passes over the end of a file goes on from its last price', async () => {
    const world = await MarketWorld.open();
    world.feeds.set('btc.csv', readFeed('time,price\n1600000000,61000\n1600000005,80000\n'));
    world.play('feed', 'USDT-FUTURES', 'BTCUSDT', { durationMs: 5 * SECOND, file: 'btc.csv' });
    await world.seconds(10, 10 * SECOND);
    expect(Math.abs(world.index('BTC') / 80_000 - 1)).toBeLessThan(0.005);
    expect(world.index('BTC')).not.toBe(80_000);
  });

  test('[MKT-18] takers trade what a file says was traded, each row once, the last one too', async () => {
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

  test('[MKT-18] of a volume that no book has, a step trades a hundred thousand dollars', async () => {
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
    // The future stands a little off the coin's 50,000, by its basis.
    expect(Math.abs(traded - 2)).toBeLessThan(0.02);
  });

  test('[MKT-17] a book is made deeper or not at all, as it is set', async () => {
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

describe('what may be asked', () => {
  test('[MKT-10] a scene begins after its delay', async () => {
    const world = await MarketWorld.open();
    const delayed = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      name: 'halt',
      percent: '0' as DecimalText,
      down: false,
    } as const;
    world.execute({ type: 'playScene', ...delayed, delayMs: 5 * SECOND, durationMs: MINUTE });
    await world.seconds(4);
    expect(world.engine.state.instruments.get(BTC)?.status).toBe('normal');
    await world.seconds(1);
    expect(world.engine.state.instruments.get(BTC)?.status).toBe('halted');
  });

  test.each([
    ['an unknown symbol', { symbol: 'NONESUCH' }, 'unknownSymbol symbol'],
    ['no time at all', { durationMs: 0 }, 'fieldOutOfRange durationMs'],
    ['more than ten years', { durationMs: 3_653 * 24 * 60 * MINUTE }, 'fieldOutOfRange durationMs'],
    ['a rise by more than all', { percent: '100.1' }, 'fieldOutOfRange percent'],
    ['a fall by more than nine tenths', { percent: '90.1', down: true }, 'fieldOutOfRange percent'],
    [
      'a split of a pair without a mark',
      { name: 'markIndexSplit', category: 'SPOT' },
      'fieldInvalid category',
    ],
    ['a file for another scene', { file: 'x.csv' }, 'fieldInvalid file'],
  ] as const)('[MKT-10] %s is refused', async (_, wrong, refusal) => {
    const world = await MarketWorld.open();
    const asked = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      name: 'trend',
      delayMs: 0,
      durationMs: 1,
      percent: '100' as DecimalText,
      down: false,
    } as const;
    world.execute({ type: 'playScene', ...asked });
    world.execute({ type: 'playScene', ...asked, percent: '90' as DecimalText, down: true });
    expect(() =>
      world.execute({
        type: 'playScene',
        ...asked,
        ...wrong,
        percent: ((wrong as { percent?: string }).percent ?? '1') as DecimalText,
      }),
    ).toThrow(refusal);
  });
});
