/**
 * What waits to be sent on each connection. What one turn of the event loop produces leaves in one
 * write, and a connection that cannot take its events is cut.
 */
import type { Socket } from 'node:net';
import { type Clock, MINUTE, SECOND } from '../kernel/time.ts';
import { textFrame } from './frames.ts';

/** Events that may wait for one connection; a snapshot does not count. */
const PENDING_BYTES_MAX = 4 * 1024 * 1024;
/** What may wait over all connections; beyond it the largest backlog is cut. */
const PENDING_BYTES_OF_ALL_MAX = 256 * 1024 * 1024;
/** The longest time that an event waits. */
const PENDING_MS_MAX = 10 * SECOND;
/** A snapshot may be larger than what a slow line carries in ten seconds. */
const SNAPSHOT_MS_MAX = MINUTE;
/** Below this, copying frames into one buffer costs less than handing over many. */
const JOINED_BYTES_MAX = 256 * 1024;
/** What one turn collects before it is written. */
const TURN_BYTES_MAX = 64 * 1024;

export type CutReason = 'bytes' | 'age' | 'memory';

/** The text of a private push, up to its numbers, which follow when it is written. */
export interface NumberedText {
  readonly open: string;
  readonly userSeq: bigint;
}

interface Entry {
  readonly content: Buffer | NumberedText;
  readonly bytes: number;
  readonly at: number;
  readonly isSnapshot: boolean;
}

/** Room for both numbers and their names. */
const NUMBERS_BYTES = 64;

