/** Transfers, loans and audits of isolated spot margin. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;

let alice: Uid;

let bob: Uid;

beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

describe('transfers', () => {
  test('[ISO-09] money moves between the wallet and the pair, and each pair has its own', () => {
    expect([market.available(alice), market.pair(alice)]).toEqual(['1000', '1000']);
    expect(market.transfer(alice, 'in', '100', 'USDT', 'ETHUSDT')).toBe('accepted');
    expect(market.transfer(alice, 'out', '1000')).toBe('accepted');
    expect([
      market.available(alice),
      market.pair(alice),
      market.pair(alice, 'USDT', 'ETHUSDT'),
    ]).toEqual(['1900', '0', '100']);
  });

  test('[ISO-09] only available money, coins of the pair, and existing pairs', () => {
    expect(market.transfer(alice, 'in', '1000.0000000001')).toBe('insufficientBalance');
    expect(market.transfer(alice, 'in', '1000')).toBe('accepted');
    expect(market.transfer(alice, 'out', '2000.0000000001')).toBe('pairBalanceInsufficient');
    expect(market.transfer(alice, 'out', '2000')).toBe('accepted');
    expect(market.transfer(alice, 'in', '0')).toBe('sizeNotPositive');
    expect(market.transfer(alice, 'in', '0.00000000001')).toBe('tooFine');
    expect(market.transfer(alice, 'in', '1', 'ETH')).toBe('coinNotOfPair');
    expect(market.transfer(alice, 'in', '1', 'USDT', 'NOPEUSDT')).toBe('noIsolatedMargin');
  });

  test("[ISO-159] a transfer repeated with its client id happens once; the id is no order's", () => {
    expect(market.transfer(alice, 'in', '100', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    const first = market.last!.outcome;
    expect(market.transfer(alice, 'in', '100.0', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    expect(market.last!.outcome).toEqual(first);
    expect(market.transfer(alice, 'in', '101', 'USDT', 'BTCUSDT', 'mine')).toBe(
      'duplicateClientOid',
    );
    expect(market.pair(alice)).toBe('1100');
    expect(
      market.places(alice, {
        side: 'buy',
        size: '0.001',
        price: '50000',
        loanType: 'normal',
        clientOid: 'mine',
      }),
    ).toBe('accepted');
    market.passes(6 * HOUR);
    expect(market.transfer(alice, 'in', '100', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    expect(market.pair(alice)).toBe('1150 + 50 locked');
  });

  test('[ISO-25] a client id of a spot order names that order on isolated margin too', () => {
    expect(
      market.places(alice, { side: 'buy', size: '0.001', price: '50000', clientOid: 'once' }),
    ).toBe('accepted');
    expect(
      market.places(alice, {
        side: 'buy',
        size: '0.001',
        price: '50000',
        loanType: 'normal',
        clientOid: 'once',
      }),
    ).toBe('duplicateClientOid');
    const asked = {
      side: 'buy',
      size: '0.002',
      price: '50000',
      loanType: 'normal',
      clientOid: 'twice',
    } as const;
    const first = market.rests(alice, asked);
    expect(market.rests(alice, asked)).toBe(first);
    expect(market.pair(alice)).toBe('900 + 100 locked');
    expect(market.places(alice, { ...asked, loanType: 'autoLoan' })).toBe('duplicateClientOid');
  });

  test('[ISO-12] a withdrawal never takes the debts above nine tenths of the rest', () => {
    market.borrow(alice, '5000');
    // 5000 of debts need 5000 × 10/9 = 5555.5555555556 of assets; there are 6000.
    expect(market.transfer(alice, 'out', '444.4444444445')).toBe('transferTooLarge');
    expect(market.last!.outcome).toMatchObject({ refusal: { detail: '444.4444444444' } });
    expect(market.transfer(alice, 'out', '444.4444444444')).toBe('accepted');
    expect(market.available(alice)).toBe('1444.4444444444');
  });

  test('[ISO-12] the other coin counts at the index', () => {
    market.transfer(bob, 'in', '0.1', 'BTC');
    market.borrow(bob, '900');
    // 900 of debts need 1000 of assets; there are 900 and 6000, so 5900 or 0.0983333333 may leave.
    expect(market.transfer(bob, 'out', '0.0983333334', 'BTC')).toBe('transferTooLarge');
    expect(market.transfer(bob, 'out', '0.0983333333', 'BTC')).toBe('accepted');
  });

  test('[ISO-12] a pair in debt gives nothing out while its price is too extreme for an index', () => {
    market.index('ETH', '3000');
    expect(market.transfer(bob, 'in', '0.1', 'BTC', 'ETHBTC')).toBe('accepted');
    expect(market.borrow(bob, '0.5', 'BTC', 'ETHBTC')).toBe('accepted');
    market.index('ETH', '0.000001');
    expect(market.transfer(bob, 'out', '0.6', 'BTC', 'ETHBTC')).toBe('transferTooLarge');
    expect(market.repay(bob, '0.5', 'BTC', 'ETHBTC')).toBe('accepted');
    expect(market.transfer(bob, 'out', '0.1', 'BTC', 'ETHBTC')).toBe('accepted');
  });

  test('[ISO-28] money that the account needs does not leave it for a pair', () => {
    const carol = market.joins({ USDT: '1000' });
    market.order(bob, 'sell', '0.08', 'BTCUSDT', '60000');
    market.order(carol, 'buy', '0.08', 'BTCUSDT', '60000');
    // 1000 less a fee of 4800 × 0.0006 less a tenth of 4800.
    expect(market.transfer(carol, 'in', '517.1200000001')).toBe('insufficientBalance');
    expect(market.transfer(carol, 'in', '517.12')).toBe('accepted');
  });

  test("[ISO-29] money from a pair repays the account's debt in that coin first", () => {
    const carol = market.joins({ USDT: '1000', BTC: '1' });
    market.transfer(carol, 'in', '1000');
    market.places(bob, { side: 'sell', size: '0.01', price: '60000' });
    market.places(carol, { side: 'buy', size: '0.01', price: '60000', category: 'MARGIN' });
    expect(market.debt(carol)).toBe('600 + 0');
    expect(market.transfer(carol, 'out', '700')).toBe('accepted');
    expect([market.debt(carol), market.available(carol)]).toEqual(['none', '100']);
  });
});

describe('loans', () => {
  test('[ISO-08][ISO-14] a pair borrows up to nine times its own at ten times leverage', () => {
    expect(market.borrow(alice, '9000.0000000001')).toBe('loanTooLarge');
    expect(market.borrow(alice, '9000')).toBe('accepted');
    expect([market.pair(alice), market.owes(alice), market.house('borrowPool')]).toEqual([
      '10000',
      '9000',
      '-9000',
    ]);
    expect(market.borrow(alice, '0.0000000001')).toBe('loanTooLarge');
  });

  test('[ISO-14] the other coin at the index: nine times 1000 is 0.15 at 60000', () => {
    expect(market.borrow(alice, '0.1500000001', 'BTC')).toBe('loanTooLarge');
    expect(market.borrow(alice, '0.15', 'BTC')).toBe('accepted');
    expect([market.pair(alice, 'BTC'), market.owes(alice, 'BTC')]).toEqual(['0.15', '0.15']);
  });

  test('[ISO-14] money of another pair or of the wallet backs no loan', () => {
    expect(market.borrow(alice, '1', 'USDT', 'ETHUSDT')).toBe('symbolClosed');
    market.index('ETH', '3000');
    expect(market.borrow(alice, '1', 'USDT', 'ETHUSDT')).toBe('loanTooLarge');
    expect(market.borrow(alice, '1', 'ETH')).toBe('coinNotOfPair');
  });

  test('[ISO-08][ISO-26] repaying takes at most the debt, with the money of the pair alone', () => {
    market.borrow(alice, '500');
    expect(market.repay(alice, '0.1', 'BTC')).toBe('nothingOwed');
    expect(market.repay(alice, '200')).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['1300', '300']);
    market.transfer(alice, 'in', '1000');
    market.places(alice, { side: 'buy', size: '0.0375', price: '60000', loanType: 'normal' });
    expect(market.pair(alice)).toBe('50 + 2250 locked');
    expect(market.repay(alice, '50.0000000001')).toBe('pairBalanceInsufficient');
    expect(market.repay(alice, '50')).toBe('accepted');
    expect(market.owes(alice)).toBe('250');
    market.cancels(alice, [...market.state.orders.values()].at(-1)!.id);
    expect(market.repay(alice, '9999')).toBe('accepted');
    expect(market.last!.outcome).toMatchObject({ value: { repaid: 2_500_000_000_000n, owed: 0n } });
    expect([market.pair(alice), market.owes(alice), market.house('borrowPool')]).toEqual([
      '2000',
      '0',
      '0',
    ]);
  });

  test('[ISO-21] every full hour costs the principal times the hourly rate, and repaying pays interest first', () => {
    market.borrow(alice, '8000');
    market.passes(HOUR - 1);
    expect(market.owes(alice)).toBe('8000');
    market.passes(1);
    // 8000 × 0.00000125 = 0.01.
    expect(market.owes(alice)).toBe('8000 + 0.01');
    market.passes(2 * HOUR);
    expect(market.owes(alice)).toBe('8000 + 0.03');
    market.repay(alice, '1.03');
    expect([market.owes(alice), market.house('interest')]).toEqual(['7999', '0.03']);
    market.repay(alice, '8000');
    market.passes(5 * HOUR);
    expect(market.owes(alice)).toBe('0');
  });

  test('[ISO-21] interest below the smallest unit is rounded up', () => {
    market.borrow(alice, '0.0000000001');
    market.passes(HOUR);
    expect(market.owes(alice)).toBe('0.0000000001 + 0.0000000001');
  });
});

test('[ISO-23][ISO-31] the audit finds an order that holds more of a loan than is owed', () => {
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '50000',
    loanType: 'autoLoan',
  });
  const { hold } = market.state.orders.get(order)! as unknown as { hold: { borrowed: bigint } };
  hold.borrowed += 1n;
  expect(market.engine.audit().violations).toEqual([
    `orders of user ${alice} in BTCUSDT hold more borrowed USDT than is owed`,
  ]);
  hold.borrowed -= 1n;
  market.checkMoney();
});

test('[ISO-23] the audit finds a pair that does not match the ledger, its orders or the pool', () => {
  goLong(market, alice, bob);
  const wallet = market.state.isolatedPairs.get(alice)!.get('BTCUSDT')!.get('BTC')!;
  const debt = market.state.isolatedDebts.get('BTCUSDT')!.get(alice)!.get('USDT')!;
  wallet.isolated = (wallet.isolated + 1n) as never;
  debt.principal = (debt.principal - 1n) as never;
  const found = market.engine.audit().violations.join('\n');
  expect(found).toContain(
    `isolated of user ${alice} in BTC differs by -0.0000000001 from its pairs`,
  );
  expect(found).toContain('loans of USDT differ by -0.0000000001 from what the pool has lent');
  wallet.isolated = (wallet.isolated - 1n) as never;
  debt.principal = (debt.principal + 1n) as never;
  market.checkMoney();
});
