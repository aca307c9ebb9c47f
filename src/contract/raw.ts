/**
 * Request values before any field has read them. Numbers keep their source text, and objects keep
 * the order of their keys.
 */
import { type Layout, NOWHERE } from './layout.ts';

export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export interface RawObject extends Iterable<readonly [string, Raw]> {
  readonly size: number;
  get(name: string): Raw;
  has(name: string): boolean;
  keys(): Iterable<string>;
}
export type Raw = string | JsonNumber | boolean | null | undefined | readonly Raw[] | RawObject;

/** An object that shares its names with many others; it holds only its values. */
export class LaidOutObject implements RawObject {
  readonly layout: Layout;
  readonly values: readonly Raw[];

  constructor(layout: Layout, values: readonly Raw[]) {
    this.layout = layout;
    this.values = values;
  }

  get size(): number {
    return this.values.length;
  }

  get(name: string): Raw {
    const place = this.layout.placeOf(name);
    return place === NOWHERE ? undefined : this.values[place];
  }

  has(name: string): boolean {
    return this.layout.placeOf(name) !== NOWHERE;
  }

  keys(): Iterable<string> {
    return this.layout.names();
  }

  *[Symbol.iterator](): Generator<readonly [string, Raw]> {
    for (const [at, name] of this.layout.names().entries()) yield [name, this.values[at]];
  }
}

export const isRawObject = (raw: Raw): raw is RawObject =>
  raw instanceof LaidOutObject || raw instanceof Map;

/** Absent, `null` and an empty text mean the same. */
export const isAbsent = (raw: Raw): raw is null | undefined | '' =>
  raw === undefined || raw === null || raw === '';