/** The outboxes of all connections. */
export class Outboxes {
  readonly clock: Clock;
  readonly #open = new Set<Outbox>();
  #turn: Outbox[] = [];
  #pending = 0;
  #makesRoom = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get pendingBytes(): number {
    return this.#pending;
  }

  add(outbox: Outbox): void {
    this.#open.add(outbox);
  }

  remove(outbox: Outbox): void {
    this.#open.delete(outbox);
  }

  /** Flushes an outbox when the current turn is over. */
  flushAfterTurn(outbox: Outbox): void {
    if (this.#turn.length === 0) process.nextTick(() => this.#flush());
    this.#turn.push(outbox);
  }

  account(by: number): void {
    this.#pending += by;
    if (by > 0 && this.#pending > PENDING_BYTES_OF_ALL_MAX && !this.#makesRoom) this.#makeRoom();
  }

  #flush(): void {
    const turn = this.#turn;
    this.#turn = [];
    for (const outbox of turn) outbox.flush();
  }

  #makeRoom(): void {
    this.#makesRoom = true;
    // The kernel takes bytes without notice, so the sum may be too high.
    for (const outbox of this.#open) outbox.account();
    const largestLast = [...this.#open].sort((one, other) => one.pendingBytes - other.pendingBytes);
    while (this.#pending > PENDING_BYTES_OF_ALL_MAX && largestLast.length > 0)
      largestLast.pop()!.cut('memory');
    this.#makesRoom = false;
  }
}

export class Outbox {
  readonly #socket: Socket;
  readonly #all: Outboxes;
  readonly #onCut: (reason: CutReason) => void;
  /** Oldest first. A whole state replaces the earlier one under its key. */
  readonly #waiting = new Map<object, Entry>();
  #eventBytes = 0;
  #snapshotBytes = 0;
  #inTurn = false;
  #isEnded = false;
  /** Bytes written since the beginning, and which of them are those of the last snapshot. */
  #written = 0;
  #snapshotFrom = 0;
  #snapshotTo = 0;
  /** Since when the socket takes no more; undefined if it does. */
  #behindSince: number | undefined;
  #accounted = 0;
  /** The last number that this connection was due. */
  #userSeq = 0n;
  #onDrain: (() => void) | undefined;

  constructor(socket: Socket, all: Outboxes, onCut: (reason: CutReason) => void) {
    this.#socket = socket;
    this.#all = all;
    this.#onCut = onCut;
    all.add(this);
    socket.on('drain', () => this.#drained());
  }

  /** True while the socket takes no more. */
  get isBehind(): boolean {
    return this.#socket.writableNeedDrain;
  }

  get pendingBytes(): number {
    return this.#eventBytes + this.#snapshotBytes + this.#socket.writableLength;
  }

  /** Called each time that the socket takes bytes again. */
  set onDrain(run: () => void) {
    this.#onDrain = run;
  }

  /** Sends a frame. With a key, it replaces one that still waits under the same key. */
  send(frame: Buffer, key?: object): void {
    this.#enter({ content: frame, bytes: frame.length, at: this.#now(), isSnapshot: false }, key);
  }

  /** Sends the first push of a subscription. */
  sendSnapshot(frame: Buffer, key?: object): void {
    this.#enter({ content: frame, bytes: frame.length, at: this.#now(), isSnapshot: true }, key);
  }

  /**
   * Sends a private push. It gets the number of the one before it when it is written, because a
   * replaced push was never due.
   */
  sendNumbered(text: NumberedText, key?: object): void {
    const bytes = Buffer.byteLength(text.open) + NUMBERS_BYTES;
    this.#enter({ content: text, bytes, at: this.#now(), isSnapshot: false }, key);
  }

  flush(): void {
    this.#inTurn = false;
    if (this.#isEnded || this.#waiting.size === 0 || this.isBehind) return;
    const frames: Buffer[] = [];
    for (const { content } of this.#waiting.values()) frames.push(this.#frameOf(content));
    const hasSnapshot = this.#snapshotBytes > 0;
    this.#waiting.clear();
    this.#eventBytes = 0;
    this.#snapshotBytes = 0;
    this.#write(frames, hasSnapshot);
    this.account();
  }

  /** Cuts a connection whose oldest event has waited too long. */
  check(now: number): void {
    this.account();
    if (this.#behindSince === undefined) return;
    const longest = this.#snapshotLeft() > 0 ? SNAPSHOT_MS_MAX : PENDING_MS_MAX;
    if (now - this.#behindSince > longest) this.cut('age');
  }

  cut(reason: CutReason): void {
    if (this.#isEnded) return;
    this.end();
    this.#onCut(reason);
  }

  /** Drops what waits; nothing is sent from here on. */
  end(): void {
    this.#isEnded = true;
    this.#waiting.clear();
    this.#eventBytes = 0;
    this.#snapshotBytes = 0;
    this.#all.account(-this.#accounted);
    this.#accounted = 0;
    this.#all.remove(this);
  }

  /** Tells the sum over all connections how much waits here now. */
  account(): void {
    if (this.#isEnded) return;
    const pending = this.pendingBytes;
    const by = pending - this.#accounted;
    this.#accounted = pending;
    this.#all.account(by);
  }

  #now(): number {
    return this.#all.clock.monotonic();
  }

  #enter(entry: Entry, key: object = entry): void {
    if (this.#isEnded) return;
    const replaced = this.#waiting.get(key);
    if (replaced !== undefined) {
      this.#waiting.delete(key);
      this.#count(replaced, -1);
    }
    this.#waiting.set(key, entry);
    this.#count(entry, 1);
    if (this.isBehind) {
      this.account();
      const inSocket = this.#socket.writableLength - this.#snapshotLeft();
      if (this.#eventBytes + inSocket > PENDING_BYTES_MAX) this.cut('bytes');
      return;
    }
    if (this.#eventBytes + this.#snapshotBytes > TURN_BYTES_MAX) return this.flush();
    if (this.#inTurn) return;
    this.#inTurn = true;
    this.#all.flushAfterTurn(this);
  }

  #count({ bytes, isSnapshot }: Entry, sign: 1 | -1): void {
    if (isSnapshot) this.#snapshotBytes += sign * bytes;
    else this.#eventBytes += sign * bytes;
  }

  #frameOf(content: Buffer | NumberedText): Buffer {
    if (!('userSeq' in content)) return content;
    const { open, userSeq } = content;
    const before = this.#userSeq;
    this.#userSeq = userSeq;
    return textFrame(`${open},"userSeq":"${userSeq}","prevUserSeq":"${before}"}`);
  }

  #write(frames: readonly Buffer[], hasSnapshot: boolean): void {
    const socket = this.#socket;
    const bytes = frames.reduce((sum, { length }) => sum + length, 0);
    if (hasSnapshot) {
      this.#snapshotFrom = this.#written;
      this.#snapshotTo = this.#written + bytes;
    }
    this.#written += bytes;
    if (!socket.writable) return;
    if (frames.length === 1) socket.write(frames[0]!);
    else if (bytes <= JOINED_BYTES_MAX) socket.write(Buffer.concat(frames, bytes));
    else {
      socket.cork();
      for (const frame of frames) socket.write(frame);
      socket.uncork();
    }
    if (socket.writableNeedDrain) this.#behindSince ??= this.#now();
  }

  /** Bytes of the last snapshot that the socket still holds. */
  #snapshotLeft(): number {
    const flushed = this.#written - this.#socket.writableLength;
    return Math.max(0, this.#snapshotTo - Math.max(flushed, this.#snapshotFrom));
  }

  #drained(): void {
    this.#behindSince = undefined;
    this.flush();
    if (!this.isBehind) this.#onDrain?.();
  }
}
