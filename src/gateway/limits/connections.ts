/** How many of a port's connections one address has, so that nobody alone can take all of them. */
import type { Proxies } from '../auth/proxies.ts';

/** Of the ten thousand that a port has: more than any client has use for. */
export const CONNECTIONS_PER_ADDRESS_MAX = 1_000;

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * This very machine is free: load is tested from here, and whoever has it needs no connections to
 * bring the exchange down. So are proxies, which bring the calls of many.
 */
export const freeBeside =
  (proxies: Proxies | undefined) =>
  (address: string): boolean =>
    isLoopback(address) || proxies?.has(address) === true;

export class Connections {
  readonly #max: number;
  readonly #isFree: (address: string) => boolean;
  /** Only addresses that have some; no more than there are connections. */
  readonly #open = new Map<string, number>();

  constructor(max = CONNECTIONS_PER_ADDRESS_MAX, isFree = freeBeside(undefined)) {
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
