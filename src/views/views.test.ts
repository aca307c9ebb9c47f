import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Id } from '../kernel/ids.ts';
import { type Amount, money, type Price, type Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventBatch } from '../messages/events.ts';
import {
  coinListing,
  EventStream,
  eventStreams,
  FIRST_AT,
  instrumentListing,
  uidNumbered,
} from './event-streams.test-support.ts';
import { createMemoryHistory } from './history/memory-history.ts';
import { createViews, type Views } from './views.ts';

const amount = (text: string): Amount => money<Amount>(text);
const price = (text: string): Price => money<Price>(text);
const leverage = (text: string): DecimalText => text as DecimalText;

function viewsAfter(batches: readonly EventBatch[]): Views {
  const views = createViews(createMemoryHistory());
  for (const batch of batches) views.apply(batch);
  return views;
}

/** Views that receive one batch per step. */
function feeding(): {
  readonly stream: EventStream;
  readonly views: Views;
  readonly feed: (...events: readonly Event[]) => void;
} {
  const stream = new EventStream();
  const views = createViews(createMemoryHistory());
  return { stream, views, feed: (...events) => views.apply(stream.next(...events)) };
}

describe('all views', () => {
  test('[VIEW-02] views rebuilt from the first command equal the live ones', () => {
    fc.assert(
      fc.property(eventStreams(40), (batches) => {
        const live = createViews(createMemoryHistory());
        for (const batch of batches) {
          live.apply(batch);
          live.save();
        }
        expect(canonicalBytes(viewsAfter(batches).save()).equals(canonicalBytes(live.save()))).toBe(
          true,
        );
      }),
    );
  });

  test('[VIEW-03] views restored from bytes at any point equal the live ones', () => {
    fc.assert(
      fc.property(eventStreams(40), fc.nat({ max: 40 }), (batches, cut) => {
        const live = viewsAfter(batches.slice(0, cut));
        const saved = live.save();
        const bytes = canonicalBytes(saved);
        const restored = createViews(createMemoryHistory());
        restored.restore(fromCanonicalBytes(bytes));
        expect(canonicalBytes(restored.save()).equals(bytes)).toBe(true);

        for (const batch of batches.slice(cut)) {
          live.apply(batch);
          restored.apply(batch);
        }
        expect(canonicalBytes(restored.save()).equals(canonicalBytes(live.save()))).toBe(true);
        expect(canonicalBytes(saved).equals(bytes)).toBe(true);
        expect(restored.accounts.findByName('ann')).toEqual(live.accounts.findByName('ann'));
      }),
    );
  });

  test('[VIEW-01] a repeated batch stops the program', () => {
    const { stream, views } = feeding();
    const batch = stream.next(stream.createUser());
    views.apply(batch);
    expect(() => views.apply(batch)).toThrow('views are fed each batch once, in order');
    expect(views.sequence()).toBe(1);
  });

  test('[VIEW-45] a batch without events advances history, and not the views', () => {
    const history = createMemoryHistory();
    const views = createViews(history);
    const stream = new EventStream();
    views.apply(stream.next(stream.createUser()));
    const saved = canonicalBytes(views.save());
    views.apply(stream.next());
    expect([views.sequence(), history.applied()]).toEqual([1, 2]);
    expect(canonicalBytes(views.save()).equals(saved)).toBe(true);
  });

  test('[JRN-33] saved views of another version, or with one missing, are refused before any is restored', () => {
    const { stream, views } = feeding();
    views.apply(stream.next(stream.createUser('ann')));
    const saved = views.save() as {
      readonly version: number;
      readonly views: Readonly<Record<string, unknown>>;
    };
    const { orders: _left, ...others } = saved.views;
    expect(views.refusal(saved)).toBeUndefined();
    expect(views.refusal({ ...saved, version: 0 })).toBe(
      'its views are of version 0, and this program reads version 10',
    );
    expect(views.refusal({ ...saved, views: others })).toBe('the views orders are missing');
  });
});

