/** Proves the price of each scene and which scenes are refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { MINUTE, SECOND } from '../../kernel/time.ts';
import { MarketWorld } from './market.test-support.ts';

const BTC = 'USDT-FUTURES:BTCUSDT';

/** The price without a scene, second by second; computed once, because it never changes. */
const plain: number[] = [];

beforeAll(async () => {
  const world = await MarketWorld.open();
  for (let passed = 0; passed < 62; passed++) {
    await world.seconds(1);
    plain.push(world.index('BTC'));
  }
});

/**
 * The difference between a coin's price and its price without a scene, in percent, second by
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
  test('[MKT-11] a trend reaches its target and stays', async () => {
    const course = await courseOf(
      (world) =>
        world.play('trend', 'USDT-FUTURES', 'BTCUSDT', { percent: '5', durationMs: 20 * SECOND }),
      30,
    );
    expect(course[9]).toBeCloseTo(2.5, 3);
    expect(course[19]).toBeCloseTo(5, 3);
    expect(course[29]).toBeCloseTo(5, 3);
  });

  test('[MKT-11] a wick reaches its target and returns', async () => {
    const course = await courseOf(
      (world) => world.play('wick', 'SPOT', 'BTCUSDT', { percent: '8', durationMs: 20 * SECOND }),
      25,
    );
    expect(lowest(course)).toBeCloseTo(-8, 3);
    expect(course[24]).toBeCloseTo(0, 3);
  });

  test('[MKT-11] a gap is complete at the next step', async () => {
    const course = await courseOf(
      (world) => world.play('gap', 'USDC-FUTURES', 'BTCPERP', { percent: '40', down: true }),
      3,
    );
    expect(course.map((percent) => Math.round(percent))).toEqual([-40, -40, -40]);
  });

  test('[MKT-11] a crash and a cascade fall fully and stay: one fast at the start, one in five legs', async () => {
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
    // A leg is a fifth of the distance and of the time: four seconds of falling, eight of rest.
    expect([5, 11, 23, 61].map((at) => Math.round(cascade[at]!))).toEqual([-3, -3, -6, -15]);
  });

  test('[MKT-11] in a calm market the price moves a tenth as far', async () => {
    const calm = await MarketWorld.open();
    calm.play('calm', 'USDT-FUTURES', 'BTCUSDT');
    await calm.seconds(62);
    const way = (price: number): number => Math.log(price / 60_000);
    expect(way(calm.index('BTC'))).toBeCloseTo(0.1 * way(plain.at(-1)!), 6);
  });
});

describe('prices out of range', () => {
  test.each([
    ['above the highest', '600000000', false, 922_337_203],
    ['below the lowest', '0.0000000002', true, 0.000_000_000_1],
  ])(
    '[MKT-20] a price that a scene takes %s stays at the limit, and other prices continue',
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

describe('scene requests', () => {
  test('[MKT-10] a scene starts after its delay', async () => {
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
    ['a zero duration', { durationMs: 0 }, 'fieldOutOfRange durationMs'],
    ['more than ten years', { durationMs: 3_653 * 24 * 60 * MINUTE }, 'fieldOutOfRange durationMs'],
    ['a rise by more than 100 percent', { percent: '100.1' }, 'fieldOutOfRange percent'],
    ['a fall by more than 90 percent', { percent: '90.1', down: true }, 'fieldOutOfRange percent'],
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
