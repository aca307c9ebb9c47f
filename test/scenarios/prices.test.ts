import { describe, expect, test } from 'vitest';
import type { CommandOf } from '../../src/messages/commands.ts';
import { createWorld, scenario } from './scenario.ts';

type PriceRequest = CommandOf<'setPrices'>['prices'][number];
const asked = (
  symbol: string,
  fields: Partial<Record<keyof PriceRequest, unknown>>,
): PriceRequest =>
  ({
    category: 'USDT-FUTURES',
    symbol,
    releaseMark: false,
    force: false,
    ...fields,
  }) as PriceRequest;

describe('index', () => {
  test('[PRC-01] set through one symbol it applies to every symbol of the coin', () => {
    scenario(`
      index  through BTCUSD 60000   | index BTC 60000, index BTCUSDT 60000, index BTCPERP 60000
                                    | index SPOT:BTCUSDT 60000, index MARGIN:BTCUSDT 60000
      alice  joins                  | mark BTCUSDT 60000, mark BTCUSD 60000, mark BTCPERP 60000
                                    | mark ETHUSDT none
    `);
  });

  test('[PRC-02] the dollar coins have index one', () => {
    scenario('alice joins | index USDT 1, index USDC 1, index BTC none');
    const world = createWorld();
    const spot = {
      ...[...world.engine.state.instruments.values()].find(
        ({ instrument }) => instrument.category === 'SPOT',
      )!.instrument,
    };
    world.submit({
      type: 'listInstrument',
      instrument: { ...spot, symbol: 'USDCUSDT', baseCoin: 'USDC' },
    });
    scenario('index through USDCUSDT 1 | refused priceDerived at index, index USDCUSDT 1', world);
  });

  test('[PRC-03] of a pair of two coins follows from both and cannot be set', () => {
    scenario(`
      index  BTC             60000
      index  ETH             2500     | index ETHBTC 0.0416666667
      index  BTC             50000    | index ETHBTC 0.05
      index  through ETHBTC  0.06     | refused priceDerived at index
      index  through MARGIN:ETHBTC  0.06   | refused priceDerived
    `);
  });

  test('[PRC-03] of a pair is unknown if the ratio is too small for a price', () => {
    scenario(`
      index  BTC  900000000
      index  ETH  0.0000000001   | index ETHBTC none
    `);
  });

  test('[PRC-04] may move by thirty percent, and further only if forced', () => {
    scenario(`
      index  BTC  10000
      index  BTC  13000.0000000001          | refused priceJumpTooLarge at index, index BTC 10000
      index  BTC  13000                     | index BTC 13000
      index  BTC  9100                      | index BTC 9100
      index  BTC  6369.9999999999           | refused priceJumpTooLarge
      index  BTC  6370
      index  BTC  6000000 forced            | index BTC 6000000, mark BTCUSDT 6000000
      index  ETH  1
    `);
  });

  test('[PRC-05] is positive, within bounds, with ten decimals', () => {
    scenario(`
      index  BTC      0                      | refused fieldOutOfRange at index
      index  BTC      0.00000000001          | refused tooFine at index
      index  BTC      0.0000000001
      index  BTC      922337203.6854775808 forced   | refused fieldOutOfRange
      index  BTC      922337203.6854775807 forced
      pin    BTCUSDT  0                      | refused fieldOutOfRange at mark
      pin    BTCUSDT  0.00000000001          | refused tooFine at mark
      pin    BTCUSDT  0.0000000001           | mark BTCUSDT 0.0000000001
    `);
  });

  test('[PRC-06] in a list is set completely or not at all', () => {
    const world = scenario('index BTC 60000');
    const refused = world.submit({
      type: 'setPrices',
      prices: [
        asked('BTCUSDT', { index: '61000' }),
        asked('ETHUSDT', { index: '3000', mark: '3001' }),
        asked('DOGEUSDT', { index: '1' }),
      ],
    });
    expect(refused.outcome).toMatchObject({
      refusal: { reason: 'unknownSymbol', field: 'prices[2].symbol', detail: 'DOGEUSDT' },
    });
    scenario('alice joins | index BTC 60000, index ETH none, mark ETHUSDT none', world);
    const set = world.submit({
      type: 'setPrices',
      prices: [
        asked('BTCUSDT', { index: '61000' }),
        asked('ETHUSDT', { index: '3000', mark: '3001' }),
      ],
    });
    expect(set.outcome.ok).toBe(true);
    scenario(
      'bob joins | index BTC 61000, index ETH 3000, mark ETHUSDT 3001, mark ETHUSD 3000',
      world,
    );
  });

  test('[PRC-04][PRC-06] each coin has one index in a list, so a jump cannot be made in steps', () => {
    const world = scenario('index BTC 10000');
    const list = (...prices: PriceRequest[]) => world.submit({ type: 'setPrices', prices }).outcome;
    const twice = { refusal: { reason: 'fieldInvalid', field: 'prices[1].index' } };
    expect(
      list(asked('BTCUSDT', { index: '13000' }), asked('BTCUSDT', { index: '16900' })),
    ).toMatchObject(twice);
    expect(
      list(
        asked('BTCUSDT', { index: '13000', force: true }),
        asked('BTCUSD', { category: 'COIN-FUTURES', index: '13000.1', force: true }),
      ),
    ).toMatchObject(twice);
    expect(
      list(asked('BTCUSDT', { index: '10000' }), asked('BTCUSDT', { index: '13000.1' })),
    ).toMatchObject(twice);
    expect(
      list(asked('ETHUSDT', { index: '1' }), asked('BTCUSDT', { index: '13000.1' })),
    ).toMatchObject({
      refusal: { reason: 'priceJumpTooLarge', field: 'prices[1].index' },
    });
    scenario('alice joins | index BTC 10000, index ETH none', world);
    expect(
      list(
        asked('BTCUSDT', { index: '13000' }),
        asked('BTCUSD', { category: 'COIN-FUTURES', index: '13000.0' }),
      ).ok,
    ).toBe(true);
    scenario('bob joins | index BTC 13000', world);
  });

  test('[PRC-06] each item requests exactly one thing', () => {
    const world = createWorld();
    const reason = (price: PriceRequest) =>
      world.submit({ type: 'setPrices', prices: [price] }).outcome;
    expect(reason(asked('BTCUSDT', {}))).toMatchObject({
      refusal: { reason: 'oneOfFieldsNeeded' },
    });
    expect(reason(asked('BTCUSDT', { mark: '1', releaseMark: true }))).toMatchObject({
      refusal: { reason: 'fieldInvalid', field: 'mark' },
    });
    expect(world.submit({ type: 'setPrices', prices: [] }).outcome.ok).toBe(true);
    const many = new Array<PriceRequest>(10_001).fill(asked('BTCUSDT', { index: '1' }));
    expect(world.submit({ type: 'setPrices', prices: many }).outcome).toMatchObject({
      refusal: { reason: 'tooManyItems' },
    });
    expect(world.submit({ type: 'setPrices', prices: many.slice(1) }).outcome.ok).toBe(true);
  });

  test('[PRC-08] without a trade the last price is the index', () => {
    scenario(`
      index  BTC  60000
      index  ETH  3000    | last BTCUSDT 60000, last SPOT:BTCUSDT 60000, last ETHBTC 0.05
                          | last SOLUSDT none
    `);
  });
});

