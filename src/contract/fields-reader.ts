/**
 * What a request field is, and how tables of fields are read out of objects. What depends on the
 * table alone is computed once; where its names stand in an object, once for all objects of the
 * same layout that come one after another.
 */
import { ok, type Result } from '../kernel/result.ts';
import { NO_LAYOUT, NOWHERE } from './layout.ts';
import { LaidOutObject, type Raw, type RawObject } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import type { WireRejection } from './wire-rejections.ts';

export type Decoded<Value> = Result<Value, WireRejection>;

/** `Value` is what it is decoded to; `Wire` is what a caller may send. */
export interface Field<Value, Wire = unknown> {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Carries the type; never set. */
  readonly wire?: Wire;
  /** `name` is how the caller knows the field: `settings[2].symbol`. */
  decode(raw: Raw, name: string): Decoded<Value>;
}

export type FieldValue<Kind> = Kind extends Field<infer Value> ? Value : never;
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldValues<Table> = { readonly [Key in keyof Table]: FieldValue<Table[Key]> };

export type FieldWire<Kind> = Kind extends Field<unknown, infer Wire> ? Wire : never;
type LeftOut<Table> = {
  [Key in keyof Table]: undefined extends FieldWire<Table[Key]> ? Key : never;
}[keyof Table];
/** What a caller may send for a table of fields: what is not required may be left out. */
export type FieldWires<Table> = {
  readonly [Key in Exclude<keyof Table, LeftOut<Table>>]: FieldWire<Table[Key]>;
} & {
  readonly [Key in LeftOut<Table>]?: FieldWire<Table[Key]>;
};

/** Reads what a table says out of an object. `prefix` is where the object stands. */
export type FieldsReader<Table extends Fields> = (
  raw: RawObject,
  prefix?: string,
) => Decoded<FieldValues<Table>>;

/**
 * Makes an object of values that come in the order of their names, which are those of our own
 * tables and of nobody else. Written out for these names it takes a quarter of what one takes that
 * is put together name by name, and there are twenty in a call of orders.
 */
const gathering = (names: readonly string[]): ((values: readonly unknown[]) => object) =>
  // oxlint-disable-next-line typescript/no-implied-eval -- as compilers of schemas do
  new Function(
    'values',
    `return { ${names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`).join(', ')} };`,
  ) as never;

/** Unknown keys are ignored. */
export function readerOf<Table extends Fields>(table: Table): FieldsReader<Table> {
  const names = Object.keys(table);
  const fields = Object.values(table);
  // What a field is when nothing is said of it.
  const leftOut = fields.map((field, at) => field.decode(undefined, names[at]!));
  // Not before something is read: where only requests are written, code that is made of texts may
  // not be allowed.
  let gather: ReturnType<typeof gathering> | undefined;
  // The number alone: a layout that is held keeps all layouts it was made with.
  let layoutNumber = NO_LAYOUT;
  let places: readonly number[] = [];

  return (raw, prefix = '') => {
    const laidOut = raw instanceof LaidOutObject ? raw : undefined;
    if (laidOut !== undefined && laidOut.layout.number !== layoutNumber) {
      layoutNumber = laidOut.layout.number;
      places = names.map((name) => laidOut.layout.placeOf(name));
    }
    const values: unknown[] = [];
    for (let at = 0; at < fields.length; at++) {
      const input =
        laidOut === undefined
          ? raw.get(names[at]!)
          : places[at] === NOWHERE
            ? undefined
            : laidOut.values[places[at]!];
      const isKnown = input === undefined && (leftOut[at]!.ok || prefix === '');
      const decoded = isKnown ? leftOut[at]! : fields[at]!.decode(input, prefix + names[at]!);
      if (!decoded.ok) return decoded;
      values.push(decoded.value);
    }
    gather ??= gathering(names);
    return ok(gather(values) as FieldValues<Table>);
  };
}
