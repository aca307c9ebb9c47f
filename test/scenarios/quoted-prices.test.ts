/** Price updates with quotes of market makers. */
import { expect } from 'vitest';
import { QUOTES_PER_COMMAND_MAX } from '../../src/core/world/quoted-prices.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import type { MakerQuotes } from '../../src/messages/order-commands.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { isolatedLong, type Market, test } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const FUTURES = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

const bid = (price: string, size = '2'): OrderDraft => ({
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: decimal(price),
  size: decimal(size),
  timeInForce: 'gtc',
  reduceOnly: false,
});

const priced = (
  index: string,
  quotes: readonly MakerQuotes[],
): CommandOf<'setPricesWithQuotes'> => ({
  type: 'setPricesWithQuotes',
  prices: [{ ...FUTURES, index: decimal(index), releaseMark: false, force: false }],
  quotes,
});

const openOrders = (market: Market, uid: Uid): readonly Id[] =>
  market.state.accounts.get(uid)!.openOrders;

/** The maker's only bid moves to a new price. */
const moved = (market: Market, maker: Uid, price: string): MakerQuotes[] => [
  {
    uid: maker,
    cancels: [...openOrders(market, maker)],
    places: [{ category: 'USDT-FUTURES', orders: [bid(price)] }],
  },
];

/** A long of 1 BTC at 50,000 with a stop-loss at 49,000 by mark, and a maker's bid at 49,990. */
function stoppedLong(market: Market): { readonly long: Uid; readonly maker: Uid } {
  market.index('BTC', '50000');
  const [long, short, maker] = [1, 2, 3].map(() => market.joins({ USDT: '1000000' })) as [
    Uid,
    Uid,
    Uid,
  ];
  market.trade(long, short, '1', 'BTCUSDT', '50000');
  const stop = {
    kind: 'stopLoss',
    triggerPrice: decimal('49000'),
    source: 'mark',
    size: decimal('1'),
  } as const;
  market.accepted({ type: 'placeTpsl', uid: long, ...FUTURES, side: 'long', tpsl: [stop] });
  expect(market.order(maker, 'buy', '2', 'BTCUSDT', '49990')).toBe('accepted');
  return { long, maker };
}

test('[MKT-23] a stop-loss that the price fires fills at the quotes of the same update', ({
  market,
}) => {
  const { long, maker } = stoppedLong(market);
  market.accepted(priced('49000.1', moved(market, maker, '48995')));
  expect(market.fills(long)).toEqual([]);
  market.accepted(priced('49000', moved(market, maker, '48990')));
  expect(market.fills(long)).toEqual(['normal sell 1 at 48990']);
  expect(openOrders(market, maker)).toHaveLength(1);
});

test('[MKT-23] without quotes in the update it meets the earlier ones', ({ market }) => {
  const { long } = stoppedLong(market);
  market.index('BTC', '49000');
  expect(market.fills(long)).toEqual(['normal sell 1 at 49990']);
});

test('[MKT-23] a liquidation by a price meets the quotes of the same update', ({ market }) => {
  const { long } = isolatedLong(market);
  const maker = market.joins({ USDT: '1000000' });
  expect(market.order(maker, 'buy', '2', 'BTCUSDT', '49990')).toBe('accepted');
  market.accepted(priced('47719.6', moved(market, maker, '47700')));
  expect(market.fills(long)).toEqual([]);
  market.accepted(priced('47719.5', moved(market, maker, '47600')));
  expect(market.fills(long)).toEqual(['liquidation sell 1 at 47600']);
});

test('[MKT-23] a quote beyond a resting order of a user takes it at the price of the user', ({
  market,
}) => {
  const { maker } = stoppedLong(market);
  const seller = market.joins({ USDT: '1000000' });
  expect(market.order(seller, 'sell', '1', 'BTCUSDT', '50100')).toBe('accepted');
  market.accepted(priced('50200', moved(market, maker, '50190')));
  expect(market.fills(seller)).toEqual(['normal sell 1 at 50100']);
});

test('[PRC-18] a refused price changes no quote', ({ market }) => {
  const { maker } = stoppedLong(market);
  const before = openOrders(market, maker)[0];
  const { outcome, events } = market.submit(priced('65000.1', moved(market, maker, '64990')));
  expect(outcome).toMatchObject({
    ok: false,
    refusal: { reason: 'priceJumpTooLarge', field: 'index' },
  });
  expect([events, openOrders(market, maker)]).toEqual([[], [before]]);
  market.accepted(priced('65000', moved(market, maker, '64990')));
  expect(openOrders(market, maker)[0]).not.toBe(before);
});

test('[PRC-19] quotes of an unknown account, or one too many, refuse price and quotes', ({
  market,
}) => {
  const { maker } = stoppedLong(market);
  const cancels = (count: number): Id[] =>
    Array.from({ length: count }, (_, at) => (1_000_000 + at) as Id);
  const none = { uid: (maker + 1_000) as Uid, cancels: [], places: [] };
  expect(market.submit(priced('49500', [none])).outcome).toMatchObject({
    refusal: { reason: 'unknownUser', field: 'uid' },
  });
  const tooMany = [
    { ...moved(market, maker, '49490')[0]!, cancels: cancels(QUOTES_PER_COMMAND_MAX) },
  ];
  expect(market.submit(priced('49500', tooMany)).outcome).toMatchObject({
    refusal: { reason: 'tooManyItems', field: 'quotes', detail: '5000' },
  });
  expect(market.mark('BTCUSDT')).toBe('50000');
  const most = [{ ...tooMany[0]!, cancels: cancels(QUOTES_PER_COMMAND_MAX - 1) }];
  market.accepted(priced('49500', most));
  expect([market.mark('BTCUSDT'), openOrders(market, maker)]).toEqual([
    '49500',
    [expect.any(Number), expect.any(Number)],
  ]);
});

test('[MKT-24] a refused quote does not affect the price and the other quotes', ({ market }) => {
  const { maker } = stoppedLong(market);
  const orders = [bid('49400', '1000000'), bid('49390')];
  market.accepted(
    priced('49500', [{ uid: maker, cancels: [], places: [{ category: 'USDT-FUTURES', orders }] }]),
  );
  expect(market.mark('BTCUSDT')).toBe('49500');
  expect(market.emitted('orderAccepted').map(({ order }) => order.price)).toEqual([
    493_900_000_000_000n,
  ]);
});
