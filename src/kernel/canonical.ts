/**
 * A canonical byte form for a whole state: plain objects, arrays, Maps, id tables, Sets, texts,
 * whole numbers, bigints and byte arrays. Equal states give equal bytes. Object keys are sorted,
 * and an undefined field equals a missing one. Maps and Sets keep their order, which is part of the
 * state. An id table is written like a Map in id order.
 */
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
import { IdTable } from './id-table.ts';
import { invariant } from './invariant.ts';

const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  whole: 4,
  negative: 5,
  bigint: 6,
  negativeBigint: 7,
  text: 8,
  list: 9,
  object: 10,
  map: 11,
  set: 12,
  bytes: 13,
};

interface Shape {
  readonly id: number;
  /** Sorted. */
  readonly keys: readonly string[];
}

interface Shapes {
  readonly known: Map<string, Shape>;
  /** Shapes by unsorted key list, so each key order is sorted only once. */
  readonly seen: Map<string, Shape>;
}

/** Two views of the same eight bytes: one 64-bit integer, or two words, low word first. */
const LONG = new BigUint64Array(1);
const WORDS = new Uint32Array(LONG.buffer);

/** A non-negative integer as bytes, highest first, without leading zeros; zero takes one byte. */
function writeBigint(to: ByteWriter, value: bigint): void {
  if (value >> 64n !== 0n) {
    const hex = value.toString(16);
    return writeBytes(to, Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
  }
  LONG[0] = value;
  const low = WORDS[0]!;
  const high = WORDS[1]!;
  const bytes = high > 0 ? 4 + bytesIn(high) : bytesIn(low);
  to.varint(bytes);
  for (let byte = bytes - 1; byte >= 4; byte--) to.byte((high >>> ((byte - 4) * 8)) & 0xff);
  for (let byte = Math.min(bytes, 4) - 1; byte >= 0; byte--) to.byte((low >>> (byte * 8)) & 0xff);
}

function bytesIn(word: number): number {
  if (word < 0x100) return 1;
  if (word < 0x10000) return 2;
  return word < 0x1000000 ? 3 : 4;
}

function hasUndefined(value: Readonly<Record<string, unknown>>): boolean {
  for (const key in value) if (value[key] === undefined) return true;
  return false;
}

/** Returns the object's shape, and whether it is new. */
function shapeOf(
  shapes: Shapes,
  value: Readonly<Record<string, unknown>>,
): { readonly shape: Shape; readonly isNew: boolean } {
  const keys = Object.keys(value);
  const own = hasUndefined(value) ? keys.filter((key) => value[key] !== undefined) : keys;
  const asSeen = own.join('\u0000');
  const seen = shapes.seen.get(asSeen);
  if (seen !== undefined) return { shape: seen, isNew: false };
  const sorted = [...own].sort();
  const name = sorted.join('\u0000');
  const known = shapes.known.get(name);
  const shape = known ?? { id: shapes.known.size, keys: sorted };
  shapes.known.set(name, shape);
  shapes.seen.set(asSeen, shape);
  return { shape, isNew: known === undefined };
}

function writeObject(to: ByteWriter, shapes: Shapes, value: Record<string, unknown>): void {
  invariant(
    Object.getPrototypeOf(value) === Object.prototype,
    'state is made of plain values only',
  );
  const { shape, isNew } = shapeOf(shapes, value);
  to.byte(TAG.object);
  to.varint(shape.id);
  if (isNew) {
    to.varint(shape.keys.length);
    for (const key of shape.keys) to.text(key);
  }
  for (const key of shape.keys) writeValue(to, shapes, value[key]);
}

function writeValue(to: ByteWriter, shapes: Shapes, value: unknown): void {
  switch (typeof value) {
    case 'undefined':
      to.byte(TAG.undefined);
      break;
    case 'boolean':
      to.byte(value ? TAG.true : TAG.false);
      break;
    case 'number':
      invariant(Number.isSafeInteger(value), `state holds whole numbers only, not ${value}`);
      to.byte(value < 0 ? TAG.negative : TAG.whole);
      to.varint(Math.abs(value));
      break;
    case 'bigint':
      to.byte(value < 0n ? TAG.negativeBigint : TAG.bigint);
      writeBigint(to, value < 0n ? -value : value);
      break;
    case 'string':
      to.byte(TAG.text);
      to.text(value);
      break;
    case 'object':
      writeReference(to, shapes, value);
      break;
    default:
      invariant(false, `state holds no ${typeof value}`);
  }
}

function writeBytes(to: ByteWriter, bytes: Uint8Array): void {
  to.varint(bytes.length);
  to.bytes(bytes);
}

function writeItems(to: ByteWriter, shapes: Shapes, count: number, items: Iterable<unknown>): void {
  to.varint(count);
  for (const item of items) writeValue(to, shapes, item);
}

function writeReference(to: ByteWriter, shapes: Shapes, value: object | null): void {
  if (value === null) to.byte(TAG.null);
  else if (value instanceof Uint8Array) {
    to.byte(TAG.bytes);
    writeBytes(to, value);
  } else if (Array.isArray(value)) {
    to.byte(TAG.list);
    writeItems(to, shapes, value.length, value);
  } else if (value instanceof Set) {
    to.byte(TAG.set);
    writeItems(to, shapes, value.size, value);
  } else if (value instanceof Map || value instanceof IdTable) {
    to.byte(TAG.map);
    to.varint(value.size);
    for (const [key, item] of value) {
      writeValue(to, shapes, key);
      writeValue(to, shapes, item);
    }
  } else writeObject(to, shapes, value as Record<string, unknown>);
}

/**
 * The keys of a shape, and an object with these keys. Copying it is as fast as an object literal,
 * for any number of fields.
 */
interface ReadShape {
  readonly keys: readonly string[];
  readonly pattern: Readonly<Record<string, unknown>>;
}

function readShape(from: ByteReader): ReadShape {
  const keys = Array.from({ length: from.varint() }, () => from.text());
  const pattern = JSON.parse(
    `{${keys.map((key) => `${JSON.stringify(key)}:null`).join(',')}}`,
  ) as Record<string, unknown>;
  return { keys, pattern };
}

function readObject(from: ByteReader, shapes: ReadShape[]): Record<string, unknown> {
  const place = from.varint();
  if (place > shapes.length) throw new MalformedBytes('an undefined shape');
  if (place === shapes.length) shapes.push(readShape(from));
  const { keys, pattern } = shapes[place]!;
  const value = { ...pattern };
  for (const key of keys) value[key] = readValue(from, shapes);
  return value;
}

function readValue(from: ByteReader, shapes: ReadShape[]): unknown {
  const tag = from.byte();
  switch (tag) {
    case TAG.undefined:
      return undefined;
    case TAG.null:
      return null;
    case TAG.false:
      return false;
    case TAG.true:
      return true;
    case TAG.whole:
      return from.varint();
    case TAG.negative:
      return -from.varint();
    case TAG.bigint:
    case TAG.negativeBigint: {
      const value = BigInt(`0x${from.bytes(from.varint()).toString('hex')}`);
      return tag === TAG.bigint ? value : -value;
    }
    case TAG.text:
      return from.text();
    case TAG.bytes:
      return Uint8Array.from(from.bytes(from.varint()));
    case TAG.list:
      return Array.from({ length: from.varint() }, () => readValue(from, shapes));
    case TAG.set:
      return new Set(Array.from({ length: from.varint() }, () => readValue(from, shapes)));
    case TAG.map:
      return new Map(
        Array.from(
          { length: from.varint() },
          () => [readValue(from, shapes), readValue(from, shapes)] as const,
        ),
      );
    case TAG.object:
      return readObject(from, shapes);
    default:
      throw new MalformedBytes(`tag ${tag} is unknown`);
  }
}

export function canonicalBytes(value: unknown): Buffer {
  const to = new ByteWriter(1 << 16);
  writeValue(to, { known: new Map(), seen: new Map() }, value);
  return Buffer.from(to.view());
}

/** Decodes canonical bytes; throws MalformedBytes for anything else. */
export function fromCanonicalBytes<Value>(bytes: Uint8Array): Value {
  const from = new ByteReader(bytes);
  const value = readValue(from, []);
  from.expectEnd();
  return value as Value;
}
