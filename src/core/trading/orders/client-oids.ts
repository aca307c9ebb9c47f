/** Client order ids: repeated within six hours they name the same order, also after a crash. */

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
 * True if a use at that moment is certainly still stored. Generations expire by age, or earlier if
 * there are too many.
 */
export const isRemembered = ({ clientOids }: State, usedAt: Timestamp, at: Timestamp): boolean =>
  at - usedAt < CLIENT_OID_AGE_MS_MAX &&
  (clientOids.length < GENERATIONS_MAX || usedAt > clientOids[0]!.since);

/**
 * The generated client id is the text of the order's id, extended until it is new to the user.
 * Later uses, such as the order of a trigger (TRG-36), do not change it: a repeated request gets
 * the same name.
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

/** Decimals compare by value: `1.0` and `01` are `1`. */
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

/** Brings all decimals of a request to their shortest form. */
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
 * An omitted self-trade mode counts as the default, and not as the account's current mode. So a
 * repeated request stays the same, with or without the default (ORD-150).
 */
export const selfTradeModeGiven = (mode: SelfTradeMode | undefined): SelfTradeMode =>
  mode ?? 'none';

type ApplicableFields = Pick<OrderDraft, 'price' | 'timeInForce' | 'positionSide' | 'reduceOnly'>;

/**
 * The fields that apply to the order; the others are ignored and do not make another order
 * (ORD-18).
 */
export function applicableFields(
  category: Category,
  positionMode: PositionMode,
  draft: OrderDraft,
): ApplicableFields {
  const hasLimit = isLimit(draft.orderType);
  const futures = isFutures(category);
  return {
    price: hasLimit ? draft.price : undefined,
    timeInForce: hasLimit ? draft.timeInForce : 'gtc',
    positionSide: futures && positionMode === 'hedge' ? draft.positionSide : undefined,
    reduceOnly: futures && positionMode === 'oneWay' && draft.reduceOnly,
  };
}

/** A digest of all that makes two requests the same order. */
export function contentOfOrder(
  category: Category,
  positionMode: PositionMode,
  draft: OrderDraft,
): number {
  const { price, timeInForce, positionSide, reduceOnly } = applicableFields(
    category,
    positionMode,
    draft,
  );
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
