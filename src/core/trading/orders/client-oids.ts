/**
 * Client order ids: said again within six hours they mean the same order, whatever crashed in
 * between.
 */

import {
  addText,
  addWords,
  closeDigest,
  nameWord,
  nameWordIfAny,
  newDigest,
  openDigest,
} from '../../../kernel/digest.ts';
import { type ClientOid, clientOidOf, type Id, type Uid } from '../../../kernel/ids.ts';
import type { Timestamp } from '../../../kernel/time.ts';
import type { OrderDraft } from '../../../messages/orders.ts';
import {
  type Category,
  isFutures,
  isLimit,
  type PositionMode,
  type SelfTradeMode,
} from '../../../messages/vocabulary.ts';
import { CLIENT_OID_AGE_MS_MAX, GENERATIONS_MAX } from '../../derived/client-oids.ts';
import type { Moment } from '../../derived/derived.ts';
import type { ClientOidUse } from '../../state/order.ts';
import type { State } from '../../state/state.ts';

export function clientOidUse(
  { derived, at }: Moment,
  uid: Uid,
  clientOid: ClientOid,
): ClientOidUse | undefined {
  const use = derived.clientOids.lastUse(uid, clientOid);
  return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use : undefined;
}

/**
 * Whether a use of that moment is surely still known: generations go when they are too old, and
 * before that only when there are too many.
 */
export const isRemembered = ({ clientOids }: State, usedAt: Timestamp, at: Timestamp): boolean =>
  at - usedAt < CLIENT_OID_AGE_MS_MAX &&
  (clientOids.length < GENERATIONS_MAX || usedAt > clientOids[0]!.since);

/**
 * The text of an order's id names it when its holder did not. Should he have used that very text
 * before, it grows until it is new. What is called so later, as the order of a trigger is (TRG-36),
 * does not change it: whoever asks again is told the name of the first time.
 */
export function ownClientOid({ derived }: Moment, uid: Uid, id: Id): ClientOid {
  const isTaken = (name: ClientOid): boolean =>
    (derived.clientOids.lastUse(uid, name)?.orderId ?? id) < id;
  let clientOid = clientOidOf(id);
  while (isTaken(clientOid)) clientOid = `${clientOid}_` as ClientOid;
  return clientOid;
}

const ZERO = 48;

const POINT = 46;

/** Decimals are compared by value: `1.0` and `01` are `1`. */
function plain(text: string): string {
  const point = text.indexOf('.');
  let end = text.length;
  if (point >= 0) {
    while (text.charCodeAt(end - 1) === ZERO) end--;
    if (text.charCodeAt(end - 1) === POINT) end--;
  }
  const wholeEnd = point < 0 ? end : point;
  let start = 0;
  while (start < wholeEnd - 1 && text.charCodeAt(start) === ZERO) start++;
  return text.slice(start, end);
}

const HIGH_BITS = 2 ** 21 - 1;

/**
 * The same of a whole request: texts that are decimals in their shortest form, all else as it is.
 */
export function plainDecimals(input: unknown): unknown {
  if (typeof input === 'string') return DECIMAL.test(input) ? plain(input) : input;
  if (Array.isArray(input)) return input.map(plainDecimals);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, plainDecimals(value)]),
  );
}

const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * A self-trade mode that is left out is the one that accounts have at first, and not the one that
 * this account has by now: a request that comes again is the same, and saying the default makes no
 * other one (ORD-150).
 */
export const selfTradeModeGiven = (mode: SelfTradeMode | undefined): SelfTradeMode =>
  mode ?? 'none';

type Applying = Pick<OrderDraft, 'price' | 'timeInForce' | 'positionSide' | 'reduceOnly'>;

/**
 * What an order says of these, as far as it applies to it: the rest is ignored, and so makes no
 * other order (ORD-18).
 */
export function applying(
  category: Category,
  positionMode: PositionMode,
  draft: OrderDraft,
): Applying {
  const hasLimit = isLimit(draft.orderType);
  const futures = isFutures(category);
  return {
    price: hasLimit ? draft.price : undefined,
    timeInForce: hasLimit ? draft.timeInForce : 'gtc',
    positionSide: futures && positionMode === 'hedge' ? draft.positionSide : undefined,
    reduceOnly: futures && positionMode === 'oneWay' && draft.reduceOnly,
  };
}

/**
 * Everything that makes two requests the same order, as a digest: a few bytes for each order of six
 * hours.
 */
export function contentOfOrder(
  category: Category,
  positionMode: PositionMode,
  draft: OrderDraft,
): number {
  const { price, timeInForce, positionSide, reduceOnly } = applying(category, positionMode, draft);
  const digest = newDigest();
  openDigest(digest);
  addText(plain(draft.size));
  addText(price === undefined ? '' : plain(price));
  addWords(
    nameWord(category),
    nameWord(draft.symbol),
    nameWord(draft.side),
    nameWord(draft.orderType),
  );
  addWords(
    nameWord(timeInForce),
    nameWordIfAny(positionSide),
    nameWord(selfTradeModeGiven(draft.selfTradeMode)),
    reduceOnly ? 1 : 0,
  );
  addWords(nameWordIfAny(draft.marginMode), nameWordIfAny(draft.loanType), 0, 0);
  closeDigest(digest);
  return (digest.high & HIGH_BITS) * 2 ** 32 + (digest.low >>> 0);
}

export const rememberClientOid = (
  { derived }: Moment,
  uid: Uid,
  clientOid: ClientOid,
  use: ClientOidUse,
): void => derived.clientOids.remember(uid, clientOid, use);
