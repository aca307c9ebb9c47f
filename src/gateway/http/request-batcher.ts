/**
 * Runs a function at once if no batch is being written to the journal, otherwise after that batch
 * was answered.
 */
export type AfterWriting = (run: () => void) => void;

/** Several syncs of a fast disk, and less than one of a slow disk. */
const WAIT_MS_MAX = 1;
/**
 * Turns of the event loop in which further requests are awaited, because simultaneous requests
 * arrive in several turns. An empty turn takes a few microseconds.
 */
export const TURNS_TOGETHER = 4;

/**
 * Collects requests that arrive together and runs them as one batch, in arrival order. A batch
 * costs the same at any size (REQ-65). It starts after a few turns of the event loop have read all
 * ready sockets. Reading and running use different code and data, so alternating them for each
 * request would thrash the processor's caches. The batch is bounded by the concurrency limiter
 * (REQ-44).
 *
 * A batch waits while another one is being written: it could not be written sooner, and the writer
 * may need the core. The wait is short, in case the disk is slow.
 */
export class RequestBatcher<Arrived> {
  readonly #carryOut: (arrived: Arrived) => void;
  readonly #afterWriting: AfterWriting;
  readonly #patience: NodeJS.Timeout;
  #together: Arrived[] = [];
  #turnsLeft = 0;
  #waits = false;

  constructor(carryOut: (arrived: Arrived) => void, afterWriting: AfterWriting) {
    this.#carryOut = carryOut;
    this.#afterWriting = afterWriting;
    this.#patience = setTimeout(() => this.#takeTurn(), WAIT_MS_MAX).unref();
  }

  add(arrived: Arrived): void {
    if (this.#together.push(arrived) > 1) return;
    this.#turnsLeft = TURNS_TOGETHER;
    setImmediate(this.#lookForOthers);
  }

  readonly #lookForOthers = (): void => {
    this.#turnsLeft -= 1;
    if (this.#turnsLeft === 0) this.#wait();
    else setImmediate(this.#lookForOthers);
  };

  #wait(): void {
    this.#waits = true;
    this.#afterWriting(this.#takeTurn);
    if (this.#waits) this.#patience.refresh();
  }

  /**
   * Called when the written batch has been answered and when the wait ends; the first call counts.
   */
  readonly #takeTurn = (): void => {
    if (!this.#waits) return;
    this.#waits = false;
    const together = this.#together;
    this.#together = [];
    for (const arrived of together) this.#carryOut(arrived);
  };
}
