/**
 * Connections that were refused because of load wait here, unread. Refusing costs a good part of what answering costs, so whoever sends ten times
 * too much would leave no time to do anything: instead his requests stay in the network until there is room, or for a few seconds at most.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';

/** Less than the time in which the rest of a half-sent head has to come. */
const HELD_MS_MAX = 4 * SECOND;
const CHECK_EVERY_MS = SECOND / 4;
/** A guess at what comes when one connection is read again, on the safe side: too few are let in at once rather than too many refused. */
const REQUESTS_BEHIND_ONE = 32;

export class Turnstile {
  /** Longest held first, with the moment each is let go at the latest. No more than there are connections. */
  readonly #held = new Map<Socket, number>();
  readonly #room: () => number;
  #opening = false;
  #check: NodeJS.Timeout | undefined;

  /** `room` says how many requests can be let in now. */
  constructor(room: () => number) {
    this.#room = room;
  }

  /** Reads nothing more of a connection; `response` is the refusal on its way to it. */
  hold(socket: Socket, response: ServerResponse): void {
    if (!this.#held.has(socket)) this.#held.set(socket, performance.now() + HELD_MS_MAX);
    this.#check ??= setInterval(() => this.#letGoOverdue(), CHECK_EVERY_MS).unref();
    socket.pause();
    // Node reads on when an answer is out, to get rid of a body that nobody has read.
    response.once('finish', () => setImmediate(() => this.#pauseAgain(socket)));
  }

  /**
   * There is room again: those who have waited longest are read, a few in each turn of the event loop, for nobody knows how many requests stand
   * in the network behind one connection.
   */
  open(): void {
    if (this.#opening || this.#held.size === 0) return;
    this.#opening = true;
    setImmediate(() => {
      this.#opening = false;
      for (let count = Math.ceil(this.#room() / REQUESTS_BEHIND_ONE); count > 0; count--) this.#letGoFirst();
      if (this.#room() > 0) this.open();
    });
  }

  #letGoFirst(): void {
    for (const socket of this.#held.keys()) {
      this.#held.delete(socket);
      if (socket.destroyed) continue;
      socket.resume();
      return;
    }
  }

  #pauseAgain(socket: Socket): void {
    if (this.#held.has(socket)) socket.pause();
  }

  #letGoOverdue(): void {
    const now = performance.now();
    for (const [socket, until] of this.#held) {
      if (until > now && !socket.destroyed) continue;
      this.#held.delete(socket);
      socket.resume();
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }
}
