/** What a leader gets of what his followers earn, whatever they try to keep it. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

describe('the share of a copy that has ended', () => {
  // 0.1 from 50,000 to 51,000 earns 93.94 after fees, of which half is alice's. Bob has 613: less an opening fee of 3 and with a profit of 100
  // and a closing fee of 3.06 that makes 706.94, and at ten times an order of 0.1363 at 51,000 takes all of it but 7.6…
  test.for(['batch', 'trigger'] as const)('[CPY-29] nobody spends the share before it is paid: in a %s', (way, { market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    expect(market.sizes(bob)).toEqual(['0.1']);
    market.clearQuotes();
    market.pin('BTCUSDT', '51000');
    market.order(market.maker, 'buy', '100', 'BTCUSDT', '51000');
    const draft = { symbol: 'BTCUSDT', timeInForce: 'gtc', reduceOnly: false, positionSide: 'long' } as const;
    const close = { ...draft, side: 'sell', orderType: 'market', size: decimal('0.1') } as const;
    const spend = { ...draft, side: 'buy', orderType: 'limit', size: decimal('0.1363'), price: decimal('50999') } as const;
    if (way === 'trigger') {
      const trigger = { ...spend, kind: 'conditional', marginMode: 'crossed', triggerPrice: decimal('51000'), source: 'last' } as const;
      market.accepted({ type: 'placeTrigger', uid: bob, category: 'USDT-FUTURES', trigger });
    }
    const orders = way === 'batch' ? [close, spend] : [close];
    market.accepted({ type: 'placeOrders', uid: bob, category: 'USDT-FUTURES', orders });
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
    expect(market.state.accounts.get(bob)!.openOrders).toHaveLength(0);
  });
});
