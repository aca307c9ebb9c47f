/** Whether an account bears more initial margin than it has. */
import { neededUsd } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate, plus } from '../../kernel/money.ts';
import type { Step } from '../transaction/step.ts';
import { measureMargin } from './account-margin.ts';
import { indexOf } from './account-sums.ts';
import { hasRoom } from './estimate-margin.ts';
import { UNIT_ESTIMATE } from './fill-bounds.ts';

/** Whether free equity still covers the initial margin with so much more of it. */
export function canMargin(
  { state, derived }: Step,
  uid: Uid,
  coin: string,
  amount: Amount,
): boolean {
  if (
    hasRoom(
      state,
      derived,
      uid,
      (approximate(amount) * approximate(indexOf(state, coin))) / UNIT_ESTIMATE,
    )
  )
    return true;
  const { freeEquity, initial } = measureMargin(state, derived, uid);
  return freeEquity >= plus(initial, neededUsd(amount, indexOf(state, coin)));
}
