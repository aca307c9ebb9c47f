/**
 * The price levels of a book, found by price and walked from best to worst. The rank of a level is
 * its distance from the best possible price, so on both sides the smaller rank trades first. A leaf
 * holds 32 levels and one word that marks the levels in use. Above the leaves is a tree of such
 * words, so counting zero bits finds the next level. A walk reads one leaf if prices are dense, and
 * at most six words if they are sparse. Memory grows with the leaves in use, not with the range of
 * prices.
 */
import type { Side } from '../../messages/vocabulary.ts';
import { TICK_MAX, type Tick } from './order-book.ts';
import { NO_ORDER } from './order-slots.ts';

/** No level, no leaf or no branch. */
export const NONE = -1;

const FANOUT = 32;
const FANOUT_BITS = 5;
const FANOUT_MASK = 31;
/** A rank has 31 bits: 26 for the leaf, 5 for the level in it. A page adds the side as bit 26. */
const PAGE_BITS = 26;
const PAGE_MASK = 2 ** PAGE_BITS - 1;
const TOP_SHIFT = 25;
const ROOT = 0;

/** A cache of recent leaves, which covers sixteen thousand neighbouring prices. */
const CACHED_LEAVES = 512;
const INITIAL_LEAVES = 8;
const INITIAL_BRANCHES = 16;

/** A level is 16 bytes, read as two doubles and as four integers. */
const LEVEL_DOUBLES = 2;
const LEVEL_INTEGERS = 4;
const HEAD = 2;
const TAIL = 3;

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

function withLength(old: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const fresh = new Int32Array(length);
  fresh.set(old);
  return fresh;
}

export const BUYS = 1;
export const SELLS = 0;
/** The sides as numbers, for arrays and bits. */
export type SideBit = typeof BUYS | typeof SELLS;
export const sideBit = (side: Side): SideBit => (side === 'buy' ? BUYS : SELLS);

/** The worst rank. Ranks fit 31 bits, although the tick 2^31 does not. */
export const RANK_MAX = TICK_MAX - 1;
/** tick − 1 for sells; 2^31 − tick, which is its complement, for buys. XOR avoids a branch. */
export const rankOf = (side: SideBit, tick: Tick): number => ((tick - 1) ^ -side) & RANK_MAX;
export const tickOf = (side: SideBit, rank: number): Tick =>
  (((rank ^ -side) & RANK_MAX) + 1) as Tick;

/** The fast book uses TypeScript's `private`, because `#` fields cost a tenth of its speed. */
export class PriceLadder {
  /** The best level of each side, or NONE. */
  private readonly bestLevels = new Int32Array(2).fill(NONE);

  private levelDoubles: Float64Array<ArrayBuffer>;
  private levelIntegers: Int32Array<ArrayBuffer>;

  private leafWord = new Int32Array(INITIAL_LEAVES);
  private leafPage = new Int32Array(INITIAL_LEAVES);
  /** The branch above a leaf. For a free leaf, the next free one. */
  private leafParent = new Int32Array(INITIAL_LEAVES);
  private leafCount = 0;
  private leafFree = NONE;

  private branchWord = new Int32Array(INITIAL_BRANCHES);
  private branchParent = new Int32Array(INITIAL_BRANCHES);
  private branchPlace = new Int32Array(INITIAL_BRANCHES);
  private branchChildren = new Int32Array(INITIAL_BRANCHES * FANOUT);
  private branchCount = 1;
  private branchFree = NONE;

  private readonly cachedPage = new Int32Array(CACHED_LEAVES).fill(NONE);
  private readonly cachedLeaf = new Int32Array(CACHED_LEAVES);

  constructor() {
    const buffer = new ArrayBuffer(INITIAL_LEAVES * FANOUT * LEVEL_INTEGERS * 4);
    this.levelDoubles = new Float64Array(buffer);
    this.levelIntegers = new Int32Array(buffer);
    this.branchParent[ROOT] = NONE;
  }

  best(side: SideBit): number {
    return this.bestLevels[side]!;
  }

