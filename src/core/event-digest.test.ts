import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { digestText, newDigest } from '../kernel/digest.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, LedgerLine } from '../messages/events.ts';
import type { FillRow, OrderEnd, OrderRow, PositionRow } from '../messages/orders.ts';
import { addFunctionOf, digestEvent, digestOutcome } from './event-digest.ts';

const uid = 1_000_000_001 as Uid;
const at = 1_735_689_600_000 as Timestamp;

/** `Required` demands every field here, so the test covers each new one. */
const order: Required<OrderRow> = {
  orderId: 7 as Id,
  uid,
  clientOid: 'a' as ClientOid,
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'gtc',
  price: 10n as Price,
  size: 11n as Size,
  quoteAmount: 12n as Amount,
  status: 'new',
  positionMode: 'hedge',
  positionSide: 'long',
  intent: 'open',
  marginMode: 'crossed',
  reduceOnly: false,
  selfTradeMode: 'none',
  executionKind: 'normal',
  origin: 'placed',
  loanType: 'normal',
  feeCoin: 'USDT',
  openSize: 13n as Size,
  leverage: '10' as DecimalText,
  takeProfit: { kind: 'price', triggerPrice: 15n as Price, source: 'last', price: 16n as Price },
  stopLoss: { kind: 'price', triggerPrice: 17n as Price, source: 'mark' },
  marginHold: { coin: 'USDT', amount: 14n as Amount },
};
const fill: Required<FillRow> = {
  fillId: 8 as Id,
  tradeId: 9 as Id,
  orderId: 7 as Id,
  uid,
  clientOid: 'a' as ClientOid,
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  side: 'buy',
  price: 10n as Price,
  size: 11n as Size,
  value: 12n as Amount,
  role: 'taker',
  feeCoin: 'USDT',
  fee: 13n as Amount,
  positionSide: 'long',
  intent: 'open',
  openedSize: 16n as Size,
  profit: 14n as Amount,
  leftToClearing: 17n as Amount,
  executionKind: 'normal',
  loanType: 'normal',
  selfTrade: false,
  marginHold: 15n as Amount,
};
const position: Required<PositionRow> = {
  positionId: 6 as Id,
  uid,
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  marginCoin: 'USDT',
  side: 'long',
  positionMode: 'hedge',
  marginMode: 'crossed',
  leverage: '10' as DecimalText,
  size: 1n as Size,
  lockedSize: 2n as Size,
  entry: { size: 1n as Size, cost: 3n },
  margin: 4n as Amount,
  realisedProfit: 5n as Amount,
  funding: 6n as Amount,
  openFees: 7n as Amount,
  closeFees: 8n as Amount,
  closed: { size: 9n as Size, cost: 10n },
  createdAt: at,
  updatedAt: at,
};
const end: Required<OrderEnd> = {
  orderId: 7 as Id,
  uid,
  status: 'cancelled',
  cancelReason: 'byUser',
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
};
const line: Required<LedgerLine> = {
  id: 5 as Id,
  uid,
  coin: 'USDT',
  account: 'available',
  amount: -1n as Amount,
  balance: 2n as Amount,
  symbol: 'BTCUSDT',
};

const EVENTS: readonly Event[] = [
  { type: 'orderAccepted', order },
  { type: 'orderEnded', end },
  {
    type: 'tradeExecuted',
    tradeId: 9 as Id,
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    takerSide: 'buy',
    price: 10n as Price,
    size: 11n as Size,
  },
  { type: 'fillSettled', fill },
  { type: 'positionChanged', position },
  { type: 'positionClosed', position },
  { type: 'entryPosted', reason: 'hold', lines: [line, line] },
  { type: 'marketSwitched', on: true },
];

