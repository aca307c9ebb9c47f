/**
 * Response shapes: the answer of an endpoint as a type, as JSON Schema, and as a check for tests.
 */
import type { JsonSchema } from './schema.ts';

export interface Shape<Value> {
  readonly schema: JsonSchema;
  /** The faults of a value with their places; empty if it conforms. */
  faults(value: unknown, place: string): string[];
  /** Carries the type; never set. */
  readonly value?: Value;
}

export type ShapeValue<Kind> = Kind extends Shape<infer Value> ? Value : never;
type Shapes = Readonly<Record<string, Shape<unknown>>>;

const typed = <Value>(schema: JsonSchema, accepts: (value: unknown) => boolean): Shape<Value> => ({
  schema,
  faults: (value, place) =>
    accepts(value) ? [] : [`${place}: ${JSON.stringify(value)} is not ${JSON.stringify(schema)}`],
});

/** The default wire type: every value is a text unless stated otherwise. */
export const text = (description: string): Shape<string> =>
  typed({ type: 'string', description }, (value) => typeof value === 'string');

/** A text from a closed list. `''` is allowed only if the list has it. */
export const word = <const Values extends readonly string[]>(
  values: Values,
  description: string,
): Shape<Values[number]> =>
  typed(
    { type: 'string', enum: values, description },
    (value) => typeof value === 'string' && values.includes(value),
  );

export const textOrNull = (description: string): Shape<string | null> =>
  typed(
    { type: ['string', 'null'], description },
    (value) => value === null || typeof value === 'string',
  );

export const wholeNumber = (description: string): Shape<number> =>
  typed({ type: 'integer', description }, (value) => Number.isSafeInteger(value));

/** A share between 0 and 1, in plain JSON. */
export const fraction = (description: string): Shape<number> =>
  typed(
    { type: 'number', description },
    (value) => typeof value === 'number' && Number.isFinite(value),
  );

/** A row with a fixed number of unnamed texts: a price level or a candle. */
export const textRow = (names: readonly string[], description: string): Shape<readonly string[]> =>
  typed(
    {
      type: 'array',
      items: { type: 'string' },
      minItems: names.length,
      maxItems: names.length,
      description: `${description}: ${names.join(', ')}`,
    },
    (value) =>
      Array.isArray(value) &&
      value.length === names.length &&
      value.every((entry) => typeof entry === 'string'),
  );

export const truth = (description: string): Shape<boolean> =>
  typed({ type: 'boolean', description }, (value) => typeof value === 'boolean');

export const nothing: Shape<null> = typed({ type: 'null' }, (value) => value === null);

export const listOf = <Value>(item: Shape<Value>): Shape<readonly Value[]> => ({
  schema: { type: 'array', items: item.schema },
  faults: (value, place) =>
    Array.isArray(value)
      ? value.flatMap((entry, at) => item.faults(entry, `${place}[${at}]`))
      : [`${place}: not a list`],
});

/** An object with exactly these fields; those marked `sometimes` are optional. */
export function object<Table extends Shapes>(table: Table): Shape<ObjectOf<Table>> {
  const names = Object.keys(table);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, table[name]!.schema])),
      required: names.filter((name) => !isSometimes(table[name]!)),
    },
    faults: (value, place) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return [`${place}: not an object`];
      const fields = value as Record<string, unknown>;
      const unknown = Object.keys(fields).filter((name) => !(name in table));
      return [
        ...unknown.map((name) => `${place}.${name}: not in the contract`),
        ...names.flatMap((name) =>
          name in fields || !isSometimes(table[name]!)
            ? table[name]!.faults(fields[name], `${place}.${name}`)
            : [],
        ),
      ];
    },
  };
}

/** The same shape with a description. */
export const described = <Value>(description: string, shape: Shape<Value>): Shape<Value> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

type Sometimes<Value> = Shape<Value> & { readonly sometimes: true };
const isSometimes = (shape: Shape<unknown>): boolean => 'sometimes' in shape;
/** A field that only some rows have. */
export const sometimes = <Value>(shape: Shape<Value>): Sometimes<Value> => ({
  ...shape,
  sometimes: true,
});

type SometimesKeys<Table> = {
  [Key in keyof Table]: Table[Key] extends { readonly sometimes: true } ? Key : never;
}[keyof Table];
export type ObjectOf<Table> = {
  readonly [Key in Exclude<keyof Table, SometimesKeys<Table>>]: ShapeValue<Table[Key]>;
} & {
  readonly [Key in SometimesKeys<Table>]?: ShapeValue<Table[Key]>;
};
