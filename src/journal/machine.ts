/**
 * What the journal drives: something that executes commands one after another and can be frozen to
 * bytes and woken again.
 */
import type { Sequence } from '../kernel/ids.ts';
import type { Result } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Command } from '../messages/commands.ts';
import type { EventBatch } from '../messages/events.ts';
import type { Rejection } from '../messages/rejections.ts';

export interface Executed extends EventBatch {
  readonly outcome: Result<unknown, Rejection>;
}

export interface Machine {
  /** The last command executed and its time; 0 before the first. */
  readonly sequence: Sequence;
  readonly at: Timestamp;
  /**
   * Executes the next command in line. Throws BrokenInvariant when the state can no longer be
   * trusted.
   */
  execute(command: Command, at: Timestamp): Executed;
  /** What the exchange clock shows when the wall clock shows `wall`. */
  exchangeTime(wall: Timestamp): Timestamp;
  /** The running digest over all events so far. */
  digest(): string;
  /** A hash of the whole state, credentials aside. */
  stateHash(): string;
  serialize(): Uint8Array;
  restore(bytes: Uint8Array): void;
}
