/** Due times in the naive exchange: funding hours, interest each full hour, and countdowns. */
import type { NaiveInstrument, NaiveTimer, NaiveUser } from './naive-state.ts';

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Waiting {
  readonly now: number;
  timers: NaiveTimer[];
}

/** Funding of a future starts with its first position; interest starts with the first loan. */
export function askForTimer(books: Waiting, funds: NaiveInstrument | undefined): void {
  if (
    books.timers.some(
      (timer) =>
        timer.countdownOf === undefined && timer.pairs === undefined && timer.funds === funds,
    )
  )
    return;
  books.timers.push({ due: nextMultiple(books.now, funds?.fundingHours ?? 1), funds });
}

/** The next multiple of these hours, counted from midnight of each day. */
export function nextMultiple(now: number, hours: number): number {
  const midnight = Math.floor(now / DAY) * DAY;
  const span = hours * HOUR;
  return Math.min(midnight + DAY, midnight + (Math.floor((now - midnight) / span) + 1) * span);
}

/** Replaces the earlier countdown; zero removes it. */
export function setCountdown(books: Waiting, user: NaiveUser, ms: number): string | undefined {
  if (ms !== 0 && (ms < 5_000 || ms > 60_000)) return 'fieldInvalid';
  books.timers = books.timers.filter(({ countdownOf }) => countdownOf !== user);
  if (ms > 0) books.timers.push({ due: books.now + ms, funds: undefined, countdownOf: user });
  return undefined;
}
