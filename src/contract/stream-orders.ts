/** Orders over a stream: which endpoint carries out each request, and the fields around them. */

import { request } from './endpoint.ts';
import type { PublicName } from './endpoints.ts';
import { receiveWindowFields } from './trading-fields.ts';

export interface OrderTopic {
  readonly endpoint: PublicName;
  /** True if the endpoint takes a list, with a result for each item. */
  readonly isBatch: boolean;
}

const one = (endpoint: PublicName): OrderTopic => ({ endpoint, isBatch: false });
const batch = (endpoint: PublicName): OrderTopic => ({ endpoint, isBatch: true });

/** v3: by topic. */
export const ORDER_TOPICS: ReadonlyMap<string, OrderTopic> = new Map([
  ['place-order', one('placeOrder')],
  ['batch-place', batch('placeBatch')],
  ['modify-order', one('changeOrder')],
  ['batch-modify', batch('changeOrders')],
  ['cancel-order', one('cancelOrder')],
  ['batch-cancel', batch('cancelBatch')],
]);

interface OrderChannel {
  readonly spot: PublicName;
  readonly futures: PublicName;
}

/** v2: by channel. */
export const ORDER_CHANNELS: ReadonlyMap<string, OrderChannel> = new Map([
  ['place-order', { spot: 'placeSpotOrder', futures: 'placeFuturesOrder' }],
  ['cancel-order', { spot: 'cancelSpotOrder', futures: 'cancelFuturesOrder' }],
]);

/** The receive window of a v3 request. v2 has it in the fields of the call. */
export const orderWindow = request(receiveWindowFields);
