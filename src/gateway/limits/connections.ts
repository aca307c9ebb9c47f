/** How many of a port's connections one address has, so that nobody alone can take all of them. */

/** Of the ten thousand that a port has: more than any client, or a proxy that keeps its connections, has use for. */
export const CONNECTIONS_PER_ADDRESS_MAX = 1_000;

/** This very machine is free: load is tested from here, and whoever has it needs no connections to bring the exchange down. */
const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

export class Connections {
  readonly #max: number;
  readonly #isFree: (address: string) => boolean;
  /** Only addresses that have some; no more than there are connections. */
  readonly #open = new Map<string, number>();

  constructor(max = CONNECTIONS_PER_ADDRESS_MAX, isFree = isLoopback) {
    this.#max = max;
    this.#isFree = isFree;
  }

  /** Whether one more is let in; whoever is let in leaves again. */
  enter(address: string): boolean {
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#max && !this.#isFree(address)) return false;
    this.#open.set(address, open + 1);
    return true;
  }

  leave(address: string): void {
    const left = (this.#open.get(address) ?? 0) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}
