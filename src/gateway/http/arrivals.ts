/**
 * Requests that have come together, in one turn of the event loop, are carried out together, in the order they came, once all of them have been
 * read. Reading one and carrying it out use different code and data, of which the processor keeps only so much at hand: one after the
 * other for each request, either drives out the other. No more are here than may wait (REQ-44).
 */
export class Arrivals<Arrived> {
  readonly #carryOut: (arrived: Arrived) => void;
  #together: Arrived[] = [];

  constructor(carryOut: (arrived: Arrived) => void) {
    this.#carryOut = carryOut;
  }

  add(arrived: Arrived): void {
    if (this.#together.push(arrived) === 1) setImmediate(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    const together = this.#together;
    this.#together = [];
    for (const arrived of together) this.#carryOut(arrived);
  };
}
