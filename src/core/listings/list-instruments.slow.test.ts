import { describe, expect, test } from 'vitest';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import type { Instrument, Tier } from '../../messages/listings.ts';
import { answer, decimal, engineWithCoins } from './listing.test-support.ts';

const contract = DEFAULT_INSTRUMENTS[0]!;

const tier = contract.tiers[0]!;

const list = (changes: Partial<Instrument>): string =>
  answer(engineWithCoins(), { type: 'listInstrument', instrument: { ...contract, ...changes } });

describe('listing instruments', () => {
  const instrumentCoins: [Partial<Instrument>, string][] = [
    [{ symbol: 'btcusdt' }, 'fieldInvalid symbol'],
    [{ baseCoin: 'DOGE' }, 'unknownCoin baseCoin'],
    [{ quoteCoin: 'USD' }, 'unknownCoin quoteCoin'],
    [{ marginCoin: 'USD' }, 'unknownCoin marginCoin'],
    [{ baseCoin: 'USDT' }, 'fieldInvalid quoteCoin'],
    [{ quoteCoin: 'USDC', marginCoin: 'USDC' }, 'fieldInvalid quoteCoin'],
    [{ marginCoin: 'BTC' }, 'fieldInvalid marginCoin'],
    [{ category: 'USDC-FUTURES', quoteCoin: 'USDC', marginCoin: 'USDC' }, 'accepted'],
    [{ category: 'COIN-FUTURES', quoteCoin: 'USD', marginCoin: 'BTC' }, 'accepted'],
    [{ category: 'COIN-FUTURES', quoteCoin: 'USD', marginCoin: 'USDT' }, 'fieldInvalid marginCoin'],
    [{ category: 'COIN-FUTURES', quoteCoin: 'USDT', marginCoin: 'BTC' }, 'fieldInvalid quoteCoin'],
    [{ category: 'SPOT', quoteCoin: 'ETH', marginCoin: 'ETH' }, 'accepted'],
    [{ category: 'SPOT', quoteCoin: 'ETH', marginCoin: 'BTC' }, 'fieldInvalid marginCoin'],
  ];
  const steps: [Partial<Instrument>, string][] = [
    [
      { priceStep: decimal('0.00001'), sizeStep: decimal('0.00001'), sizeMin: decimal('0.00001') },
      'accepted',
    ],
    [
      {
        priceStep: decimal('0.00001'),
        sizeStep: decimal('0.000001'),
        sizeMin: decimal('0.000001'),
      },
      'fieldInvalid sizeStep',
    ],
    [{ priceStep: decimal('123456789.012345') }, 'accepted'],
    [{ priceStep: decimal('123456789.0123456') }, 'fieldInvalid priceStep'],
    [{ sizeMax: decimal('1199.99995') }, 'accepted'],
  ];
  test.each(steps)('[LST-13] %j: %s', (changes, expected) => expect(list(changes)).toBe(expected));

  const rates: [Partial<Tier>, string][] = [
    [{ leverageMax: decimal('125'), maintenanceRate: decimal('0.0079999999') }, 'accepted'],
    [
      { leverageMax: decimal('125'), maintenanceRate: decimal('0.008') },
      'fieldInvalid tiers[0].maintenanceRate',
    ],
  ];
  test.each(rates)('[LST-15] %j: %s', (changes, expected) =>
    expect(list({ tiers: [{ ...tier, ...changes }] })).toBe(expected),
  );

  test('[LST-14] SPOT and MARGIN of one symbol share coins and steps', () => {
    const pair: Partial<Instrument> = {
      category: 'SPOT',
      symbol: 'PAIR',
      tiers: [],
      fundingHours: 0,
    };
    const engine = engineWithCoins();
    const listed = (changes: Partial<Instrument>): string =>
      answer(engine, { type: 'listInstrument', instrument: { ...contract, ...pair, ...changes } });
    expect(listed({ category: 'MARGIN' })).toBe('accepted');
    expect(listed({ priceStep: decimal('0.2') })).toBe('fieldInvalid priceStep');
    expect(listed({ sizeStep: decimal('0.001'), sizeMin: decimal('0.001') })).toBe(
      'fieldInvalid sizeStep',
    );
    expect(listed({ baseCoin: 'ETH' })).toBe('fieldInvalid baseCoin');
    expect(listed({ sizeMin: decimal('0.1'), sizeMax: decimal('10') })).toBe('accepted');
  });

  test.each(instrumentCoins)('[LST-05] %j: %s', (changes, expected) =>
    expect(list(changes)).toBe(expected),
  );

  const instrumentSizes: [Partial<Instrument>, string][] = [
    [{ priceStep: decimal('0') }, 'fieldOutOfRange priceStep'],
    [{ sizeStep: decimal('0.0') }, 'fieldOutOfRange sizeStep'],
    [{ priceStep: decimal('0.00000000001') }, 'tooFine priceStep'],
    [{ sizeMin: decimal('0') }, 'fieldOutOfRange sizeMin'],
    [{ sizeMin: decimal('0.00015') }, 'fieldInvalid sizeMin'],
    [{ sizeMin: decimal('1200'), sizeMax: decimal('1200') }, 'accepted'],
    [{ sizeMin: decimal('1200.0001'), sizeMax: decimal('1200') }, 'fieldOutOfRange sizeMin'],
    [{ sizeMin: decimal('5'), marketSizeMax: decimal('4') }, 'fieldOutOfRange marketSizeMax'],
    [{ sizeMax: decimal('922337203.6854775808') }, 'fieldOutOfRange sizeMax'],
    [{ sizeMax: decimal('214748.3647') }, 'accepted'],
    [{ sizeMax: decimal('214748.3648') }, 'fieldOutOfRange sizeMax'],
    [{ marketSizeMax: decimal('214748.3648') }, 'fieldOutOfRange marketSizeMax'],
    [{ followSizeMin: decimal('5'), followSizeMax: decimal('5') }, 'accepted'],
    [{ followSizeMin: decimal('6'), followSizeMax: decimal('5') }, 'fieldOutOfRange followSizeMin'],
  ];
  test.each(instrumentSizes)('[LST-06] %j: %s', (changes, expected) =>
    expect(list(changes)).toBe(expected),
  );

  const instrumentRates: [Partial<Instrument>, string][] = [
    [{ priceBandRate: decimal('0.9999999999') }, 'accepted'],
    [{ priceBandRate: decimal('1') }, 'fieldOutOfRange priceBandRate'],
    [{ priceBandRate: decimal('0') }, 'fieldOutOfRange priceBandRate'],
    [
      { leverageMax: decimal('150'), tiers: [{ ...tier, leverageMax: decimal('150') }] },
      'accepted',
    ],
    [{ leverageMax: decimal('150.5') }, 'fieldOutOfRange leverageMax'],
  ];
  test.each(instrumentRates)('[LST-07] %j: %s', (changes, expected) =>
    expect(list(changes)).toBe(expected),
  );

  test('[LST-16] the funding hours of a future divide a day', () => {
    const accepted = Array.from({ length: 27 }, (_, hours) => hours - 1).filter(
      (fundingHours) => list({ fundingHours }) === 'accepted',
    );
    expect(accepted).toEqual([1, 2, 3, 4, 6, 8, 12, 24]);
    expect([0, 5, 25].map((fundingHours) => list({ fundingHours }))).toEqual([
      'fieldOutOfRange fundingHours',
      'fieldInvalid fundingHours',
      'fieldOutOfRange fundingHours',
    ]);
  });

  const second = { ...tier, fromValue: tier.toValue, toValue: decimal('90000') };
  const instrumentTiers: [string, Instrument['tiers'], string][] = [
    ['none', [], 'fieldMissing tiers'],
    ['one', [tier], 'accepted'],
    ['two', [tier, second], 'accepted'],
    ['not from 0', [{ ...tier, fromValue: decimal('1') }], 'fieldInvalid tiers[0].fromValue'],
    [
      'with a gap',
      [tier, { ...second, fromValue: decimal('50001') }],
      'fieldInvalid tiers[1].fromValue',
    ],
    [
      'overlapping',
      [tier, { ...second, fromValue: decimal('49999') }],
      'fieldInvalid tiers[1].fromValue',
    ],
    ['empty', [tier, { ...second, toValue: tier.toValue }], 'fieldInvalid tiers[1].toValue'],
    [
      'with more leverage',
      [{ ...tier, leverageMax: decimal('126') }],
      'fieldInvalid tiers[0].leverageMax',
    ],
    [
      'with less than the maximum leverage at first',
      [{ ...tier, leverageMax: decimal('124') }],
      'fieldInvalid tiers[0].leverageMax',
    ],
    [
      'with less leverage from the second on',
      [tier, { ...second, leverageMax: decimal('1') }],
      'accepted',
    ],
    [
      'with more leverage from the second on',
      [tier, { ...second, leverageMax: decimal('126') }],
      'fieldInvalid tiers[1].leverageMax',
    ],
    [
      'with less maintenance',
      [tier, { ...second, maintenanceRate: decimal('0.0039') }],
      'fieldInvalid tiers[1].maintenanceRate',
    ],
    [
      'with a maintenance rate of 1',
      [{ ...tier, maintenanceRate: decimal('1') }],
      'fieldOutOfRange tiers[0].maintenanceRate',
    ],
    ['of too many', new Array<typeof tier>(65).fill(tier), 'tooManyItems tiers'],
  ];
  test.each(instrumentTiers)('[LST-08] tiers %s: %s', (_, tiers, expected) =>
    expect(list({ tiers })).toBe(expected),
  );

  test('[LST-09] coins and steps of an instrument never change', () => {
    const engine = engineWithCoins();
    const relist = (changes: Partial<Instrument>): string =>
      answer(engine, { type: 'listInstrument', instrument: { ...contract, ...changes } });
    expect(relist({})).toBe('accepted');
    answer(engine, {
      type: 'setInstrumentStatus',
      category: contract.category,
      symbol: contract.symbol,
      status: 'halted',
    });
    expect(relist({ sizeMax: decimal('900'), priceStep: decimal('0.10') })).toBe('accepted');
    expect(engine.state.instruments.get('USDT-FUTURES:BTCUSDT')).toMatchObject({
      status: 'halted',
      instrument: { sizeMax: '900' },
    });
    expect(relist({ priceStep: decimal('0.01') })).toBe('fieldInvalid priceStep');
    expect(relist({ sizeStep: decimal('0.00005') })).toBe('fieldInvalid sizeStep');
    expect(relist({ baseCoin: 'ETH' })).toBe('fieldInvalid baseCoin');
  });

  test('[LST-09] a refusal names the changed step or coin, not a field that depends on it', () => {
    const engine = engineWithCoins();
    const relist = (changes: Partial<Instrument>) => {
      const { outcome } = engine.execute(
        { type: 'listInstrument', instrument: { ...contract, ...changes } },
        1 as Timestamp,
      );
      return outcome.ok ? 'accepted' : [outcome.refusal.field, outcome.refusal.detail];
    };
    expect(relist({})).toBe('accepted');
    // The minimum size 0.0001 is no multiple of this step.
    expect(relist({ sizeStep: decimal('0.001') })).toEqual(['sizeStep', 'it is fixed']);
    // Finer than money.
    expect(relist({ priceStep: decimal('0.00000000001') })).toEqual(['priceStep', 'it is fixed']);
    expect(relist({ quoteCoin: 'USDC' })).toEqual(['quoteCoin', 'it is fixed']);
    expect(relist({ marginCoin: 'NOCOIN' })).toEqual(['marginCoin', 'it is fixed']);
  });

  test('[LST-01] listing an unknown instrument creates it', () => {
    const engine = engineWithCoins();
    const { events } = engine.execute(
      { type: 'listInstrument', instrument: contract },
      1 as Timestamp,
    );
    expect(events).toEqual([{ type: 'instrumentListed', instrument: contract }]);
    expect(engine.state.instruments.get('USDT-FUTURES:BTCUSDT')?.status).toBe('normal');
  });

  test('[LST-10] a changed status is set and emitted', () => {
    const engine = engineWithCoins();
    engine.execute({ type: 'listInstrument', instrument: contract }, 1 as Timestamp);
    const set = (status: 'normal' | 'halted' | 'cancelOnly' | 'off') =>
      engine.execute(
        { type: 'setInstrumentStatus', category: 'USDT-FUTURES', symbol: 'BTCUSDT', status },
        1 as Timestamp,
      ).events;
    const emitted = (status: string) => [
      { type: 'instrumentStatusChanged', category: 'USDT-FUTURES', symbol: 'BTCUSDT', status },
    ];
    expect([set('halted'), set('halted'), set('cancelOnly'), set('off'), set('normal')]).toEqual([
      emitted('halted'),
      [],
      emitted('cancelOnly'),
      emitted('off'),
      emitted('normal'),
    ]);
    expect(
      answer(engine, {
        type: 'setInstrumentStatus',
        category: 'SPOT',
        symbol: 'BTCUSDT',
        status: 'off',
      }),
    ).toBe('unknownSymbol symbol');
  });

  test('[LST-11] instruments have a maximum', () => {
    const engine = engineWithCoins();
    const instrument = (at: number): Command => ({
      type: 'listInstrument',
      instrument: { ...contract, symbol: `S${at}` },
    });
    for (let at = 0; at < 5_000; at++) engine.execute(instrument(at), 1 as Timestamp);
    expect(answer(engine, instrument(5_000))).toBe('exchangeFull symbol');
    expect(answer(engine, instrument(0))).toBe('accepted');
  });
});