/** Fields that repeat an earlier event with the same id, or the time of the command. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  // `openedSize` follows from the position, and `leftToClearing` from the profit.
  fillSettled: [
    'uid',
    'clientOid',
    'category',
    'symbol',
    'orderType',
    'side',
    'price',
    'size',
    'feeCoin',
    'executionKind',
    'loanType',
    'openedSize',
    'leftToClearing',
  ],
  orderEnded: ['uid', 'category', 'symbol'],
  tradeExecuted: ['category', 'symbol'],
  // `size` is the size of `entry`.
  positionChanged: [
    'uid',
    'category',
    'symbol',
    'marginCoin',
    'side',
    'positionMode',
    'marginMode',
    'size',
    'createdAt',
    'updatedAt',
  ],
  // Ids are sequential, so the id of the next order or fill covers them.
  entryPosted: ['id'],
};
const repeatedIn = (type: string): readonly string[] =>
  REPEATED[type === 'positionClosed' ? 'positionChanged' : type] ?? [];

function digestOf(event: Event): string {
  const digest = newDigest();
  digestEvent(digest, addFunctionOf(event.type), event);
  return digestText(digest);
}

/** Another value of the same kind. */
function changed(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'number') return value + 2 ** 32;
  if (typeof value === 'boolean') return !value;
  return `${value as string}x`;
}

/** Copies of the value with one leaf changed or one list item removed. */
function* variantsOf(
  value: unknown,
  leftOut: readonly string[],
  within: string,
): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries())
      for (const variant of variantsOf(item, leftOut, within)) yield value.with(place, variant);
    yield value.slice(1);
    return;
  }
  if (typeof value !== 'object' || value === null) return yield changed(value);
  for (const [name, field] of Object.entries(value)) {
    if (name === 'type' || (within !== 'entry' && leftOut.includes(name))) continue;
    for (const variant of variantsOf(
      field,
      leftOut,
      name === 'entry' || name === 'closed' ? 'entry' : within,
    ))
      yield { ...value, [name]: variant };
  }
}

const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  order: [
    'price',
    'quoteAmount',
    'positionSide',
    'intent',
    'marginMode',
    'loanType',
    'openSize',
    'leverage',
    'marginHold',
  ],
  fill: ['positionSide', 'intent', 'marginHold'],
  position: ['funding'],
  end: ['cancelReason'],
};

function* withoutFields(event: Event): Generator<Event> {
  for (const [name, fields] of Object.entries(OPTIONAL)) {
    const row = (event as unknown as Record<string, Record<string, unknown>>)[name];
    if (row !== undefined)
      for (const field of fields)
        yield { ...event, [name]: { ...row, [field]: undefined } } as Event;
  }
}

describe('the digest of events', () => {
  test.each(EVENTS.map((event) => [event.type, event] as const))(
    '[CLK-11] covers every field of %s that repeats no earlier event',
    (_type, event) => {
      const variants = [
        ...(variantsOf(event, repeatedIn(event.type), 'event') as Generator<Event>),
        ...withoutFields(event),
      ];
      expect(variants.length).toBeGreaterThan(0);
      const digests = new Set([digestOf(event), ...variants.map(digestOf)]);
      expect(digests.size).toBe(variants.length + 1);
    },
  );

  test('[CLK-11] distinguishes events of the same shape', () => {
    expect(digestOf({ type: 'positionChanged', position })).not.toBe(
      digestOf({ type: 'positionClosed', position }),
    );
  });

  test('[CLK-11] covers every outcome of an order', () => {
    const answers = [
      [],
      [{ ok: true, value: { orderId: 1, clientOid: 'a' } }],
      [{ ok: true, value: { orderId: 2, clientOid: 'a' } }],
      [{ ok: true, value: { clientOid: 'a' } }],
      [{ ok: true, value: { clientOid: 'b' } }],
      [{ ok: false, refusal: { reason: 'unknownOrder' } }],
      [{ ok: false, refusal: { reason: 'orderIdNeeded' } }],
    ];
    const digests = answers.map((value) => {
      const digest = newDigest();
      digestOutcome(digest, 'placeOrders', { ok: true, value });
      return digestText(digest);
    });
    expect(new Set(digests).size).toBe(answers.length);
  });
});
