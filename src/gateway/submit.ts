/**
 * The gateway's interface to the engine: submits a command and resolves with its durable outcome.
 */
import type { Result } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { CommandOf, CommandType } from '../messages/commands.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import type { Rejection } from '../messages/rejections.ts';

/**
 * Resolves when the command's journal record is durable and every view shows its effect. Refuses
 * with `tooManyRequests` or `notServing` if the command was never sequenced, with `outcomeUnknown`
 * if it may have been.
 */
export type Submit = <Type extends CommandType>(
  command: CommandOf<Type>,
) => Promise<Result<Outcomes[Type], Rejection>>;

/** The exchange clock: now, or at a wall time that was just read. */
export type ExchangeNow = (wall?: Timestamp) => Timestamp;
