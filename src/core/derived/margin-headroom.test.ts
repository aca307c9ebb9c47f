import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate, money } from '../../kernel/money.ts';
import { MarginHeadroom } from './margin-headroom.ts';

const alice = 1_000_000_001 as Uid;

const bob = 1_000_000_002 as Uid;

const usd = (text: string): Amount => money<Amount>(text);

function measured(free: string, maintenanceBuffer = free, whole = true): MarginHeadroom {
  const headroom = new MarginHeadroom();
  headroom.setExact(alice, usd(free), usd(maintenanceBuffer), whole);
  return headroom;
}

describe('the margin headroom of an account', () => {
  test('[POS-69] covers a cent less than the bound, but not the bound itself', () => {
    const headroom = measured('100');
    expect(headroom.coversInitial(alice, approximate(usd('99.99')))).toBe(true);
    expect(headroom.coversInitial(alice, approximate(usd('100')))).toBe(false);
    expect(headroom.coversLoss(alice, approximate(usd('99.99')))).toBe(true);
    expect(headroom.coversLoss(alice, approximate(usd('100')))).toBe(false);
  });

  test('[POS-69] is unknown for other accounts, after a price change and once forgotten', () => {
    const headroom = measured('100');
    expect(headroom.isSafe(alice)).toBe(true);
    expect(headroom.isSafe(bob)).toBe(false);
    headroom.invalidateAll();
    expect(headroom.isSafe(alice)).toBe(false);
    headroom.setExact(alice, usd('100'), usd('100'), true);
    headroom.forget(alice);
    expect(headroom.boundsOf(alice)).toBeUndefined();
  });

  test('[POS-69] falls with each loss and order margin, and does not rise with a gain', () => {
    const headroom = measured('100');
    headroom.walletMoved(alice, 'USDT', usd('-30'));
    headroom.walletMoved(alice, 'USDT', usd('500'));
    headroom.orderMarginMoved(alice, 'USDT', usd('20'));
    expect(headroom.coversInitial(alice, approximate(usd('49.99')))).toBe(true);
    expect(headroom.coversInitial(alice, approximate(usd('50')))).toBe(false);
    expect(headroom.coversLoss(alice, approximate(usd('69.99')))).toBe(true);
    expect(headroom.coversLoss(alice, approximate(usd('70')))).toBe(false);
    headroom.orderMarginMoved(alice, 'USDT', usd('-20'));
    expect(headroom.coversInitial(alice, approximate(usd('69.99')))).toBe(true);
    expect(headroom.coversInitial(alice, approximate(usd('70')))).toBe(false);
  });

  test('[POS-69] is forgotten if a wallet of a coin other than a dollar changes', () => {
    const headroom = measured('100');
    headroom.walletMoved(alice, 'BTC', usd('-1'));
    expect(headroom.boundsOf(alice)).toBeUndefined();
  });

  test('[POS-69] does not prove an account with isolated positions safe', () => {
    expect(measured('100', '100', false).isSafe(alice)).toBe(false);
  });

  test('[POS-69] is never above the exact sum', () => {
    const change = fc.record({
      kind: fc.constantFrom('wallet', 'need', 'position'),
      units: fc.bigInt(-(10n ** 17n), 10n ** 17n),
    });
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 18n),
        fc.array(change, { maxLength: 50 }),
        (start, changes) => {
          const headroom = new MarginHeadroom();
          headroom.setExact(alice, start as Amount, start as Amount, true);
          let [free, maintenanceBuffer] = [start, start];
          for (const { kind, units } of changes) {
            const amount = units as Amount;
            const loss = units < 0n ? -units : 0n;
            if (kind === 'wallet') headroom.walletMoved(alice, 'USDT', amount);
            if (kind === 'need') headroom.orderMarginMoved(alice, 'USDT', amount);
            if (kind === 'position') headroom.positionMoved(alice, approximate(loss), 0, 0);
            free += kind === 'need' ? -units : -loss;
            maintenanceBuffer -= kind === 'need' ? 0n : loss;
          }
          const bounds = headroom.boundsOf(alice)!;
          expect(bounds.free).toBeLessThanOrEqual(approximate(free));
          expect(bounds.maintenanceBuffer).toBeLessThanOrEqual(approximate(maintenanceBuffer));
        },
      ),
    );
  });
});
