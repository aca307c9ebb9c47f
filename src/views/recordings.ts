/** Recordings, and the ranges of them that markets use. */
import type { KnownRecording, RecordedRange } from '../messages/recordings.ts';
import type { View } from './view.ts';

export interface UsedRecording {
  readonly hash: string;
  readonly known: KnownRecording;
  readonly pasts: readonly RecordedRange[];
  readonly paths: readonly RecordedRange[];
}

export interface RecordingQueries {
  all(): readonly UsedRecording[];
}

interface SavedRecordings {
  readonly known: ReadonlyMap<string, KnownRecording>;
  /** By symbol and category. */
  readonly pasts: ReadonlyMap<string, RecordedRange>;
  /** By coin. */
  readonly paths: ReadonlyMap<string, RecordedRange>;
}

/** The key of a market; a later import for the same market replaces the earlier one. */
const marketOf = ({ symbol, category }: RecordedRange): string => `${category ?? ''}:${symbol}`;

export function createRecordingsView(): View<'recordings'> & RecordingQueries {
  let known = new Map<string, KnownRecording>();
  let pasts = new Map<string, RecordedRange>();
  let paths = new Map<string, RecordedRange>();

  /** A range without a category applies to every category. */
  function setPast(past: RecordedRange): void {
    if (past.category === undefined)
      for (const [market, { symbol }] of pasts) if (symbol === past.symbol) pasts.delete(market);
    pasts.set(marketOf(past), past);
  }

  return {
    name: 'recordings',
    on: {
      recordingImported: ({ hash, known: facts, past, path, coin }) => {
        known.set(hash, facts);
        if (past !== undefined) setPast(past);
        if (path !== undefined) paths.set(coin!, path);
      },
      recordedPathEnded: ({ coin }) => {
        paths.delete(coin);
      },
    },
    save: (): SavedRecordings => ({ known, pasts, paths }),
    restore: (saved) => {
      const state = saved as SavedRecordings;
      [known, pasts, paths] = [new Map(state.known), new Map(state.pasts), new Map(state.paths)];
    },

    all: () =>
      [...known].map(([hash, facts]) => ({
        hash,
        known: facts,
        pasts: [...pasts.values()].filter((each) => each.hash === hash),
        paths: [...paths.values()].filter((each) => each.hash === hash),
      })),
  };
}
