/**
 * One endpoint's rate limit: at most N accepted calls of one caller in any 1,000 ms.
 *
 * Each caller has a ring of its last N accept times, so the window slides with every call. Two
 * generations of callers swap each window, which drops idle callers without scanning.
 */

/** How long a call counts. */
const WINDOW_MS = 1_000;

/**
 * Limit of callers per endpoint and generation. It exceeds the number of connections, and each
 * connection has one caller.
 */
const CALLERS_MAX = 100_000;

/** A caller: a uid, or an address for endpoints limited by address. */
export type CallerKey = number | string;

interface Ring {
  readonly acceptedAt: Float64Array;
  /** Index of the oldest accept time, the next to be overwritten. */
  oldest: number;
}

/** Result of `take` for a call over the limit. */
export const REFUSED = -1;

export class SlidingWindow {
  readonly perSecond: number;
  #young = new Map<CallerKey, Ring>();
  #old = new Map<CallerKey, Ring>();
  #turnedAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /**
   * Counts a call at a monotonic time and returns how many more are allowed now. Returns `REFUSED`,
   * without counting, if the limit is reached.
   */
  take(caller: CallerKey, now: number): number {
    if (now - this.#turnedAt >= WINDOW_MS) this.#turnOver(now);
    const ring = this.#young.get(caller) ?? this.#enter(caller);
    if (ring === undefined) return REFUSED;
    const { acceptedAt, oldest } = ring;
    if (now - acceptedAt[oldest]! < WINDOW_MS) return REFUSED;
    acceptedAt[oldest] = now;
    ring.oldest = oldest + 1 === acceptedAt.length ? 0 : oldest + 1;
    return freeSlots(ring, now);
  }

  /**
   * Swaps the generations. Calls of the old one are at least a whole window old, so none counts.
   */
  #turnOver(now: number): void {
    const emptied = this.#old;
    emptied.clear();
    this.#old = this.#young;
    this.#young = emptied;
    this.#turnedAt = now;
  }

  /**
   * Moves a caller into the young generation, or creates its ring. A full generation refuses new
   * callers, because forgetting a caller would exceed its limit.
   */
  #enter(caller: CallerKey): Ring | undefined {
    if (this.#young.size >= CALLERS_MAX) return undefined;
    const known = this.#old.get(caller);
    const ring = known ?? {
      acceptedAt: new Float64Array(this.perSecond).fill(Number.NEGATIVE_INFINITY),
      oldest: 0,
    };
    if (known !== undefined) this.#old.delete(caller);
    this.#young.set(caller, ring);
    return ring;
  }
}

/** Accept times are ordered from `oldest` on, so expired ones come first. */
function freeSlots({ acceptedAt, oldest }: Ring, now: number): number {
  const slots = acceptedAt.length;
  let free = 0;
  while (free < slots && now - acceptedAt[(oldest + free) % slots]! >= WINDOW_MS) free++;
  return free;
}
