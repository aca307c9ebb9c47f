/**
 * One endpoint's rate limit: never more than N accepted calls of one caller in any 1,000 ms.
 *
 * Each caller has a ring of its last N accept times, so the window slides with every call. Callers
 * who have been quiet for a whole window are forgotten without loss, by turning over two
 * generations.
 */

/** How long a call counts. */
const WINDOW_MS = 1_000;

/**
 * Callers remembered per endpoint and generation. One connection needs one caller, so this is above
 * what the server lets connect.
 */
const CALLERS_MAX = 100_000;

/** A caller: a uid, or an address where an endpoint counts by address. */
export type CallerKey = number | string;

interface Ring {
  readonly acceptedAt: Float64Array;
  /** Where the oldest accept time stands, to be overwritten next. */
  oldest: number;
}

/** What `take` says when the call is over the limit. */
export const REFUSED = -1;

export class SlidingWindow {
  readonly perSecond: number;
  #young = new Map<CallerKey, Ring>();
  #old = new Map<CallerKey, Ring>();
  #turnedAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** How many callers are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /**
   * Counts a call at a monotonic time and tells how many more may follow now; `REFUSED`, and not
   * counted, when it is one too many.
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
   * Whoever is in the old generation was last accepted a whole window ago or earlier: nothing of it
   * counts any more.
   */
  #turnOver(now: number): void {
    const emptied = this.#old;
    emptied.clear();
    this.#old = this.#young;
    this.#young = emptied;
    this.#turnedAt = now;
  }

  /**
   * Moves a caller into the young generation, or starts a ring. When the generation is full
   * newcomers wait: forgetting would let calls through.
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

/** The accept times stand in order from `oldest` on, so the free ones come first. */
function freeSlots({ acceptedAt, oldest }: Ring, now: number): number {
  const slots = acceptedAt.length;
  let free = 0;
  while (free < slots && now - acceptedAt[(oldest + free) % slots]! >= WINDOW_MS) free++;
  return free;
}
