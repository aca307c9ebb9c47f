import { expect, test } from 'vitest';
import { DEFAULT_COINS } from './default-coins.ts';
import { DEFAULT_INSTRUMENTS } from './default-instruments.ts';

test('[LST-12] the stable coins count in full as collateral, bitcoin and ether at 95 %, the others at 85 %', () => {
  expect(
    Object.fromEntries(DEFAULT_COINS.map(({ coin, collateralRate }) => [coin, collateralRate])),
  ).toEqual({
    USDT: '1',
    USDC: '1',
    BTC: '0.95',
    ETH: '0.95',
    SOL: '0.85',
    XRP: '0.85',
  });
});

test('[LST-12] prices may be half a reference price away, and futures pay each other every eight hours', () => {
  for (const { category, fundingHours, priceBandRate } of DEFAULT_INSTRUMENTS)
    expect([category, priceBandRate, fundingHours]).toEqual([
      category,
      '0.5',
      category.endsWith('FUTURES') ? 8 : 0,
    ]);
});
