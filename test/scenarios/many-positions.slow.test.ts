/** Liquidation of positions in many symbols by one command; the test counts reads of prices. */
import { expect, vi } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { MarginMode, Side } from '../../src/messages/vocabulary.ts';
import { Market, test } from './market.test-support.ts';

const category = 'USDT-FUTURES';
const decimal = (text: string): DecimalText => text as DecimalText;

class ManySymbols extends Market {
  readonly symbols: readonly string[];

  /** The given number of symbols beside the default ones, all at 50,000. */
  constructor(count: number) {
    super();
    const coin = DEFAULT_COINS.find((listed) => listed.coin === 'BTC')!;
    const instrument = DEFAULT_INSTRUMENTS.find(
      (listed) => listed.category === category && listed.symbol === 'BTCUSDT',
    )!;
    const names = Array.from({ length: count }, (_, at) => `MANY${at}`);
    for (const name of names) {
      this.accepted({ type: 'listCoin', coin: { ...coin, coin: name } });
      this.accepted({
        type: 'listInstrument',
        instrument: { ...instrument, symbol: `${name}USDT`, baseCoin: name },
      });
    }
    this.symbols = names.map((name) => `${name}USDT`);
    this.allAt('50000');
  }

  allAt(price: string): void {
    const prices = this.symbols.map(
      (symbol) =>
        ({ category, symbol, index: decimal(price), releaseMark: false, force: true }) as const,
    );
    this.accepted({ type: 'setPrices', prices });
  }

  one(uid: Uid, symbol: string, side: Side): void {
    const draft = {
      symbol,
      side,
      orderType: 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
    } as const;
    const orders = [{ ...draft, size: decimal('0.01'), price: decimal('50000') }];
    const { outcome } = this.accepted({ type: 'placeOrders', uid, category, orders });
    expect(outcome).toMatchObject({ value: [{ ok: true }] });
  }
}

/**
 * Number of price reads when this number of positions, of 500 each at 50 times with 30 of backing
 * each, fall by 3,100.
 */
function looksOf(count: number, marginMode: MarginMode): number {
  const market = new ManySymbols(count);
  // An isolated position has 10 of it, and the fees come from the rest.
  const [alice, bob] = [market.joins({ USDT: `${30 * count}` }), market.joins({ USDT: '1000000' })];
  for (const symbol of market.symbols) {
    market.accepted({ type: 'setMarginMode', uid: alice, category, symbol, marginMode });
    market.accepted({ type: 'setLeverage', uid: alice, category, symbol, leverage: decimal('50') });
    market.one(bob, symbol, 'sell');
    market.one(alice, symbol, 'buy');
  }
  const looks = vi.spyOn(market.state.symbolPrices, 'get');
  market.allAt('46900');
  const calls = looks.mock.calls.length;
  looks.mockRestore();
  expect(market.state.positions.get(alice)).toBeUndefined();
  expect(market.engine.audit().violations).toEqual([]);
  return calls;
}

test.for(['crossed', 'isolated'] as const)(
  '[POS-98] four times as many %s positions that fall together cost about four times the reads',
  (mode) => {
    expect(looksOf(80, mode) / looksOf(20, mode)).toBeLessThan(5);
  },
);
