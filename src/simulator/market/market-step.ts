/** Types of a market step: its time, and its view of each book. */
import type { Timestamp } from '../../kernel/time.ts';
import type { MarketBook } from './market-books.ts';
import type { Mood } from './scenes.ts';

/** The time since recordings were last followed, and the usual interval. */
export interface Followed {
  readonly ms: number;
  readonly spacingMs: number;
}

/** The time of a step, and the time since the step before. */
export interface Moment {
  readonly at: Timestamp;
  readonly passedMs: number;
  /** The time since recordings were last followed, at a step or between two. */
  readonly followedMs: number;
}

/** Sizes traded since the last step according to files, by book. */
export type TradedSizes = ReadonlyMap<string, number>;

export interface BookNow {
  readonly book: MarketBook;
  readonly fair: number;
  readonly mood: Mood;
  /** Above 1 if a recording has a higher volume. */
  readonly deeper: number;
  readonly isRecorded: boolean;
  readonly quoteDollars: number;
}
