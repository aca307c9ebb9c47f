/** Fee tables that the operator sets; they apply from the next fill. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { FeeMarket } from '../../src/messages/fees.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import { type Market, test } from './market.test-support.ts';

type Input = readonly [level: Level, maker: string, taker: string];

/** Returns `accepted`, or the refusal: reason, path and allowed value. */
function setFees(market: Market, of: FeeMarket, ...input: readonly Input[]): string {
  const rates = input.map(([level, maker, taker]) => ({
    level,
    maker: maker as DecimalText,
    taker: taker as DecimalText,
  }));
  const { outcome } = market.submit({ type: 'setFees', market: of, rates });
  return outcome.ok ? 'accepted' : Object.values(outcome.refusal).join(' ');
}

describe('setting fees', () => {
  test('[POS-87] a fill pays the new rates; other levels and markets pay the old ones', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [buyer, seller] = [
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000', BTC: '1' }),
    ];
    expect(setFees(market, 'futures', ['VIP0', '0.0003', '0.0007'])).toBe('accepted');
    market.trade(buyer, seller, '1', 'BTCUSDT', '50000');
    // 50,000 × 0.0007 and × 0.0003.
    expect([market.available(buyer), market.available(seller)]).toEqual(['99965', '99985']);
    expect(market.state.fees.futures.VIP1).toMatchObject({ maker: 1_900_000n, taker: 5_500_000n });
    market.trade(buyer, seller, '1', 'SPOT:BTCUSDT', '50000');
    // Spot still costs a thousandth of what is received.
    expect([market.available(buyer, 'BTC'), market.available(seller)]).toEqual(['0.999', '149935']);
    expect(setFees(market, 'spot', ['VIP0', '0.001', '0.002'])).toBe('accepted');
    market.trade(seller, buyer, '0.5', 'SPOT:BTCUSDT', '50000');
    expect(market.available(seller, 'BTC')).toBe('0.499');
  });

  test.for([
    ['0.0002', '0.0006', 'accepted'],
    ['0.0006', '0.0006', 'accepted'],
    ['0.0006000001', '0.0006', 'fieldInvalid rates[0].maker at most 0.0006, as a taker pays'],
    ['0.1', '0.1', 'accepted'],
    ['0.1', '0.1000000001', 'fieldInvalid rates[0].taker at most 0.1'],
    ['0.00060000001', '0.0007', 'tooFine rates[0].maker'],
    ['0.0002', '0.00060000001', 'tooFine rates[0].taker'],
    // VIP1 pays 0.00019 and 0.00055.
    ['0.00019', '0.00055', 'accepted'],
    ['0.0001899999', '0.00055', 'fieldInvalid rates[0].maker at least 0.00019, as VIP1 pays'],
    ['0.00019', '0.0005499999', 'fieldInvalid rates[0].taker at least 0.00055, as VIP1 pays'],
  ] as const)('[POS-161] %s and %s for VIP0: %s', ([maker, taker, answer], { market }) => {
    const before = market.state.fees.futures;
    expect(setFees(market, 'futures', ['VIP0', maker, taker])).toBe(answer);
    if (answer !== 'accepted') expect(market.state.fees.futures).toBe(before);
  });

  test('[POS-161] a level that is named twice refuses the whole request', ({ market }) => {
    const before = market.state.fees.futures;
    const twice = [
      ['VIP0', '0.0002', '0.0006'],
      ['VIP1', '0.0001', '0.0005'],
      ['VIP0', '0.0003', '0.0006'],
    ] as const;
    expect(setFees(market, 'futures', ...twice)).toBe(
      'fieldInvalid rates[2].level VIP0 is named twice',
    );
    expect(market.state.fees.futures).toBe(before);
  });

  test('[POS-161] levels are compared after all are applied', ({ market }) => {
    // VIP2 pays 0.00016 and 0.0005.
    const below = setFees(
      market,
      'futures',
      ['VIP0', '0.0001', '0.0005'],
      ['VIP1', '0.0001', '0.0005'],
    );
    expect(below).toBe('fieldInvalid rates[1].maker at least 0.00016, as VIP2 pays');
    const above = setFees(
      market,
      'futures',
      ['VIP2', '0.00016', '0.0005'],
      ['VIP1', '0.00019', '0.0007'],
    );
    expect(above).toBe('fieldInvalid rates[1].taker at most 0.0006, as VIP0 pays');
    const rows = (['VIP0', 'VIP1', 'VIP2', 'VIP3', 'VIP4', 'VIP5'] as const).map(
      (level): Input => [level, '0.0001', '0.0004'],
    );
    expect(setFees(market, 'futures', ...rows)).toBe('accepted');
    expect(market.emitted('feesSet')[0]!.table.VIP5).toEqual({
      maker: 1_000_000n,
      taker: 4_000_000n,
    });
  });

  test.for([
    ['0.0006', 0],
    ['0.0006000001', 1],
  ] as const)(
    '[POS-162][POS-53] a position just above maintenance is liquidated if closing costs more: %s',
    ([taker, times], { market }) => {
      market.index('BTC', '50000');
      const [long, short] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '100000' })];
      market.settings(long, 'BTCUSDT', '50', 'isolated');
      market.trade(long, short, '1', 'BTCUSDT', '50000');
      const asked = {
        uid: long,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        direction: 'add',
      } as const;
      market.accepted({ type: 'adjustMargin', ...asked, amount: '1220.8000000001' as DecimalText });
      // 1,000 + 1,220.8000000001 − 2,000 is just above 48,000 × (0.004 + 0.0006) = 220.8.
      market.index('BTC', '48000');
      expect(market.emitted('liquidationBegun')).toHaveLength(0);
      expect(setFees(market, 'futures', ['VIP0', '0.0002', taker])).toBe('accepted');
      expect(market.emitted('liquidationBegun')).toHaveLength(times);
    },
  );

  test.for([
    ['0.0006', '1'],
    ['0.0006000001', '0'],
  ] as const)(
    '[POS-162] an order at the limit of its hold trades at %s only if that covers the fee',
    ([rate, size], { market }) => {
      market.index('BTC', '50000');
      const [long, short] = [market.joins({ USDT: '2530' }), market.joins({ USDT: '100000' })];
      market.settings(long, 'BTCUSDT', '20', 'isolated');
      // 50,000 / 20 and 50,000 × 0.0006.
      expect(market.order(long, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(setFees(market, 'futures', ['VIP0', rate, rate])).toBe('accepted');
      market.order(short, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.size(long, 'BTCUSDT', 'long')).toBe(size);
    },
  );

  test('[POS-87] a restored exchange charges the new rates', ({ market }) => {
    expect(setFees(market, 'futures', ['VIP0', '0.0003', '0.0007'])).toBe('accepted');
    market.engine.restore(market.engine.serialize());
    market.index('BTC', '50000');
    const [buyer, seller] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    market.trade(buyer, seller, '1', 'BTCUSDT', '50000');
    expect(market.available(buyer)).toBe('99965');
  });

  // The first tenth cost 3. Afterwards each needs 5,000 × (0.004 + 0.1) = 520, and the second costs
  // 500: 1,040 of 1,543 are left, which is not above both.
  test.for([
    ['1543', 'insufficientMargin', []],
    ['1543.0000000001', 'accepted', ['normal buy 0.1 at 50000']],
  ] as const)(
    '[POS-162][ORD-71] headroom from a lower closing fee is gone after the change, with %s',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '50000');
      const [buyer, seller] = [market.joins({ USDT: money }), market.joins({ USDT: '100000' })];
      market.settings(buyer, 'BTCUSDT', '100', 'crossed');
      market.trade(buyer, seller, '0.1', 'BTCUSDT', '50000');
      expect(market.order(seller, 'sell', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(setFees(market, 'futures', ['VIP0', '0.0002', '0.1'])).toBe('accepted');
      expect(market.order(buyer, 'buy', '0.1', 'BTCUSDT', '50000')).toBe(answer);
      expect(market.fills(buyer)).toEqual(fills);
      expect(market.emitted('liquidationBegun')).toHaveLength(0);
    },
  );
});
