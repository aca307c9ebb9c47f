/** The records from which fee levels are computed. */

import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Price } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** The volume of a master and its sub-accounts on one settlement day, in USD. */
export interface DayVolume {
  readonly day: Timestamp;
  spot: Amount;
  futures: Amount;
}

/** The computation of every level after the end of a day. It runs in portions. */
export interface LevelRound {
  /** The next user whose level is computed. */
  next: Uid;
  /** Users from this uid on were created after the end of the day, so they have no assets in it. */
  readonly end: Uid;
  /** Index prices by coin at the end of the day. */
  readonly indexes: ReadonlyMap<string, Price>;
  /** Assets at the end of the day, for pending masters whose money has moved since. */
  readonly assets: Map<Uid, Amount>;
}

export interface Levels {
  /** By master: the days on which it traded, oldest first. */
  volumes: Map<Uid, DayVolume[]>;
  /** Absent if every level is computed. */
  round?: LevelRound;
}

export const emptyLevels = (): Levels => ({ volumes: new Map() });
