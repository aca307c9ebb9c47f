/**
 * Recomputes what must hold of what comes again and again: funding of every future, interest while
 * anybody owes, and looks at books.
 */
import { nextFunding, UNCOUNTED } from '../../formulas/funding.ts';
import { positionKey } from '../derived/position.ts';
import type { State } from '../state/state.ts';
import type { TimerKind } from '../state/timer.ts';

/** When timers of a kind fall due for a subject, as they stand. */
const levy = ({ timers }: State, of: TimerKind, about: string): number[] =>
  timers.filter(({ kind, subject }) => kind === of && subject === about).map(({ due }) => due);

const heldKeys = ({ positions }: State): Set<string> =>
  new Set([...positions.values()].flatMap((own) => [...own.values()].map(({ key }) => key)));

function fundingFaults(state: State): string[] {
  const faults: string[] = [];
  const held = heldKeys(state);
  for (const [key, { due }] of state.funding) {
    const listed = state.instruments.get(key);
    if (listed === undefined) faults.push(`funding of ${key}, which is not listed`);
    else if (due !== undefined && due !== nextFunding(state.at, listed.instrument.fundingHours))
      faults.push(`funding of ${key} is due at ${due}, which is none of its hours`);
    if (
      due !== undefined &&
      levy(state, 'funding', key).filter((moment) => moment === due).length !== 1
    )
      faults.push(`funding of ${key} is not waited for once`);
  }
  for (const key of held)
    if (state.funding.get(key)?.due === undefined)
      faults.push(`${key} has positions and no funding`);
  return faults;
}

function interestFaults(state: State): string[] {
  const due = state.interestDue === undefined ? [] : [state.interestDue];
  if (levy(state, 'interest', '').join() !== due.join())
    return ['interest is not waited for as it is due'];
  return state.debts.size > 0 && due.length === 0 ? ['loans cost no interest'] : [];
}

function lookFaults(state: State): string[] {
  const faults: string[] = [];
  const held = heldKeys(state);
  for (const [key, { watched, samples, countedUntil }] of state.premiums) {
    if (held.has(key) && countedUntil === UNCOUNTED)
      faults.push(`${key} is held, and its premium does not count`);
    if (levy(state, 'markSample', key).length !== (watched ? 1 : 0))
      faults.push(`the book of ${key} is not looked at as it says`);
    if (samples.some(({ at }, place) => at > state.at || at < (samples[place - 1]?.at ?? 0)))
      faults.push(`samples of ${key} are out of order`);
  }
  return faults;
}

/** Whoever is charged later still has what he is charged for. */
function chargeFaults({ pendingCharges, accounts, positions }: State): string[] {
  if (pendingCharges === undefined) return [];
  const faults = pendingCharges.size === 0 ? ['a line in which nobody waits to be charged'] : [];
  for (const [uid, own] of pendingCharges) {
    if (!accounts.has(uid)) faults.push(`user ${uid} waits to be charged and was never created`);
    if (own.length === 0 || own.some((charge) => charge.uid !== uid))
      faults.push(`user ${uid} waits to be charged what is not his`);
    for (const charge of own)
      if (
        charge.kind === 'funding' &&
        positions.get(uid)?.get(positionKey(charge.key, charge.side))?.id !== charge.positionId
      )
        faults.push(
          `position ${charge.positionId} of user ${uid} waits for its funding and is gone`,
        );
  }
  return faults;
}

export const auditFunding = (state: State): readonly string[] => [
  ...fundingFaults(state),
  ...interestFaults(state),
  ...chargeFaults(state),
  ...lookFaults(state),
];
