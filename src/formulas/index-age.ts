/** How long an index says something about now: the core decides by it, and the views show by it. */
import { SECOND, type Timestamp } from '../kernel/time.ts';

/** An index that was not heard for this long says nothing about now. */
const INDEX_AGE_MS_MAX = 10 * SECOND;

/** `pace` is how many of its milliseconds are one of age. */
export const isTooOld = (updatedAt: Timestamp | undefined, now: Timestamp, pace = 1): boolean =>
  updatedAt === undefined || now - updatedAt >= INDEX_AGE_MS_MAX * pace;
