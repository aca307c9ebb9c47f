/** Audits the clock: no timer is overdue, timers are in order, one end of day is scheduled. */
import { DAY, startOfSettlementDay } from '../../kernel/time.ts';
import type { State } from '../state/state.ts';
import { isEarlier } from '../transaction/step.ts';

export function auditClock({ sequence, at, nextId, clock, timers }: State): readonly string[] {
  const faults: string[] = [];
  for (const [place, timer] of timers.entries()) {
    if (timer.due <= at)
      faults.push(`a ${timer.kind} timer was due at ${timer.due} and it is ${at}`);
    if (timer.id >= nextId) faults.push(`a ${timer.kind} timer has an unassigned id`);
    const parent = timers[(place - 1) >> 1];
    if (place > 0 && parent !== undefined && isEarlier(timer, parent))
      faults.push(`the timer at place ${place} is before an earlier one`);
  }
  const dayEnds = timers.filter(({ kind }) => kind === 'settlementDayEnd').map(({ due }) => due);
  const expected = sequence === 0 ? [] : [startOfSettlementDay(at) + DAY];
  if (dayEnds.join() !== expected.join())
    faults.push(`day ends are scheduled at ${dayEnds.join()}, not at ${expected.join()}`);
  if (clock.frozenAt !== undefined && clock.frozenAt < at)
    faults.push(`the clock is frozen at ${clock.frozenAt} but it is ${at}`);
  return faults;
}
