/** Limits the connections of one address, so that a single address cannot take all of a port. */
import type { Socket } from 'node:net';
import { connectionAddress } from '../auth/addresses.ts';
import type { Proxies } from '../auth/proxies.ts';

/** A tenth of a port's ten thousand; no client needs more. */
export const CONNECTIONS_PER_ADDRESS_MAX = 1_000;

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * Addresses without a limit. Load tests run on this machine, which could stop the exchange anyway.
 * A trusted proxy carries the calls of many clients.
 */
export const isUnlimited =
  (proxies: Proxies | undefined) =>
  (address: string): boolean =>
    isLoopback(address) || proxies?.has(address) === true;

export class Connections {
  readonly #max: number;
  readonly #isFree: (address: string) => boolean;
  /** Holds only addresses with open connections, so it has at most one entry per connection. */
  readonly #open = new Map<string, number>();

  constructor(max = CONNECTIONS_PER_ADDRESS_MAX, isFree = isUnlimited(undefined)) {
    this.#max = max;
    this.#isFree = isFree;
  }

  /**
   * Admits one more connection unless the limit is reached. An admitted connection must `leave`.
   */
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

/** How a counted connection stops being counted. */
const leaving = new WeakMap<Socket, () => void>();

/** Counts a connection; a connection over the limit is closed without an answer. */
export function isOverLimit(socket: Socket, connections: Connections | undefined): boolean {
  if (connections === undefined) return false;
  const address = connectionAddress(socket);
  if (!connections.enter(address)) return true;
  const leave = (): void => connections.leave(address);
  leaving.set(socket, leave);
  socket.once('close', leave);
  return false;
}

/** A connection that becomes a stream has another limit. */
export function stopCounting(socket: Socket): void {
  const leave = leaving.get(socket);
  if (leave === undefined) return;
  leaving.delete(socket);
  socket.off('close', leave);
  leave();
}
