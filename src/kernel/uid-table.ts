/** Values by uid, in an array: uids are consecutive, so each is an index and nothing is hashed. */
import { UID_FIRST, type Uid } from './ids.ts';
import { invariant } from './invariant.ts';

/** Sixteen million users are more than an exchange admits. */
const PLACES_MAX = 2 ** 24;

export class UidTable<Value> {
  readonly #values: (Value | undefined)[] = [];

  get(uid: Uid): Value | undefined {
    const place = uid - UID_FIRST;
    return place >= 0 && place < this.#values.length ? this.#values[place] : undefined;
  }

  set(uid: Uid, value: Value): void {
    const place = uid - UID_FIRST;
    invariant(
      Number.isInteger(place) && place >= 0 && place < PLACES_MAX,
      'a uid is one of those that were issued',
    );
    // Filled without gaps, because lookups in a sparse array are as slow as in a map.
    while (this.#values.length <= place) this.#values.push(undefined);
    this.#values[place] = value;
  }

  delete(uid: Uid): void {
    if (this.get(uid) !== undefined) this.#values[uid - UID_FIRST] = undefined;
  }

  *values(): Generator<Value> {
    for (const value of this.#values) if (value !== undefined) yield value;
  }
}