describe('accounts', () => {
  const uid = uidNumbered(0);

  test('[VIEW-04] balances equal the ledger, coin by coin', () => {
    const { stream, views, feed } = feeding();
    feed(stream.createUser('ann'), stream.createUser('ben'));
    feed(...stream.deposit(uid, 'USDT', amount('100')));
    feed({
      type: 'entryPosted',
      reason: 'deposit',
      lines: [
        stream.line(uid, 'USDT', 'available', amount('-30.5')),
        stream.line(uid, 'USDT', 'locked', amount('20')),
        stream.line(uid, 'USDT', 'margin', amount('10')),
        stream.line(undefined, 'USDT', 'fees', amount('0.5')),
      ],
    });
    const nothing = { borrowed: 0n, interest: 0n, marginedPrincipal: 0n, withdrawing: 0n };
    const usdt = {
      coin: 'USDT',
      available: amount('69.5'),
      locked: amount('20'),
      margin: amount('10'),
      ...nothing,
      equity: amount('99.5'),
    };
    expect(views.accounts.balances(uid)).toEqual([usdt]);
    expect(views.accounts.balance(uid, 'USDT')).toEqual(usdt);
    expect(views.accounts.balance(uid, 'BTC')).toEqual({
      coin: 'BTC',
      available: 0n,
      locked: 0n,
      margin: 0n,
      ...nothing,
      equity: 0n,
    });
    expect(views.accounts.balances(uidNumbered(1))).toEqual([]);
    expect(views.accounts.balances(uidNumbered(2))).toEqual([]);
  });

  test('[VIEW-04] a debt lowers equity, and a repaid one is removed', () => {
    const { stream, views, feed } = feeding();
    feed(stream.createUser());
    feed(...stream.deposit(uid, 'USDT', amount('100')));
    feed({
      type: 'debtChanged',
      uid,
      coin: 'USDT',
      borrowed: amount('30'),
      interest: amount('0.5'),
    });
    expect(views.accounts.balance(uid, 'USDT')).toMatchObject({
      borrowed: amount('30'),
      interest: amount('0.5'),
      equity: amount('69.5'),
    });
    feed({ type: 'debtChanged', uid, coin: 'BTC', borrowed: amount('1'), interest: amount('0') });
    expect(views.accounts.balances(uid).map(({ coin, equity }) => [coin, equity])).toEqual([
      ['USDT', amount('69.5')],
      ['BTC', amount('-1')],
    ]);
    feed({ type: 'debtChanged', uid, coin: 'USDT', borrowed: amount('0'), interest: amount('0') });
    expect(views.accounts.balance(uid, 'USDT')).toMatchObject({
      borrowed: 0n,
      equity: amount('100'),
    });
    expect(views.accounts.balanceChangedAt(uid, 'USDT')).toBe(FIRST_AT + 2_000);
    expect(views.accounts.balanceChangedAt(uid, 'ETH')).toBeUndefined();
  });

  test('[VIEW-05] self-trade prevention has the last setting', () => {
    const { stream, views, feed } = feeding();
    feed(stream.createUser());
    feed({ type: 'selfTradeModeChanged', uid, selfTradeMode: 'cancelBoth' });
    expect(views.accounts.settings(uid)?.selfTradeMode).toBe('cancelBoth');
    expect([views.accounts.positionMode(uid), views.accounts.positionMode(uidNumbered(9))]).toEqual(
      ['oneWay', 'oneWay'],
    );
  });

  test('[VIEW-05] settings begin at crossed and 10, and each side can have its own leverage', () => {
    const { stream, views, feed } = feeding();
    const symbol = { uid, category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    const setting = () => views.accounts.symbolSetting(uid, 'USDT-FUTURES', 'BTCUSDT');
    feed(stream.createUser());
    expect(setting()).toEqual({ marginMode: 'crossed', leverage: '10' });
    expect(views.accounts.settings(uid)).toEqual({
      positionMode: 'oneWay',
      selfTradeMode: 'none',
      symbols: [],
      coinLeverages: [],
    });

    const named = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      marginMode: 'isolated',
      leverage: '10',
    };
    feed(
      { type: 'marginModeChanged', ...symbol, marginMode: 'isolated' },
      { type: 'positionModeChanged', uid, positionMode: 'hedge' },
    );
    feed({ type: 'leverageChanged', ...symbol, leverage: leverage('20'), side: 'long' });
    expect(setting()).toEqual({ ...named, longLeverage: '20' });
    feed({ type: 'leverageChanged', ...symbol, leverage: leverage('30'), side: 'short' });
    expect(setting()).toEqual({ ...named, longLeverage: '20', shortLeverage: '30' });
    feed(
      { type: 'leverageChanged', ...symbol, leverage: leverage('5') },
      { type: 'coinLeverageChanged', uid, coin: 'BTC', leverage: leverage('3') },
    );
    expect(views.accounts.settings(uid)).toEqual({
      positionMode: 'hedge',
      selfTradeMode: 'none',
      symbols: [{ ...named, leverage: '5' }],
      coinLeverages: [{ coin: 'BTC', leverage: '3' }],
    });
    expect(views.accounts.settings(uidNumbered(7))).toBeUndefined();
  });

  test('[VIEW-02] users are counted and found by uid and by name; the first of a name wins', () => {
    const { stream, views, feed } = feeding();
    feed(stream.createUser('ann'), stream.createUser('ann'), stream.createUser());
    expect(views.accounts.count()).toBe(3);
    expect(views.accounts.uids()).toEqual([uidNumbered(0), uidNumbered(1), uidNumbered(2)]);
    expect(views.accounts.findByName('ann')?.uid).toBe(uidNumbered(0));
    expect(views.accounts.findByName('ben')).toBeUndefined();
    expect(views.accounts.profile(uidNumbered(2))).toEqual({ uid: uidNumbered(2), level: 'VIP0' });
    expect(views.accounts.createdAt(uidNumbered(0))).toBe(FIRST_AT + 1_000);
    expect([uidNumbered(2), uidNumbered(3)].map((one) => views.accounts.has(one))).toEqual([
      true,
      false,
    ]);
  });
});

