/** Spot trigger orders: what fires them, what they place, and what ends them. */
import { describe, expect } from 'vitest';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { TRIGGERS_PER_SYMBOL_MAX } from '../../src/messages/bounds.ts';
import { type Market, test } from './market.test-support.ts';
import { type TriggerInput, Triggers, triggerCommand } from './trigger-market.test-support.ts';

const PAIR = 'SPOT:BTCUSDT';
const SPOT = { category: 'SPOT' } as const;

/** The last price of the pair is 50,000; a maker quotes a thousand below and above. */
function ready(market: Market): Triggers {
  const triggers = new Triggers(market);
  triggers.trades('50000', PAIR);
  triggers.offers('buy', '49000', '10', PAIR);
  triggers.offers('sell', '51000', '10', PAIR);
  return triggers;
}

const place = (triggers: Triggers, uid: Uid, side: 'buy' | 'sell', input: TriggerInput): string =>
  triggers.place(uid, side, { ...SPOT, ...input });
const placed = (triggers: Triggers, uid: Uid, side: 'buy' | 'sell', input: TriggerInput): Id =>
  triggers.placed(uid, side, { ...SPOT, ...input });
const change = (
  triggers: Triggers,
  uid: Uid,
  triggerId: Id,
  input: Readonly<Record<string, unknown>>,
): string => triggers.change(uid, triggerId, input, false, 'SPOT');

describe('placing', () => {
  test('[TRG-92] has no trailing kind and no attached TP/SL', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const sells = (input: TriggerInput): string => place(triggers, alice, 'sell', input);
    expect([
      sells({ at: '49500', callback: '1' }),
      sells({ at: '49500', takeProfit: { at: '55000' } }),
      sells({ at: '49500', stopLoss: { at: '45000' } }),
      sells({ at: '49500' }),
    ]).toEqual(['notOffered', 'notOffered', 'notOffered', 'accepted']);
  });

  test('[TRG-92] works in hedge mode, and leaves the mode unchanged', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' }, 'hedge');
    const trigger = placed(triggers, alice, 'sell', { at: '49500', reduceOnly: true });
    expect(triggers.live(trigger)).toMatchObject({
      intent: 'open',
      reduceOnly: false,
      positionMode: 'hedge',
    });
    expect(triggers.live(trigger)!.marginMode).toBeUndefined();
    const mode = { type: 'setPositionMode', uid: alice, positionMode: 'oneWay' } as const;
    expect(market.submit(mode).outcome).toMatchObject({
      ok: false,
      refusal: { reason: 'positionModeInUse' },
    });
  });

  test('[TRG-95] a market buy has at least the minimum size at its trigger price, to eight decimals', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const { sizeMin, marketSizeMax } = market.state.instruments.get(PAIR)!.instrument;
    // 0.00001 at 52,000 is 0.52; 1,000 are 52,000,000.
    expect([sizeMin, marketSizeMax]).toEqual(['0.00001', '1000']);
    const buys = (size: string): string => place(triggers, alice, 'buy', { at: '52000', size });
    expect(['0.51999999', '0.52', '0.520000001', '52000000', '52000000.1'].map(buys)).toEqual([
      'sizeTooSmall',
      'accepted',
      'sizeOffStep',
      'accepted',
      'sizeTooLarge',
    ]);
  });

  test('[TRG-95] the size of a market sell or a limit buy is in base coin', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000' });
    expect(place(triggers, alice, 'sell', { at: '49500', size: '0.000009' })).toBe('sizeTooSmall');
    expect(place(triggers, alice, 'sell', { at: '49500', size: '0.00001' })).toBe('accepted');
    expect(place(triggers, alice, 'buy', { at: '52000', price: '52000', size: '0.000009' })).toBe(
      'sizeTooSmall',
    );
    expect(place(triggers, alice, 'buy', { at: '52000', price: '52000', size: '0.00001' })).toBe(
      'accepted',
    );
  });

  test('[TRG-98] at most 500 wait for each symbol and account', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const sells = (input: TriggerInput): string =>
      place(triggers, alice, 'sell', { size: '0.001', ...input });
    for (let count = 1; count < TRIGGERS_PER_SYMBOL_MAX; count++)
      expect(sells({ at: '45000' })).toBe('accepted');
    expect([
      sells({ at: '45000' }),
      sells({ at: '45000' }),
      sells({ symbol: 'ETHUSDT', at: '1', size: '1' }),
    ]).toEqual(['accepted', 'tooManySpotTriggers', 'symbolClosed']);
    market.index('ETH', '3000');
    expect(sells({ symbol: 'ETHUSDT', at: '2000', size: '1' })).toBe('accepted');
  });

  test('[TRG-16] a client id with the same content is one trigger for six hours; other content is refused', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const asked = { ...SPOT, at: '49500', size: '0.5', name: 'stop' };
    const first = market.accepted(triggerCommand(alice, 'sell', asked)).outcome;
    expect(market.accepted(triggerCommand(alice, 'sell', asked)).outcome).toEqual(first);
    expect(market.state.triggers.size).toBe(1);
    expect(triggers.place(alice, 'sell', { ...asked, size: '0.6' })).toBe('duplicateClientOid');
    expect(triggers.place(alice, 'sell', { ...asked, category: 'USDT-FUTURES' })).toBe(
      'duplicateClientOid',
    );
    market.passes(6 * HOUR + 1);
    expect(triggers.place(alice, 'sell', { ...asked, size: '0.6' })).toBe('accepted');
    expect(market.state.triggers.size).toBe(2);
  });
});

