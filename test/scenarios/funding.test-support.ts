/** Helpers of the tests on funding. */
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { MARKET_START, type Market } from './market.test-support.ts';

export function pair(
  market: Market,
  options: { size?: string; name?: string; money?: Readonly<Record<string, string>> } = {},
): [Uid, Uid] {
  const { size = '1', name = 'BTCUSDT', money = { USDT: '100000' } } = options;
  market.index('BTC', '50000');
  const [long, short] = [market.joins(money), market.joins(money)];
  market.trade(long, short, size, name, '50000');
  return [long, short];
}

export const fundingOf = (
  market: Market,
  uid: Uid,
  side: 'long' | 'short',
  name = 'BTCUSDT',
): string | undefined => {
  const funding = market.position(uid, name, side)?.funding;
  return funding === undefined ? undefined : moneyText(funding);
};

export const settled = (market: Market, symbol = 'BTCUSDT'): string[] =>
  market
    .emitted('fundingSettled')
    .filter((event) => event.symbol === symbol)
    .map(({ rate, at }) => `${moneyText(rate)} at ${(at - MARKET_START) / HOUR}`);
