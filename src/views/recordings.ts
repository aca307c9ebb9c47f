/** Recordings, and which stretches of them markets use. */
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

/** A later import for the same market takes the place of an earlier one. */
const marketOf = ({ symbol, category }: RecordedRange): string => `${category ?? ''}:${symbol}`;

export function createRecordingsView(): View & RecordingQueries {
  let known = new Map<string, KnownRecording>();
  let pasts = new Map<string, RecordedRange>();
  let paths = new Map<string, RecordedRange>();

  /** One for every category stands for each of them. */
  function keepPast(past: RecordedRange): void {
    if (past.category === undefined)
      for (const [market, { symbol }] of pasts) if (symbol === past.symbol) pasts.delete(market);
    pasts.set(marketOf(past), past);
  }

  return {
    name: 'recordings',
    on: {
      recordingImported: ({ hash, known: facts, past, path, coin }) => {
        known.set(hash, facts);
        if (past !== undefined) keepPast(past);
        if (path !== undefined) paths.set(coin!, path);
      },
      recordedPathEnded: ({ coin }) => {
        paths.delete(coin);
      },
    },
    save: (): SavedRecordings => ({ known, pasts, paths }),
    restore: (saved) => {
      const kept = saved as SavedRecordings;
      [known, pasts, paths] = [new Map(kept.known), new Map(kept.pasts), new Map(kept.paths)];
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
