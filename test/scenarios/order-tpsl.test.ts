/** TP/SL attached to an open order: replaced, removed, or limited to the opening side. */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import type { PlacedOrder } from '../../src/messages/outcomes.ts';
import type { AttachedDraft } from '../../src/messages/triggers.ts';
import type { PositionSide } from '../../src/messages/vocabulary.ts';
import { type Market, test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Prices as text; a missing one is not sent. */
interface Input {
  readonly takeProfit?: string;
  readonly stopLoss?: string;
}

function tpsl({ takeProfit, stopLoss }: Input): {
  takeProfit?: AttachedDraft;
  stopLoss?: AttachedDraft;
} {
  const at = (price: string): AttachedDraft => ({ triggerPrice: decimal(price), source: 'last' });
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: at(takeProfit) }),
    ...(stopLoss === undefined ? {} : { stopLoss: at(stopLoss) }),
  };
}

function opens(
  market: Market,
  uid: Uid,
  side: 'buy' | 'sell',
  price: string,
  input: Input,
  positionSide?: PositionSide,
): Id {
  const order = {
    symbol: 'BTCUSDT',
    side,
    orderType: 'limit',
    size: decimal('1'),
    price: decimal(price),
    timeInForce: 'gtc',
    reduceOnly: false,
    ...(positionSide === undefined ? {} : { positionSide }),
  } as const;
  const { outcome } = market.accepted({
    type: 'placeProtectedOrders',
    uid,
    category: 'USDT-FUTURES',
    orders: [{ order, ...tpsl(input) }],
  });
  const [placed] = (outcome as { value: readonly { ok: boolean; value: PlacedOrder }[] }).value;
  expect(placed).toMatchObject({ ok: true });
  return placed!.value.orderId!;
}

function sets(
  market: Market,
  uid: Uid,
  orderId: Id,
  input: Input,
  price?: string,
  size?: string,
): string {
  const { outcome } = market.submit({
    type: 'modifyOrder',
    uid,
    orderId,
    tpsl: tpsl(input),
    ...(price === undefined ? {} : { price: decimal(price) }),
    ...(size === undefined ? {} : { size: decimal(size) }),
    replace: true,
    autoCancel: false,
  });
  return outcome.ok ? 'accepted' : outcome.refusal.reason;
}

const endAll = (market: Market, uid: Uid): unknown =>
  market.accepted({ type: 'cancelAllOrders', uid, category: 'USDT-FUTURES' });

test.for([
  [{ takeProfit: '60000', stopLoss: '44000' }, ['takeProfit 60000 x 0.4', 'stopLoss 44000 x 0.4']],
  [{ takeProfit: '60000' }, ['takeProfit 60000 x 0.4']],
  [{ stopLoss: '44000' }, ['stopLoss 44000 x 0.4']],
  [{}, []],
] as const)(
  '[ORD-202] a partly filled order gets %o for its TP/SL and keeps its id',
  ([input, ways], { market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    const order = opens(market, alice, 'buy', '49000', { takeProfit: '55000', stopLoss: '45000' });
    expect(market.order(triggers.other, 'sell', '0.4', 'BTCUSDT', '49000')).toBe('accepted');
    expect(sets(market, alice, order, input)).toBe('accepted');
    expect(market.emitted('orderModified')).toHaveLength(1);
    expect([...market.state.orders.values()].map(({ id }) => id)).toEqual([order]);
    endAll(market, alice);
    expect(triggers.liveTpsl(alice)).toEqual(ways);
  },
);

test('[ORD-95][ORD-202] a partly filled order gets none with another price or size, nor if it has none', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000000' });
  for (const brought of [{ stopLoss: '45000' }, {}]) {
    const order = opens(market, alice, 'buy', '49000', brought);
    expect(market.order(triggers.other, 'sell', '0.4', 'BTCUSDT', '49000')).toBe('accepted');
    expect(sets(market, alice, order, { stopLoss: '44000' }, '49100')).toBe('orderNotModifiable');
    expect(sets(market, alice, order, { stopLoss: '44000' }, undefined, '2')).toBe(
      'orderNotModifiable',
    );
    expect(sets(market, alice, order, { stopLoss: '44000' })).toBe(
      'stopLoss' in brought ? 'accepted' : 'orderNotModifiable',
    );
    endAll(market, alice);
  }
});

test('[ORD-100][ORD-91] an order without TP/SL has none to remove, and can get some', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000000' });
  const order = opens(market, alice, 'buy', '49000', { stopLoss: '45000' });
  expect([sets(market, alice, order, {}), sets(market, alice, order, {})]).toEqual([
    'accepted',
    'orderUnchanged',
  ]);
  expect(sets(market, alice, order, { takeProfit: '60000' }, '49100')).toBe('accepted');
  expect(market.order(triggers.other, 'sell', '1', 'BTCUSDT', '49100')).toBe('accepted');
  expect(triggers.liveTpsl(alice)).toEqual(['takeProfit 60000 x 1']);
});

