/**
 * A hash table by id, for values that change with every order. A JavaScript Map rebuilds its table
 * every few changes, even if it is small, and the garbage collector then moves it. This one
 * rebuilds only when it grows, and keeps its largest capacity.
 */
import type { Id } from './ids.ts';
import { invariant } from './invariant.ts';

const INITIAL_PLACES = 16;
/** Ids start at one. */
const FREE = 0;
/** 2^32 divided by the golden ratio: spreads sequential ids evenly. */
const SPREAD = 0x9e3779b1;

export class IdTable<Value> {
  #ids = new Float64Array(INITIAL_PLACES);
  #values: (Value | undefined)[] = new Array<Value | undefined>(INITIAL_PLACES).fill(undefined);
  #shift = Math.clz32(INITIAL_PLACES - 1);
  #size = 0;

  static of<Value>(entries: Iterable<readonly [Id, Value]>): IdTable<Value> {
    const table = new IdTable<Value>();
    for (const [id, value] of entries) table.set(id, value);
    return table;
  }

  get size(): number {
    return this.#size;
  }

  has(id: Id): boolean {
    return this.get(id) !== undefined;
  }

  get(id: Id): Value | undefined {
    return this.#values[this.#placeOf(id)];
  }

  set(id: Id, value: Value): void {
    invariant(id > FREE, 'an id is a positive whole number');
    const place = this.#placeOf(id);
    this.#values[place] = value;
    if (this.#ids[place] === id) return;
    this.#ids[place] = id;
    this.#size += 1;
    if (this.#size * 2 > this.#ids.length) this.#grow();
  }

  delete(id: Id): void {
    const place = this.#placeOf(id);
    if (this.#ids[place] !== id) return;
    this.#size -= 1;
    this.#close(place);
  }

  /**
   * Yields entries present at the start and not removed since, in id order; the slot order is not
   * visible.
   */
  *[Symbol.iterator](): Generator<[Id, Value]> {
    for (const id of this.#ids.filter((each) => each !== FREE).sort()) {
      const value = this.get(id as Id);
      if (value !== undefined) yield [id as Id, value];
    }
  }

  *values(): Generator<Value> {
    for (const [, value] of this) yield value;
  }

  /** The slot of an id, or the free slot where it would go. */
  #placeOf(id: number): number {
    const ids = this.#ids;
    const mask = ids.length - 1;
    let place = this.#firstChoice(id);
    while (ids[place] !== id && ids[place] !== FREE) place = (place + 1) & mask;
    return place;
  }

  #firstChoice(id: number): number {
    return Math.imul(id, SPREAD) >>> this.#shift;
  }

  /** Frees a slot: entries after it that would prefer it move up. */
  #close(free: number): void {
    const ids = this.#ids;
    const mask = ids.length - 1;
    let gap = free;
    for (let place = (gap + 1) & mask; ids[place] !== FREE; place = (place + 1) & mask) {
      const preferred = this.#firstChoice(ids[place]!);
      // Distances from the preferred slot, with wrap-around.
      if (((place - preferred) & mask) < ((place - gap) & mask)) continue;
      ids[gap] = ids[place]!;
      this.#values[gap] = this.#values[place];
      gap = place;
    }
    ids[gap] = FREE;
    this.#values[gap] = undefined;
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    this.#ids = new Float64Array(ids.length * 2);
    this.#values = new Array<Value | undefined>(ids.length * 2).fill(undefined);
    this.#shift -= 1;
    for (let place = 0; place < ids.length; place++) {
      if (ids[place] === FREE) continue;
      const moved = this.#placeOf(ids[place]!);
      this.#ids[moved] = ids[place]!;
      this.#values[moved] = values[place];
    }
  }
}