describe('mark', () => {
  test('[PRC-09] without a book the mark is the index', () => {
    scenario(`
      index  BTC  60000      | mark BTCUSDT 60000
      index  BTC  60000.05   | mark BTCUSDT 60000.05
    `);
  });

  test('[PRC-10] a pinned mark stays until it is released', () => {
    scenario(`
      index    BTC      60000
      pin      BTCUSDT  50000   | mark BTCUSDT 50000, mark BTCPERP 60000, 1 markPinned
                                | 1 markPriceMoved
      index    BTC      61000   | mark BTCUSDT 50000, mark BTCPERP 61000, index BTCUSDT 61000
      pin      BTCUSDT  49000   | mark BTCUSDT 49000
      pin      BTCUSDT  49000   | nothing
      release  BTCUSDT          | mark BTCUSDT 61000
      release  BTCUSDT          | nothing
      index    BTC      62000   | mark BTCUSDT 62000
    `);
  });

  test('[PRC-10] a mark pinned before any index stays after release, until the first index', () => {
    scenario(`
      pin      BTCUSDT  50000   | mark BTCUSDT 50000
      release  BTCUSDT          | mark BTCUSDT 50000, 1 markPinned, 0 markPriceMoved
      index    BTC      60000   | mark BTCUSDT 60000
    `);
  });

  test('[PRC-11] ten seconds without an index freeze the mark while the market is on', () => {
    scenario(`
      index   BTC      60000
      market  on                  | BTCUSDT is live
      wall    passes   9999ms     | BTCUSDT is live
      wall    passes   1ms        | BTCUSDT is frozen, BTCUSD is frozen, mark BTCUSDT 60000
      index   BTC      60001      | BTCUSDT is live
      wall    passes   10s        | BTCUSDT is frozen
      pin     BTCUSDT  60002      | BTCUSDT is live, BTCPERP is frozen
      market  off                 | BTCPERP is live
      wall    passes   20d        | BTCPERP is live
      market  on                  | BTCPERP is frozen, ETHUSDT is frozen
      market  on                  | nothing
    `);
  });

  test('[PRC-11] the mark of a pair of two coins freezes with either', () => {
    scenario(`
      market  on
      index   BTC  60000   | ETHBTC is frozen
      index   ETH  3000    | ETHBTC is live
      wall    passes 5s
      index   ETH  3000
      wall    passes 5s    | ETHBTC is frozen, ETHUSDT is live
    `);
  });

  test('[PRC-07] an update with the same index is emitted and ends the freeze', () => {
    scenario(`
      index   BTC  60000
      market  on
      wall    passes 10s   | BTCUSDT is frozen
      index   BTC  60000   | BTCUSDT is live, 1 indexPriceMoved, 0 markPriceMoved
    `);
  });

  test('[PRC-12] each symbol whose mark moved is emitted once', () => {
    scenario(`
      index  BTC      60000   | 1 indexPriceMoved, 3 markPriceMoved
      index  SOL      150     | 1 indexPriceMoved, 1 markPriceMoved
      pin    BTCUSDT  60000   | 1 markPinned, 0 markPriceMoved
      index  BTC      60001   | 2 markPriceMoved
    `);
  });

  test('[PRC-13] a symbol listed later has its mark at once', () => {
    const world = scenario('index BTC 60000');
    const { instrument } = world.engine.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    world.submit({ type: 'listInstrument', instrument: { ...instrument, symbol: 'BTCUSDT2' } });
    scenario('alice joins | mark BTCUSDT2 60000', world);
  });

  test('[PRC-14] only futures have a mark', () => {
    scenario(`
      index    BTC           60000
      pin      SPOT:BTCUSDT  60000   | refused fieldInvalid at mark
      release  SPOT:BTCUSDT          | refused fieldInvalid at mark
    `);
  });
});
