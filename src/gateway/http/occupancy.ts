/** How busy one plane is: what is on its way through it, and when no more is let in. Each plane has its own, so that no storm on one closes the other. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayCounters } from '../metrics.ts';
import { Turnstile } from './turnstile.ts';

/** Requests being read or answered at once. Each holds a body of up to 64 KiB, so this bounds memory; over it the answer is a quick 429. */
const IN_FLIGHT_MAX = 4_096;

/** Calls that wait for their outcome at once: a few syncs' worth. What is let in beyond that only makes everybody wait longer. */
export const WAITING_MAX = 1_024;

/** Reads wait for history, all else for the journal. Each has that bound for itself: long lists close the door to no order, and no storm of orders to lists. */
type Waiting = 'reads' | 'writes';

/** One request's part in it. */
export interface Place {
  readonly kind: Waiting;
  waits: boolean;
}

export const kindOf = (method: string): Waiting => (method === 'GET' ? 'reads' : 'writes');

export class Occupancy {
  readonly #counters: GatewayCounters;
  readonly #turnstiles: Readonly<Record<Waiting, Turnstile>> = {
    reads: new Turnstile(() => this.#roomFor('reads')),
    writes: new Turnstile(() => this.#roomFor('writes')),
  };
  readonly #waiting: Record<Waiting, number> = { reads: 0, writes: 0 };
  #inFlight = 0;

  constructor(counters: GatewayCounters) {
    this.#counters = counters;
  }

  isFull(kind: Waiting): boolean {
    return this.#roomFor(kind) <= 0;
  }

  #roomFor(kind: Waiting): number {
    return Math.min(IN_FLIGHT_MAX - this.#inFlight, WAITING_MAX - this.#waiting[kind]);
  }

  /** One more came while it was full: its connection waits until there is room. */
  refuse(kind: Waiting, socket: Socket, response: ServerResponse): void {
    this.#counters.refusedByLoad++;
    this.#turnstiles[kind].hold(socket, response);
  }

  enter(): void {
    this.#inFlight++;
    this.#counters.inFlight++;
  }

  /** From here on it waits for an outcome. */
  wait(place: Place): void {
    place.waits = true;
    this.#waiting[place.kind]++;
  }

  leave(place: Place): void {
    this.#inFlight--;
    this.#counters.inFlight--;
    if (place.waits) this.#waiting[place.kind]--;
    this.#turnstiles.writes.open();
    this.#turnstiles.reads.open();
  }
}
