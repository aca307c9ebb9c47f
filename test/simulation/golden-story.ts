/**
 * The commands of the golden journal: a story, and samples of every command that the story leaves
 * out.
 */

import { ByteReader } from '../../src/kernel/bytes.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { type ClientOid, UID_FIRST, type Uid } from '../../src/kernel/ids.ts';
import { DAY, type Timestamp } from '../../src/kernel/time.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { type Command, type CommandType, commandTable } from '../../src/messages/commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';

/** 1 January 2025, 00:00 UTC; one second passes between commands. */
export const GOLDEN_START = 1_735_689_600_000 as Timestamp;

const [ALICE, BOB] = [UID_FIRST as Uid, (UID_FIRST + 1) as Uid];
const decimal = (text: string): DecimalText => text as DecimalText;
const oid = (text: string): ClientOid => text as ClientOid;

const limit = (
  side: 'buy' | 'sell',
  size: string,
  price: string,
  more: Partial<OrderDraft> = {},
): OrderDraft => ({
  symbol: 'BTCUSDT',
  side,
  orderType: 'limit',
  size: decimal(size),
  price: decimal(price),
  timeInForce: 'gtc',
  reduceOnly: false,
  ...more,
});

const index = (symbol: string, price: string): Command => ({
  type: 'setPrices',
  prices: [
    { category: 'USDT-FUTURES', symbol, index: decimal(price), releaseMark: false, force: true },
  ],
});

const FUTURES = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

const BEGINNING: readonly Command[] = [
  ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
  ...DEFAULT_INSTRUMENTS.map((instrument): Command => ({ type: 'listInstrument', instrument })),
  index('BTCUSDT', '60000.1'),
  index('ETHUSDT', '3000'),
  {
    type: 'createUser',
    name: 'alice',
    email: 'alice@rialto.example',
    level: 'VIP1',
    positionMode: 'oneWay',
  },
  {
    type: 'createUser',
    name: 'Bob – ÄÖ中',
    areaCode: '49',
    mobile: '15112345678',
    level: 'VIP0',
    positionMode: 'hedge',
  },
  ...[ALICE, BOB].flatMap((uid): Command[] => [
    { type: 'deposit', uid, coin: 'USDT', size: decimal('100000.5'), clientOid: oid('first') },
    { type: 'deposit', uid, coin: 'BTC', size: decimal('2') },
  ]),
  {
    type: 'createKey',
    uid: ALICE,
    apiKey: 'key',
    sealedSecret: 'sealed',
    passphraseHash: 'hash',
    permissions: ['uta_trade.write', 'copy.read'],
    addresses: ['127.0.0.1'],
  },
  { type: 'revokeKey', apiKey: 'key' },
  { type: 'switchMarket', on: false },
  { type: 'setPast', seed: 7, spanMs: 30 * DAY },
  { type: 'openWorld', world: 'demo' },
];

/** A spot buy that waits for an index price of 60,400. */
const SPOT_STOP = {
  kind: 'conditional',
  symbol: 'BTCUSDT',
  marginMode: 'asSet',
  size: decimal('0.01'),
  triggerPrice: decimal('60400'),
  source: 'mark',
  side: 'buy',
  reduceOnly: false,
} as const;

