/** A step of the market: when it is, and what it finds in each book. */
import type { Timestamp } from '../../kernel/time.ts';
import type { MarketBook } from './market-books.ts';
import type { Mood } from './scenes.ts';

/** Since when recordings were not followed, and how far apart such moments are meant to be. */
export interface Followed {
  readonly ms: number;
  readonly spacingMs: number;
}

/** When a step is taken, and how long after the one before. */
export interface Moment {
  readonly at: Timestamp;
  readonly passedMs: number;
  /** Since recordings were followed last, be it by a step or between two. */
  readonly followedMs: number;
}

/** What files say was traded since the last step, by book. */
export type EmittedEvents = ReadonlyMap<string, number>;

export interface BookNow {
  readonly book: MarketBook;
  readonly fair: number;
  readonly mood: Mood;
  /** Above 1 where a recording says that more is traded. */
  readonly deeper: number;
  readonly isRecorded: boolean;
  readonly quoteDollars: number;
}
