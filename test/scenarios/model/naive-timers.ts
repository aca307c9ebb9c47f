/** When things fall due in the naive exchange: funding three times a day, interest at every full hour. */
import type { NaiveInstrument, NaiveTimer } from './naive-state.ts';

export const HOUR = 3_600_000;
export const FUNDING_HOURS = 8;

interface Waiting {
  readonly now: number;
  readonly timers: NaiveTimer[];
}

/** Funding of a future begins with its first position, interest with the first loan. */
export function askForTimer(books: Waiting, funds: NaiveInstrument | undefined): void {
  if (books.timers.some((timer) => timer.funds === funds)) return;
  const span = funds === undefined ? HOUR : FUNDING_HOURS * HOUR;
  books.timers.push({ due: (Math.floor(books.now / span) + 1) * span, funds });
}
