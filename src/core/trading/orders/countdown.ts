/**
 * Cancels the open orders of an account whose countdown is not set again in time (ORD-106).
 * Triggers stay, because they protect positions (ORD-190).
 */

import type { Uid } from '../../../kernel/ids.ts';
import type { Timestamp } from '../../../kernel/time.ts';
import { COUNTDOWN_MS_MAX, COUNTDOWN_MS_MIN } from '../../../messages/bounds.ts';
import type { State } from '../../state/state.ts';
import type { Timer } from '../../state/timer.ts';
import {
  done,
  type Handler,
  inParts,
  reject,
  type Step,
  setTimer,
} from '../../transaction/step.ts';
import { endOrder } from './open-orders.ts';

/**
 * Reuses a timer that is due no later. So an account that sets its countdown again and again does
 * not add a timer each time.
 */
function setTimerBy(step: Step, uid: Uid, due: Timestamp): void {
  const known = step.state.countdowns.get(uid)?.wakesAt;
  const isInTime = known !== undefined && known <= due;
  if (!isInTime) setTimer(step, due, 'countdown', `${uid}`);
  step.state.countdowns.set(uid, { due, wakesAt: isInTime ? known : due });
}

export const setCountdown: Handler<'setCountdown'> = (step, { uid, ms }) => {
  const { state, at } = step;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (ms !== 0 && (ms < COUNTDOWN_MS_MIN || ms > COUNTDOWN_MS_MAX))
    return reject('fieldInvalid', 'countdown');

  const before = state.countdowns.get(uid);
  if (ms > 0) setTimerBy(step, uid, (at + ms) as Timestamp);
  else if (before !== undefined) state.countdowns.set(uid, { wakesAt: before.wakesAt });
  return done;
};

export function endCountdown(step: Step, { subject, due: now }: Timer): void {
  const { state } = step;
  const uid = Number.parseInt(subject, 10) as Uid;
  const countdown = state.countdowns.get(uid);
  if (countdown === undefined || countdown.wakesAt > now) return;
  state.countdowns.delete(uid);
  if (countdown.due === undefined) return;
  if (countdown.due > now) return setTimerBy(step, uid, countdown.due);
  const orders = [...state.accounts.get(uid)!.openOrders];
  inParts(step, orders, (id) => {
    const order = state.orders.get(id);
    // An earlier cancel of the loop may have ended it.
    if (order !== undefined) endOrder(step, order, 'byUser');
  });
}

/** Every countdown has its timer. */
export function auditCountdowns({ countdowns, timers, accounts }: State): readonly string[] {
  const wakes = new Set(
    timers
      .filter(({ kind }) => kind === 'countdown')
      .map(({ subject, due }) => `${subject} ${due}`),
  );
  const faults: string[] = [];
  for (const [uid, { due, wakesAt }] of countdowns) {
    if (!accounts.has(uid)) faults.push(`the countdown of ${uid} belongs to an unknown user`);
    if (!wakes.has(`${uid} ${wakesAt}`))
      faults.push(`the countdown of ${uid} has no timer at ${wakesAt}`);
    if (due !== undefined && due < wakesAt)
      faults.push(`the countdown of ${uid} ends at ${due}, before its timer at ${wakesAt}`);
  }
  return faults;
}
