import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import type { Coin, Instrument, Tier } from '../../messages/listings.ts';
import { createEngine, type Engine } from '../engine.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const contract = DEFAULT_INSTRUMENTS[0]!;

const [usdt] = DEFAULT_COINS;

const tier = contract.tiers[0]!;

function listedEngine(): Engine {
  const engine = createEngine();
  for (const coin of DEFAULT_COINS) engine.execute({ type: 'listCoin', coin }, 1 as Timestamp);
  return engine;
}

/** `accepted`, or the reason and field of the refusal. */
function answer(engine: Engine, command: Command): string {
  const { outcome } = engine.execute(command, 1 as Timestamp);
  return outcome.ok ? 'accepted' : `${outcome.refusal.reason} ${outcome.refusal.field}`;
}

const listCoin = (changes: Partial<Coin>): string =>
  answer(createEngine(), { type: 'listCoin', coin: { ...usdt!, ...changes } });

const list = (changes: Partial<Instrument>): string =>
  answer(listedEngine(), { type: 'listInstrument', instrument: { ...contract, ...changes } });

describe('coins', () => {
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

  test('[LST-04] a coin has at most 32 chains, each under a name of its own and with numbers in range', () => {
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

describe('instruments', () => {
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

  test('[LST-14] SPOT and MARGIN of one symbol share coins and steps, whichever is listed first', () => {
    const pair: Partial<Instrument> = {
      category: 'SPOT',
      symbol: 'PAIR',
      tiers: [],
      fundingHours: 0,
    };
    const engine = listedEngine();
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

  test('[LST-16] fundings of a future are so many hours apart as divide a day', () => {
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
      'with less than the most at first',
      [{ ...tier, leverageMax: decimal('124') }],
      'fieldInvalid tiers[0].leverageMax',
    ],
    ['with less from the second on', [tier, { ...second, leverageMax: decimal('1') }], 'accepted'],
    [
      'with more from the second on',
      [tier, { ...second, leverageMax: decimal('126') }],
      'fieldInvalid tiers[1].leverageMax',
    ],
    [
      'with less maintenance',
      [tier, { ...second, maintenanceRate: decimal('0.0039') }],
      'fieldInvalid tiers[1].maintenanceRate',
    ],
    [
      'with maintenance of all',
      [{ ...tier, maintenanceRate: decimal('1') }],
      'fieldOutOfRange tiers[0].maintenanceRate',
    ],
    ['of too many', new Array<typeof tier>(65).fill(tier), 'tooManyItems tiers'],
  ];
  test.each(instrumentTiers)('[LST-08] tiers %s: %s', (_, tiers, expected) =>
    expect(list({ tiers })).toBe(expected),
  );

  test('[LST-09] a change keeps coins and steps', () => {
    const engine = listedEngine();
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

  test('[LST-09] a changed step or coin is named itself, not what no longer fits it', () => {
    const engine = listedEngine();
    const relist = (changes: Partial<Instrument>) => {
      const { outcome } = engine.execute(
        { type: 'listInstrument', instrument: { ...contract, ...changes } },
        1 as Timestamp,
      );
      return outcome.ok ? 'accepted' : [outcome.refusal.field, outcome.refusal.detail];
    };
    expect(relist({})).toBe('accepted');
    // The minimum, 0.0001, is no multiple of it.
    expect(relist({ sizeStep: decimal('0.001') })).toEqual(['sizeStep', 'it is fixed']);
    // Finer than any number is.
    expect(relist({ priceStep: decimal('0.00000000001') })).toEqual(['priceStep', 'it is fixed']);
    expect(relist({ quoteCoin: 'USDC' })).toEqual(['quoteCoin', 'it is fixed']);
    expect(relist({ marginCoin: 'NOCOIN' })).toEqual(['marginCoin', 'it is fixed']);
  });

  test('[LST-01] listing what is there changes it, listing what is not there creates it', () => {
    const engine = listedEngine();
    const before = engine.state.coins.size;
    expect(
      answer(engine, { type: 'listCoin', coin: { ...usdt!, collateralRate: decimal('0.9') } }),
    ).toBe('accepted');
    expect([engine.state.coins.size, engine.state.coins.get('USDT')?.collateralRate]).toEqual([
      before,
      '0.9',
    ]);
    const { events } = engine.execute(
      { type: 'listInstrument', instrument: contract },
      1 as Timestamp,
    );
    expect(events).toEqual([{ type: 'instrumentListed', instrument: contract }]);
    expect(engine.state.instruments.get('USDT-FUTURES:BTCUSDT')?.status).toBe('normal');
  });

  test('[LST-10] the status is set, and told when it changes', () => {
    const engine = listedEngine();
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
    const engine = listedEngine();
    const instrument = (at: number): Command => ({
      type: 'listInstrument',
      instrument: { ...contract, symbol: `S${at}` },
    });
    for (let at = 0; at < 5_000; at++) engine.execute(instrument(at), 1 as Timestamp);
    expect(answer(engine, instrument(5_000))).toBe('exchangeFull symbol');
    expect(answer(engine, instrument(0))).toBe('accepted');
  });
});
