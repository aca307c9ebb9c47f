/**
 * How busy one plane is: what is on its way through it, and when no more is let in. Each plane has
 * its own, so that no storm on one closes the other.
 */
import type { Socket } from 'node:net';
import type { Uid } from '../../kernel/ids.ts';
import { UidTable } from '../../kernel/uid-table.ts';
import { ANONYMOUS } from '../caller.ts';
import type { GatewayCounters } from '../metrics.ts';
import { AdmissionQueue } from './admission-queue.ts';

/**
 * Requests being read or answered at once. Each holds a body of up to 64 KiB, so this bounds
 * memory; over it the answer is a quick 429.
 */
const IN_FLIGHT_MAX = 4_096;

/**
 * Calls that wait for their turn or their outcome at once: a few syncs' worth. What is let in
 * beyond that only makes everybody wait longer.
 */
export const WAITING_MAX = 1_024;

/**
 * The part of it that one user may take: more than anybody has in flight who keeps to his limits
 * and is answered in time.
 */
export const WAITING_PER_USER_MAX = 128;

/**
 * Reads wait for history, all else for the journal. Each has that bound for itself: long lists
 * close the door to no order, and no storm of orders to lists.
 */
type Waiting = 'reads' | 'writes';

/** One request's part in it. */
export interface Slot {
  readonly kind: Waiting;
  /** Who is waited for; nobody where no key is asked for, and where a fault makes him wait. */
  uid: Uid;
  waits: boolean;
  left: boolean;
}

export const kindOf = (method: string): Waiting => (method === 'GET' ? 'reads' : 'writes');

export class ConcurrencyLimiter {
  readonly #counters: GatewayCounters;
  readonly #turnstiles: Readonly<Record<Waiting, AdmissionQueue>> = {
    reads: new AdmissionQueue(() => this.#roomFor('reads')),
    writes: new AdmissionQueue(() => this.#roomFor('writes')),
  };
  readonly #waiting: Record<Waiting, number> = { reads: 0, writes: 0 };
  /** Counts that come and go would have a map make its table anew every few requests. */
  readonly #waitingOf: Readonly<Record<Waiting, UidTable<number>>> = {
    reads: new UidTable(),
    writes: new UidTable(),
  };
  #inFlight = 0;

  constructor(counters: GatewayCounters) {
    this.#counters = counters;
  }

  /**
   * Lets a request in that has come on a connection. Whether that was possible: if not it is to be
   * refused, and its connection waits until there is room.
   */
  admits(kind: Waiting, socket: Socket): boolean {
    const admissionQueue = this.#turnstiles[kind];
    if (admissionQueue.admits(socket)) {
      this.#inFlight++;
      this.#counters.inFlight++;
      return true;
    }
    this.#counters.refusedByLoad++;
    admissionQueue.hold(socket);
    return false;
  }

  /** Whether a user has taken all that one may. */
  isFullOf(kind: Waiting, uid: Uid): boolean {
    return (this.#waitingOf[kind].get(uid) ?? 0) >= WAITING_PER_USER_MAX;
  }

  #roomFor(kind: Waiting): number {
    return Math.min(IN_FLIGHT_MAX - this.#inFlight, WAITING_MAX - this.#waiting[kind]);
  }

  /**
   * From here on it waits, for its turn or for an outcome, and once it is known whose it is, on
   * that user's account.
   */
  wait(place: Slot, uid: Uid): void {
    const { kind } = place;
    if (!place.waits) this.#waiting[kind]++;
    place.waits = true;
    place.uid = uid;
    if (uid !== ANONYMOUS)
      this.#waitingOf[kind].set(uid, (this.#waitingOf[kind].get(uid) ?? 0) + 1);
  }

  /** Once, however often it is said: whoever has left may have to be answered again. */
  leave(place: Slot, socket: Socket): void {
    if (place.left) return;
    place.left = true;
    this.#inFlight--;
    this.#counters.inFlight--;
    if (place.waits) this.#endWait(place);
    this.#turnstiles[place.kind].enqueue(socket);
    this.#turnstiles.writes.open();
    this.#turnstiles.reads.open();
  }

  #endWait({ kind, uid }: Slot): void {
    this.#waiting[kind]--;
    if (uid !== ANONYMOUS) this.#waitingOf[kind].set(uid, this.#waitingOf[kind].get(uid)! - 1);
  }
}