  sideOf(level: number): SideBit {
    return (this.leafPage[level >> FANOUT_BITS]! >>> PAGE_BITS) as SideBit;
  }

  rankOf(level: number): number {
    return (
      ((this.leafPage[level >> FANOUT_BITS]! & PAGE_MASK) << FANOUT_BITS) | (level & FANOUT_MASK)
    );
  }

  lots(level: number): number {
    return this.levelDoubles[level * LEVEL_DOUBLES]!;
  }

  setLots(level: number, lots: number): void {
    this.levelDoubles[level * LEVEL_DOUBLES] = lots;
  }

  head(level: number): number {
    return this.levelIntegers[level * LEVEL_INTEGERS + HEAD]!;
  }

  setHead(level: number, order: number): void {
    this.levelIntegers[level * LEVEL_INTEGERS + HEAD] = order;
  }

  tail(level: number): number {
    return this.levelIntegers[level * LEVEL_INTEGERS + TAIL]!;
  }

  setTail(level: number, order: number): void {
    this.levelIntegers[level * LEVEL_INTEGERS + TAIL] = order;
  }

  /** The level in use at a rank, or NONE. */
  find(side: SideBit, rank: number): number {
    const leaf = this.findLeaf((side << PAGE_BITS) | (rank >>> FANOUT_BITS));
    if (leaf === NONE) return NONE;
    const place = rank & FANOUT_MASK;
    return (this.leafWord[leaf]! >>> place) & 1 ? (leaf << FANOUT_BITS) | place : NONE;
  }

  /** The level at a rank. A level that was not in use is added empty, and the caller fills it. */
  ensure(side: SideBit, rank: number): number {
    const page = (side << PAGE_BITS) | (rank >>> FANOUT_BITS);
    let leaf = this.findLeaf(page);
    if (leaf === NONE) leaf = this.addLeaf(page);
    const place = rank & FANOUT_MASK;
    const level = (leaf << FANOUT_BITS) | place;
    const word = this.leafWord[leaf]!;
    if ((word >>> place) & 1) return level;

    this.leafWord[leaf] = word | (1 << place);
    this.setLots(level, 0);
    this.setHead(level, NO_ORDER);
    this.setTail(level, NO_ORDER);
    const best = this.bestLevels[side]!;
    if (best === NONE || rank < this.rankOf(best)) this.bestLevels[side] = level;
    return level;
  }

  /** Removes an empty level. */
  drop(level: number): void {
    const leaf = level >> FANOUT_BITS;
    const side = this.sideOf(level);
    if (this.bestLevels[side] === level) this.bestLevels[side] = this.next(level);
    const word = this.leafWord[leaf]! & ~(1 << (level & FANOUT_MASK));
    this.leafWord[leaf] = word;
    if (word === 0) this.dropLeaf(leaf);
  }

  /** The next worse level in use on the same side, or NONE. */
  next(level: number): number {
    const leaf = level >> FANOUT_BITS;
    const word = this.leafWord[leaf]! & (-2 << (level & FANOUT_MASK));
    return word === 0 ? this.nextFromLeaf(leaf) : (leaf << FANOUT_BITS) | lowestBit(word);
  }

  private nextFromLeaf(leaf: number): number {
    const page = this.leafPage[leaf]!;
    let branch = this.leafParent[leaf]!;
    let place = page & FANOUT_MASK;
    let height = 0;
    let word = this.branchWord[branch]! & (-2 << place);
    while (word === 0) {
      place = this.branchPlace[branch]!;
      branch = this.branchParent[branch]!;
      if (branch === NONE) return NONE;
      height++;
      word = this.branchWord[branch]! & (-2 << place);
    }
    let child = this.branchChildren[(branch << FANOUT_BITS) | lowestBit(word)]!;
    for (; height > 0; height--)
      child = this.branchChildren[(child << FANOUT_BITS) | lowestBit(this.branchWord[child]!)]!;
    // The buys follow the sells in the same tree.
    if ((this.leafPage[child]! ^ page) >>> PAGE_BITS) return NONE;
    return (child << FANOUT_BITS) | lowestBit(this.leafWord[child]!);
  }

