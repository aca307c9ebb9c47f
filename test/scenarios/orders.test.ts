import { describe, expect, test } from 'vitest';
import { scenario } from './scenario.ts';

/** BTC at 60,000; a counterparty who can pay for anything. */
const MARKET = `
  index  BTC       60000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;

describe('matching', () => {
  test('[ORD-40] the best price first, then whoever came first', () => {
    scenario(`${MARKET}
      maker  sells   1 BTCUSDT at 60002 as late
      maker  sells   1 BTCUSDT at 60001 as first
      maker  sells   1 BTCUSDT at 60001 as second
      alice  deposits  100000 USDT
      alice  buys    1.5 BTCUSDT at 60002    | filled, trades 1 at 60001 and 0.5 at 60001, order second of maker is partiallyFilled
      alice  buys    1 BTCUSDT at 60002      | trades 0.5 at 60001 and 0.5 at 60002, order first of maker is filled
    `);
  });
});
