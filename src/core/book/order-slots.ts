/**
 * The resting orders of a book as records in one buffer, and the index from id to record. A record
 * is half a cache line, to keep cache misses rare in a book of a million orders. Free records are
 * chained, so that trading allocates no memory.
 */
import { invariant } from '../../kernel/invariant.ts';

/** No order. Record 0 is a sentinel: writes to it are harmless, so links need no checks. */
export const NO_ORDER = 0;

const INITIAL_SLOTS = 64;
const BUCKETS_PER_SLOT = 4;

/** A record is 32 bytes, read as four doubles or eight integers. The first double is the id. */
const DOUBLES = 4;
const INTEGERS = 8;
const LOTS = 2;
const NEXT = 3;
const PREVIOUS = 4;
const LEVEL = 5;
const OWNER = 6;
/** The next record of the same bucket. */
const CHAIN = 7;

/** 2^32 divided by the golden ratio. It spreads sequential ids evenly. */
const SPREAD = 0x9e3779b1;
/**
 * Sixteen consecutive ids share a cache line of buckets, each in its own bucket, so that the
 * buckets of new orders are usually cached.
 */
const NEIGHBOUR_BITS = 4;
const NEIGHBOUR_MASK = 2 ** NEIGHBOUR_BITS - 1;

export class OrderSlots {
  private doubles: Float64Array;
  private integers: Int32Array;
  private used = 1;
  private free = NO_ORDER;
  private held = 0;

  /** The first record of each bucket. Four buckets for each order keep the chains short. */
  private buckets: Int32Array;
  private shift: number;

  constructor() {
    const buffer = new ArrayBuffer(INITIAL_SLOTS * INTEGERS * 4);
    this.doubles = new Float64Array(buffer);
    this.integers = new Int32Array(buffer);
    this.buckets = new Int32Array(INITIAL_SLOTS * BUCKETS_PER_SLOT);
    this.shift = Math.clz32(this.buckets.length - 1) + NEIGHBOUR_BITS;
  }

  get count(): number {
    return this.held;
  }

  id(slot: number): number {
    return this.doubles[slot * DOUBLES]!;
  }

  lots(slot: number): number {
    return this.integers[slot * INTEGERS + LOTS]!;
  }

  setLots(slot: number, lots: number): void {
    this.integers[slot * INTEGERS + LOTS] = lots;
  }

  owner(slot: number): number {
    return this.integers[slot * INTEGERS + OWNER]! >>> 0;
  }

  level(slot: number): number {
    return this.integers[slot * INTEGERS + LEVEL]!;
  }

  next(slot: number): number {
    return this.integers[slot * INTEGERS + NEXT]!;
  }

  previous(slot: number): number {
    return this.integers[slot * INTEGERS + PREVIOUS]!;
  }

  /** The slot of an order, or NO_ORDER. */
  find(id: number): number {
    let slot = this.buckets[this.bucketOf(id)]!;
    while (slot !== NO_ORDER && this.doubles[slot * DOUBLES] !== id)
      slot = this.integers[slot * INTEGERS + CHAIN]!;
    return slot;
  }

  /** Adds an order behind `previous`. */
  add(id: number, lots: number, owner: number, level: number, previous: number): number {
    const slot = this.takeFree();
    const integers = this.integers;
    const at = slot * INTEGERS;
    this.doubles[slot * DOUBLES] = id;
    integers[at + LOTS] = lots;
    integers[at + NEXT] = NO_ORDER;
    integers[at + PREVIOUS] = previous;
    integers[at + LEVEL] = level;
    integers[at + OWNER] = owner;
    integers[previous * INTEGERS + NEXT] = slot;
    this.held++;
    this.enter(id, slot);
    return slot;
  }

  /** Unlinks an order from its neighbours. */
  remove(slot: number, previous: number, next: number): void {
    const integers = this.integers;
    this.leave(slot);
    integers[previous * INTEGERS + NEXT] = next;
    integers[next * INTEGERS + PREVIOUS] = previous;
    integers[slot * INTEGERS + NEXT] = this.free;
    this.free = slot;
    this.held--;
  }

  private takeFree(): number {
    const free = this.free;
    if (free !== NO_ORDER) {
      this.free = this.next(free);
      return free;
    }
    if (this.used * INTEGERS === this.integers.length) this.grow();
    return this.used++;
  }

  private bucketOf(id: number): number {
    const spread = Math.imul((id | 0) >> NEIGHBOUR_BITS, SPREAD);
    return ((spread >>> this.shift) << NEIGHBOUR_BITS) | ((id ^ spread) & NEIGHBOUR_MASK);
  }

  private enter(id: number, slot: number): void {
    const bucket = this.bucketOf(id);
    const first = this.buckets[bucket]!;
    for (let other = first; other !== NO_ORDER; other = this.integers[other * INTEGERS + CHAIN]!) {
      invariant(this.doubles[other * DOUBLES] !== id, 'an order rests once');
    }
    this.integers[slot * INTEGERS + CHAIN] = first;
    this.buckets[bucket] = slot;
  }

  private leave(slot: number): void {
    const integers = this.integers;
    const bucket = this.bucketOf(this.id(slot));
    const after = integers[slot * INTEGERS + CHAIN]!;
    let other = this.buckets[bucket]!;
    if (other === slot) {
      this.buckets[bucket] = after;
      return;
    }
    while (integers[other * INTEGERS + CHAIN] !== slot) other = integers[other * INTEGERS + CHAIN]!;
    integers[other * INTEGERS + CHAIN] = after;
  }

  private grow(): void {
    const integers = new Int32Array(this.integers.length * 2);
    integers.set(this.integers);
    this.integers = integers;
    this.doubles = new Float64Array(integers.buffer);
    this.buckets = new Int32Array(this.buckets.length * 2);
    this.shift = Math.clz32(this.buckets.length - 1) + NEIGHBOUR_BITS;
    // Growth happens only when no record is free, so every record is an order.
    for (let slot = 1; slot < this.used; slot++) this.enter(this.id(slot), slot);
  }
}
