/**
 * Edge cases of triggers and TP/SL: changes, reused client ids, and symbols that take no orders.
 */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import type { AttachedDraft } from '../../src/messages/triggers.ts';
import type { InstrumentStatus, Side } from '../../src/messages/vocabulary.ts';
import { type Market, test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

type Answered =
  | { readonly ok: true; readonly value: { readonly orderId: Id } }
  | { readonly ok: false; readonly refusal: Refusal };
interface Refusal {
  readonly reason: string;
  readonly field?: string;
}
type Tpsl = Readonly<Partial<Record<'takeProfit' | 'stopLoss', AttachedDraft>>>;

const exit = (triggerPrice: string): AttachedDraft => ({
  triggerPrice: decimal(triggerPrice),
  source: 'last',
});

/** A limit order with attached TP/SL; returns its id or the reason of the refusal. */
function places(
  market: Market,
  uid: Uid,
  side: Side,
  price: string,
  tpsl: Tpsl,
  size = '1',
): Id | string {
  const order = {
    symbol: 'BTCUSDT',
    side,
    orderType: 'limit',
    timeInForce: 'gtc',
    reduceOnly: false,
  } as const;
  const orders = [{ order: { ...order, size: decimal(size), price: decimal(price) }, ...tpsl }];
  const { outcome } = market.accepted({
    type: 'placeProtectedOrders',
    uid,
    category: 'USDT-FUTURES',
    orders,
  });
  const [placed] = (outcome as { value: readonly Answered[] }).value;
  return placed!.ok ? placed!.value.orderId : placed!.refusal.reason;
}

function modifies(
  market: Market,
  uid: Uid,
  orderId: Id,
  input: { price?: string; tpsl?: Tpsl },
  category = 'USDT-FUTURES',
): string {
  const { outcome } = market.submit({
    type: 'modifyOrder',
    uid,
    category: category as 'USDT-FUTURES',
    orderId,
    autoCancel: false,
    replace: false,
    ...(input.price === undefined ? {} : { price: decimal(input.price) }),
    ...(input.tpsl === undefined ? {} : { tpsl: input.tpsl }),
  });
  return outcome.ok ? 'accepted' : outcome.refusal.reason;
}

function becomes(market: Market, status: InstrumentStatus): void {
  market.accepted({
    type: 'setInstrumentStatus',
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    status,
  });
}

describe('TP/SL attached to a trigger', () => {
  test('[TRG-70] a change keeps a percentage that it does not name', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '100000' });
    const id = triggers.placed(alice, 'buy', {
      at: '49000',
      callback: '1',
      takeProfit: { at: '10' },
      stopLoss: { at: '5' },
    });
    expect(triggers.change(alice, id, { callbackRate: '2', stopLoss: { triggerPrice: '6' } })).toBe(
      'accepted',
    );
    const percent = (text: string) => ({
      kind: 'percent',
      percent: BigInt(text) * 10n ** 10n,
      source: 'last',
    });
    expect(triggers.live(id)).toMatchObject({ takeProfit: percent('10'), stopLoss: percent('6') });
    expect(triggers.change(alice, id, { stopLoss: { triggerPrice: '1000' } })).toBe(
      'triggerFieldsConflict',
    );
    expect(triggers.live(id)).toMatchObject({ stopLoss: percent('6') });
  });

  test('[TRG-72] TP/SL added by a change needs its source, and a price on a step', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '100000' });
    const id = triggers.placed(alice, 'buy', { at: '49000' });
    const reasons = [
      { takeProfit: { triggerPrice: '52000' } },
      { stopLoss: { triggerPrice: '48000' } },
      { stopLoss: { triggerPrice: '48000.05', source: 'last' } },
      { stopLoss: { triggerPrice: '48000.1', source: 'last' } },
    ].map((change) => triggers.change(alice, id, change));
    expect(reasons).toEqual(['fieldMissing', 'fieldMissing', 'priceOffStep', 'accepted']);
  });

  test('[TRG-72] a closing trigger takes no TP/SL, at placing or later', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const id = triggers.placed(alice, 'sell', { at: '49000', reduceOnly: true });
    for (const [kind, field] of [
      ['takeProfit', 'takeProfitTriggerPrice'],
      ['stopLoss', 'stopLossTriggerPrice'],
    ] as const) {
      expect(
        triggers.change(alice, id, { [kind]: { triggerPrice: '48000', source: 'last' } }),
      ).toBe('triggerFieldsConflict');
      expect(market.last!.outcome).toMatchObject({ refusal: { field } });
      expect(
        triggers.place(alice, 'sell', { at: '49000', reduceOnly: true, [kind]: { at: '48000' } }),
      ).toBe('triggerFieldsConflict');
      expect(market.last!.outcome).toMatchObject({ refusal: { field } });
    }
    expect(triggers.change(alice, id, { triggerPrice: '48500' })).toBe('accepted');
  });
});

