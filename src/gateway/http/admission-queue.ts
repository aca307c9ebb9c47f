/**
 * Connections that were refused because of load wait here, unread. Refusing costs a good part of
 * what answering costs, so whoever sends ten times too much would leave no time to do anything:
 * instead his requests stay in the network until there is room, or for a few seconds at most.
 * Whoever has waited longest is read first, and finds as many places free as were refused to him:
 * they are kept from all who come later.
 */
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';

/** Less than the time in which the rest of a half-sent head has to come. */
const HELD_MS_MAX = 4 * SECOND;
const CHECK_EVERY_MS = SECOND / 4;

/**
 * The part of the room that is for those who waited. The rest is for whoever comes: he may have
 * waited too, before he asked again.
 */
const LET_GO_SHARE = 1 / 2;

interface Held {
  /** The moment at which it is let go at the latest. */
  readonly until: number;
  /**
   * How many of its requests were refused: as many may well stand behind it in the network by now.
   */
  refused: number;
}

export class AdmissionQueue {
  /** Longest held first. No more than there are connections. */
  readonly #held = new Map<Socket, Held>();
  /** Places of those who were let go in this turn of the event loop. */
  readonly #kept = new Map<Socket, number>();
  #keptInAll = 0;
  readonly #room: () => number;
  #opening = false;
  #check: NodeJS.Timeout | undefined;

  /** `room` says how many requests can be let in now. */
  constructor(room: () => number) {
    this.#room = room;
  }

  /** Whether a request that has come on a connection can be let in; if so it is. */
  admits(socket: Socket): boolean {
    if (this.#room() <= 0) return false;
    const kept = this.#kept.get(socket) ?? 0;
    if (kept === 0) return this.#room() > this.#keptInAll;
    this.#kept.set(socket, kept - 1);
    this.#keptInAll--;
    return true;
  }

  /** Reads nothing more of a connection, one of whose requests was refused. */
  hold(socket: Socket): void {
    const held = this.#held.get(socket);
    if (held === undefined) this.#stopReading(socket, 1);
    else held.refused++;
  }

  /**
   * Whoever was answered stands behind those who wait. He would be refused otherwise when he asks
   * again, which he mostly does at once.
   */
  enqueue(socket: Socket): void {
    if (this.#held.size > 0 && !this.#held.has(socket) && !socket.destroyed)
      this.#stopReading(socket, 0);
  }

  #stopReading(socket: Socket, refused: number): void {
    this.#held.set(socket, { until: performance.now() + HELD_MS_MAX, refused });
    this.#check ??= setInterval(() => this.#letGoOverdue(), CHECK_EVERY_MS).unref();
    socket.pause();
    // Node reads on after each request that is whole.
    setImmediate(() => this.#pauseAgain(socket));
  }

  /**
   * There may be room again: in the next turn of the event loop those who have waited longest are
   * read.
   */
  open(): void {
    if (this.#opening || (this.#held.size === 0 && this.#kept.size === 0)) return;
    this.#opening = true;
    setImmediate(() => {
      this.#opening = false;
      this.#letGo();
      if (this.#kept.size > 0 || this.#room() > 0) this.open();
    });
  }

  #letGo(): void {
    // Whatever stood behind those who were let go in the turn before has been read.
    this.#kept.clear();
    this.#keptInAll = 0;
    let expected = 0;
    for (const [socket, { refused }] of this.#held) {
      if (expected >= this.#room() * LET_GO_SHARE) return;
      this.#held.delete(socket);
      if (socket.destroyed) continue;
      expected += Math.max(refused, 1);
      if (refused > 0) this.#kept.set(socket, refused);
      this.#keptInAll += refused;
      socket.resume();
    }
  }

  /**
   * Node may have begun to read before the stream was asked to pause, and a stream that has paused
   * says nothing when it is asked again.
   */
  #pauseAgain(socket: Socket): void {
    if (!this.#held.has(socket)) return;
    socket.pause();
    socket.emit('pause');
  }

  #letGoOverdue(): void {
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
