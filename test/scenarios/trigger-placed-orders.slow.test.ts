/** Orders that fired triggers place. */
import { describe, expect } from 'vitest';
import { idText } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { test } from './market.test-support.ts';
import { ready } from './trigger-firing.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

describe('the order that a trigger places', () => {
  test('[TRG-18][TRG-36][TRG-46] a waiting trigger holds nothing; a fired one places an order of its id', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000' });
    // Ten times what alice can afford.
    const id = triggers.placed(alice, 'buy', {
      at: '51000',
      price: '51000',
      size: '0.1',
      name: 'mine',
    });
    expect([market.available(alice), triggers.live(id)?.clientOid]).toEqual(['1000', 'mine']);
    triggers.trades('51000');
    const [fired] = market.emitted('triggerFired');
    expect(market.state.orders.get(fired!.orderId)).toMatchObject({
      clientOid: idText(id),
      side: 'buy',
      orderType: 'limit',
    });
    expect(market.state.triggers.has(id)).toBe(false);
  });

  test('[TRG-46] a refused order makes its trigger fail, which keeps the reason', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '100' });
    const id = triggers.placed(alice, 'buy', { at: '51000', size: '1' });
    triggers.trades('51000');
    expect(triggers.ends()).toEqual([`failed ${id} insufficientMargin`]);
    expect([market.state.triggers.size, market.state.orders.size]).toEqual([0, 2]);
  });

  test('[TRG-13] the order has the self-trade prevention of its trigger', ({ market }) => {
    const triggers = new Triggers(market);
    triggers.trades('50000');
    const alice = market.joins({ USDT: '1000000' });
    expect(market.order(alice, 'sell', '1', 'BTCUSDT', '50500')).toBe('accepted');
    triggers.placed(alice, 'buy', { at: '50100', price: '50500', selfTradeMode: 'cancelTaker' });
    triggers.trades('50100');
    expect(market.emitted('orderEnded').filter(({ end }) => end.uid === alice)).toMatchObject([
      { end: { status: 'cancelled', cancelReason: 'selfTrade' } },
    ]);
  });

  test('[TRG-67] a closed symbol keeps triggers; fired ones fail there, and wait in a halt', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const [first, second] = ['51000', '52000'].map((at) =>
      triggers.placed(alice, 'buy', { at, source: 'mark', size: '0.1' }),
    );
    const status = (to: 'halted' | 'cancelOnly') =>
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        status: to,
      });
    status('halted');
    market.pin('BTCUSDT', '51000');
    expect(triggers.ends()).toEqual([`fired ${first}`]);
    expect(
      [...market.state.orders.values()].filter(({ uid, waiting }) => uid === alice && waiting),
    ).toHaveLength(1);
    status('cancelOnly');
    market.pin('BTCUSDT', '52000');
    expect(triggers.ends()).toEqual([`failed ${second} symbolClosed`]);
    expect(triggers.place(alice, 'buy', { at: '53000' })).toBe('symbolClosed');
  });

  test('[TRG-40] a reduce-only order is cut to the position, and fails if there is none', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = triggers.holds('long', '1');
    const [close, late] = ['51000', '52000'].map((at) =>
      triggers.placed(alice, 'sell', { at, source: 'mark', size: '5', reduceOnly: true }),
    );
    triggers.offers('buy', '49000');
    market.pin('BTCUSDT', '51000');
    expect([triggers.ends(), market.size(alice, 'BTCUSDT', 'long')]).toEqual([
      [`fired ${close}`],
      '0',
    ]);
    expect(market.emitted('orderEnded').find(({ end }) => end.uid === alice)).toMatchObject({
      end: { status: 'filled' },
    });
    market.pin('BTCUSDT', '52000');
    expect(triggers.ends()).toEqual([`failed ${late} nothingToClose`]);
  });

  test('[TRG-40] in hedge mode a close is cut to the available size', ({ market }) => {
    const triggers = ready(market);
    const alice = triggers.holds('long', '1', { hedge: true });
    expect(market.order(alice, 'sell', '0.4', 'BTCUSDT', '58000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    const id = triggers.placed(alice, 'sell', {
      at: '51000',
      source: 'mark',
      size: '5',
      price: '51000',
      positionSide: 'long',
    });
    market.pin('BTCUSDT', '51000');
    expect(triggers.ends()).toEqual([`fired ${id}`]);
    expect(market.emitted('orderAccepted').map(({ order }) => moneyText(order.size))).toEqual([
      '0.6',
    ]);
  });

  test.for([
    ['closes', { sizeMin: '2', sizeMax: '3', marketSizeMax: '3' }, 'fired'],
    ['closes', { sizeMin: '0.0001', sizeMax: '0.5', marketSizeMax: '0.5' }, 'fired'],
    ['opens', { sizeMin: '1', sizeMax: '1', marketSizeMax: '1' }, 'fired'],
    ['opens', { sizeMin: '1.0001', sizeMax: '3', marketSizeMax: '3' }, 'sizeTooSmall'],
    ['opens', { sizeMin: '0.0001', sizeMax: '0.9999', marketSizeMax: '0.9999' }, 'sizeTooLarge'],
  ] as const)(
    '[TRG-40] one of 1 that %s, after the listing has changed sizes to %o: %s',
    ([what, sizes, end], { market }) => {
      const triggers = ready(market);
      const alice = triggers.holds('long', '1');
      const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
      const id = triggers.placed(alice, 'sell', {
        at: '51000',
        source: 'mark',
        size: '1',
        price: '45000',
        reduceOnly: what === 'closes',
      });
      market.accepted({
        type: 'listInstrument',
        instrument: { ...instrument, ...(sizes as unknown as typeof instrument) },
      });
      market.pin('BTCUSDT', '51000');
      expect(triggers.ends()).toEqual([end === 'fired' ? `fired ${id}` : `failed ${id} ${end}`]);
    },
  );
});
