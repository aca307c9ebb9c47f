/** When funding is settled: at the same hours of every day in UTC, for each future by a timer of its own. */
import type { Rate } from '../../kernel/money.ts';
import { DAY, HOUR, startOfDayUtc, type Timestamp } from '../../kernel/time.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { keyOf } from '../instruments/instrument-key.ts';
import type { Reaction } from '../step.ts';
import { setTimer } from '../timers.ts';

export interface Funding {
  /** When it is settled next. */
  due: Timestamp;
  /** The last rate and when it was charged; absent until the first. */
  rate?: Rate;
  settledAt?: Timestamp;
}

/** The next multiple of so many hours after midnight UTC; every day begins anew, whatever the hours. */
export function nextFunding(at: Timestamp, hours: number): Timestamp {
  const midnight = startOfDayUtc(at);
  const span = hours * HOUR;
  const next = midnight + (Math.floor((at - midnight) / span) + 1) * span;
  return Math.min(next, midnight + DAY) as Timestamp;
}

/** A future is funded from its listing on. Listed again with other hours it is funded at those; the timer of the old ones is then nobody's. */
export const scheduleFunding: Reaction<'instrumentListed'> = (step, { instrument }) => {
  const { funding } = step.state;
  if (!isFutures(instrument.category)) return;
  const key = keyOf(instrument);
  const due = nextFunding(step.at, instrument.fundingHours);
  const known = funding.get(key);
  if (known?.due === due) return;
  funding.set(key, { ...known, due });
  setTimer(step, due, 'funding', key);
};
