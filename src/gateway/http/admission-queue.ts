/**
 * Backpressure: holds connections whose requests were refused for load, and stops reading them.
 *
 * A refusal costs nearly as much as an answer, so an overload of refusals would leave no time for
 * answers. Held requests stay in the network until there is room, or for a few seconds. The longest
 * held connection is read first. As many slots as it had refusals are reserved for it.
 */
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';

/** Shorter than the timeout for the rest of a partly sent head. */
const HELD_MS_MAX = 4 * SECOND;
const CHECK_EVERY_MS = SECOND / 4;

/**
 * Share of the room for held connections. New connections get the rest, because they may have
 * waited before their request.
 */
const RESERVED_SHARE = 1 / 2;

interface Held {
  /** Latest time of reading it again. */
  readonly until: number;
  /** Number of refused requests; as many may wait behind them in the network. */
  refused: number;
}

export class AdmissionQueue {
  /** Ordered by waiting time, longest first; at most one entry per connection. */
  readonly #held = new Map<Socket, Held>();
  /** Slots reserved for the connections resumed in this turn of the event loop. */
  readonly #reserved = new Map<Socket, number>();
  #reservedTotal = 0;
  readonly #room: () => number;
  #opening = false;
  #check: NodeJS.Timeout | undefined;

  /** `room` returns how many requests can be admitted now. */
  constructor(room: () => number) {
    this.#room = room;
  }

  /** Admits a request of a connection, using a reserved slot if it has one. */
  admits(socket: Socket): boolean {
    if (this.#room() <= 0) return false;
    const reserved = this.#reserved.get(socket) ?? 0;
    if (reserved === 0) return this.#room() > this.#reservedTotal;
    this.#reserved.set(socket, reserved - 1);
    this.#reservedTotal--;
    return true;
  }

  /** Stops reading a connection after a refusal. */
  hold(socket: Socket): void {
    const held = this.#held.get(socket);
    if (held === undefined) this.#stopReading(socket, 1);
    else held.refused++;
  }

  /**
   * Queues an answered connection behind the held ones. Its next request mostly comes at once, and
   * would be refused.
   */
  enqueue(socket: Socket): void {
    if (this.#held.size > 0 && !this.#held.has(socket) && !socket.destroyed)
      this.#stopReading(socket, 0);
  }

  #stopReading(socket: Socket, refused: number): void {
    this.#held.set(socket, { until: performance.now() + HELD_MS_MAX, refused });
    this.#check ??= setInterval(() => this.#resumeOverdue(), CHECK_EVERY_MS).unref();
    socket.pause();
    // Node resumes reading after each complete request.
    setImmediate(() => this.#pauseAgain(socket));
  }

  /** Resumes the longest held connections in the next turn of the event loop. */
  open(): void {
    if (this.#opening || (this.#held.size === 0 && this.#reserved.size === 0)) return;
    this.#opening = true;
    setImmediate(() => {
      this.#opening = false;
      this.#resumeHeld();
      if (this.#reserved.size > 0 || this.#room() > 0) this.open();
    });
  }

  #resumeHeld(): void {
    // The requests behind the connections of the last turn have been read.
    this.#reserved.clear();
    this.#reservedTotal = 0;
    let expected = 0;
    for (const [socket, { refused }] of this.#held) {
      if (expected >= this.#room() * RESERVED_SHARE) return;
      this.#held.delete(socket);
      if (socket.destroyed) continue;
      expected += Math.max(refused, 1);
      if (refused > 0) this.#reserved.set(socket, refused);
      this.#reservedTotal += refused;
      socket.resume();
    }
  }

  /** Node may resume before the pause takes effect, and a paused stream emits no second event. */
  #pauseAgain(socket: Socket): void {
    if (!this.#held.has(socket)) return;
    socket.pause();
    socket.emit('pause');
  }

  #resumeOverdue(): void {
    const now = performance.now();
    for (const [socket, { until }] of this.#held) {
      if (until > now && !socket.destroyed) continue;
      this.#held.delete(socket);
      socket.resume();
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }
}
