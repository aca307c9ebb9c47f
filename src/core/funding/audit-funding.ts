/** Recomputes what must hold of what comes again and again: funding of every future, interest while anybody owes, and looks at books. */
import { isFutures } from '../../messages/vocabulary.ts';
import type { State } from '../state.ts';
import type { TimerKind } from '../timers.ts';
import { nextFunding } from './funding-times.ts';

/** When timers of a kind fall due for a subject, as they stand. */
const dues = ({ timers }: State, of: TimerKind, about: string): number[] =>
  timers.filter(({ kind, subject }) => kind === of && subject === about).map(({ due }) => due);

function fundingFaults(state: State): string[] {
  const faults: string[] = [];
  for (const [key, { instrument }] of state.instruments) {
    if (!isFutures(instrument.category)) continue;
    const funding = state.funding.get(key);
    const next = nextFunding(state.at, instrument.fundingHours);
    if (funding?.due !== next) faults.push(`funding of ${key} is due at ${funding?.due}, not at ${next}`);
    if (dues(state, 'funding', key).filter((due) => due === next).length !== 1) faults.push(`funding of ${key} is not waited for once`);
  }
  for (const key of state.funding.keys()) if (!state.instruments.has(key)) faults.push(`funding of ${key}, which is not listed`);
  return faults;
}

function interestFaults(state: State): string[] {
  const due = state.interestDue === undefined ? [] : [state.interestDue];
  if (dues(state, 'interest', '').join() !== due.join()) return ['interest is not waited for as it is due'];
  return state.debts.size > 0 && due.length === 0 ? ['loans cost no interest'] : [];
}

function lookFaults(state: State): string[] {
  const faults: string[] = [];
  for (const [key, { watched, samples }] of state.premiums) {
    if (dues(state, 'markSample', key).length !== (watched ? 1 : 0)) faults.push(`the book of ${key} is not looked at as it says`);
    if (samples.some(({ at }, place) => at > state.at || at < (samples[place - 1]?.at ?? 0)))
      faults.push(`samples of ${key} are out of order`);
  }
  return faults;
}

export const auditFunding = (state: State): readonly string[] => [...fundingFaults(state), ...interestFaults(state), ...lookFaults(state)];
