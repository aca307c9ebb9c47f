/**
 * The state machine that the journal drives: it executes commands in order, and can be saved to
 * bytes and restored.
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
  /** Executes the next command. Throws BrokenInvariant when the state can no longer be trusted. */
  execute(command: Command, at: Timestamp): Executed;
  /** The exchange time for a wall-clock time. */
  exchangeTime(wall: Timestamp): Timestamp;
  /** The running digest over all events so far. */
  digest(): string;
  /** A hash of the whole state, credentials aside. */
  stateHash(): string;
  serialize(): Uint8Array;
  restore(bytes: Uint8Array): void;
}
