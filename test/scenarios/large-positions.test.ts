/** Positions of more steps than one order may have: a very cheap coin with a step of one. */
import { describe, expect } from 'vitest';
import { ORDER_LOTS_MAX } from '../../src/core/book/order-book.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { type Market, test } from './market.test-support.ts';

const NAME = 'USDT-FUTURES:DUSTUSDT';
const SYMBOL = { category: 'USDT-FUTURES', symbol: 'DUSTUSDT' } as const;
const decimal = (text: string): DecimalText => text as DecimalText;

/** An account long four hundred million at 0.00001, in two orders, and a counterparty. */
function longDust(
  market: Market,
  positionMode: 'oneWay' | 'hedge',
): { readonly context: Uid; readonly maker: Uid } {
  const [coin] = DEFAULT_COINS;
  const xrp = DEFAULT_INSTRUMENTS.find(
    ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'XRPUSDT',
  )!;
  market.accepted({ type: 'listCoin', coin: { ...coin!, coin: 'DUST', chains: [] } });
  const steps = {
    priceStep: decimal('0.0000001'),
    sizeStep: decimal('0.1'),
    sizeMin: decimal('1'),
  };
  const sizes = { sizeMax: decimal('200000000'), marketSizeMax: decimal('200000000') };
  market.accepted({
    type: 'listInstrument',
    instrument: { ...xrp, ...SYMBOL, baseCoin: 'DUST', ...steps, ...sizes },
  });
  market.accepted({
    type: 'setPrices',
    prices: [{ ...SYMBOL, index: decimal('0.00001'), releaseMark: false, force: true }],
  });
  const [context, maker] = [
    market.joins({ USDT: '100000' }, positionMode),
    market.joins({ USDT: '1000000' }),
  ];
  const buy = positionMode === 'hedge' ? ({ positionSide: 'long' } as const) : {};
  for (let times = 0; times < 2; times++)
    market.trade(context, maker, '200000000', NAME, '0.00001', { buy });
  return { context, maker };
}

describe('a position of more steps than an order may have', () => {
  test.for(['oneWay', 'hedge'] as const)(
    '[TRG-80] a limit order closes it up to the largest order size, in %s mode',
    (mode, { market }) => {
      const { context, maker } = longDust(market, mode);
      const exit = {
        kind: 'positionTakeProfit',
        triggerPrice: decimal('0.000011'),
        source: 'last',
        price: decimal('0.000012'),
      } as const;
      market.accepted({ type: 'placeTpsl', uid: context, ...SYMBOL, side: 'long', tpsl: [exit] });
      market.trade(maker, market.joins({ USDT: '1000' }), '1000', NAME, '0.000011');
      expect(market.emitted('triggerFired')).toHaveLength(1);
      const [order] = [...market.state.orders.values()].filter(({ uid }) => uid === context);
      expect(order).toMatchObject({ lots: ORDER_LOTS_MAX, left: ORDER_LOTS_MAX, side: 'sell' });
    },
  );

  test('[POS-81] a market close closes all of it', ({ market }) => {
    const { context, maker } = longDust(market, 'oneWay');
    for (let times = 0; times < 2; times++)
      market.order(maker, 'buy', '200000000', NAME, '0.00001');
    market.accepted({ type: 'closePositions', uid: context, ...SYMBOL });
    expect(market.state.positions.get(context)).toBeUndefined();
  });
});

/**
 * A bitcoin in such small steps that 21,474.83647 of them at 19,999.99999 are 2,147,483,647 ×
 * 1,999,999,999 units, which no number represents exactly.
 */
const FINE = { category: 'USDT-FUTURES', symbol: 'FINEUSDT' } as const;
const PRODUCT = '429496729.1852516353';

function listFine(market: Market, category: 'USDT-FUTURES' | 'SPOT', changes: object): void {
  const [coin] = DEFAULT_COINS;
  const bitcoin = DEFAULT_INSTRUMENTS.find(
    (listed) => listed.category === category && listed.symbol === 'BTCUSDT',
  )!;
  market.accepted({ type: 'listCoin', coin: { ...coin!, coin: 'FINE', chains: [] } });
  const steps = {
    priceStep: decimal('0.00001'),
    sizeStep: decimal('0.00001'),
    sizeMin: decimal('0.00001'),
  };
  const sizes = { sizeMax: decimal('21474.83647'), marketSizeMax: decimal('21474.83647') };
  const follow = { followSizeMin: decimal('0.00001'), followSizeMax: decimal('1') };
  const instrument = {
    ...bitcoin,
    ...FINE,
    category,
    baseCoin: 'FINE',
    ...steps,
    ...sizes,
    ...follow,
    ...changes,
  };
  market.accepted({ type: 'listInstrument', instrument });
  const { symbol } = FINE;
  market.accepted({
    type: 'setPrices',
    prices: [{ category, symbol, index: decimal('20000'), releaseMark: false, force: true }],
  });
}

describe('values beyond exact numbers', () => {
  // The first tier ends where both orders are worth 429,496,729.1852516353 + 0.1999999999.
  test('[POS-40] count exactly: one unit above the tier is refused', ({ market }) => {
    const end = decimal('429496729.3852516352');
    const tiers = [
      {
        fromValue: decimal('0'),
        toValue: end,
        leverageMax: decimal('10'),
        maintenanceRate: decimal('0.01'),
      },
      {
        fromValue: end,
        toValue: decimal('900000000'),
        leverageMax: decimal('5'),
        maintenanceRate: decimal('0.02'),
      },
    ];
    listFine(market, 'USDT-FUTURES', { tiers, leverageMax: decimal('10') });
    const context = market.joins({ USDT: '100000000' });
    const buys = (size: string, price: string): string =>
      market.order(context, 'buy', size, 'USDT-FUTURES:FINEUSDT', price);
    expect(buys('21474.83647', '19999.99999')).toBe('accepted');
    expect(buys('0.00001', '20000')).toBe('insufficientMargin');
    expect(buys('0.00001', '19999.99999')).toBe('accepted');
  });

  test.for([
    ['429496729.1852516352', 'insufficientBalance'],
    [PRODUCT, 'accepted'],
  ] as const)(
    '[ORD-37] are paid to the last unit on spot: with %s it is %s',
    ([money, answer], { market }) => {
      listFine(market, 'SPOT', {});
      const buyer = market.joins({ USDT: money });
      expect(market.order(buyer, 'buy', '21474.83647', 'SPOT:FINEUSDT', '19999.99999')).toBe(
        answer,
      );
      expect(market.available(buyer)).toBe(answer === 'accepted' ? '0' : money);
    },
  );
});
