/**
 * One byte form for a whole state: plain objects, arrays, Maps, Sets, texts, whole numbers, bigints and byte arrays. Equal states give equal
 * bytes whatever built them: object keys are sorted, a field that is undefined is a field that is not there, Maps and Sets keep their order,
 * which is part of the state.
 */
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
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

interface Shapes {
  readonly ids: Map<string, number>;
  readonly keys: string[][];
}

const bigintBytes = (value: bigint): Buffer => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
};

function writeObject(to: ByteWriter, shapes: Shapes, value: Record<string, unknown>): void {
  invariant(Object.getPrototypeOf(value) === Object.prototype, 'state is made of plain values only');
  const sorted = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  const name = sorted.join('\u0000');
  const known = shapes.ids.get(name);
  to.byte(TAG.object);
  if (known === undefined) {
    to.varint(shapes.keys.length);
    shapes.ids.set(name, shapes.keys.length);
    shapes.keys.push(sorted);
    to.varint(sorted.length);
    for (const key of sorted) to.text(key);
  } else to.varint(known);
  for (const key of sorted) writeValue(to, shapes, value[key]);
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
      writeBytes(to, bigintBytes(value < 0n ? -value : value));
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
  } else if (value instanceof Map) {
    to.byte(TAG.map);
    to.varint(value.size);
    for (const [key, item] of value) {
      writeValue(to, shapes, key);
      writeValue(to, shapes, item);
    }
  } else writeObject(to, shapes, value as Record<string, unknown>);
}

function readObject(from: ByteReader, shapes: string[][]): Record<string, unknown> {
  const shape = from.varint();
  if (shape > shapes.length) throw new MalformedBytes('a shape that was never said');
  if (shape === shapes.length) shapes.push(Array.from({ length: from.varint() }, () => from.text()));
  const value: Record<string, unknown> = {};
  for (const key of shapes[shape]!) value[key] = readValue(from, shapes);
  return value;
}

function readValue(from: ByteReader, shapes: string[][]): unknown {
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
      return new Map(Array.from({ length: from.varint() }, () => [readValue(from, shapes), readValue(from, shapes)] as const));
    case TAG.object:
      return readObject(from, shapes);
    default:
      throw new MalformedBytes(`tag ${tag} is unknown`);
  }
}

/** The canonical bytes of a plain value. */
export function canonicalBytes(value: unknown): Buffer {
  const to = new ByteWriter(1 << 16);
  writeValue(to, { ids: new Map(), keys: [] }, value);
  return Buffer.from(to.view());
}

/** The value behind canonical bytes; throws MalformedBytes for anything else. */
export function fromCanonicalBytes<Value>(bytes: Uint8Array): Value {
  const from = new ByteReader(bytes);
  const value = readValue(from, []);
  from.expectEnd();
  return value as Value;
}
