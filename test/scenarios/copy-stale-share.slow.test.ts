/** Profit shares while prices are stale: nothing by stale prices, and everything by fresh ones. */
import { describe, expect } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { TRACKED_ORDERS_PER_ACCOUNT_MAX } from '../../src/messages/bounds.ts';
import { CopyTradingView } from '../../src/views/copy-trading.ts';
import { feeding } from '../../src/views/view.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Bids a large size at one price, the only one to sell at. */
function bidAt(market: CopyMarket, price: string): void {
  market.clearQuotes();
  market.pin('BTCUSDT', price);
  expect(market.order(market.maker, 'buy', '100', 'BTCUSDT', price)).toBe('accepted');
}

function sends(market: CopyMarket, uid: Uid, size: string, recipient: Uid): boolean {
  const transfer = {
    type: 'transferToUser',
    uid,
    coin: 'USDT',
    recipientKind: 'uid',
    recipient: `${recipient}`,
  } as const;
  return market.submit({ ...transfer, size: decimal(size) }).outcome.ok;
}

/** The reserve that the view shows, for a follower without open copies. */
function shownOf({ submitted }: CopyMarket, uid: Uid): (readonly [string, string])[] {
  const [engine, view] = [createEngine(), new CopyTradingView()];
  const feed = feeding([view]);
  for (const { command, at } of submitted) feed(engine.execute(command, at));
  const restored = new CopyTradingView();
  restored.restore(view.save());
  expect([view.open(uid), restored.open(uid), restored.sharesDue(uid)]).toEqual([
    [],
    [],
    view.sharesDue(uid),
  ]);
  return [...view.sharesDue(uid)].map(([coin, amount]) => [coin, moneyText(amount)]);
}

/**
 * Bob has 613, copies 0.1 bitcoin from 50,000 and buys one ether for 2,500: 608.5 are left after
 * fees of 3 and 1.5. While the index of ether is stale, the copy closes at 53,000 for a fee of
 * 3.18: 905.32. Alice gets half of 300 − 6.18.
 */
