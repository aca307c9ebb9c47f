import { describe, expect, test } from 'vitest';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import type { Coin } from '../../messages/listings.ts';
import { createEngine } from '../engine.ts';
import { answer, decimal, engineWithCoins } from './listing.test-support.ts';

const [usdt] = DEFAULT_COINS;

const listCoin = (changes: Partial<Coin>): string =>
  answer(createEngine(), { type: 'listCoin', coin: { ...usdt!, ...changes } });

describe('listing coins', () => {
  test('[LST-12] the default coins and instruments are accepted', () => {
    const engine = createEngine();
    for (const coin of DEFAULT_COINS)
      expect(answer(engine, { type: 'listCoin', coin })).toBe('accepted');
    for (const instrument of DEFAULT_INSTRUMENTS)
      expect(answer(engine, { type: 'listInstrument', instrument })).toBe('accepted');
    const coins = DEFAULT_COINS.map(({ coin }) => ({
      coin,
      difference: 0n,
      held: 0n,
      owed: 0n,
      insurance: 0n,
      clearing: 0n,
    }));
    expect(engine.audit()).toEqual({ coins, violations: [] });
  });

  test('[LST-01] listing a known coin changes it', () => {
    const engine = engineWithCoins();
    const before = engine.state.coins.size;
    expect(
      answer(engine, { type: 'listCoin', coin: { ...usdt!, collateralRate: decimal('0.9') } }),
    ).toBe('accepted');
    expect([engine.state.coins.size, engine.state.coins.get('USDT')?.collateralRate]).toEqual([
      before,
      '0.9',
    ]);
  });

  const coinNames: [Partial<Coin>, string][] = [
    [{ coin: 'A' }, 'accepted'],
    [{ coin: 'A'.repeat(20) }, 'accepted'],
    [{ coin: 'A'.repeat(21) }, 'fieldInvalid coin'],
    [{ coin: '' }, 'fieldInvalid coin'],
    [{ coin: 'btc' }, 'fieldInvalid coin'],
    [{ coin: 'USD' }, 'fieldInvalid coin'],
  ];
  test.each(coinNames)('[LST-02] %j: %s', (changes, expected) =>
    expect(listCoin(changes)).toBe(expected),
  );

  const coinNumbers: [Partial<Coin>, string][] = [
    [{ collateralRate: decimal('1') }, 'accepted'],
    [{ collateralRate: decimal('0') }, 'accepted'],
    [{ collateralRate: decimal('1.0000000001') }, 'fieldOutOfRange collateralRate'],
    [{ collateralRate: decimal('0.12345678901') }, 'tooFine collateralRate'],
    [{ leverage: decimal('10'), leverageMax: decimal('10') }, 'accepted'],
    [{ leverage: decimal('11'), leverageMax: decimal('10') }, 'fieldOutOfRange leverage'],
    [{ leverageMax: decimal('0') }, 'fieldOutOfRange leverageMax'],
    [{ leverageMax: decimal('3.5') }, 'fieldOutOfRange leverageMax'],
    [{ automaticLimitUsd: decimal('5'), singleLimitUsd: decimal('5') }, 'accepted'],
    [
      { automaticLimitUsd: decimal('6'), singleLimitUsd: decimal('5') },
      'fieldOutOfRange automaticLimitUsd',
    ],
  ];
  test.each(coinNumbers)('[LST-03] %j: %s', (changes, expected) =>
    expect(listCoin(changes)).toBe(expected),
  );

  test('[LST-04] a coin has at most 32 chains, with different names and numbers in range', () => {
    const chain = usdt!.chains[0]!;
    const named = Array.from({ length: 33 }, (_, at) => ({ ...chain, chain: `C${at}` }));
    expect(listCoin({ chains: [] })).toBe('accepted');
    expect(listCoin({ chains: named.slice(1) })).toBe('accepted');
    expect(listCoin({ chains: named })).toBe('tooManyItems chains');
    expect(listCoin({ chains: [chain, chain] })).toBe('fieldInvalid chains[1].chain');
    expect(listCoin({ chains: [chain, { ...chain, chain: chain.chain.toLowerCase() }] })).toBe(
      'fieldInvalid chains[1].chain',
    );
    expect(listCoin({ chains: [{ ...chain, chain: 'a b' }] })).toBe('fieldInvalid chains[0].chain');
    expect(listCoin({ chains: [{ ...chain, withdrawStep: decimal('0') }] })).toBe(
      'fieldOutOfRange chains[0].withdrawStep',
    );
    expect(listCoin({ chains: [{ ...chain, withdrawFee: decimal('0') }] })).toBe('accepted');
    expect(listCoin({ chains: [{ ...chain, withdrawDecimals: 10 }] })).toBe('accepted');
    expect(listCoin({ chains: [{ ...chain, withdrawDecimals: 11 }] })).toBe(
      'fieldOutOfRange chains[0].withdrawDecimals',
    );
    expect(listCoin({ chains: [{ ...chain, depositConfirmations: 1_000_001 }] })).toBe(
      'fieldOutOfRange chains[0].depositConfirmations',
    );
  });

  const dailyLimits: [Coin['dailyLimitsUsd'], string][] = [
    [[], 'accepted'],
    [
      [
        { level: 'VIP0', limit: decimal('1') },
        { level: 'VIP1', limit: decimal('1') },
      ],
      'accepted',
    ],
    [
      [
        { level: 'VIP0', limit: decimal('1') },
        { level: 'VIP0', limit: decimal('2') },
      ],
      'fieldInvalid dailyLimitsUsd[1].level',
    ],
    [[{ level: 'VIP0', limit: decimal('0.0000000001') }], 'accepted'],
    [[{ level: 'VIP0', limit: decimal('0.00000000001') }], 'tooFine dailyLimitsUsd[0].limit'],
  ];
  test.each(dailyLimits)('[LST-03] daily limits %j: %s', (dailyLimitsUsd, expected) =>
    expect(listCoin({ dailyLimitsUsd })).toBe(expected),
  );

  test('[LST-11] coins have a maximum', () => {
    const engine = createEngine();
    const coin = (at: number): Command => ({
      type: 'listCoin',
      coin: { ...usdt!, coin: `C${at}`, chains: [] },
    });
    for (let at = 0; at < 2_000; at++) engine.execute(coin(at), 1 as Timestamp);
    expect(answer(engine, coin(2_000))).toBe('exchangeFull coin');
    expect(answer(engine, coin(0))).toBe('accepted');
  });
});
