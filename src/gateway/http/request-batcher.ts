/**
 * Runs something at once when no batch is being written to the journal, otherwise when that one has
 * been answered.
 */
export type AfterWriting = (run: () => void) => void;

/** Several syncs of a fast disk, and less than one of a slow disk. */
const WAIT_MS_MAX = 1;
/**
 * In so many turns of events others are looked for: what was sent at one moment does not all arrive
 * in one turn. A turn in which nothing arrives takes a few microseconds.
 */
export const TURNS_TOGETHER = 4;

/**
 * Requests that have come together are carried out together, in the order they came, once all
 * sockets that are ready have been read, and again those that have become ready meanwhile: a batch
 * costs the same however few are in it (REQ-65). Reading one and carrying it out use different code
 * and data, of which the processor keeps only so much at hand: one after the other for each
 * request, either drives out the other. No more are here than may wait (REQ-44).
 *
 * They wait for a batch that is being written: theirs cannot be written any sooner, and where there
 * is one core it is free for whoever writes. A disk that takes long is not waited for.
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
   * Called when the batch has been answered and when patience has run out: what comes first counts.
   */
  readonly #takeTurn = (): void => {
    if (!this.#waits) return;
    this.#waits = false;
    const together = this.#together;
    this.#together = [];
    for (const arrived of together) this.#carryOut(arrived);
  };
}