describe('firing', () => {
  test('[TRG-93][TRG-32] by last price: just not reached and just reached, from both sides', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '100000', BTC: '1' });
    const above = placed(triggers, alice, 'buy', { at: '50500', price: '50000', size: '1' });
    const below = placed(triggers, alice, 'sell', { at: '49500', price: '50900', size: '1' });
    for (const price of ['50499.99', '49500.01', '50000']) {
      triggers.trades(price, PAIR);
      expect(triggers.ends()).toEqual([]);
    }
    triggers.trades('50500', PAIR);
    expect(triggers.ends()).toEqual([`fired ${above}`]);
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'SPOT' });
    triggers.trades('49500', PAIR);
    expect(triggers.ends()).toEqual([`fired ${below}`]);
  });

  test.for(['mark', 'index'] as const)(
    '[TRG-93] %s as source means the index price',
    (source, { market }) => {
      const triggers = ready(market);
      const alice = market.joins({ BTC: '1' });
      const trigger = placed(triggers, alice, 'sell', { at: '49500', source });
      expect(triggers.live(trigger)!.source).toBe('index');
      triggers.trades('49400', PAIR);
      market.pin('BTCUSDT', '49400');
      market.index('BTC', '49500.1');
      expect(triggers.live(trigger)).toBeDefined();
      market.index('BTC', '49500');
      expect(triggers.ends()).toEqual([`fired ${trigger}`]);
    },
  );

  test('[TRG-97] a trade of MARGIN moves the last price of the pair, a futures trade does not', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const trigger = placed(triggers, alice, 'sell', { at: '49500', price: '50900' });
    triggers.trades('49500', 'BTCUSDT');
    expect(triggers.live(trigger)).toBeDefined();
    triggers.trades('49500', 'MARGIN:BTCUSDT');
    expect(triggers.ends()).toEqual([`fired ${trigger}`]);
  });

  test('[TRG-97] a futures trigger and a spot trigger use the prices of their own markets', ({
    market,
  }) => {
    const triggers = ready(market);
    triggers.trades('50000', 'BTCUSDT');
    const alice = market.joins({ USDT: '100000', BTC: '1' });
    const future = triggers.placed(alice, 'buy', { at: '49500', price: '40000' });
    const spot = placed(triggers, alice, 'sell', { at: '49500', price: '50900' });
    triggers.trades('49500', PAIR);
    expect(triggers.ends()).toEqual([`fired ${spot}`]);
    expect(triggers.live(future)).toBeDefined();
  });

  test('[TRG-33][TRG-97] before the first trade the index counts; a reached one fires at once', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    triggers.offers('buy', '49000', '10', PAIR);
    const alice = market.joins({ BTC: '2' });
    const waits = placed(triggers, alice, 'sell', { at: '49999', price: '50900' });
    expect(triggers.ends()).toEqual([]);
    const fires = placed(triggers, alice, 'sell', { at: '50000' });
    // Its trade at 49,000 sets the last price.
    expect(triggers.ends()).toEqual([`fired ${fires}`, `fired ${waits}`]);
    expect(market.fills(alice)).toEqual(['normal sell 1 at 49000']);
  });
});

describe('the placed order', () => {
  test('[TRG-95][TRG-96] a market buy spends its quote amount, and holds nothing before it fires', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '5100' });
    const trigger = placed(triggers, alice, 'buy', { at: '50500', size: '5100' });
    expect(market.available(alice)).toBe('5100');
    triggers.trades('50500', PAIR);
    expect(triggers.ends()).toEqual([`fired ${trigger}`]);
    // 5,100 at 51,000 is 0.1, of which a fee of 0.001 is 0.0001.
    expect(market.fills(alice)).toEqual(['normal buy 0.1 at 51000']);
    expect([market.available(alice), market.available(alice, 'BTC')]).toEqual(['0', '0.0999']);
  });

  test('[TRG-96] with too little money it fails with the reason, and holds nothing', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '5099.99999999', BTC: '0.9999' });
    const buys = placed(triggers, alice, 'buy', { at: '50500', size: '5100' });
    const sells = placed(triggers, alice, 'sell', { at: '50500' });
    triggers.trades('50500', PAIR);
    expect(triggers.ends()).toEqual([
      `failed ${buys} insufficientBalance`,
      `failed ${sells} insufficientBalance`,
    ]);
    expect(market.wallet(alice)).toMatchObject({ available: 50_999_999_999_900n, locked: 0n });
  });

  test('[TRG-94] a limit order has the requested time in force', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '1000000' });
    const asked = { at: '50500', price: '50000', size: '1' };
    const rests = placed(triggers, alice, 'buy', asked);
    const takes = placed(triggers, alice, 'buy', { ...asked, timeInForce: 'ioc' });
    const posts = placed(triggers, alice, 'buy', {
      ...asked,
      price: '51000',
      timeInForce: 'postOnly',
    });
    triggers.trades('50500', PAIR);
    expect(triggers.ends()).toEqual([`fired ${rests}`, `fired ${takes}`, `fired ${posts}`]);
    expect(market.emitted('orderEnded').map(({ end }) => end.cancelReason)).toEqual(
      expect.arrayContaining(['iocNotFull', 'postOnlyWouldTake']),
    );
    expect(market.state.accounts.get(alice)!.openOrders).toHaveLength(1);
  });

  test('[TRG-97][TRG-67] while the pair is halted the order waits', ({ market }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const trigger = placed(triggers, alice, 'sell', { at: '49500', source: 'index' });
    market.accepted({ type: 'setInstrumentStatus', ...SPOT, symbol: 'BTCUSDT', status: 'halted' });
    market.index('BTC', '49500');
    expect(triggers.ends()).toEqual([`fired ${trigger}`]);
    expect(market.fills(alice)).toEqual([]);
    market.accepted({ type: 'setInstrumentStatus', ...SPOT, symbol: 'BTCUSDT', status: 'normal' });
    expect(market.fills(alice)).toEqual(['normal sell 1 at 49000']);
  });
});

