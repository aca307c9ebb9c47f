/** A row of the contract: everything that is known about an endpoint, in one place. */

import { ok, refuse } from '../kernel/result.ts';
import type { Permission } from '../messages/vocabulary.ts';
import { objectSchema } from './fields.ts';
import {
  type Decoded,
  type Fields,
  type FieldValues,
  type FieldWires,
  readerOf,
} from './fields-reader.ts';
import { badSize, itemsReaderOf, type ListedItem } from './listed-items.ts';
import { isRawObject, type Raw, type RawObject } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import type { Shape, ShapeValue } from './shapes.ts';
import { closed, mistypedName, type UnknownName, unknownName } from './unknown-names.ts';
import { wireRejection } from './wire-rejections.ts';

/** The number of accepted calls in any second, counted per uid or per address. */
export interface RateLimit {
  readonly perSecond: number;
  readonly countedBy: 'uid' | 'ip';
}
export const perSecond = (count: number, countedBy: 'uid' | 'ip' = 'uid'): RateLimit => ({
  perSecond: count,
  countedBy,
});

/** The callers that may use it: keys with a permission, anybody, or the operator. */
export type Access = Permission | 'anybody' | 'operator';

/**
 * How a request becomes a value. `fields` describes a query or a JSON object, or each item of an
 * array.
 */
export interface RequestShape<Value, Wire = unknown> {
  readonly schema: JsonSchema;
  readonly fields: Fields;
  /** Carries the type of the request; never set. */
  readonly wire?: Wire;
  decode(raw: Raw): Decoded<Value>;
}

const NO_FIELDS: RawObject = new Map();

const notAnObject = refuse(wireRejection('malformedRequest', 'body', 'it must be an object'));
const notAnArray = refuse(wireRejection('malformedRequest', 'body', 'it must be an array'));

/** A query, or a body that is a JSON object. */
export function request<Table extends Fields>(
  table: Table,
): RequestShape<FieldValues<Table>, FieldWires<Table>> {
  const read = readerOf(table);
  return {
    schema: objectSchema(table),
    fields: table,
    decode: (raw) => {
      if (raw === undefined || raw === null) return read(NO_FIELDS);
      return isRawObject(raw) ? read(raw) : notAnObject;
    },
  };
}

/**
 * The same request, which also refuses a name that `find` returns. Errors in known fields come
 * first.
 */
const looking = <Value, Wire>(
  shape: RequestShape<Value, Wire>,
  find: (schema: JsonSchema, raw: Raw) => UnknownName | undefined,
): RequestShape<Value, Wire> => ({
  ...shape,
  decode: (raw) => {
    const decoded = shape.decode(raw);
    const unknown = decoded.ok ? find(shape.schema, raw) : undefined;
    return unknown === undefined
      ? decoded
      : refuse(wireRejection('fieldInvalid', unknown.place, unknown.remark));
  },
});

/**
 * Refuses unknown names. On these calls an omitted field means all accounts, or switches something
 * off (API-58).
 */
export const exact = <Value, Wire>(
  shape: RequestShape<Value, Wire>,
): RequestShape<Value, Wire> => ({
  ...looking(shape, unknownName),
  schema: closed(shape.schema),
});

/**
 * Refuses a name that is almost the name of a field. Other unknown names are ignored, because
 * clients may send their own (API-153, API-154).
 */
export const careful = <Value, Wire>(shape: RequestShape<Value, Wire>): RequestShape<Value, Wire> =>
  looking(shape, mistypedName);

/**
 * A body that is an array with a result for each item. A malformed item is refused alone and keeps
 * its client order ID.
 */
export function requestOfItems<Table extends Fields>(
  table: Table,
  max: number,
): RequestShape<readonly ListedItem<FieldValues<Table>>[], readonly FieldWires<Table>[]> {
  const read = itemsReaderOf(table);
  return {
    schema: { type: 'array', items: objectSchema(table), maxItems: max },
    fields: table,
    decode: (raw) => {
      if (!Array.isArray(raw)) return notAnArray;
      return badSize(raw, 'body', max, 'batchTooLarge') ?? read(raw, 'body');
    },
  };
}

/**
 * A body that is an array and is accepted as a whole or not at all. The first malformed item
 * refuses it.
 */
export function requestOfList<Table extends Fields>(
  table: Table,
  max: number,
): RequestShape<readonly FieldValues<Table>[], readonly FieldWires<Table>[]> {
  const read = readerOf(table);
  return {
    schema: { type: 'array', items: objectSchema(table), maxItems: max },
    fields: table,
    decode: (raw) => {
      if (!Array.isArray(raw)) return notAnArray;
      const bad = badSize(raw, 'body', max, 'tooManyItems');
      if (bad !== undefined) return bad;
      const values: FieldValues<Table>[] = [];
      for (let at = 0; at < raw.length; at++) {
        const item: Raw = raw[at];
        if (!isRawObject(item)) return refuse(wireRejection('fieldInvalid', `body[${at}]`));
        const decoded = read(item, `body[${at}].`);
        if (!decoded.ok) return decoded;
        values.push(decoded.value);
      }
      return ok(values);
    },
  };
}

export interface Endpoint<Request = unknown, Response = unknown, Wire = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The exact path. On the operator API a segment `:name` is a field of the request. */
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly group: string;
  readonly summary: string;
  readonly access: Access;
  readonly limit?: RateLimit;
  readonly request: RequestShape<Request, Wire>;
  /** The body is bytes of any kind and is read as a stream. The fields are in the query. */
  readonly upload?: { readonly bytesMax: number; readonly description: string };
  /**
   * The example in the documents, if the required fields alone would be refused. It works for a
   * user of the demo world, as far as the state allows.
   */
  readonly example?: NoInfer<Wire>;
  readonly response: Shape<Response>;
  /** The ids of its rules in `docs/rules/`. */
  readonly rules: readonly string[];
}

/** True if the fields are in the query. */
export const isInQuery = ({ method, upload }: Pick<Endpoint, 'method' | 'upload'>): boolean =>
  method !== 'POST' || upload !== undefined;

/** Keeps the row's own types. */
export const endpoint = <Request, Response, Wire>(
  row: Endpoint<Request, Response, Wire>,
): Endpoint<Request, Response, Wire> => row;

export type RequestOf<Row> = Row extends Endpoint<infer Request, infer _> ? Request : never;
/** The request of a caller, in wire words. */
export type WireRequestOf<Row> =
  Row extends Endpoint<infer _Request, infer _Response, infer Wire> ? Wire : never;
export type ResponseOf<Row> = Row extends { readonly response: infer Kind }
  ? ShapeValue<Kind>
  : never;