test('[ORD-161][ORD-201] TP/SL are added only if there is room, and replaced even if there is none', ({
  market,
}) => {
  market.index('BTC', '50000');
  const alice = market.joins({ USDT: '10000000' });
  const [first = 0 as Id] = Array.from({ length: 249 }, () =>
    opens(market, alice, 'buy', '49000', { stopLoss: '45000' }),
  );
  const [given, refused] = [{}, {}].map((none) => opens(market, alice, 'buy', '49000', none));
  expect(sets(market, alice, given!, { stopLoss: '45000' })).toBe('accepted');
  expect(sets(market, alice, refused!, { stopLoss: '45000' })).toBe('tooManyTpsl');
  expect(sets(market, alice, first, { takeProfit: '60000', stopLoss: '44000' })).toBe('accepted');
});

test('[ORD-201] together with a new price they can be removed too', ({ market }) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000000' });
  expect(
    sets(market, alice, opens(market, alice, 'buy', '49000', { stopLoss: '45000' }), {}, '49100'),
  ).toBe('accepted');
  expect(market.order(triggers.other, 'sell', '1', 'BTCUSDT', '49100')).toBe('accepted');
  expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual(['1', []]);
});

test('[TRG-44] when a long closes, an open order keeps TP/SL for the short that it opened', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = triggers.holds('long', '0.2', { hedge: true });
  opens(market, alice, 'sell', '51000', { stopLoss: '55000' }, 'short');
  expect(market.order(triggers.other, 'buy', '0.4', 'BTCUSDT', '51000')).toBe('accepted');
  triggers.offers('buy', '50500', '0.2');
  expect(market.order(alice, 'sell', '0.2', 'BTCUSDT', '50500', { positionSide: 'long' })).toBe(
    'accepted',
  );
  expect(market.size(alice, 'BTCUSDT', 'long')).toBe('0');
  endAll(market, alice);
  expect(triggers.liveTpsl(alice)).toEqual(['stopLoss 55000 x 0.4']);
});

// 0.6 were opened and 0.4 of them closed: TP/SL cover what the order opened, up to the largest size
// of the position.
test('[TRG-44] TP/SL cover what the order opened, also after a partial close', ({ market }) => {
  const triggers = new Triggers(market);
  const alice = market.joins({ USDT: '1000000' });
  opens(market, alice, 'buy', '49000', { stopLoss: '45000' });
  expect(market.order(triggers.other, 'sell', '0.6', 'BTCUSDT', '49000')).toBe('accepted');
  triggers.offers('buy', '49500', '0.4');
  expect(market.order(alice, 'sell', '0.4', 'BTCUSDT', '49500', { reduceOnly: true })).toBe(
    'accepted',
  );
  endAll(market, alice);
  expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual([
    '0.2',
    ['stopLoss 45000 x 0.6'],
  ]);
});

test('[ORD-79] in hedge mode a closing order takes neither, and the first of them is named', ({
  market,
}) => {
  const triggers = new Triggers(market);
  const alice = triggers.holds('long', '1', { hedge: true });
  const order = {
    symbol: 'BTCUSDT',
    side: 'sell',
    orderType: 'limit',
    size: decimal('1'),
    price: decimal('51000'),
  } as const;
  const refused = (input: Input, positionSide?: PositionSide) => {
    const draft = {
      ...order,
      timeInForce: 'gtc',
      reduceOnly: false,
      ...(positionSide === undefined ? {} : { positionSide }),
    } as const;
    const orders = [{ order: draft, ...tpsl(input) }];
    const { outcome } = market.accepted({
      type: 'placeProtectedOrders',
      uid: alice,
      category: 'USDT-FUTURES',
      orders,
    });
    const [placed] = (
      outcome as { value: readonly { ok: boolean; refusal?: { reason: string; field?: string } }[] }
    ).value;
    return placed!.ok ? 'accepted' : `${placed!.refusal!.reason} ${placed!.refusal!.field}`;
  };
  expect([
    refused({ stopLoss: '55000' }, 'long'),
    refused({ takeProfit: '45000', stopLoss: '55000' }, 'long'),
  ]).toEqual([
    'triggerFieldsConflict stopLossTriggerPrice',
    'triggerFieldsConflict takeProfitTriggerPrice',
  ]);
  expect(refused({ stopLoss: '55000' }, 'short')).toBe('accepted');
});

// With the price at 50,000 an order waits for a better limit, and fills at 50,000 with a worse one.
test.for([
  ['buy', '49000', { takeProfit: '49500' }, undefined],
  ['buy', '51000', { stopLoss: '50500' }, 'longStopLossTooHigh'],
  ['sell', '51000', { takeProfit: '50500' }, undefined],
  ['sell', '49000', { stopLoss: '49500' }, 'shortStopLossTooLow'],
] as const)(
  '[ORD-78] %s at %s with %o is compared with the expected fill price',
  ([side, price, input, reason], { market }) => {
    new Triggers(market).trades('50000');
    const alice = market.joins({ USDT: '1000000' });
    const draft = {
      symbol: 'BTCUSDT',
      side,
      orderType: 'limit',
      size: decimal('1'),
      price: decimal(price),
      timeInForce: 'gtc',
    } as const;
    const orders = [{ order: { ...draft, reduceOnly: false }, ...tpsl(input) }];
    const { outcome } = market.accepted({
      type: 'placeProtectedOrders',
      uid: alice,
      category: 'USDT-FUTURES',
      orders,
    });
    const answer =
      reason === undefined
        ? { ok: true }
        : { ok: false, refusal: { reason, field: 'stopLossTriggerPrice' } };
    expect(outcome).toMatchObject({ value: [answer] });
  },
);
