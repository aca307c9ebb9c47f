/** Audits recurring work: funding of futures, interest of loans, and samples of books. */
import { nextFunding, UNCOUNTED } from '../../formulas/funding.ts';
import { positionKey } from '../derived/position.ts';
import type { State } from '../state/state.ts';
import type { TimerKind } from '../state/timer.ts';

/** The due times of the timers of a kind for a subject. */
const dueTimes = ({ timers }: State, of: TimerKind, about: string): number[] =>
  timers.filter(({ kind, subject }) => kind === of && subject === about).map(({ due }) => due);

const heldKeys = ({ positions }: State): Set<string> =>
  new Set([...positions.values()].flatMap((own) => [...own.values()].map(({ key }) => key)));

function fundingFaults(state: State): string[] {
  const faults: string[] = [];
  const held = heldKeys(state);
  for (const [key, { due }] of state.funding) {
    const listed = state.instruments.get(key);
    if (listed === undefined) faults.push(`${key} has funding but is not listed`);
    else if (due !== undefined && due !== nextFunding(state.at, listed.instrument.fundingHours))
      faults.push(`funding of ${key} is due at ${due}, which is not one of its hours`);
    if (
      due !== undefined &&
      dueTimes(state, 'funding', key).filter((moment) => moment === due).length !== 1
    )
      faults.push(`funding of ${key} does not have one timer`);
  }
  for (const key of held)
    if (state.funding.get(key)?.due === undefined)
      faults.push(`${key} has positions and no funding time`);
  return faults;
}

function interestFaults(state: State): string[] {
  const due = state.interestDue === undefined ? [] : [state.interestDue];
  if (dueTimes(state, 'interest', '').join() !== due.join())
    return ['the timer of interest is not at its due time'];
  return state.debts.size > 0 && due.length === 0
    ? ['there are loans and no due time of interest']
    : [];
}

function sampleFaults(state: State): string[] {
  const faults: string[] = [];
  const held = heldKeys(state);
  for (const [key, { watched, samples, countedUntil }] of state.premiums) {
    if (held.has(key) && countedUntil === UNCOUNTED)
      faults.push(`${key} has positions but its premium is not counted`);
    if (dueTimes(state, 'markSample', key).length !== (watched ? 1 : 0))
      faults.push(`the book of ${key} and its sample timer disagree`);
    if (samples.some(({ at }, place) => at > state.at || at < (samples[place - 1]?.at ?? 0)))
      faults.push(`samples of ${key} are out of order`);
  }
  return faults;
}

/** A pending charge belongs to an existing user, and its position still exists. */
function chargeFaults({ pendingCharges, accounts, positions }: State): string[] {
  if (pendingCharges === undefined) return [];
  const faults =
    pendingCharges.size === 0 ? ['the queue of pending charges is empty and not deleted'] : [];
  for (const [uid, own] of pendingCharges) {
    if (!accounts.has(uid)) faults.push(`user ${uid} has pending charges and was never created`);
    if (own.length === 0 || own.some((charge) => charge.uid !== uid))
      faults.push(`user ${uid} has no pending charge, or one of another user`);
    for (const charge of own)
      if (
        charge.kind === 'funding' &&
        positions.get(uid)?.get(positionKey(charge.key, charge.side))?.id !== charge.positionId
      )
        faults.push(`position ${charge.positionId} of user ${uid} has pending funding and is gone`);
  }
  return faults;
}

export const auditFunding = (state: State): readonly string[] => [
  ...fundingFaults(state),
  ...interestFaults(state),
  ...chargeFaults(state),
  ...sampleFaults(state),
];
