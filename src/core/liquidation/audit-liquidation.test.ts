import { describe, expect } from 'vitest';
import {
  crossedLong,
  isolatedLong,
  type Market,
  test,
} from '../../../test/scenarios/market.test-support.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../kernel/canonical.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Rate } from '../../kernel/money.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import { audit } from '../invariants.ts';
import { rebuildDerived } from '../rebuild.ts';
import type { FundingCharge } from '../state/charges.ts';
import type { State } from '../state/state.ts';

/** The violations that the audit reports after a fault is planted in a copy of a valid state. */
function faultsAfter(market: Market, plant: (state: State) => void): string {
  const state = fromCanonicalBytes<State>(canonicalBytes(market.state));
  expect(audit(state, rebuildDerived(state)).violations).toEqual([]);
  plant(state);
  return audit(state, rebuildDerived(state)).violations.join('\n');
}

const KEY = 'USDT-FUTURES:BTCUSDT';

describe('the audit finds', () => {
  test('[CLK-18][POS-53] a position that should have been liquidated', ({ market }) => {
    const { long } = isolatedLong(market);
    const crash = (state: State): void => {
      state.symbolPrices.get(KEY)!.mark = 470_000_000_000_000n as Price;
    };
    expect(faultsAfter(market, crash)).toContain(`of user ${long} should have been liquidated`);
  });

  test('[CLK-18][POS-53] an account that should have been liquidated, unless its mark is frozen', ({
    market,
  }) => {
    const { long } = crossedLong(market);
    const rob = (state: State): void => {
      const wallet = state.ledger.wallets.get(long)!.get('USDT')!;
      state.ledger.house.get('USDT')!.insurance = (state.ledger.house.get('USDT')!.insurance +
        wallet.available) as Amount;
      wallet.available = 0n as Amount;
    };
    expect(faultsAfter(market, rob)).toBe(`user ${long} should have been liquidated`);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(10_000);
    expect(faultsAfter(market, rob)).toBe('');
  });

  test('[CLK-18][POS-60] funding without a timer, or due at the wrong hour', ({ market }) => {
    isolatedLong(market);
    const without = (state: State): void => {
      state.timers = state.timers.filter(({ kind }) => kind !== 'funding');
    };
    expect(faultsAfter(market, without)).toBe(`funding of ${KEY} does not have one timer`);
    const late = (state: State): void => {
      state.funding.get(KEY)!.due = (state.funding.get(KEY)!.due! + HOUR) as Timestamp;
    };
    expect(faultsAfter(market, late)).toContain('which is not one of its hours');
    const forgotten = (state: State): void => {
      delete state.funding.get(KEY)!.due;
    };
    expect(faultsAfter(market, forgotten)).toBe(`${KEY} has positions and no funding time`);
  });

  test('[CLK-18][POS-67] loans without an interest timer, or with a timer at the wrong time', ({
    market,
  }) => {
    crossedLong(market);
    const lend = (state: State): void => {
      state.debts.set(
        [...state.accounts.keys()][1]!,
        new Map([['BTC', { principal: 1n as Amount, interest: 0n as Amount }]]),
      );
      state.ledger.house.get('USDT')!.borrowPool = 0n as Amount;
    };
    expect(faultsAfter(market, lend)).toContain('there are loans and no due time of interest');
    const due = (state: State): void => {
      state.interestDue = (state.at + 1) as Timestamp;
    };
    expect(faultsAfter(market, due)).toBe('the timer of interest is not at its due time');
  });

  test('[CLK-18][CLK-27] pending charges of another user or of a position that is gone', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    const { id: positionId } = market.position(long, 'BTCUSDT', 'long')!;
    const [amount, rate] = [-1n as Amount, 1n as Rate];
    const pending = (uid: Uid, charge: Partial<FundingCharge>) => (state: State) => {
      state.pendingCharges = new Map([
        [
          uid,
          [{ kind: 'funding', uid, positionId, key: KEY, side: 'long', amount, rate, ...charge }],
        ],
      ]);
    };
    expect(faultsAfter(market, pending(long, {}))).toBe('');
    expect(faultsAfter(market, pending(long, { positionId: 1 as Id }))).toBe(
      `position 1 of user ${long} has pending funding and is gone`,
    );
    expect(faultsAfter(market, pending(short, {}))).toBe(
      `position ${positionId} of user ${short} has pending funding and is gone`,
    );
    expect(faultsAfter(market, pending(long, { uid: short }))).toBe(
      `user ${long} has no pending charge, or one of another user`,
    );
    const none = (state: State): void => {
      state.pendingCharges = new Map();
    };
    expect(faultsAfter(market, none)).toBe('the queue of pending charges is empty and not deleted');
    const stranger = (state: State): void => {
      state.pendingCharges = new Map([
        [1 as Uid, [{ kind: 'interest', uid: 1 as Uid, coin: 'USDT', rate }]],
      ]);
    };
    expect(faultsAfter(market, stranger)).toBe('user 1 has pending charges and was never created');
  });

  test('[CLK-18][PRC-16] a book that is not watched although its state says so', ({ market }) => {
    const { short } = isolatedLong(market);
    market.order(short, 'buy', '0.1', 'BTCUSDT', '49000');
    market.order(short, 'sell', '0.1', 'BTCUSDT', '52000');
    const blind = (state: State): void => {
      state.premiums.get(KEY)!.watched = false;
    };
    expect(faultsAfter(market, blind)).toBe(`the book of ${KEY} and its sample timer disagree`);
  });
});