describe('client ids', () => {
  test('[TRG-16] if two triggers wait under one client id, it means the newer one', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '100000' });
    const ids: Id[] = [];
    for (const at of ['40000', '41000']) {
      ids.push(triggers.placed(alice, 'buy', { at, source: 'mark', size: '0.1', name: 'mine' }));
      market.passes(6 * HOUR);
    }
    const cancel = (): string[] => triggers.cancel(alice, [], [{ clientOid: 'mine' as ClientOid }]);
    expect([cancel(), triggers.live(ids[0]!)?.id, triggers.live(ids[1]!)]).toEqual([
      ['cancelled'],
      ids[0],
      undefined,
    ]);
    expect([cancel(), triggers.live(ids[0]!)]).toEqual([['cancelled'], undefined]);
    expect(cancel()).toEqual(['unknownTrigger']);
  });
});

describe('TP/SL of a position', () => {
  test('[TRG-72] one or two at a time, and only in a symbol that takes orders', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const way = { kind: 'takeProfit', at: '55000', size: '0.1' } as const;
    expect(triggers.exit(alice, 'long')).toBe('fieldMissing');
    expect(triggers.exit(alice, 'long', way, way, way)).toBe('tooManyItems');
    becomes(market, 'cancelOnly');
    expect(triggers.exit(alice, 'long', way)).toBe('symbolClosed');
    becomes(market, 'halted');
    expect(triggers.exit(alice, 'long', way, { ...way, kind: 'stopLoss', at: '45000' })).toBe(
      'accepted',
    );
  });

  // Closing orders lock 0.9 or all of the position of 1.
  test.for([
    ['0.9', ['fired'], '0.9'],
    ['1', ['failed nothingToClose'], '1'],
  ] as const)(
    '[TRG-39] with %s of the position locked, a reached partial TP/SL has: %s',
    ([offered, ends, left], { market }) => {
      const triggers = new Triggers(market);
      const alice = triggers.holds('long', '1', { hedge: true });
      expect(
        market.order(alice, 'sell', offered, 'BTCUSDT', '60000', { positionSide: 'long' }),
      ).toBe('accepted');
      const [id] = triggers.tpsl(alice, 'long', {
        kind: 'stopLoss',
        at: '49000',
        size: '0.5',
        source: 'mark',
      });
      triggers.offers('buy', '49000');
      market.pin('BTCUSDT', '49000');
      expect(triggers.ends()).toEqual(
        ends.map((end) => end.replace(/^\w+/, (word) => `${word} ${id}`)),
      );
      expect(market.size(alice, 'BTCUSDT', 'long')).toBe(left);
    },
  );
});

describe('orders with attached TP/SL', () => {
  test("[ORD-78] TP/SL of a sell are checked against its own price, or the market's if it takes", ({
    market,
  }) => {
    new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    expect(places(market, alice, 'sell', '49000', { takeProfit: exit('50000') })).toBe(
      'shortTakeProfitTooHigh',
    );
    expect(places(market, alice, 'sell', '51000', { takeProfit: exit('51000') })).toBe(
      'shortTakeProfitTooHigh',
    );
    const id = places(market, alice, 'sell', '51000', {
      takeProfit: exit('50999.9'),
      stopLoss: exit('51100'),
    }) as Id;
    expect(modifies(market, alice, id, { price: '51100' })).toBe('shortStopLossTooLow');
    expect(modifies(market, alice, id, { price: '50999.9' })).toBe('shortTakeProfitTooHigh');
    expect(modifies(market, alice, id, { price: '51099.9' })).toBe('accepted');
    expect(places(market, alice, 'sell', '49000', { takeProfit: exit('49999.9') })).toBeTypeOf(
      'number',
    );
  });

  test('[ORD-77] a refused order leaves no TP/SL behind', ({ market }) => {
    new Triggers(market);
    // 1 at 49,000 at ten times needs 4,900 and a fee of 29.4.
    const alice = market.joins({ USDT: '4929.39' });
    expect(places(market, alice, 'buy', '49000', { stopLoss: exit('45000') })).toBe(
      'insufficientMargin',
    );
    expect(market.state.pendingTpsl.size).toBe(0);
    market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal('0.01') });
    expect(places(market, alice, 'buy', '49000', { stopLoss: exit('45000') })).toBeTypeOf('number');
  });

  test('[ORD-77] a symbol that takes no orders accepts and changes none', ({ market }) => {
    new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    becomes(market, 'off');
    expect(places(market, alice, 'buy', '49000', { stopLoss: exit('45000') })).toBe('symbolClosed');
    becomes(market, 'normal');
    const id = places(market, alice, 'buy', '49000', { stopLoss: exit('45000') }) as Id;
    becomes(market, 'cancelOnly');
    expect(modifies(market, alice, id, { tpsl: { stopLoss: exit('46000') } })).toBe('symbolClosed');
    becomes(market, 'normal');
  });

  test('[ORD-79] a spot order takes none', ({ market }) => {
    new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    expect(market.order(alice, 'buy', '1', 'SPOT:BTCUSDT', '40000')).toBe('accepted');
    const [id] = market.state.accounts.get(alice)!.openOrders as [Id];
    expect(modifies(market, alice, id, { tpsl: { stopLoss: exit('35000') } }, 'SPOT')).toBe(
      'notOffered',
    );
    expect(modifies(market, alice, id, { price: '41000' }, 'SPOT')).toBe('accepted');
  });

  test('[TRG-44] a position of another account that closes affects no pending TP/SL', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    places(market, alice, 'buy', '49000', { stopLoss: exit('45000') });
    expect(market.order(triggers.other, 'sell', '0.4', 'BTCUSDT', '49000')).toBe('accepted');
    const bob = triggers.holds('long', '0.1');
    expect(market.order(triggers.maker, 'buy', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.order(bob, 'sell', '0.1', 'BTCUSDT', '50000', { reduceOnly: true })).toBe(
      'accepted',
    );
    expect(market.size(bob, 'BTCUSDT', 'long')).toBe('0');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect(triggers.liveTpsl(alice)).toEqual(['stopLoss 45000 x 0.4']);
  });
});

