/** Results of orders, alone and in batches, in v2 and v3 form. */
import type { Language } from '../../contract/dialects.ts';
import { wireError } from '../../contract/errors.ts';
import { ID_OF_NOTHING } from '../../contract/identifier-fields.ts';
import type { WireRejection } from '../../contract/wire-rejections.ts';
import { type ClientOid, type Id, idFromText, idText } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { PlacedOrder } from '../../messages/outcomes.ts';
import type { OrderRecord, TriggerRecord } from '../../views/records.ts';
import { ItemAnswer, SUCCESS_CODE } from '../http/answers.ts';
import type { Reply } from './handler.ts';

/** Null if the order replaced older ones: clients query it by client order ID. */
export const placedText = ({ orderId, clientOid }: PlacedOrder) => ({
  orderId: orderId === undefined ? null : idText(orderId),
  clientOid,
});

export interface NamedOrder {
  readonly orderId: Id;
  readonly clientOid: ClientOid;
}
export const namedText = ({ orderId, clientOid }: NamedOrder) => ({
  orderId: idText(orderId),
  clientOid,
});

/** The answer of a command for one order: a refusal of the item refuses the call. */
export function onlyOne<Value, Shown>(
  outcome: Reply<readonly Result<Value, WireRejection>[]>,
  show: (value: Value) => Shown,
): Reply<Shown> {
  if (!outcome.ok) return outcome;
  const fared = outcome.value[0]!;
  return fared.ok ? ok(show(fared.value)) : fared;
}

export type Fared = Result<PlacedOrder, WireRejection>;

/** The names of a requested item, repeated in the answer if it is refused. */
export interface ItemName {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** The order that the names identify; a text that is not an id matches nothing. */
export const nameOfInput = ({
  orderId,
  clientOid,
}: {
  readonly orderId: string | undefined;
  readonly clientOid: ClientOid | undefined;
}) => ({
  orderId: orderId === undefined ? undefined : (idFromText(orderId) ?? ID_OF_NOTHING),
  clientOid,
});

/** An item at its position (v3). */
export function itemText(
  fared: Fared,
  language: Language,
  { orderId = '', clientOid = '' }: ItemName,
): ItemAnswer {
  if (fared.ok) {
    const placed = fared.value;
    return new ItemAnswer(
      placed.orderId === undefined ? null : idText(placed.orderId),
      placed.clientOid,
      SUCCESS_CODE,
      'success',
    );
  }
  const { code, msg } = wireError(fared.refusal, language, 'v3');
  return new ItemAnswer(orderId, clientOid, code, msg);
}

/** An item in the list of failures (v2). */
export function failureText(
  refusal: WireRejection,
  language: Language,
  { orderId = '', clientOid = '' }: ItemName,
) {
  const { code: errorCode, msg: errorMsg } = wireError(refusal, language, 'v2');
  return { orderId, clientOid, errorMsg, errorCode };
}

/**
 * The results in request order, which the two lists do not show. A symbol key is never sent,
 * because JSON omits it.
 */
export const IN_ORDER = Symbol('in order');

/** A batch answer with two lists. */
export interface Parted<Shown> {
  readonly [IN_ORDER]: readonly (Shown | undefined)[];
  readonly successList: readonly Exclude<Shown, undefined>[];
  readonly failureList: readonly ReturnType<typeof failureText>[];
}

/** Splits results into successes and failures. `names` are those of the requests, in order. */
export function parted<Value, Shown>(
  results: readonly Result<Value, WireRejection>[],
  names: readonly ItemName[],
  language: Language,
  show: (value: Value) => Shown,
): Parted<Shown> {
  const shown = results.map((fared) => (fared.ok ? show(fared.value) : undefined));
  return {
    [IN_ORDER]: shown,
    successList: shown.filter((each): each is Exclude<Shown, undefined> => each !== undefined),
    failureList: results.flatMap((fared, at) =>
      fared.ok ? [] : [failureText(fared.refusal, language, names[at]!)],
    ),
  };
}

type Listed = OrderRecord | TriggerRecord | { readonly id: Id };

/** The id from which the next older page continues; empty for an empty page. */
export function endIdText(rows: readonly Listed[]): string {
  const last = rows.at(-1);
  if (last === undefined) return '';
  if ('order' in last) return idText(last.order.orderId);
  return idText('trigger' in last ? last.trigger.triggerId : last.id);
}
