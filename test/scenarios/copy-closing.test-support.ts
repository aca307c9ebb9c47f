/** Helpers of the tests on closing copies. */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { CopyMarket } from './copy-market.test-support.ts';

export const decimal = (text: string): DecimalText => text as DecimalText;

/** Bids a large size at one price, the only one to sell at. */
export function bid(market: CopyMarket, price: string, size = '100'): void {
  market.clearQuotes();
  market.pin('BTCUSDT', price);
  expect(market.order(market.maker, 'buy', size, 'BTCUSDT', price)).toBe('accepted');
}
