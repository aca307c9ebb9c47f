/**
 * Values by id, for what comes and goes with every order. A map of the language makes its table
 * anew every few of them, however few it holds, and the collector then moves table after table with
 * all that stood in them; this one makes a new table only when it grows, and keeps the room of the
 * most that it has held.
 */
import type { Id } from './ids.ts';
import { invariant } from './invariant.ts';

const PLACES_AT_FIRST = 16;
/** Ids are counted from one. */
const FREE = 0;
/** 2^32 divided by the golden ratio: spreads ids, which come from a counter, evenly. */
const SPREAD = 0x9e3779b1;

export class IdTable<Value> {
  #ids = new Float64Array(PLACES_AT_FIRST);
  #values: (Value | undefined)[] = new Array<Value | undefined>(PLACES_AT_FIRST).fill(undefined);
  #shift = Math.clz32(PLACES_AT_FIRST - 1);
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
    invariant(id > FREE, 'an id is one of those that were counted');
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
   * All that are there when it begins and have not gone since, by their ids: how they came to their
   * places does not show.
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

  /** Where an id is, or the free place it would have. */
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

  /** Frees a place: whatever stands behind it, and would rather stand there, moves up. */
  #close(free: number): void {
    const ids = this.#ids;
    const mask = ids.length - 1;
    let gap = free;
    for (let place = (gap + 1) & mask; ids[place] !== FREE; place = (place + 1) & mask) {
      const requested = this.#firstChoice(ids[place]!);
      // How far each is from the place that was wished for, round the end.
      if (((place - requested) & mask) < ((place - gap) & mask)) continue;
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
