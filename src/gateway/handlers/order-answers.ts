/** How orders fared, alone and in lists, as each generation tells it. */
import type { Language } from '../../contract/dialects.ts';
import { wireError } from '../../contract/errors.ts';
import { ID_OF_NOTHING } from '../../contract/fields.ts';
import type { WireRejection } from '../../contract/wire-rejections.ts';
import { type ClientOid, type Id, idFromText, idText } from '../../kernel/ids.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { PlacedOrder } from '../../messages/commands.ts';
import type { OrderRecord, TriggerRecord } from '../../views/records.ts';
import { ItemAnswer, SUCCESS_CODE } from '../http/answers.ts';
import type { Reply } from './handler.ts';

/** Null when it took the place of older ones: it is asked for by its client order ID. */
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

/** The answer of a command about one order: its refusal is the refusal of the call. */
export function onlyOne<Value, Shown>(
  outcome: Reply<readonly Result<Value, WireRejection>[]>,
  show: (value: Value) => Shown,
): Reply<Shown> {
  if (!outcome.ok) return outcome;
  const fared = outcome.value[0]!;
  return fared.ok ? ok(show(fared.value)) : fared;
}

export type Fared = Result<PlacedOrder, WireRejection>;

/** What an item was called when it was asked for, repeated in the answer to a refused one. */
export interface ItemName {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** The order behind what was said; a text that is no id of ours names nothing. */
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

/** In the place of the item, on v3. */
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

/** Among the failures, on v2. */
export function failureText(
  refusal: WireRejection,
  language: Language,
  { orderId = '', clientOid = '' }: ItemName,
) {
  const { code: errorCode, msg: errorMsg } = wireError(refusal, language, 'v2');
  return { orderId, clientOid, errorMsg, errorCode };
}

/**
 * How each item fared, in the order they were asked for, which two lists do not tell. Never sent:
 * JSON has no word for it.
 */
export const IN_ORDER = Symbol('in order');

/** A batch that is answered in two lists. */
export interface Parted<Shown> {
  readonly [IN_ORDER]: readonly (Shown | undefined)[];
  readonly successList: readonly Exclude<Shown, undefined>[];
  readonly failureList: readonly ReturnType<typeof failureText>[];
}

/**
 * Results, and what each was asked for as in the same place, parted into those that went well and
 * those that did not.
 */
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

/** The id to pass back for the page just older; empty when the page is. */
export function endIdText(rows: readonly Listed[]): string {
  const last = rows.at(-1);
  if (last === undefined) return '';
  if ('order' in last) return idText(last.order.orderId);
  return idText('trigger' in last ? last.trigger.triggerId : last.id);
}
