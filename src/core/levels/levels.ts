/** What the exchange keeps to reckon levels from. */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** What a master and its sub-accounts traded on one settlement day, in USD. */
export interface DayVolume {
  readonly day: Timestamp;
  spot: Amount;
  futures: Amount;
}

export interface Levels {
  /** By master; only days on which it traded, oldest first. */
  volumes: Map<Uid, DayVolume[]>;
  /** The next user whose level is reckoned; absent while all are. */
  next?: Uid;
}

export const emptyLevels = (): Levels => ({ volumes: new Map() });
