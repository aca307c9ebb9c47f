import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate, money } from '../../kernel/money.ts';
import { Leeway } from './leeway.ts';

const alice = 1_000_000_001 as Uid;
const bob = 1_000_000_002 as Uid;
const usd = (text: string): Amount => money<Amount>(text);

function measured(free: string, slack = free, whole = true): Leeway {
  const leeway = new Leeway();
  leeway.measured(alice, usd(free), usd(slack), whole);
  return leeway;
}

describe('what an account has to spare', () => {
  test('[POS-69] clears what is a cent less, and not what is as much', () => {
    const leeway = measured('100');
    expect(leeway.fits(alice, approximate(usd('99.99')))).toBe(true);
    expect(leeway.fits(alice, approximate(usd('100')))).toBe(false);
    expect(leeway.bears(alice, approximate(usd('99.99')))).toBe(true);
    expect(leeway.bears(alice, approximate(usd('100')))).toBe(false);
  });

  test('[POS-69] is not known of others, nor after a price has moved or the account was forgotten', () => {
    const leeway = measured('100');
    expect(leeway.isSafe(alice)).toBe(true);
    expect(leeway.isSafe(bob)).toBe(false);
    leeway.worldChanged();
    expect(leeway.isSafe(alice)).toBe(false);
    leeway.measured(alice, usd('100'), usd('100'), true);
    leeway.forget(alice);
    expect(leeway.boundsOf(alice)).toBeUndefined();
  });

  test('[POS-69] is less by every loss and need, and no more by a gain', () => {
    const leeway = measured('100');
    leeway.walletMoved(alice, 'USDT', usd('-30'));
    leeway.walletMoved(alice, 'USDT', usd('500'));
    leeway.needs(alice, 'USDT', usd('20'));
    expect(leeway.fits(alice, approximate(usd('49.99')))).toBe(true);
    expect(leeway.fits(alice, approximate(usd('50')))).toBe(false);
    expect(leeway.bears(alice, approximate(usd('69.99')))).toBe(true);
    expect(leeway.bears(alice, approximate(usd('70')))).toBe(false);
    leeway.needs(alice, 'USDT', usd('-20'));
    expect(leeway.fits(alice, approximate(usd('69.99')))).toBe(true);
    expect(leeway.fits(alice, approximate(usd('70')))).toBe(false);
  });

  test('[POS-69] is forgotten when a coin moves whose price is not one', () => {
    const leeway = measured('100');
    leeway.walletMoved(alice, 'BTC', usd('-1'));
    expect(leeway.boundsOf(alice)).toBeUndefined();
  });

  test('[POS-69] says nothing about an account with isolated positions, which stand for themselves', () => {
    expect(measured('100', '100', false).isSafe(alice)).toBe(false);
  });

  test('[POS-69] never lies above the exact sum, whatever comes', () => {
    const change = fc.record({ kind: fc.constantFrom('wallet', 'need', 'position'), units: fc.bigInt(-(10n ** 17n), 10n ** 17n) });
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), fc.array(change, { maxLength: 50 }), (start, changes) => {
        const leeway = new Leeway();
        leeway.measured(alice, start as Amount, start as Amount, true);
        let [free, slack] = [start, start];
        for (const { kind, units } of changes) {
          const amount = units as Amount;
          const loss = units < 0n ? -units : 0n;
          if (kind === 'wallet') leeway.walletMoved(alice, 'USDT', amount);
          if (kind === 'need') leeway.needs(alice, 'USDT', amount);
          if (kind === 'position') leeway.positionMoved(alice, approximate(loss), 0, 0);
          free += kind === 'need' ? -units : -loss;
          slack -= kind === 'need' ? 0n : loss;
        }
        const bounds = leeway.boundsOf(alice)!;
        expect(bounds.free).toBeLessThanOrEqual(approximate(free));
        expect(bounds.slack).toBeLessThanOrEqual(approximate(slack));
      }),
    );
  });
});