  private findLeaf(page: number): number {
    const cell = (page ^ (page >>> PAGE_BITS)) & (CACHED_LEAVES - 1);
    return this.cachedPage[cell] === page ? this.cachedLeaf[cell]! : this.descend(page, cell);
  }

  private descend(page: number, cell: number): number {
    let child = ROOT;
    for (let shift = TOP_SHIFT; shift >= 0; shift -= FANOUT_BITS) {
      const place = (page >>> shift) & FANOUT_MASK;
      if (((this.branchWord[child]! >>> place) & 1) === 0) return NONE;
      child = this.branchChildren[(child << FANOUT_BITS) | place]!;
    }
    this.cachedPage[cell] = page;
    this.cachedLeaf[cell] = child;
    return child;
  }

  private addLeaf(page: number): number {
    let branch = ROOT;
    for (let shift = TOP_SHIFT; shift > 0; shift -= FANOUT_BITS) {
      const place = (page >>> shift) & FANOUT_MASK;
      if (((this.branchWord[branch]! >>> place) & 1) === 0)
        this.setChild(branch, place, this.newBranch(branch, place));
      branch = this.branchChildren[(branch << FANOUT_BITS) | place]!;
    }
    const leaf = this.newLeaf();
    this.leafWord[leaf] = 0;
    this.leafPage[leaf] = page;
    this.leafParent[leaf] = branch;
    this.setChild(branch, page & FANOUT_MASK, leaf);
    return leaf;
  }

  private setChild(branch: number, place: number, child: number): void {
    this.branchWord[branch]! |= 1 << place;
    this.branchChildren[(branch << FANOUT_BITS) | place] = child;
  }

  private dropLeaf(leaf: number): void {
    const page = this.leafPage[leaf]!;
    const cell = (page ^ (page >>> PAGE_BITS)) & (CACHED_LEAVES - 1);
    if (this.cachedPage[cell] === page) this.cachedPage[cell] = NONE;
    let branch = this.leafParent[leaf]!;
    let place = page & FANOUT_MASK;
    this.leafParent[leaf] = this.leafFree;
    this.leafFree = leaf;
    for (;;) {
      const word = this.branchWord[branch]! & ~(1 << place);
      this.branchWord[branch] = word;
      if (word !== 0 || branch === ROOT) return;
      place = this.branchPlace[branch]!;
      const parent = this.branchParent[branch]!;
      this.branchParent[branch] = this.branchFree;
      this.branchFree = branch;
      branch = parent;
    }
  }

  private newLeaf(): number {
    const free = this.leafFree;
    if (free !== NONE) {
      this.leafFree = this.leafParent[free]!;
      return free;
    }
    if (this.leafCount === this.leafWord.length) this.growLeaves();
    return this.leafCount++;
  }

  private growLeaves(): void {
    const length = this.leafWord.length * 2;
    this.leafWord = withLength(this.leafWord, length);
    this.leafPage = withLength(this.leafPage, length);
    this.leafParent = withLength(this.leafParent, length);
    const integers = withLength(this.levelIntegers, length * FANOUT * LEVEL_INTEGERS);
    this.levelIntegers = integers;
    this.levelDoubles = new Float64Array(integers.buffer);
  }

  private newBranch(parent: number, place: number): number {
    let branch = this.branchFree;
    if (branch !== NONE) this.branchFree = this.branchParent[branch]!;
    else {
      if (this.branchCount === this.branchWord.length) this.growBranches();
      branch = this.branchCount++;
    }
    this.branchWord[branch] = 0;
    this.branchParent[branch] = parent;
    this.branchPlace[branch] = place;
    return branch;
  }

  private growBranches(): void {
    const length = this.branchWord.length * 2;
    this.branchWord = withLength(this.branchWord, length);
    this.branchParent = withLength(this.branchParent, length);
    this.branchPlace = withLength(this.branchPlace, length);
    this.branchChildren = withLength(this.branchChildren, length * FANOUT);
  }
}
