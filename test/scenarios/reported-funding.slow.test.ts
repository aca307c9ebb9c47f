/**
 * The announced funding rate equals the charged one, in runs with moving and empty books, with and
 * without positions, and with closed symbols.
 */
import { describe, expect } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { HOUR, MINUTE, SECOND, type Timestamp } from '../../src/kernel/time.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { type Market, test } from './market.test-support.ts';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'BTCUSD'] as const;
const COINS = { BTCUSDT: 'BTC', ETHUSDT: 'ETH', BTCUSD: 'BTC' } as const;
const PRICES = { BTC: 60_000, ETH: 3_000 } as const;
const STEPS = 500;
type Random = ReturnType<typeof seededRandom>;

/** A price at most this many tenths of a thousandth away. */
const near = (random: Random, price: number, tenths: number): string =>
  (price * (1 + (random.below(2 * tenths) - tenths) / 10_000)).toFixed(1);

function act(market: Market, random: Random, maker: Uid, taker: Uid): void {
  const symbol = random.pick(SYMBOLS);
  const coin = COINS[symbol];
  const category = symbol === 'BTCUSD' ? 'COIN-FUTURES' : 'USDT-FUTURES';
  switch (random.below(10)) {
    case 0:
      market.index(coin, near(random, PRICES[coin], 50));
      return;
    case 1:
      market.submit({ type: 'cancelAllOrders', uid: maker, category, symbol });
      return;
    case 2:
      market.order(taker, random.pick(['buy', 'sell']), '0.1', symbol);
      return;
    case 3:
      market.submit({ type: 'closePositions', uid: taker, category, symbol });
      return;
    case 4:
      market.submit({ type: 'switchMarket', on: random.below(3) === 0 });
      return;
    case 5:
      market.submit({
        type: 'setInstrumentStatus',
        category,
        symbol,
        status: random.below(4) === 0 ? 'off' : 'normal',
      });
      return;
    default:
      market.order(
        maker,
        random.pick(['buy', 'sell']),
        '0.2',
        symbol,
        near(random, PRICES[coin], 80),
      );
  }
}

function live(market: Market, seed: number): void {
  const random = seededRandom(seed);
  for (const coin of ['BTC', 'ETH'] as const) market.index(coin, String(PRICES[coin]));
  const [maker, taker] = [
    market.joins({ USDT: '10000000', BTC: '100' }),
    market.joins({ USDT: '10000000', BTC: '100' }),
  ];
  for (let step = 0; step < STEPS; step++) {
    act(market, random, maker, taker);
    market.passes(random.pick([0, 1, 2 * SECOND, 5 * SECOND, 7_001, MINUTE, 20 * MINUTE, HOUR]));
  }
}

/** The rate shown one millisecond before, and the charged one. */
function settlements({ submitted }: Market): {
  readonly emitted: string[];
  readonly charged: string[];
} {
  const views = createViews(createMemoryHistory());
  const engine = createEngine();
  const [emitted, charged]: [string[], string[]] = [[], []];
  for (const { command, at } of submitted) {
    const executed = engine.execute(command, at);
    for (const event of executed.events) {
      if (event.type !== 'fundingSettled') continue;
      const { category, symbol, rate } = event;
      const shown = views.funding.of(category, symbol, (event.at - 1) as Timestamp);
      emitted.push(`${symbol} ${shown!.next} ${shown!.rate}`);
      charged.push(`${symbol} ${event.at} ${rate}`);
    }
    views.apply(executed);
  }
  return { emitted, charged };
}

describe('announced funding', () => {
  for (const seed of [3, 4])
    test(`[POS-91][POS-60][POS-88] the rate shown a moment before is charged, to the last digit (seed ${seed})`, ({
      market,
    }) => {
      live(market, seed);
      const { emitted, charged } = settlements(market);
      expect(emitted).toEqual(charged);
      // Runs that charge only the base rate, or that always have positions, would prove nothing.
      const rates = new Set(charged.map((line) => line.split(' ')[2]));
      expect(rates.size).toBeGreaterThan(4);
      expect(rates).toContain('0');
    });
});
