/**
 * The exchange clock: the wall clock moved by an offset, running at its pace or faster, or standing
 * still. It goes forward only.
 */

import { timeAfter } from '../../formulas/exchange-clock.ts';
import { given } from '../../kernel/given.ts';
import { DAY, TIME_MAX, type Timestamp } from '../../kernel/time.ts';
import { CLOCK_RATE_MAX } from '../../messages/bounds.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { ClockSetting } from '../../messages/events.ts';
import type { State } from '../state/state.ts';
import { accept, done, type Handler, reject } from '../transaction/step.ts';

/** One move: ten years, and a wrong unit is caught. */
export const CLOCK_MOVE_MAX = 3_652 * DAY;

/**
 * What the exchange clock shows when the wall clock shows `wall`; never less than the time of the
 * last command.
 */
export const exchangeTime = ({ at, clock }: State, wall: Timestamp): Timestamp =>
  timeAfter(at, clock, wall);

/** What has fallen due happened before the command; nothing is left to do. */
export const tick: Handler<'tick'> = () => done;

/**
 * The engine lets the time in between pass, with all that falls due on the way, before the command
 * ends.
 */
export const moveClock: Handler<'moveClock'> = (step, command) => {
  const { state, at } = step;
  const { advanceMs, to, frozen, rate } = command;
  const asked = [advanceMs, to, frozen, rate].filter((field) => field !== undefined);
  if (asked.length !== 1)
    return reject('fieldInvalid', 'advanceMs', 'one of advanceMs, to, frozen and rate');
  const field = to === undefined ? 'advanceMs' : 'to';
  const now = (to ?? at + (advanceMs ?? 0)) as Timestamp;
  if (now < at) return reject('clockNotForward', field);
  if (now > TIME_MAX) return reject('fieldOutOfRange', field, 'the clock ends with the year 9999');
  if (now - at > CLOCK_MOVE_MAX)
    return reject('fieldOutOfRange', field, `at most ${CLOCK_MOVE_MAX / DAY} days ahead`);
  if (rate !== undefined && (rate < 1 || rate > CLOCK_RATE_MAX))
    return reject('fieldOutOfRange', 'rate', `1 to ${CLOCK_RATE_MAX}`);
  const stood = state.clock.frozenAt !== undefined;
  if (frozen !== undefined && frozen === stood) return accept({ now });

  state.clock = settingAt(state.clock, command, now);
  step.emit({ type: 'clockMoved', clock: state.clock });
  return accept({ now });
};

/**
 * The setting by which the clock shows `now` at this moment of the wall clock. A pace is kept until
 * another is asked for, also while it stands.
 */
function settingAt(
  before: ClockSetting,
  { wall, frozen, rate }: CommandOf<'moveClock'>,
  now: Timestamp,
): ClockSetting {
  const pace = rate ?? before.fast?.rate ?? 1;
  const fast = pace === 1 ? undefined : { rate: pace, since: wall };
  const stands = frozen ?? before.frozenAt !== undefined;
  // While it stands nothing is kept of the wall clock: two runs that stand at the same time are the
  // same.
  if (stands)
    return { offsetMs: 0, frozenAt: now, ...given({ fast: fast && { rate: pace, since: now } }) };
  return { offsetMs: now - wall, ...given({ fast }) };
}