describe('changing and ending', () => {
  test('[TRG-101] a change starts again from the current price, and keeps omitted fields', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '100000' });
    const trigger = placed(triggers, alice, 'buy', { at: '52000', size: '5100' });
    expect(change(triggers, alice, trigger, { triggerPrice: '49900' })).toBe('accepted');
    expect(triggers.live(trigger)).toMatchObject({
      way: 'falling',
      lots: 0,
      quoteAmount: 51_000_000_000_000n,
    });
    expect(change(triggers, alice, trigger, { size: '0.498' })).toBe('sizeTooSmall');
    expect(change(triggers, alice, trigger, { size: '0.499' })).toBe('accepted');
    expect(change(triggers, alice, trigger, { price: '49900' })).toBe('triggerFieldsConflict');
    expect(change(triggers, alice, trigger, { size: '4.99' })).toBe('accepted');
    triggers.trades('49900', PAIR);
    expect(triggers.ends()).toEqual([`fired ${trigger}`]);
  });

  test('[TRG-101] a futures trigger cannot be changed or cancelled as a spot trigger', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ USDT: '100000' });
    const trigger = triggers.placed(alice, 'buy', { at: '52000', name: 'mine' });
    expect(change(triggers, alice, trigger, { triggerPrice: '52001' })).toBe('unknownTrigger');
    expect(
      triggers.cancel(alice, [], [{ clientOid: 'mine' as ClientOid }], undefined, 'SPOT'),
    ).toEqual(['unknownTrigger']);
  });

  test('[TRG-103] all of the given symbols are cancelled, and no others', ({ market }) => {
    const triggers = ready(market);
    market.index('ETH', '3000');
    const alice = market.joins({ USDT: '100000' });
    const ids = ['BTCUSDT', 'ETHUSDT', 'BTCUSDT'].map((symbol) =>
      placed(triggers, alice, 'sell', { symbol, at: '1000' }),
    );
    const future = triggers.placed(alice, 'buy', { at: '52000' });
    const cancel = (symbols: readonly string[] | undefined) =>
      market.submit({
        type: 'cancelTriggers',
        uid: alice,
        ...SPOT,
        kinds: [],
        ...(symbols === undefined ? {} : { symbols }),
      });
    expect(cancel(['BTCUSDT', 'NOPE']).outcome).toMatchObject({
      ok: false,
      refusal: { reason: 'unknownSymbol', detail: 'NOPE' },
    });
    expect(cancel([]).outcome).toEqual({ ok: true, value: [] });
    cancel(['BTCUSDT']);
    expect(triggers.ends()).toEqual([`cancelled ${ids[0]} byUser`, `cancelled ${ids[2]} byUser`]);
    cancel(undefined);
    expect(triggers.ends()).toEqual([`cancelled ${ids[1]} byUser`]);
    expect(triggers.live(future)).toBeDefined();
  });

  test('[TRG-104] switching the pair off cancels its triggers, cancel-only does not', ({
    market,
  }) => {
    const triggers = ready(market);
    const alice = market.joins({ BTC: '1' });
    const spot = placed(triggers, alice, 'sell', { at: '49500' });
    const future = triggers.placed(alice, 'buy', { at: '49500' });
    const set = (category: 'SPOT' | 'USDT-FUTURES', status: 'cancelOnly' | 'off'): string[] => {
      market.accepted({ type: 'setInstrumentStatus', category, symbol: 'BTCUSDT', status });
      return triggers.ends();
    };
    expect(set('SPOT', 'cancelOnly')).toEqual([]);
    expect(place(triggers, alice, 'sell', { at: '49500' })).toBe('symbolClosed');
    expect(set('SPOT', 'off')).toEqual([`cancelled ${spot} delisted`]);
    expect(set('USDT-FUTURES', 'off')).toEqual([]);
    expect(triggers.live(future)).toBeDefined();
  });
});
