/**
 * Limits the requests in flight on one listener. Each listener has its own limiter, so that
 * overload of one does not block the other.
 */
import type { Socket } from 'node:net';
import type { Uid } from '../../kernel/ids.ts';
import { UidTable } from '../../kernel/uid-table.ts';
import { ANONYMOUS } from '../caller.ts';
import type { GatewayCounters } from '../metrics.ts';
import { AdmissionQueue } from './admission-queue.ts';

/**
 * Limit of requests being read or answered. Each holds a body of up to 64 KiB, so this bounds
 * memory; further requests get 429.
 */
const IN_FLIGHT_MAX = 4_096;

/**
 * Limit of calls that wait for their batch or their outcome: a few journal syncs. More would only
 * make every call wait longer.
 */
export const WAITING_MAX = 1_024;

/** Limit of waiting calls per user: more than a user within the rate limits ever has. */
export const WAITING_PER_USER_MAX = 128;

/**
 * Reads wait for history, writes for the journal. Each kind has its own limit, so that long lists
 * do not block orders, nor orders lists.
 */
type Waiting = 'reads' | 'writes';

/** One request's share of the limits. */
export interface Slot {
  readonly kind: Waiting;
  /**
   * The user that the wait counts for; `ANONYMOUS` without a key, and while a fault delays the
   * call.
   */
  uid: Uid;
  waits: boolean;
  left: boolean;
}

export const kindOf = (method: string): Waiting => (method === 'GET' ? 'reads' : 'writes');

export class ConcurrencyLimiter {
  readonly #counters: GatewayCounters;
  readonly #queues: Readonly<Record<Waiting, AdmissionQueue>> = {
    reads: new AdmissionQueue(() => this.#roomFor('reads')),
    writes: new AdmissionQueue(() => this.#roomFor('writes')),
  };
  readonly #waiting: Record<Waiting, number> = { reads: 0, writes: 0 };
  /** A plain Map would rebuild its table every few requests as counts come and go. */
  readonly #waitingOf: Readonly<Record<Waiting, UidTable<number>>> = {
    reads: new UidTable(),
    writes: new UidTable(),
  };
  #inFlight = 0;

  constructor(counters: GatewayCounters) {
    this.#counters = counters;
  }

  /** Admits a request of a connection. On refusal, the connection waits until there is room. */
  admits(kind: Waiting, socket: Socket): boolean {
    const admissionQueue = this.#queues[kind];
    if (admissionQueue.admits(socket)) {
      this.#inFlight++;
      this.#counters.inFlight++;
      return true;
    }
    this.#counters.refusedByLoad++;
    admissionQueue.hold(socket);
    return false;
  }

  /** Admits a call of a stream. Streams have one call at a time, so no connection needs to wait. */
  admitsCall(kind: Waiting): boolean {
    if (this.#roomFor(kind) <= 0) {
      this.#counters.refusedByLoad++;
      return false;
    }
    this.#inFlight++;
    this.#counters.inFlight++;
    return true;
  }

  /** True if a user has reached the limit per user. */
  isFullOf(kind: Waiting, uid: Uid): boolean {
    return (this.#waitingOf[kind].get(uid) ?? 0) >= WAITING_PER_USER_MAX;
  }

  #roomFor(kind: Waiting): number {
    return Math.min(IN_FLIGHT_MAX - this.#inFlight, WAITING_MAX - this.#waiting[kind]);
  }

  /**
   * Counts the request as waiting, for its batch or its outcome. Once its user is known, it counts
   * for the user too.
   */
  wait(slot: Slot, uid: Uid): void {
    const { kind } = slot;
    if (!slot.waits) this.#waiting[kind]++;
    slot.waits = true;
    slot.uid = uid;
    if (uid !== ANONYMOUS)
      this.#waitingOf[kind].set(uid, (this.#waitingOf[kind].get(uid) ?? 0) + 1);
  }

  /** Idempotent: a failed response may release the slot twice. */
  leave(slot: Slot, socket?: Socket): void {
    if (slot.left) return;
    slot.left = true;
    this.#inFlight--;
    this.#counters.inFlight--;
    if (slot.waits) this.#endWait(slot);
    if (socket !== undefined) this.#queues[slot.kind].enqueue(socket);
    this.#queues.writes.open();
    this.#queues.reads.open();
  }

  #endWait({ kind, uid }: Slot): void {
    this.#waiting[kind]--;
    if (uid !== ANONYMOUS) this.#waitingOf[kind].set(uid, this.#waitingOf[kind].get(uid)! - 1);
  }
}
