/** Lists with a result for each item. */

import { ok, refuse } from '../kernel/result.ts';
import { invalid, objectSchema, text } from './fields.ts';
import {
  type Decoded,
  type Field,
  type Fields,
  type FieldValues,
  type FieldWires,
  readerOf,
} from './fields-reader.ts';
import { isAbsent, isRawObject, type Raw, type RawObject } from './raw.ts';
import { wireRejection } from './wire-rejections.ts';

/**
 * An item of a list with a result for each item: its value or its refusal. Its ids are kept in both
 * cases.
 */
export interface ListedItem<Value> {
  /** Set for items that name an existing order. */
  readonly orderId: string | undefined;
  readonly clientOid: string | undefined;
  readonly input: Decoded<Value>;
}

const nameField = text();

type Name = 'orderId' | 'clientOid';

/**
 * The name as it was sent, well formed or not, so that the client recognises its item. A name that
 * is decoded to a text is unchanged.
 */
function nameIn<Table extends Fields>(
  input: Decoded<FieldValues<Table>>,
  item: RawObject,
  name: Name,
): string | undefined {
  const known = input.ok ? input.value[name] : undefined;
  if (typeof known === 'string') return known;
  const read = nameField.decode(item.get(name), name);
  return read.ok ? read.value : undefined;
}

/** The refusal of a list by its size, before its items are read. */
export function badSize(
  list: readonly Raw[],
  place: string,
  max: number,
  tooMany: 'batchTooLarge' | 'tooManyItems',
): Decoded<never> | undefined {
  if (list.length === 0) return refuse(wireRejection('fieldMissing', place));
  return list.length > max ? refuse(wireRejection(tooMany, place, String(max))) : undefined;
}

/**
 * Reads the items of such a list. An item that is not an object refuses the whole list and names
 * its place.
 */
export function itemsReaderOf<Table extends Fields>(
  table: Table,
): (raw: readonly Raw[], place: string) => Decoded<readonly ListedItem<FieldValues<Table>>[]> {
  const read = readerOf(table);
  const [hasOrderId, hasClientOid] = ['orderId' in table, 'clientOid' in table];
  return (raw, place) => {
    const items: ListedItem<FieldValues<Table>>[] = [];
    for (let at = 0; at < raw.length; at++) {
      const item = raw[at];
      if (!isRawObject(item)) return invalid(`${place}[${at}]`);
      const input = read(item);
      const orderId = hasOrderId ? nameIn(input, item, 'orderId') : undefined;
      const clientOid = hasClientOid ? nameIn(input, item, 'clientOid') : undefined;
      items.push({ orderId, clientOid, input });
    }
    return ok(items);
  };
}

/**
 * A list of objects with a result for each item. Only a value that is no list of objects refuses
 * the request.
 */
export function itemsOf<Table extends Fields>(
  table: Table,
  max: number,
): Field<readonly ListedItem<FieldValues<Table>>[], readonly FieldWires<Table>[]> {
  const readItems = itemsReaderOf(table);
  return {
    schema: { type: 'array', items: objectSchema(table), minItems: 1, maxItems: max },
    required: true,
    decode: (raw, place) => {
      if (isAbsent(raw)) return refuse(wireRejection('fieldMissing', place));
      if (!Array.isArray(raw)) return invalid(place);
      return badSize(raw, place, max, 'batchTooLarge') ?? readItems(raw, place);
    },
  };
}
