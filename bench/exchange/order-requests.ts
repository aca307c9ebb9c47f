/**
 * Signed requests for orders, as sent over the wire. No client id occurs twice, and the book has
 * the same depth after each request.
 */
import { type Keys, signedHeaders } from '../../test/programme/server.ts';

export const BATCH_TARGET = '/api/v3/trade/place-batch';
export const SINGLE_TARGET = '/api/v3/trade/place-order';
export const ORDERS_PER_BATCH = 20;

export interface WireOrder {
  readonly category: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly orderType: string;
  readonly timeInForce: string;
  readonly price: string;
  readonly qty: string;
  readonly clientOid: string;
}

const order = (
  symbol: string,
  price: string,
  side: 'buy' | 'sell',
  clientOid: string,
): WireOrder => ({
  category: 'USDT-FUTURES',
  symbol,
  side,
  orderType: 'limit',
  timeInForce: 'gtc',
  price,
  qty: '0.01',
  clientOid,
});

const batchOrder = (side: 'buy' | 'sell', name: string, at: number): WireOrder =>
  order('BTCUSDT', '60000', side, `${name}-${at}`);

/** Ten orders trade with the previous batch's orders, ten rest for the next. */
function batchBody(name: string): string {
  const orders = Array.from({ length: ORDERS_PER_BATCH }, (_, at) =>
    batchOrder(at < ORDERS_PER_BATCH / 2 ? 'buy' : 'sell', name, at),
  );
  return JSON.stringify(orders);
}

/**
 * Orders for the first batch to trade with. Without them every batch would trade with itself and
 * leave nothing.
 */
export const openingOrders = (name: string): readonly WireOrder[] =>
  Array.from({ length: ORDERS_PER_BATCH / 2 }, (_, at) => batchOrder('sell', name, at));

/** Sells and buys alternate. */
const singleBody = (name: string, at: number): string =>
  JSON.stringify(order('ETHUSDT', '3000', at % 2 === 0 ? 'sell' : 'buy', name));

export interface RequestKind {
  readonly target: string;
  readonly ordersPerRequest: number;
  /**
   * Number of ids if every order is accepted: one per order, one per trade and one for both of its
   * fills.
   */
  readonly idsPerRequestMin: number;
  readonly body: (name: string, at: number) => string;
}

export const BATCHES: RequestKind = {
  target: BATCH_TARGET,
  ordersPerRequest: ORDERS_PER_BATCH,
  idsPerRequestMin: 50,
  body: batchBody,
};
export const SINGLES: RequestKind = {
  target: SINGLE_TARGET,
  ordersPerRequest: 1,
  idsPerRequestMin: 2.5,
  body: singleBody,
};

/** Odd, and near the golden section of 2^32: its multiples are spread evenly. */
const SPREAD = 0x9e3779b1;

/**
 * Chooses the user by a hash: pairs of buyer and seller vary, few are equal, and no position keeps
 * growing.
 */
const userAt = (users: readonly Keys[], at: number): Keys =>
  users[Math.floor(((Math.imul(at + 1, SPREAD) >>> 0) / 2 ** 32) * users.length)]!;

function requestText(target: string, user: Keys, body: string): string {
  const headers = {
    ...signedHeaders(user, 'POST', target, body),
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...lines, '', body].join('\r\n');
}

/** `turn` makes the client ids of one measurement unique. */
export const requestTexts = (
  { target, body }: RequestKind,
  users: readonly Keys[],
  turn: string,
  length: number,
): readonly string[] =>
  Array.from({ length }, (_, at) =>
    requestText(target, userAt(users, at), body(`${turn}-${at}`, at)),
  );
