/** What the exchange keeps to reckon levels from. */

import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Price } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** What a master and its sub-accounts traded on one settlement day, in USD. */
export interface DayVolume {
  readonly day: Timestamp;
  spot: Amount;
  futures: Amount;
}

/** Everybody's level, reckoned slice by slice when a day has ended. */
export interface LevelRound {
  /** The next user whose level is reckoned. */
  next: Uid;
  /** Whoever has come since then had nothing when the day ended. */
  readonly end: Uid;
  /** By coin, of the moment at which the day ended. */
  readonly indexes: ReadonlyMap<string, Price>;
  /**
   * What masters owned at that moment whose turn has still to come, and whose money has moved
   * since.
   */
  readonly assets: Map<Uid, Amount>;
}

export interface Levels {
  /** By master; only days on which it traded, oldest first. */
  volumes: Map<Uid, DayVolume[]>;
  /** Absent while all are reckoned. */
  round?: LevelRound;
}

export const emptyLevels = (): Levels => ({ volumes: new Map() });
