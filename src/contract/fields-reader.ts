/**
 * Defines request fields and reads tables of fields from objects. Work that depends on the table
 * alone is done once. The places of its names are found once per layout of consecutive objects.
 */
import { ok, type Result } from '../kernel/result.ts';
import { NO_LAYOUT, NOWHERE } from './layout.ts';
import { LaidOutObject, type Raw, type RawObject } from './raw.ts';
import type { JsonSchema } from './schema.ts';
import type { WireRejection } from './wire-rejections.ts';

export type Decoded<Value> = Result<Value, WireRejection>;

/** `Value` is the decoded value; `Wire` is the accepted input. */
export interface Field<Value, Wire = unknown> {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Carries the type; never set. */
  readonly wire?: Wire;
  /** `name` is the field's name in the request: `settings[2].symbol`. */
  decode(raw: Raw, name: string): Decoded<Value>;
}

export type FieldValue<Kind> = Kind extends Field<infer Value> ? Value : never;
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldValues<Table> = { readonly [Key in keyof Table]: FieldValue<Table[Key]> };

export type FieldWire<Kind> = Kind extends Field<unknown, infer Wire> ? Wire : never;
type LeftOut<Table> = {
  [Key in keyof Table]: undefined extends FieldWire<Table[Key]> ? Key : never;
}[keyof Table];
/** The accepted input for a table of fields. Optional fields may be absent. */
export type FieldWires<Table> = {
  readonly [Key in Exclude<keyof Table, LeftOut<Table>>]: FieldWire<Table[Key]>;
} & {
  readonly [Key in LeftOut<Table>]?: FieldWire<Table[Key]>;
};

/** Reads the fields of a table from an object. `prefix` is the place of the object. */
export type FieldsReader<Table extends Fields> = (
  raw: RawObject,
  prefix?: string,
) => Decoded<FieldValues<Table>>;

/**
 * Makes an object from values in the order of their names, which come only from our own tables.
 * Generated code for these names takes a quarter of the time of a loop over names. A batch of
 * orders makes twenty such objects.
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
  // The value of each field if it is absent.
  const leftOut = fields.map((field, at) => field.decode(undefined, names[at]!));
  // Generated at the first read. Environments that only write requests may forbid generated code.
  let gather: ReturnType<typeof gathering> | undefined;
  // Keeps only the number, because a layout keeps all its predecessors in memory.
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