const TRADING: readonly Command[] = [
  { type: 'setMarginMode', uid: BOB, ...FUTURES, marginMode: 'isolated' },
  { type: 'setLeverage', uid: BOB, ...FUTURES, leverage: decimal('20'), side: 'long' },
  { type: 'setCoinLeverage', uid: ALICE, coin: 'BTC', leverage: decimal('3') },
  { type: 'setSelfTradeMode', uid: ALICE, selfTradeMode: 'cancelTaker' },
  { type: 'setDailyOrders', warn: 1_000, restrict: 2_000 },
  {
    type: 'setFees',
    market: 'futures',
    rates: [{ level: 'VIP0', maker: decimal('0.0003'), taker: decimal('0.0007') }],
  },
  {
    type: 'placeOrders',
    uid: ALICE,
    category: 'USDT-FUTURES',
    orders: [
      limit('sell', '0.5', '60010', { clientOid: oid('ask') }),
      limit('sell', '0.3', '60020'),
      limit('buy', '0.2', '59000'),
    ],
  },
  {
    type: 'modifyOrder',
    uid: ALICE,
    clientOid: oid('ask'),
    size: decimal('0.45'),
    replace: false,
    autoCancel: false,
  },
  {
    type: 'modifyOrder',
    uid: ALICE,
    clientOid: oid('ask'),
    ...FUTURES,
    price: decimal('60009'),
    size: decimal('0.5'),
    replace: true,
    newClientOid: oid('ask-anew'),
    autoCancel: false,
  },
  {
    type: 'placeOrders',
    uid: BOB,
    category: 'USDT-FUTURES',
    orders: [limit('buy', '0.6', '60020', { positionSide: 'long' })],
  },
  {
    type: 'placeProtectedOrders',
    uid: BOB,
    category: 'USDT-FUTURES',
    orders: [
      {
        order: limit('buy', '0.05', '60020', { positionSide: 'long' }),
        takeProfit: { triggerPrice: decimal('66000') },
        stopLoss: { triggerPrice: decimal('50000'), source: 'mark', price: decimal('49900') },
      },
    ],
  },
  {
    type: 'adjustMargin',
    uid: BOB,
    ...FUTURES,
    side: 'long',
    amount: decimal('250.25'),
    direction: 'add',
  },
  { type: 'placeOrders', uid: BOB, category: 'SPOT', orders: [limit('buy', '0.01', '59990')] },
  {
    type: 'placeOrders',
    uid: ALICE,
    category: 'SPOT',
    orders: [limit('sell', '0.02', '59990', { timeInForce: 'ioc' })],
  },
  {
    type: 'placeTrigger',
    uid: BOB,
    category: 'SPOT',
    trigger: { ...SPOT_STOP, orderType: 'limit', price: decimal('60300') },
  },
  {
    type: 'placeTrigger',
    uid: BOB,
    category: 'SPOT',
    trigger: { ...SPOT_STOP, orderType: 'market', size: decimal('100') },
  },
  index('BTCUSDT', '60400'),
  {
    type: 'setPricesWithQuotes',
    prices: [{ ...FUTURES, index: decimal('60300'), releaseMark: false, force: false }],
    quotes: [
      {
        uid: ALICE,
        cancels: [],
        places: [{ category: 'USDT-FUTURES', orders: [limit('buy', '0.1', '58900')] }],
      },
    ],
  },
  { type: 'closePositions', uid: BOB, ...FUTURES, side: 'long' },
  { type: 'setCountdown', uid: BOB, ms: 20_000 },
  { type: 'setCountdown', uid: ALICE, ms: 60_000 },
  { type: 'setCountdown', uid: ALICE, ms: 0 },
  { type: 'cancelOrders', uid: ALICE, orders: [{ clientOid: oid('ask') }] },
  { type: 'cancelAllOrders', uid: ALICE, category: 'USDT-FUTURES' },
  {
    type: 'transferIsolated',
    uid: ALICE,
    symbol: 'BTCUSDT',
    coin: 'USDT',
    amount: decimal('2000'),
    direction: 'in',
  },
  { type: 'borrowIsolated', uid: ALICE, symbol: 'BTCUSDT', coin: 'USDT', amount: decimal('1500') },
  { type: 'repayIsolated', uid: ALICE, symbol: 'BTCUSDT', coin: 'USDT', amount: decimal('700') },
  // A day with its funding and interest, a symbol that halts, and prices that liquidate the rest.
  { type: 'moveClock', wall: GOLDEN_START, advanceMs: DAY },
  { type: 'setInstrumentStatus', category: 'SPOT', symbol: 'ETHBTC', status: 'halted' },
  index('BTCUSDT', '39000'),
  { type: 'setPositionMode', uid: ALICE, positionMode: 'hedge' },
  { type: 'tick' },
];

/** A command decoded from zeros has its shortest form; from ones, a slightly longer one. */
const sampleOf = (type: CommandType, byte: 0 | 1): Command =>
  ({
    type,
    ...(commandTable[type].codec.read(new ByteReader(Buffer.alloc(64 * 1024, byte))) as object),
  }) as Command;

export function goldenStory(): readonly Command[] {
  const emitted = [...BEGINNING, ...TRADING];
  const types = new Set(emitted.map(({ type }) => type));
  const missing = (Object.keys(commandTable) as CommandType[]).filter((type) => !types.has(type));
  return [...emitted, ...missing.flatMap((type) => [sampleOf(type, 0), sampleOf(type, 1)])];
}
