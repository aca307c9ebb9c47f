/** Balances above the largest deposit: earnings are credited in full, and all operations work. */
import { beforeEach, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { IsolatedMarket } from './isolated-market.test-support.ts';

const MOST = '922337203.6854775807';
const decimal = (text: string): DecimalText => text as DecimalText;

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  market = new IsolatedMarket();
  market.index('BTC', '60000');
  alice = market.joins({ USDT: MOST, BTC: '20' });
  bob = market.joins({ USDT: '10000000', BTC: '20' });
});

/** As the views show it, and as a restored exchange has it. */
function expectSame(uid: Uid): void {
  market.checkMoney();
  market.checkReplay();
  const restored = createEngine();
  restored.restore(market.engine.serialize());
  expect(restored.stateHash()).toBe(market.engine.stateHash());
  const views = createViews(createMemoryHistory());
  const engine = createEngine();
  for (const { command, at } of market.submitted) views.apply(engine.execute(command, at));
  expect(moneyText(views.accounts.balance(uid, 'USDT').available)).toBe(market.available(uid));
}

const deposits = (size: string): string =>
  market.says({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal(size) });
const sends = (size: string): string =>
  market.says({
    type: 'transferToUser',
    uid: bob,
    coin: 'USDT',
    size: decimal(size),
    recipientKind: 'uid',
    recipient: `${alice}`,
  });

test('[MNY-18] a sale may raise a balance above the deposit limit, which stops deposits and transfers', () => {
  market.trade(bob, alice, '10', 'SPOT:BTCUSDT', '60000');
  // 600000 less a thousandth.
  expect(market.available(alice)).toBe('922936603.6854775807');
  expect([deposits('0.0000000001'), sends('0.00000001')]).toEqual([
    'balanceLimitExceeded',
    'unknownRecipient',
  ]);
  expectSame(alice);
  market.trade(alice, bob, '10', 'SPOT:BTCUSDT', '60000.1');
  // 600001 left; the remaining room is used to the last unit.
  expect(market.available(alice)).toBe('922336602.6854775807');
  expect([
    deposits('601.0000000001'),
    sends('601.00000001'),
    deposits('600'),
    sends('1'),
    sends('0.00000001'),
  ]).toEqual([
    'balanceLimitExceeded',
    'unknownRecipient',
    'accepted',
    'accepted',
    'unknownRecipient',
  ]);
  expect(market.available(alice)).toBe(MOST);
  expectSame(alice);
});

test('[MNY-18] so may profit, funding and margin from a position', () => {
  market.trade(alice, bob, '10', 'BTCUSDT', '60000');
  market.index('BTC', '61000');
  market.passes(8 * HOUR);
  market.trade(bob, alice, '10', 'BTCUSDT', '61000');
  expect(market.wallet(alice).available).toBeGreaterThan(2n ** 63n);
  expect(market.size(alice, 'BTCUSDT', 'long')).toBe('0');
  expectSame(alice);
});

test('[MNY-18] so may rebates and refunded fees', () => {
  const { outcome } = market.accepted({
    type: 'makeAgent',
    uid: alice,
    affiliation: 'affiliate',
    spotRatio: decimal('0.5'),
    futuresRatio: decimal('0.5'),
  });
  const { referralCode } = (outcome as { value: { referralCode: string } }).value;
  const { uid } = (
    market.accepted({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay', referralCode })
      .outcome as { value: { uid: Uid } }
  ).value;
  market.accepted({ type: 'deposit', uid, coin: 'BTC', size: decimal('1') });
  market.trade(bob, uid, '1', 'SPOT:BTCUSDT', '60000');
  market.passes(DAY);
  // Half of 60.
  expect(market.available(alice)).toBe('922337233.6854775807');
  expectSame(alice);
});

test('[MNY-18] a pair borrows nine times the limit, pays interest on it, and repays it', () => {
  expect(market.transfer(alice, 'in', MOST)).toBe('accepted');
  expect([
    market.borrow(alice, '8301034833.1692982264'),
    market.borrow(alice, '8301034833.1692982263'),
  ]).toEqual(['loanTooLarge', 'accepted']);
  expect(market.pair(alice)).toBe('9223372036.854775807');
  market.passes(HOUR);
  // 125 hundred-millionths of it, rounded up.
  expect(market.owes(alice)).toBe('8301034833.1692982263 + 10376.2935414617');
  expect([market.repay(alice, '9000000000'), market.owes(alice)]).toEqual(['accepted', '0']);
  expect(market.transfer(alice, 'out', '922326827.391936119')).toBe('accepted');
  expect(market.pair(alice)).toBe('0');
  expectSame(alice);
});
