/** Profit shares of leaders, and attempts of followers to avoid them. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Bids a large size at one price, the only one to sell at. */
function bidAt(market: CopyMarket, price: string): void {
  market.clearQuotes();
  market.pin('BTCUSDT', price);
  expect(market.order(market.maker, 'buy', '100', 'BTCUSDT', price)).toBe('accepted');
}

describe('the share of a copy that has ended', () => {
  // Clearing has paid a million dollars. Bob's copy of 1 from 30,000 is sold at 45,000 with the
  // mark at 50,000. Of the third of a bitcoin 0.0333333334 would be drawn, less fees of 0.0004 and
  // 0.0002. After bob's fees of 0.0006 and 0.0004, alice gets half.
  test('[CPY-45][CPY-171][POS-153] excludes the clearing levy, which no account has earned', ({
    market,
  }) => {
    const [ann, ben, cat] = [
      market.joins({ BTC: '1000' }),
      market.joins({ BTC: '1000' }),
      market.joins({ BTC: '1000' }),
    ];
    for (let times = 0; times < 20; times++) {
      market.trade(ann, ben, '10', 'BTCUSD', '30000');
      market.trade(cat, ann, '10', 'BTCUSD', '45000');
      market.trade(ben, cat, '10', 'BTCUSD', '70000');
    }
    const alice = market.leader('0.5');
    const bob = market.follower(alice, {
      settings: [setting({ category: 'COIN-FUTURES', symbol: 'BTCUSD' })],
    });
    market.order(ben, 'sell', '2', 'BTCUSD', '30000');
    market.open(alice, 'long', '1', 'BTCUSD');
    expect(market.sizes(bob)).toEqual(['1']);
    market.order(cat, 'buy', '1', 'BTCUSD', '45000');
    market.close(bob, 'long', '1', 'BTCUSD');
    expect(
      market
        .emitted('fillSettled')
        .flatMap(({ fill }) => (fill.uid === bob ? [moneyText(fill.profit)] : [])),
    ).toEqual(['0.3005999999']);
    expect(market.ended(bob)).toMatchObject([
      { profit: '0.3005999999', fees: '0.001', share: '0.1497999999' },
    ]);
  });

  // 0.1 from 50,000 to 51,000 earns 93.94 after fees; alice gets half. Bob has 613: less an opening
  // fee of 3, plus 100, less a closing fee of 3.06, that is 706.94. At ten times an order of 0.1363
  // at 51,000 takes all of it but 7.6…
  test.for(['batch', 'trigger'] as const)(
    '[CPY-160] cannot be spent before it is paid: in a %s',
    (way, { market }) => {
      const alice = market.leader('0.5');
      const bob = market.joins({ USDT: '613' }, 'hedge');
      expect(market.follow(bob, alice)).toBe('accepted');
      market.open(alice, 'long', '0.1');
      expect(market.sizes(bob)).toEqual(['0.1']);
      bidAt(market, '51000');
      const draft = {
        symbol: 'BTCUSDT',
        timeInForce: 'gtc',
        reduceOnly: false,
        positionSide: 'long',
      } as const;
      const close = { ...draft, side: 'sell', orderType: 'market', size: decimal('0.1') } as const;
      const spend = {
        ...draft,
        side: 'buy',
        orderType: 'limit',
        size: decimal('0.1363'),
        price: decimal('50999'),
      } as const;
      if (way === 'trigger') {
        const trigger = {
          ...spend,
          kind: 'conditional',
          marginMode: 'crossed',
          triggerPrice: decimal('51000'),
          source: 'last',
        } as const;
        market.accepted({ type: 'placeTrigger', uid: bob, category: 'USDT-FUTURES', trigger });
      }
      const orders = way === 'batch' ? [close, spend] : [close];
      market.accepted({ type: 'placeOrders', uid: bob, category: 'USDT-FUTURES', orders });
      expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
      expect(market.state.accounts.get(bob)!.openOrders).toHaveLength(0);
    },
  );

  // Bob also has 1 ether from 2,500, for a fee of 1.5: with the bitcoin sold 705.44. A bid of 1,796
  // for the ether costs 704 and a fee of 1.0776, which needs the leader's share.
  test.for(['positions', 'copies'] as const)(
    '[CPY-160] nor lost to another account with the next of several %s that are closed',
    (what, { market }) => {
      const alice = market.leader('0.5');
      const bob = market.joins({ USDT: '613' }, 'hedge');
      for (const uid of [alice, bob])
        for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(uid, name, '50', 'crossed');
      expect(
        market.follow(bob, alice, { settings: [setting(), setting({ symbol: 'ETHUSDT' })] }),
      ).toBe('accepted');
      market.open(alice, 'long', '0.1');
      market.pin('ETHUSDT', '2500');
      market.order(market.maker, 'sell', '2', 'ETHUSDT', '2500');
      if (what === 'copies') market.open(alice, 'long', '1', 'ETHUSDT');
      else market.open(bob, 'long', '1', 'ETHUSDT');
      expect(market.available(bob)).toBe('608.5');
      bidAt(market, '51000');
      market.order(market.maker, 'buy', '1', 'ETHUSDT', '1796');
      if (what === 'copies') expect(market.closeTracked(bob)).toBe('accepted');
      else market.accepted({ type: 'closePositions', uid: bob, category: 'USDT-FUTURES' });
      expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
      expect([market.fills(bob), market.available(bob)]).toEqual([
        ['normal sell 0.1 at 51000'],
        '658.47',
      ]);
    },
  );

  // The same with resting orders of bob: as a maker they pay 1.02 for the bitcoin, and alice gets
  // half of 95.98. The rest would not pay for the ether.
  test('[CPY-160] nor with the next order that another account takes in one batch', ({
    market,
  }) => {
    const alice = market.leader('0.5');
    const [bob, eve] = [market.joins({ USDT: '613' }, 'hedge'), market.joins({ USDT: '100000' })];
    for (const uid of [alice, bob])
      for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(uid, name, '50', 'crossed');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.pin('ETHUSDT', '2500');
    market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
    expect(market.open(bob, 'long', '1', 'ETHUSDT')).toBe('accepted');
    market.clearQuotes();
    market.pin('BTCUSDT', '51000');
    expect(market.close(bob, 'long', '0.1', 'BTCUSDT', '51000')).toBe('accepted');
    expect(market.close(bob, 'long', '1', 'ETHUSDT', '1796')).toBe('accepted');
    const draft = {
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
    } as const;
    const orders = [
      { ...draft, symbol: 'BTCUSDT', size: decimal('0.1'), price: decimal('51000') },
      { ...draft, symbol: 'ETHUSDT', size: decimal('1'), price: decimal('1796') },
    ];
    market.accepted({ type: 'placeOrders', uid: eve, category: 'USDT-FUTURES', orders });
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '4.02', share: '47.99' }]);
    // 613 − 3 − 1.5 + 100 − 1.02 − 47.99.
    expect([market.fills(bob), market.available(bob)]).toEqual([
      ['normal sell 0.1 at 51000'],
      '659.49',
    ]);
  });

  // Bob's short of 0.1 from 50,000 cost another 3: with the long sold 703.94 are left. Bought back
  // at 57,000 it loses 700 and costs 3.42.
  test('[CPY-160] nor with the next order that has waited', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    for (const uid of [alice, bob]) market.settings(uid, 'BTCUSDT', '50', 'crossed');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.maker, 'buy', '0.1', 'BTCUSDT', '50000');
    expect(market.open(bob, 'short', '0.1')).toBe('accepted');
    bidAt(market, '51000');
    market.order(market.maker, 'sell', '0.1', 'BTCUSDT', '57000');
    const becomes = (status: 'halted' | 'normal') =>
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        status,
      });
    becomes('halted');
    for (const side of ['long', 'short'] as const)
      expect(market.close(bob, side, '0.1')).toBe('accepted');
    becomes('normal');
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
    expect([market.fills(bob), market.available(bob)]).toEqual([
      ['normal sell 0.1 at 51000'],
      '656.97',
    ]);
  });

  // Bob pays 5,000 for 0.1 bitcoin with the remaining 610 and a loan of 4,390, which a profit of
  // 100 less 3.06 repays in part.
  test("[CPY-162] is borrowed if the follower's profit repaid a debt", ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '613', BTC: '1' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.order(market.maker, 'sell', '0.1', 'SPOT:BTCUSDT', '50000');
    expect(market.order(bob, 'buy', '0.1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    expect(market.debt(bob)).toBe('4390 + 0');
    bidAt(market, '51000');
    market.close(alice, 'long', '0.1');
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
    // 4,390 − 96.94 + 46.97.
    expect([market.debt(bob), market.available(bob)]).toEqual(['4340.03 + 0', '0']);
  });

  // Alice has 997 after a fee of 3, and buys 0.1 bitcoin for 5,000. Her own close brings 100 less a
  // fee of 3.06, and bob's half of 93.94.
  test("[CPY-29][ORD-22] repays the leader's debts first", ({ market }) => {
    const alice = market.leader('0.5', '1000');
    market.follower(alice);
    market.open(alice, 'long', '0.1');
    market.order(market.maker, 'sell', '0.1', 'SPOT:BTCUSDT', '50000');
    expect([
      market.order(alice, 'buy', '0.1', 'MARGIN:BTCUSDT', '50000'),
      market.debt(alice),
    ]).toEqual(['accepted', '4003 + 0']);
    bidAt(market, '51000');
    market.close(alice, 'long', '0.1');
    // 4,003 − 96.94 − 46.97.
    expect([market.debt(alice), market.available(alice)]).toEqual(['3859.09 + 0', '0']);
  });

  // Bob owes 5,000 for 0.1 bitcoin less 599.03 after fees of 3 and 1.5, and 96.94 less when the
  // copy has ended: 4,304.03. 0.2138 bitcoin count for 5,077.75 at 25,000, and the ether has lost
  // 500. With 46.97 more debt 226.75 are left: exactly 5 percent of the loans and 2,000 × 0.0046.
  test.for([
    ['603.53', '0'],
    ['603.5300000001', '46.97'],
  ] as const)(
    '[CPY-162] is not borrowed at exactly maintenance, and is one unit above: %s',
    ([money, share], { market }) => {
      const alice = market.leader('0.5');
      const bob = market.joins({ USDT: money, BTC: '0.1139' }, 'hedge');
      expect(market.follow(bob, alice)).toBe('accepted');
      market.open(alice, 'long', '0.1');
      market.pin('ETHUSDT', '2500');
      market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
      expect(market.open(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
      market.order(market.maker, 'sell', '0.1', 'SPOT:BTCUSDT', '50000');
      expect(market.order(bob, 'buy', '0.1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
      // Money on hold still belongs to the account.
      expect(market.order(bob, 'sell', '0.01', 'SPOT:BTCUSDT', '54000')).toBe('accepted');
      bidAt(market, '51000');
      market.index('BTC', '25000');
      market.pin('ETHUSDT', '2000');
      market.close(alice, 'long', '0.1');
      expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share }]);
    },
  );

  // At 53,000 bob has 610 + 300 − 3.18 = 906.82, and an order of 1.6 that needs 800 and a fee of
  // 48; half of 300 − 6.18 is 146.91.
  test('[CPY-160][CPY-161] margin of an open order does not keep the share from the leader', ({
    market,
  }) => {
    const alice = market.leader('0.5');
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    bidAt(market, '53000');
    expect(market.open(bob, 'long', '1.6', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.1');
    expect(market.ended(bob)).toMatchObject([{ profit: '300', fees: '6.18', share: '146.91' }]);
    // Less than the 848 of the order, which stays. It fails its risk check at its price unless
    // there is more money by then.
    expect([market.available(bob), market.state.accounts.get(bob)!.openOrders.length]).toEqual([
      '759.91',
      1,
    ]);
    market.order(market.maker, 'sell', '1.6', 'BTCUSDT', '50000');
    expect(market.sizes(bob)).toEqual([]);
    expect(market.available(bob)).toBe('759.91');
  });

  // With a loan as above, and less bitcoin: 0.1399 count for 6,645.25; with 300 gained and 4,390
  // owed that is 2,555.25. The loan needs a third of it, the copy 53, and an order of 1.96 at a
  // hundred times 980 and a fee of 58.8: 0.12 are left. The close frees at most 53 and a third of
  // the repaid 296.82. Alice gets half of 300 less fees of 6.18.
  test("[CPY-161][CPY-162] nor if the follower's profit repaid a debt", ({ market }) => {
    const alice = market.leader('0.5');
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: '613', BTC: '0.04' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.order(market.maker, 'sell', '0.1', 'SPOT:BTCUSDT', '50000');
    expect(market.order(bob, 'buy', '0.1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    bidAt(market, '53000');
    expect(market.open(bob, 'long', '1.96', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.1');
    expect(market.ended(bob)).toMatchObject([{ profit: '300', fees: '6.18', share: '146.91' }]);
    // 4,390 − 296.82 + 146.91.
    expect([market.debt(bob), market.available(bob)]).toEqual(['4240.09 + 0', '0']);
  });

  // Bob has 613 − 3, and closing 0.0999 at 51,000 brings 99.9 less 3.05694: 706.84306. Half of
  // 93.84306 is reserved for alice. The open step has gained 0.1 and needs 0.51, so 706.84306 + 0.1
  // − 0.51 − 46.92153 = 659.51153 may leave. All 0.1 earn 100 less 6.06.
  test('[CPY-71][CPY-168] is reserved while a step of the copy is open: neither spent nor sent away', ({
    market,
  }) => {
    const alice = market.leader('0.5');
    const [bob, friend] = [market.joins({ USDT: '613' }, 'hedge'), market.joins({})];
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    bidAt(market, '51000');
    market.close(bob, 'long', '0.0999');
    expect([market.available(bob), market.sizes(bob)]).toEqual(['706.84306', ['0.0001']]);
    expect(market.order(bob, 'buy', '0.0132', 'SPOT:BTCUSDT', '50000')).toBe('insufficientBalance');
    const transfer = {
      type: 'transferToUser',
      uid: bob,
      coin: 'USDT',
      recipientKind: 'uid',
      recipient: `${friend}`,
    } as const;
    const { outcome } = market.submit({ ...transfer, size: decimal('659.51153001') });
    expect(outcome).toMatchObject({ ok: false, refusal: { reason: 'insufficientBalance' } });
    market.accepted({ ...transfer, size: decimal('659.51153') });
    market.close(bob, 'long', '0.0001');
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
    // 706.84306 − 659.51153 + 0.1 − 0.00306 − 46.97, which is free.
    expect(market.available(bob)).toBe('0.45847');
    market.accepted({ ...transfer, size: decimal('0.45847') });
  });

  // At ten times 0.1638 at 40,000 need 655.2 and a fee of 3.9312, less than those 659.51153; 0.1639
  // need 659.5336.
  test('[CPY-71] nor opens it anything', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    bidAt(market, '51000');
    market.close(bob, 'long', '0.0999');
    // A price update recomputes the account.
    market.index('ETH', '3000');
    const opens = (size: string) =>
      market.order(bob, 'buy', size, 'BTCUSDT', '40000', { positionSide: 'long' });
    expect([opens('0.1639'), opens('0.1638')]).toEqual(['insufficientMargin', 'accepted']);
  });

  // Closed at 51,000, 0.0999 have earned 93.84306. The remaining 0.0001 lose 2 and a fee of 0.0018
  // at 30,000.
  test('[CPY-71] losses of the rest of the copy reduce the reserve', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    bidAt(market, '51000');
    market.close(bob, 'long', '0.0999');
    bidAt(market, '30000');
    market.close(bob, 'long', '0.0001');
    expect(market.ended(bob)).toMatchObject([
      { profit: '97.9', fees: '6.05874', share: '45.92063' },
    ]);
  });

  // Bob also holds one ether bought at 2,500 for a fee of 1.5: 613 − 3 − 1.5 + 300 − 3.18 = 905.32
  // when the copy has ended. At 1,720 the ether has lost 780 and needs 1,720 × 0.0046 = 7.912.
  test('[CPY-161] leaves the account one unit above maintenance', ({ market }) => {
    const alice = market.leader('0.5');
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.pin('ETHUSDT', '2500');
    market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
    expect(market.open(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
    bidAt(market, '53000');
    market.pin('ETHUSDT', '1720');
    market.close(alice, 'long', '0.1');
    // 905.32 − 780 − 7.912 − 0.0000000001, where half of 300 − 6.18 would be 146.91.
    expect(market.ended(bob)).toMatchObject([
      { profit: '300', fees: '6.18', share: '117.4079999999' },
    ]);
    expect(market.state.positions.get(bob)?.size).toBe(1);
  });
});