function waiting(market: CopyMarket): { readonly alice: Uid; readonly bob: Uid } {
  const alice = market.leader('0.5');
  market.settings(alice, 'BTCUSDT', '100', 'crossed');
  const bob = market.joins({ USDT: '613' }, 'hedge');
  expect(market.follow(bob, alice)).toBe('accepted');
  market.open(alice, 'long', '0.1');
  market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
  expect(market.open(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
  bidAt(market, '53000');
  market.updatesOnly('BTC', '50000');
  expect(market.close(alice, 'long', '0.1')).toBe('accepted');
  expect([market.sizes(bob), market.ended(bob), market.available(bob)]).toEqual([[], [], '905.32']);
  return { alice, bob };
}

describe('the share of a copy that ends while prices are stale', () => {
  // At 1,720 the ether has lost 780 and needs 1,720 × 0.0046 = 7.912: 905.32 − 780 − 7.912 and one
  // unit less may leave. At 1,500 nothing is left.
  test.for([
    ['2500', '146.91'],
    ['1720', '117.4079999999'],
    ['1500', '0'],
  ] as const)(
    '[CPY-72][CPY-167] waits while a mark is frozen, and is paid by fresh prices: at %s %s',
    ([price, share], { market }) => {
      const { alice, bob } = waiting(market);
      expect(market.engine.hasDeferredWork()).toBe(false);
      market.engine.restore(market.engine.serialize());
      market.check();
      // Another price says nothing about ether, and leaving the leader does not release the share.
      market.index('BTC', '50000');
      market.accepted({ type: 'unfollow', uid: bob, leader: alice });
      expect([market.ended(bob), market.available(bob), sends(market, bob, '1', alice)]).toEqual([
        [],
        '905.32',
        false,
      ]);
      market.index('ETH', price);
      expect(market.ended(bob)).toMatchObject([{ profit: '300', fees: '6.18', share }]);
    },
  );

  // 905.32 − 146.91, and a fee of 1.5 or 0.5 after a sale.
  test.for([
    ['a mark is pinned', '758.41', (market: CopyMarket) => market.pin('ETHUSDT', '2500')],
    [
      'the market is switched off',
      '758.41',
      (market: CopyMarket) => market.accepted({ type: 'switchMarket', on: false }),
    ],
    [
      'the follower has closed the position',
      '756.91',
      (market: CopyMarket, bob: Uid) => {
        market.order(market.maker, 'buy', '1', 'ETHUSDT', '2500');
        return market.close(bob, 'long', '1', 'ETHUSDT');
      },
    ],
    [
      'another account has bought it, and any price is updated',
      '757.91',
      (market: CopyMarket, bob: Uid) => {
        expect(market.close(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
        market.order(market.maker, 'buy', '1', 'ETHUSDT', '2500');
        expect([market.state.positions.get(bob), market.ended(bob)]).toEqual([undefined, []]);
        return market.index('BTC', '50000');
      },
    ],
  ] as const)('[CPY-164] or once %s', ([, left, happens], { market }) => {
    const { bob } = waiting(market);
    happens(market, bob);
    expect(market.ended(bob)).toMatchObject([{ share: '146.91' }]);
    expect(market.available(bob)).toBe(left);
  });

  // Of 905.32 the ether needs 250 and alice 146.91: 508.41 are left.
  test('[CPY-71][CPY-166] is reserved meanwhile, and shown as reserved', ({ market }) => {
    const { bob } = waiting(market);
    const buys = (size: string): string => market.order(bob, 'buy', size, 'SPOT:BTCUSDT', '50000');
    expect([buys('0.01017'), buys('0.01016')]).toEqual(['insufficientBalance', 'accepted']);
    expect(shownOf(market, bob)).toEqual([['USDT', '146.91']]);
    market.index('ETH', '2500');
    expect(shownOf(market, bob)).toEqual([]);
  });

  // The first ended before the second, and both wait: 0.1 from 50,000 to 53,000 each. At 1,850 the
  // ether has lost 650 and needs 8.51.
  test('[CPY-165] the oldest comes first if there is not enough for all', ({ market }) => {
    const alice = market.leader('0.5');
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: '613' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    for (let count = 0; count < 2; count++) market.open(alice, 'long', '0.05');
    market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
    expect(market.open(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
    bidAt(market, '53000');
    market.updatesOnly('BTC', '50000');
    const [, second] = market.copies(bob);
    expect(market.closeTracked(bob, { trackingId: second!.id })).toBe('accepted');
    expect(market.close(bob, 'long', '0.05')).toBe('accepted');
    expect(market.sizes(bob)).toEqual([]);
    // 905.32 − 780 − 7.912 − 73.455, less the smallest unit.
    market.index('ETH', '1720');
    expect(market.ended(bob)).toMatchObject([{ share: '73.455' }, { share: '43.9529999999' }]);
  });

  // Bob is short one bitcoin beside copies of 0.1 and 0.01 from 50,000, for fees of 33.3. At 53,000
  // the first ends for 300 less 3.18; the short has lost more than the dollars, so the share needs
  // the price of ether. At 51,000 the second ends for 10 less 0.306, and 4.697 are alice's:
  // 1,273.214 − 1,000 are left. 50,000 × 0.0046 + 1,000 × 0.0056 = 235.6 are needed, and ten ether
  // at 1 count for 9.5.
  test.for([
    ['2500', ['146.91', '4.697']],
    ['1', ['47.1139999999', '0']],
  ] as const)(
    '[CPY-163][CPY-165] a copy that ends behind a waiting one takes nothing from it: at %s %s',
    ([price, shares], { market }) => {
      const alice = market.leader('0.5');
      market.settings(alice, 'BTCUSDT', '100', 'crossed');
      const bob = market.joins({ USDT: '1000', ETH: '10' }, 'hedge');
      expect(market.follow(bob, alice)).toBe('accepted');
      for (const size of ['0.1', '0.01']) market.open(alice, 'long', size);
      bidAt(market, '50000');
      expect(market.open(bob, 'short', '1')).toBe('accepted');
      bidAt(market, '53000');
      market.updatesOnly('BTC', '50000');
      expect(market.close(alice, 'long', '0.1')).toBe('accepted');
      expect([market.ended(bob), market.available(bob)]).toEqual([[], '1263.52']);
      bidAt(market, '51000');
      expect(market.close(alice, 'long', '0.01')).toBe('accepted');
      expect([market.ended(bob), market.available(bob)]).toEqual([[], '1273.214']);
      market.engine.restore(market.engine.serialize());
      market.index('BTC', '50000');
      expect(market.ended(bob)).toEqual([]);
      market.index('ETH', price);
      expect(market.ended(bob).map(({ share }) => share)).toEqual(shares);
    },
  );

  test('[CPY-166] at most as many wait as an account can have open copies', { timeout: 60_000 }, ({
    market,
  }) => {
    const alice = market.leader('0.5');
    const bob = market.follower(alice);
    for (let count = 0; count < TRACKED_ORDERS_PER_ACCOUNT_MAX; count++)
      market.open(alice, 'long', '0.001');
    market.order(market.maker, 'sell', '1', 'ETHUSDT', '2500');
    expect(market.open(bob, 'long', '1', 'ETHUSDT', '2500')).toBe('accepted');
    bidAt(market, '51000');
    market.updatesOnly('BTC', '50000');
    market.close(alice, 'long', '1');
    market.settle();
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], []]);
    market.quote('50500');
    market.open(alice, 'long', '0.001');
    expect(market.missed()).toMatchObject([{ follower: bob, reason: 'tooManyTrackedOrders' }]);
    market.index('ETH', '2500');
    market.settle();
    market.open(alice, 'long', '0.001');
    expect([market.missed(), market.sizes(bob)]).toEqual([[], ['0.001']]);
  });
});

describe('the share that is borrowed', () => {
  // Bob pays 5,000 for 0.1 bitcoin with the remaining 610 and a loan of 4,390, which a profit of
  // 100 less 3.06 repays in part.
  test.for([9_999, 10_000])(
    '[CPY-163] %i ms after all prices of the account were fresh',
    (ms, { market }) => {
      const alice = market.leader('0.5');
      const bob = market.joins({ USDT: '613', BTC: '1' }, 'hedge');
      expect(market.follow(bob, alice)).toBe('accepted');
      market.open(alice, 'long', '0.1');
      market.order(market.maker, 'sell', '0.1', 'SPOT:BTCUSDT', '50000');
      expect(market.order(bob, 'buy', '0.1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
      bidAt(market, '51000');
      market.accepted({ type: 'switchMarket', on: true });
      market.index('BTC', '50000');
      market.passes(ms);
      expect(market.close(alice, 'long', '0.1')).toBe('accepted');
      if (ms === 10_000) {
        expect([market.ended(bob), market.debt(bob)]).toEqual([[], '4293.06 + 0']);
        market.index('BTC', '50000');
      }
      expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '46.97' }]);
      expect(market.debt(bob)).toBe('4340.03 + 0');
    },
  );

  // From 50,000 to 62,500 one bitcoin of an inverse contract earns 0.2 and costs fees of 0.0006 and
  // 0.00048. Bob has sold 2 with 0.9994 of them, so the profit repays the loan of 1.0006; half of
  // 0.19892 is alice's.
  function owing(market: CopyMarket, ms: number): Uid {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '1000000', BTC: '1' }, 'hedge');
    const settings = [setting({ category: 'COIN-FUTURES', symbol: 'BTCUSD' })];
    expect(market.follow(bob, alice, { settings })).toBe('accepted');
    market.order(market.maker, 'sell', '10', 'BTCUSD', '50000');
    market.open(alice, 'long', '1', 'BTCUSD');
    market.order(market.maker, 'buy', '2', 'SPOT:BTCUSDT', '50000');
    expect(market.order(bob, 'sell', '2', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    expect(market.debt(bob, 'BTC')).toBe('1.0006 + 0');
    market.accepted({ type: 'cancelAllOrders', uid: market.maker, category: 'COIN-FUTURES' });
    market.pin('BTCUSD', '62500');
    market.order(market.maker, 'buy', '10', 'BTCUSD', '62500');
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '50000');
    market.passes(ms);
    expect(market.close(alice, 'long', '1', 'BTCUSD')).toBe('accepted');
    return bob;
  }

  test.for([9_999, 10_000])(
    '[CPY-72][CPY-163] %i ms after the price of the owed coin was fresh',
    (ms, { market }) => {
      const bob = owing(market, ms);
      if (ms === 10_000) {
        expect([market.ended(bob), market.debt(bob, 'BTC')]).toEqual([[], '0.80108 + 0']);
        market.index('BTC', '50000');
      }
      expect(market.ended(bob)).toMatchObject([
        { profit: '0.2', fees: '0.00108', share: '0.09946' },
      ]);
      expect([market.debt(bob, 'BTC'), market.available(bob, 'BTC')]).toEqual(['0.90054 + 0', '0']);
    },
  );

  // 0.80107 leave 0.00001 of the loan. 0.19894 repay that and leave 0.19893, less alice's share.
  // The index of ether is updated each time.
  test('[CPY-73][CPY-175] is checked on any price update once the debt is repaid, and not before', ({
    market,
  }) => {
    const bob = owing(market, 10_000);
    const gets = (size: string): void => {
      market.accepted({ type: 'deposit', uid: bob, coin: 'BTC', size: decimal(size) });
      market.index('ETH', '2500');
    };
    gets('0.80107');
    expect([market.ended(bob), market.debt(bob, 'BTC')]).toEqual([[], '0.00001 + 0']);
    gets('0.19894');
    expect([market.ended(bob).map(({ share }) => share), market.debt(bob, 'BTC')]).toEqual([
      ['0.09946'],
      'none',
    ]);
    expect(market.available(bob, 'BTC')).toBe('0.09947');
  });
});
