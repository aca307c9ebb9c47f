/**
 * All the gateway knows of the engine: it hands over a command and is told the outcome once that is
 * durable.
 */
import type { Result } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { CommandOf, CommandType, Outcomes } from '../messages/commands.ts';
import type { Rejection } from '../messages/rejections.ts';

/**
 * Answers when the command's journal record is durable and every view shows its effect. Refuses
 * with `tooManyRequests` or `notServing` when the command was never sequenced, with
 * `outcomeUnknown` when it may have been.
 */
export type Submit = <Type extends CommandType>(
  command: CommandOf<Type>,
) => Promise<Result<Outcomes[Type], Rejection>>;

/**
 * The exchange clock, as the gateway may show it: now, or at a moment of the real clock that was
 * read just before.
 */
export type ExchangeNow = (wall?: Timestamp) => Timestamp;
