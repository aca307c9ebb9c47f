/** The options of a whole exchange, shared by its parts. */
import type { Log } from '../gateway/log.ts';
import type { Fatality } from '../journal/sequencer.ts';
import type { Clock } from '../kernel/time.ts';
import type { Settings } from './settings.ts';

export interface ExchangeOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /**
   * In memory, history has no worker and no file; after a restart the journal is replayed into it.
   */
  readonly historyIn?: 'file' | 'memory';
  /** The engine can no longer be trusted, or the disk has failed: end the program. */
  readonly onFatal: (fatality: Fatality) => void;
}
