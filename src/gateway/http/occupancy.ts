/** How busy one plane is: what is on its way through it, and when no more is let in. Each plane has its own, so that no storm on one closes the other. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayCounters } from '../metrics.ts';
import { Turnstile } from './turnstile.ts';

/** Requests being read or answered at once. Each holds a body of up to 64 KiB, so this bounds memory; over it the answer is a quick 429. */
const IN_FLIGHT_MAX = 4_096;

/** Calls that wait for their outcome at once: a few syncs' worth. What is let in beyond that only makes everybody wait longer. */
export const WAITING_MAX = 1_024;

/** One request's part in it. */
export interface Place {
  waits: boolean;
}

export class Occupancy {
  readonly #counters: GatewayCounters;
  readonly #turnstile = new Turnstile(() => this.#room);
  #inFlight = 0;
  #waiting = 0;

  constructor(counters: GatewayCounters) {
    this.#counters = counters;
  }

  get isFull(): boolean {
    return this.#room <= 0;
  }

  get #room(): number {
    return Math.min(IN_FLIGHT_MAX - this.#inFlight, WAITING_MAX - this.#waiting);
  }

  /** One more came while it was full: its connection waits until there is room. */
  refuse(socket: Socket, response: ServerResponse): void {
    this.#counters.refusedByLoad++;
    this.#turnstile.hold(socket, response);
  }

  enter(): void {
    this.#inFlight++;
    this.#counters.inFlight++;
  }

  /** From here on it waits for an outcome. */
  wait(place: Place): void {
    place.waits = true;
    this.#waiting++;
  }

  leave(place: Place): void {
    this.#inFlight--;
    this.#counters.inFlight--;
    if (place.waits) this.#waiting--;
    this.#turnstile.open();
  }
}
