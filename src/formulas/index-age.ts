/** Decides whether an index price is stale; used by the core and the views. */
import { SECOND, type Timestamp } from '../kernel/time.ts';

/** An index without an update for this long is stale. */
const INDEX_AGE_MS_MAX = 10 * SECOND;

/** `pace` is exchange milliseconds per millisecond of age. */
export const isTooOld = (updatedAt: Timestamp | undefined, now: Timestamp, pace = 1): boolean =>
  updatedAt === undefined || now - updatedAt >= INDEX_AGE_MS_MAX * pace;
