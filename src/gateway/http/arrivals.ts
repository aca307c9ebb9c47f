/** Runs something at once when no batch is being written to the journal, otherwise when that one has been answered. */
export type AfterWriting = (run: () => void) => void;

/** Several syncs of a fast disk, and less than one of a slow disk. */
const WAIT_MS_MAX = 1;

/**
 * Requests that have come together are carried out together, in the order they came, once all sockets that are ready have been read. Reading one
 * and carrying it out use different code and data, of which the processor keeps only so much at hand: one after the other for each
 * request, either drives out the other. No more are here than may wait (REQ-44).
 *
 * They wait for a batch that is being written: theirs cannot be written any sooner, and where there is one core it is free for whoever writes.
 * A disk that takes long is not waited for.
 */
export class Arrivals<Arrived> {
  readonly #carryOut: (arrived: Arrived) => void;
  readonly #afterWriting: AfterWriting;
  readonly #patience: NodeJS.Timeout;
  #together: Arrived[] = [];
  #waits = false;

  constructor(carryOut: (arrived: Arrived) => void, afterWriting: AfterWriting) {
    this.#carryOut = carryOut;
    this.#afterWriting = afterWriting;
    this.#patience = setTimeout(() => this.#takeTurn(), WAIT_MS_MAX).unref();
  }

  add(arrived: Arrived): void {
    if (this.#together.push(arrived) === 1) setImmediate(this.#wait);
  }

  readonly #wait = (): void => {
    this.#waits = true;
    this.#afterWriting(this.#takeTurn);
    if (this.#waits) this.#patience.refresh();
  };

  /** Called when the batch has been answered and when patience has run out: what comes first counts. */
  readonly #takeTurn = (): void => {
    if (!this.#waits) return;
    this.#waits = false;
    const together = this.#together;
    this.#together = [];
    for (const arrived of together) this.#carryOut(arrived);
  };
}
