/** Times of events that happen while time passes, as lists show them. */
import { expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR, type Timestamp } from '../../src/kernel/time.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews, type Views } from '../../src/views/views.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';
import { MARKET_START } from './market.test-support.ts';

/** The views of a run so far. */
function shown({ submitted }: IsolatedMarket): Views {
  const views = createViews(createMemoryHistory());
  const engine = createEngine();
  for (const { command, at } of submitted) views.apply(engine.execute(command, at));
  return views;
}

const everything = (uid: Uid) => ({
  uid,
  limit: 1_000,
  start: 0 as Timestamp,
  end: (MARKET_START * 2) as Timestamp,
});
const hours = (time: Timestamp): number => (time - MARKET_START) / HOUR;

/** Hours at which money of a user was moved for a reason, latest first. */
async function movedAt(views: Views, uid: Uid, reason: string): Promise<number[]> {
  const lines = await views.history.ledgerLines(everything(uid));
  return lines.filter((line) => line.reason === reason).map(({ time }) => hours(time));
}

test('[CLK-24] events during a clock move are listed under their own times', async () => {
  const { market, alice, bob } = pairOfAlice();
  market.order(bob, 'sell', '0.01', 'BTCUSDT', '60000');
  market.order(alice, 'buy', '0.01', 'BTCUSDT', '60000');
  goLong(market, alice, bob);
  market.places(bob, { side: 'buy', size: '1', price: '56000' });
  market.index('BTC', '56196.55');
  // The first hour's interest takes the pair to liquidation (ISO-21).
  market.accepted({ type: 'moveClock', wall: market.at, advanceMs: 20 * HOUR });
  const views = shown(market);
  expect(await movedAt(views, alice, 'funding')).toEqual([16, 8]);
  const fills = await views.history.fills(everything(alice));
  expect(
    fills
      .filter(({ executionKind }) => executionKind === 'liquidation')
      .map(({ time }) => hours(time)),
  ).toEqual([1]);
  const orders = await views.history.endedOrders(everything(alice));
  expect(
    orders
      .filter(({ executionKind }) => executionKind === 'liquidation')
      .map(({ time }) => hours(time)),
  ).toEqual([1]);
  expect(hours(views.accounts.balanceChangedAt(alice, 'USDT')!)).toBe(16);
});

test('[CLK-24] so are due events of a time without commands', async () => {
  const { market, alice, bob } = pairOfAlice();
  market.order(bob, 'sell', '0.01', 'BTCUSDT', '60000');
  market.order(alice, 'buy', '0.01', 'BTCUSDT', '60000');
  market.at = (market.at + 10 * HOUR) as Timestamp;
  market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: '1' as never });
  const views = shown(market);
  expect([await movedAt(views, alice, 'funding'), await movedAt(views, alice, 'deposit')]).toEqual([
    [8],
    [10, 0],
  ]);
  // The clock does not go back behind the command.
  market.passes(7 * HOUR);
  expect(hours(shown(market).clock.exchangeTime(MARKET_START))).toBe(17);
});
