/**
 * Fields and shapes that calls of several generations share: names of orders and filters of lists.
 */
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text, textOrNull } from './shapes.ts';
import { selfTradeModeWords } from './wire-words.ts';

/** Either field names an order. The order ID takes precedence if both are given. */
export const orderNameFields = {
  orderId: field.describe(
    'Order ID; takes precedence over `clientOid`',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.longClientOid())),
};

/**
 * The same fields in a list with a result for each item. An answer repeats the id as it was sent.
 */
export const orderNameAsGivenFields = {
  orderId: field.describe(
    'Order ID; takes precedence over `clientOid`',
    field.optional(identifier.idAsGiven()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.longClientOid())),
};

/** The mode of every order, also of one that a trigger places (ORD-10). */
export const stpMode = field.describe(
  'Self-trade prevention; the setting of the account when left out, initially `none`',
  field.optional(field.words(selfTradeModeWords)),
);

/** In one-way mode clients name the one position of a symbol by `buy` or `sell`. */
export const closedSide = field.describe(
  'Limits the call to a side: `long` or `short`; in one-way mode also `buy` for long and `sell` for short',
  field.optional(field.sameWords(['long', 'short', 'buy', 'sell'])),
);

const RECEIVE_WINDOW_MAX = 60_000;

/** The time after the request during which a call is valid (ORD-188). */
export const receiveWindowFields = {
  requestTime: field.describe('Time of the request (ms)', field.optional(number.timestamp())),
  receiveWindow: field.describe(
    `Time after \`requestTime\` for which the request is valid, at most ${RECEIVE_WINDOW_MAX} ms`,
    field.optional(number.countUpTo(RECEIVE_WINDOW_MAX)),
  ),
};

export const windowFields = (span: string) => ({
  startTime: field.describe(
    `From (ms); at most ${span} before the end`,
    field.optional(number.timestamp()),
  ),
  endTime: field.describe('To (ms)', field.optional(number.timestamp())),
});

export const namedOrder = { orderId: text('Order ID'), clientOid: text('Client order ID') };
export const namedOrderShape = object(namedOrder);
export const placedOrderShape = object({
  orderId: textOrNull(
    'Order ID; null if it replaced a reduce-only order: get it by its `clientOid`',
  ),
  clientOid: text('Client order ID'),
});

/** The result of an item in a list of orders. */
export const itemAnswer = {
  orderId: textOrNull('Order ID; empty if refused, null if it replaced a reduce-only order'),
  clientOid: text('Client order ID'),
  code: text('00000, or the error code of this order'),
  msg: text('success, or the error message of this order'),
};

/** The same result in v2. */
export const failedItem = {
  orderId: text('Order ID; empty when there is none'),
  clientOid: text('Client order ID; empty when there is none'),
  errorMsg: text('Reason of the failure'),
  errorCode: text('Error code'),
};