describe('keys, listings, prices, clock', () => {
  test('[VIEW-06] a key is found until it is revoked', () => {
    const { stream, views, feed } = feeding();
    const uid = uidNumbered(0);
    const key = {
      apiKey: 'k1',
      uid,
      sealedSecret: 's',
      passphraseHash: 'p',
      permissions: ['uta_trade.read'],
      addresses: [],
    } as const;
    feed(stream.createUser(), { type: 'keyCreated', key });
    expect(views.keys.find('k1')).toEqual(key);
    expect(views.keys.ofUser(uid)).toEqual([key]);
    feed({ type: 'keyRevoked', apiKey: 'k1', uid });
    expect(views.keys.find('k1')).toBeUndefined();
    expect(views.keys.ofUser(uid)).toEqual([]);
    expect(views.keys.count()).toBe(0);
  });

  test('[VIEW-07] listing again changes the instrument spec and keeps its place and status', () => {
    const { views, feed } = feeding();
    const futures = instrumentListing('USDT-FUTURES', 'BTCUSDT', 'BTC', 'USDT');
    const spot = instrumentListing('SPOT', 'BTCUSDT', 'BTC', 'USDT');
    feed(
      { type: 'coinListed', coin: coinListing('USDT') },
      { type: 'coinListed', coin: coinListing('BTC') },
    );
    feed(
      { type: 'instrumentListed', instrument: futures },
      { type: 'instrumentListed', instrument: spot },
    );
    expect(views.listings.instrument('USDT-FUTURES', 'BTCUSDT')).toEqual({
      instrument: futures,
      status: 'normal',
    });

    const finer = { ...futures, priceStep: leverage('0.01') };
    const cheaper = { ...coinListing('USDT'), collateralRate: leverage('0.9') };
    feed({
      type: 'instrumentStatusChanged',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'halted',
    });
    feed({ type: 'instrumentListed', instrument: finer }, { type: 'coinListed', coin: cheaper });
    expect(views.listings.instruments()).toEqual([
      { instrument: finer, status: 'halted' },
      { instrument: spot, status: 'normal' },
    ]);
    expect(views.listings.instruments('SPOT')).toEqual([{ instrument: spot, status: 'normal' }]);
    expect(views.listings.coins()).toEqual([cheaper, coinListing('BTC')]);
    expect(views.listings.coin('USDT')).toEqual(cheaper);
    expect(views.listings.instrument('SPOT', 'DOGEUSDT')).toBeUndefined();
  });

  test("[VIEW-08] a symbol's index follows from its coins, and replaces a missing last price", () => {
    const { views, feed } = feeding();
    feed(
      {
        type: 'instrumentListed',
        instrument: instrumentListing('USDT-FUTURES', 'BTCUSDT', 'BTC', 'USDT'),
      },
      { type: 'instrumentListed', instrument: instrumentListing('SPOT', 'ETHBTC', 'ETH', 'BTC') },
    );
    expect(views.prices.index('USDT-FUTURES', 'BTCUSDT')).toBeUndefined();
    feed({ type: 'indexPriceMoved', baseCoin: 'BTC', price: price('60000') });
    expect(views.prices.index('USDT-FUTURES', 'BTCUSDT')).toBe(price('60000'));
    expect(views.prices.last('USDT-FUTURES', 'BTCUSDT')).toBe(price('60000'));
    expect(views.prices.index('SPOT', 'ETHBTC')).toBeUndefined();
    feed({ type: 'indexPriceMoved', baseCoin: 'ETH', price: price('2500') });
    // 2500 ÷ 60000 = 0.041666…, to ten decimals 0.0416666667.
    expect(views.prices.last('SPOT', 'ETHBTC')).toBe(price('0.0416666667'));
    expect(
      ['USD', 'USDT', 'USDC', 'BTC', 'XRP'].map((coin) => views.prices.coinIndex(coin)),
    ).toEqual([price('1'), price('1'), price('1'), price('60000'), undefined]);
    expect(views.prices.last('SPOT', 'DOGEUSDT')).toBeUndefined();
  });

  test('[VIEW-08] the last price is that of the last trade, for spot and margin the same', () => {
    const { views, feed } = feeding();
    for (const category of ['SPOT', 'MARGIN', 'USDT-FUTURES'] as const)
      feed({
        type: 'instrumentListed',
        instrument: instrumentListing(category, 'BTCUSDT', 'BTC', 'USDT'),
      });
    feed({ type: 'indexPriceMoved', baseCoin: 'BTC', price: price('60000') });
    const trade = {
      tradeId: 1 as Id,
      symbol: 'BTCUSDT',
      takerSide: 'buy',
      price: price('61000'),
      size: 1n as Size,
    } as const;
    feed({ type: 'tradeExecuted', category: 'SPOT', ...trade });
    const lasts = (['SPOT', 'MARGIN', 'USDT-FUTURES'] as const).map((category) =>
      views.prices.last(category, 'BTCUSDT'),
    );
    expect(lasts).toEqual([price('61000'), price('61000'), price('60000')]);
  });

  test("[VIEW-08] marks equal the engine's, pinned or not", () => {
    const { views, feed } = feeding();
    const symbol = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    feed(
      { type: 'markPinned', ...symbol, price: price('61000') },
      { type: 'markPriceMoved', ...symbol, price: price('61000') },
    );
    expect(views.prices.mark('USDT-FUTURES', 'BTCUSDT')).toBe(price('61000'));
    expect(views.prices.pinnedMark('USDT-FUTURES', 'BTCUSDT')).toBe(price('61000'));
    feed({ type: 'markPinned', ...symbol });
    expect(views.prices.pinnedMark('USDT-FUTURES', 'BTCUSDT')).toBeUndefined();
    expect(views.prices.mark('USDT-FUTURES', 'BTCUSDT')).toBe(price('61000'));
  });

  test('[VIEW-09] the exchange clock is the wall clock plus an offset, or frozen, and never goes back', () => {
    const { stream, views, feed } = feeding();
    const wall = (FIRST_AT + 5_000) as Timestamp;
    expect(views.clock.exchangeTime(wall)).toBe(wall);
    expect(views.clock.marketOn()).toBe(false);
    expect(views.clock.world()).toBeUndefined();
    const batch = stream.next(
      { type: 'clockMoved', clock: { offsetMs: 250 } },
      { type: 'marketSwitched', on: true },
      { type: 'worldOpened', world: 'demo' },
    );
    views.apply(batch);
    const { at } = batch;
    expect(views.clock.exchangeTime(wall)).toBe(wall + 250);
    expect(views.clock.exchangeTime((at - 250) as Timestamp)).toBe(at);
    expect(views.clock.exchangeTime((at - 251) as Timestamp)).toBe(at);
    expect(views.clock.marketOn()).toBe(true);
    expect(views.clock.world()).toBe('demo');
    const frozenAt = (wall + 4_000) as Timestamp;
    feed({ type: 'clockMoved', clock: { offsetMs: 250, frozenAt } });
    expect(views.clock.exchangeTime(wall)).toBe(frozenAt);
    expect(views.clock.setting()).toEqual({ offsetMs: 250, frozenAt });
  });
});