describe('prices set together', () => {
  test('[TRG-151] fire coin by coin as given; per symbol by index, mark and last; then other pinned marks', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    market.index('ETH', '3000');
    market.index('XRP', '1');
    const alice = market.joins({ USDT: '10000000' });
    // Placed in the opposite order, so that age does not explain the result.
    const xrp = triggers.placed(alice, 'buy', {
      symbol: 'XRPUSDT',
      at: '1.1',
      source: 'mark',
      size: '100',
    });
    const placed = (symbol: string, at: string) =>
      (['last', 'mark', 'index'] as const)
        .map((source) => triggers.placed(alice, 'buy', { symbol, at, source, size: '0.1' }))
        .reverse();
    const bitcoin = placed('BTCUSDT', '51000');
    const ether = placed('ETHUSDT', '3100');
    const set = { category: 'USDT-FUTURES', releaseMark: false, force: true } as const;
    market.accepted({
      type: 'setPrices',
      prices: [
        { ...set, symbol: 'XRPUSDT', mark: decimal('1.1') },
        { ...set, symbol: 'ETHUSDT', index: decimal('3100') },
        { ...set, symbol: 'BTCUSDT', index: decimal('51000') },
      ],
    });
    expect(triggers.ends().map((end) => Number(end.split(' ')[1]))).toEqual([
      ...ether,
      ...bitcoin,
      xrp,
    ]);
  });

  test('[TRG-152] a mark that is fresh again fires those that wait for a rise first', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    market.pin('BTCUSDT', '50000');
    triggers.offers('buy', '40000');
    triggers.offers('sell', '60000');
    const alice = market.joins({ USDT: '1000000' });
    market.accepted({ type: 'switchMarket', on: true });
    const placed = () =>
      triggers.placed(alice, 'buy', { at: '49900', source: 'mark', size: '0.1' });
    const falling = placed();
    market.index('BTC', '49800');
    market.passes(10_000);
    // Without its pin the mark follows the index, which is stale by now.
    market.pin('BTCUSDT', undefined);
    expect([triggers.ends(), market.mark('BTCUSDT')]).toEqual([[], '49800']);
    const rising = placed();
    expect([triggers.live(falling)?.way, triggers.live(rising)?.way]).toEqual([
      'falling',
      'rising',
    ]);
    market.index('BTC', '49900');
    expect(triggers.ends()).toEqual([`fired ${rising}`, `fired ${falling}`]);
  });

  test('[TRG-155] a change that keeps its trigger price is not checked against a frozen mark that passed it', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    market.pin('BTCUSDT', '50000');
    const alice = triggers.holds('long', '1');
    market.accepted({ type: 'switchMarket', on: true });
    const [exit] = triggers.tpsl(alice, 'long', {
      kind: 'takeProfit',
      at: '50500',
      source: 'mark',
      size: '0.1',
    });
    market.index('BTC', '50600');
    market.passes(10_000);
    market.pin('BTCUSDT', undefined);
    expect(market.mark('BTCUSDT')).toBe('50600');
    expect(triggers.change(alice, exit!, { size: '0.2' }, true)).toBe('accepted');
    expect(triggers.change(alice, exit!, { triggerPrice: '50550' }, true)).toBe(
      'longTakeProfitBelowMark',
    );
  });
});
