/**
 * Fields and shapes that the calls of several generations share: how orders are named, how lists
 * are asked for.
 */
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text, textOrNull } from './shapes.ts';
import { selfTradeModeWords } from './wire-words.ts';

/** Either names an order; the order ID decides when both are given. */
export const orderNameFields = {
  orderId: field.describe(
    'Order ID; decides when both ids are given',
    field.optional(identifier.id()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.longClientOid())),
};

/**
 * The same in a list whose items answer for themselves: an answer repeats the id as it was said.
 */
export const orderNameAsGivenFields = {
  orderId: field.describe(
    'Order ID; decides when both ids are given',
    field.optional(identifier.idAsGiven()),
  ),
  clientOid: field.describe('Client order ID', field.optional(identifier.longClientOid())),
};

/** Of whatever is or becomes an order (ORD-10). */
export const stpMode = field.describe(
  'Self-trade prevention; left out, what the account is set to: `none` at first',
  field.optional(field.words(selfTradeModeWords)),
);

/** Clients say `buy` and `sell` of the one position that a symbol has in one-way mode. */
export const closedSide = field.describe(
  'Only this side: `long`, `short`; in one-way mode also `buy` (the long position), `sell` (the short one)',
  field.optional(field.sameWords(['long', 'short', 'buy', 'sell'])),
);

const RECEIVE_WINDOW_MAX = 60_000;

/** For how long after it was asked for a call is still meant (ORD-188). */
export const receiveWindowFields = {
  requestTime: field.describe('When it was asked for (ms)', field.optional(number.timestamp())),
  receiveWindow: field.describe(
    `For so many ms from then on it is meant, at most ${RECEIVE_WINDOW_MAX}`,
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
    'Order ID; null when it replaced a reduce-only order: ask for it by its `clientOid`',
  ),
  clientOid: text('Client order ID'),
});

/** How an item of a list of orders fared. */
export const itemAnswer = {
  orderId: textOrNull('Order ID; empty when refused, null when it replaced a reduce-only order'),
  clientOid: text('Client order ID'),
  code: text('00000, or the error code of this order'),
  msg: text('success, or the error message of this order'),
};

/** The same as v2 says it. */
export const failedItem = {
  orderId: text('Order ID; empty when there is none'),
  clientOid: text('Client order ID; empty when there is none'),
  errorMsg: text('Why it failed'),
  errorCode: text('Error code'),
};
