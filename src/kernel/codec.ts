/**
 * Codecs built from tables: each encodes and decodes one kind of value, and its TypeScript type
 * follows from it.
 */
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
import { invariant } from './invariant.ts';

export interface Codec<Value> {
  write(to: ByteWriter, value: Value): void;
  read(from: ByteReader): Value;
}

export type ValueOf<Kind> = Kind extends Codec<infer Value> ? Value : never;

type Fields = Readonly<Record<string, Codec<unknown>>>;
type OptionalKeys<Table> = {
  [Key in keyof Table]: undefined extends ValueOf<Table[Key]> ? Key : never;
}[keyof Table];
/** Fields that may be undefined may be missing. */
export type RecordOf<Table> = {
  readonly [Key in Exclude<keyof Table, OptionalKeys<Table>>]: ValueOf<Table[Key]>;
} & {
  readonly [Key in OptionalKeys<Table>]?: ValueOf<Table[Key]>;
};

/** A text, or a branded text: `text<ClientOid>()`. */
export const text = <Value extends string = string>(): Codec<Value> => ({
  write: (to, value) => to.text(value),
  read: (from) => from.text() as Value,
});

/** A text that repeats often, such as a symbol; its bytes equal those of `text`. */
export const name = <Value extends string = string>(): Codec<Value> => ({
  write: (to, value) => to.text(value),
  read: (from) => from.name() as Value,
});

/** A whole number of at least 0, or a branded one. */
export const whole = <Value extends number = number>(): Codec<Value> => ({
  write: (to, value) => to.varint(value),
  read: (from) => from.varint() as Value,
});

export const flag: Codec<boolean> = {
  write: (to, value) => to.byte(value ? 1 : 0),
  read: (from) => from.byte() === 1,
};

/** A word of a closed list, stored as its index: append to such a list, never reorder it. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
): Codec<Values[number]> => ({
  write: (to, value) => writeOneOf(to, values, value),
  read: (from) => readOneOf(from, values),
});

export function writeOneOf<Value extends string>(
  to: ByteWriter,
  values: readonly Value[],
  value: Value,
): void {
  for (let index = 0; index < values.length; index++)
    if (values[index] === value) return to.byte(index);
  invariant(false, `${value} is a word of its list`);
}

export function readOneOf<Value extends string>(from: ByteReader, values: readonly Value[]): Value {
  const value = values[from.byte()];
  if (value === undefined) throw new MalformedBytes('an index outside its list');
  return value;
}

export const optional = <Value>(inner: Codec<Value>): Codec<Value | undefined> => ({
  write: (to, value) => {
    to.byte(value === undefined ? 0 : 1);
    if (value !== undefined) inner.write(to, value);
  },
  read: (from) => (from.byte() === 0 ? undefined : inner.read(from)),
});

export function writeOneOfIfAny<Value extends string>(
  to: ByteWriter,
  values: readonly Value[],
  value: Value | undefined,
): void {
  if (value === undefined) return to.byte(0);
  to.byte(1);
  writeOneOf(to, values, value);
}

export const readOneOfIfAny = <Value extends string>(
  from: ByteReader,
  values: readonly Value[],
): Value | undefined => (from.byte() === 0 ? undefined : readOneOf(from, values));

export function writeTextIfAny(to: ByteWriter, value: string | undefined): void {
  if (value === undefined) return to.byte(0);
  to.byte(1);
  to.text(value);
}

export const readTextIfAny = <Value extends string>(from: ByteReader): Value | undefined =>
  from.byte() === 0 ? undefined : (from.text() as Value);

/**
 * A field added at the end of a command that older journals already contain. Bytes that end before
 * it mean that it was not given.
 */
export function appended<Value>(inner: Codec<Value>): Codec<Value | undefined> {
  const codec = optional(inner);
  return {
    write: (to, value) => codec.write(to, value),
    read: (from) => (from.left === 0 ? undefined : codec.read(from)),
  };
}

export const list = <Value>(inner: Codec<Value>): Codec<readonly Value[]> => ({
  write: (to, values) => {
    to.varint(values.length);
    for (const value of values) inner.write(to, value);
  },
  read: (from) => {
    const values: Value[] = [];
    for (let left = from.varint(); left > 0; left--) values.push(inner.read(from));
    return values;
  },
});

/**
 * A record is encoded by its table, or, on hot paths, by code that names each field in table order.
 * Monomorphic calls cost a fraction of megamorphic ones.
 */
export function record<Table extends Fields>(
  fields: Table,
  spelled?: Codec<RecordOf<Table>>,
): Codec<RecordOf<Table>> {
  if (spelled !== undefined) return spelled;
  const entries = Object.entries(fields) as [string, Codec<unknown>][];
  return {
    write: (to, value) => {
      for (const [name, codec] of entries)
        codec.write(to, (value as Record<string, unknown>)[name]);
    },
    read: (from) => {
      const value: Record<string, unknown> = {};
      for (const [name, codec] of entries) {
        const field = codec.read(from);
        if (field !== undefined) value[name] = field;
      }
      return value as RecordOf<Table>;
    },
  };
}

/** The same value with its fields in table order. */
export function inTableOrder<Value>(codec: Codec<Value>, value: Value): Value {
  const writer = new ByteWriter();
  codec.write(writer, value);
  return codec.read(new ByteReader(writer.view()));
}
