/** What a whole exchange is made with, whichever of its parts it is for. */
import type { Log } from '../gateway/log.ts';
import type { Fatality } from '../journal/sequencer.ts';
import type { Clock } from '../kernel/time.ts';
import type { Settings } from './settings.ts';

export interface ExchangeOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock?: Clock;
  /**
   * In memory, history has no worker and no file; it goes with the process, and the journal tells
   * it again.
   */
  readonly historyIn?: 'file' | 'memory';
  /** The engine can no longer be trusted, or the disk has failed: end the program. */
  readonly onFatal: (fatality: Fatality) => void;
}
