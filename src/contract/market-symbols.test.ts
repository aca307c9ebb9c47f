import { expect, test } from 'vitest';
import type { Category } from '../messages/vocabulary.ts';
import { marketNamed, marketSymbol } from './market-symbols.ts';

const NAMES: readonly (readonly [Category, string, string])[] = [
  ['SPOT', 'BTCUSDT', 'BTCUSDT_SPBL'],
  ['MARGIN', 'BTCUSDT', 'BTCUSDT_SPBL-MABL'],
  ['USDT-FUTURES', 'BTCUSDT', 'BTCUSDT_UMCBL'],
  ['COIN-FUTURES', 'BTCUSD', 'BTCUSD_DMCBL'],
  ['USDC-FUTURES', 'BTCPERP', 'BTCPERP_CMCBL'],
];

test.each(NAMES)('[AGT-14] %s %s is %s, in both directions', (category, symbol, name) => {
  expect(marketSymbol(category, symbol)).toBe(name);
  expect(marketNamed(name)).toEqual({ category, symbol });
});

test('[AGT-14] a name without a known suffix is the symbol', () => {
  expect(marketNamed('BTCUSDT')).toEqual({ symbol: 'BTCUSDT' });
  expect(marketNamed('BTCUSDT_XYZ')).toEqual({ symbol: 'BTCUSDT_XYZ' });
});
