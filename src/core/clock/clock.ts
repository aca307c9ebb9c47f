/**
 * The exchange clock: the wall clock plus an offset, at normal or higher speed, or frozen. It only
 * moves forward.
 */

import { timeAfter } from '../../formulas/exchange-clock.ts';
import { given } from '../../kernel/given.ts';
import { DAY, TIME_MAX, type Timestamp } from '../../kernel/time.ts';
import { CLOCK_RATE_MAX } from '../../messages/bounds.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { ClockSetting } from '../../messages/events.ts';
import type { State } from '../state/state.ts';
import { accept, done, type Handler, reject } from '../transaction/step.ts';

/** The longest single move: ten years, which catches a wrong unit. */
export const CLOCK_MOVE_MAX = 3_652 * DAY;

/** The exchange time at the wall clock time `wall`; never before the last command. */
export const exchangeTime = ({ at, clock }: State, wall: Timestamp): Timestamp =>
  timeAfter(at, clock, wall);

/** The engine has executed the due timers before the command. */
export const tick: Handler<'tick'> = () => done;

/** The engine executes the timers of the skipped time before the command ends. */
export const moveClock: Handler<'moveClock'> = (step, command) => {
  const { state, at } = step;
  const { advanceMs, to, frozen, rate } = command;
  const requested = [advanceMs, to, frozen, rate].filter((field) => field !== undefined);
  if (requested.length !== 1)
    return reject('fieldInvalid', 'advanceMs', 'one of advanceMs, to, frozen and rate');
  const field = to === undefined ? 'advanceMs' : 'to';
  const now = (to ?? at + (advanceMs ?? 0)) as Timestamp;
  if (now < at) return reject('clockNotForward', field);
  if (now > TIME_MAX) return reject('fieldOutOfRange', field, 'the clock ends with the year 9999');
  if (now - at > CLOCK_MOVE_MAX)
    return reject('fieldOutOfRange', field, `at most ${CLOCK_MOVE_MAX / DAY} days ahead`);
  if (rate !== undefined && (rate < 1 || rate > CLOCK_RATE_MAX))
    return reject('fieldOutOfRange', 'rate', `1 to ${CLOCK_RATE_MAX}`);
  const wasFrozen = state.clock.frozenAt !== undefined;
  if (frozen !== undefined && frozen === wasFrozen) return accept({ now });

  state.clock = settingAt(state.clock, command, now);
  step.emit({ type: 'clockMoved', clock: state.clock });
  return accept({ now });
};

/** The setting with which the clock shows `now`. A frozen clock keeps its rate for later. */
function settingAt(
  before: ClockSetting,
  { wall, frozen, rate }: CommandOf<'moveClock'>,
  now: Timestamp,
): ClockSetting {
  const newRate = rate ?? before.fast?.rate ?? 1;
  const fast = newRate === 1 ? undefined : { rate: newRate, since: wall };
  const isFrozen = frozen ?? before.frozenAt !== undefined;
  // A frozen clock stores no wall clock time, so two runs frozen at the same time are equal.
  if (isFrozen)
    return { offsetMs: 0, frozenAt: now, ...given({ fast: fast && { ...fast, since: now } }) };
  return { offsetMs: now - wall, ...given({ fast }) };
}
