/** The exchange clock: the wall clock moved by an offset, or standing still. It goes forward only. */
import { DAY, type Timestamp } from '../../kernel/time.ts';
import type { State } from '../state.ts';
import { accept, done, type Handler, reject } from '../step.ts';

/** One move: ten years of days and funding are worked through in seconds, and a wrong unit is caught. */
export const CLOCK_MOVE_MAX = 3_652 * DAY;
/** The end of the year 9999, the last that clients can write down. */
export const CLOCK_MAX = 253_402_300_799_999;

/** What the exchange clock shows when the wall clock shows `wall`; never less than the time of the last command. */
export function exchangeTime({ at, clock }: State, wall: Timestamp): Timestamp {
  const shown = clock.frozenAt ?? wall + clock.offsetMs;
  return (shown > at ? shown : at) as Timestamp;
}

/** What has fallen due happened before the command; nothing is left to do. */
export const tick: Handler<'tick'> = () => done;

/** The engine lets the time in between pass, with all that falls due on the way, before the command ends. */
export const moveClock: Handler<'moveClock'> = (step, { wall, advanceMs, to, frozen }) => {
  const { state, at } = step;
  const asked = [advanceMs, to, frozen].filter((field) => field !== undefined);
  if (asked.length !== 1) return reject('fieldInvalid', 'advanceMs', 'one of advanceMs, to and frozen');
  const field = to === undefined ? 'advanceMs' : 'to';
  const now = (to ?? at + (advanceMs ?? 0)) as Timestamp;
  if (now < at) return reject('clockNotForward', field);
  if (now - at > CLOCK_MOVE_MAX || now > CLOCK_MAX) return reject('fieldOutOfRange', field);
  const stood = state.clock.frozenAt !== undefined;
  const stands = frozen ?? stood;
  if (frozen !== undefined && stands === stood) return accept({ now });

  // While it stands the offset is idle: it follows from the frozen time once the clock goes on.
  state.clock = stands ? { offsetMs: state.clock.offsetMs, frozenAt: now } : { offsetMs: now - wall };
  step.emit({ type: 'clockMoved', clock: state.clock });
  return accept({ now });
};
