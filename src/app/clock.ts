/** The clock of the machine. */
import type { Clock, Timestamp } from '../kernel/time.ts';

export const systemClock: Clock = {
  wall: () => Date.now() as Timestamp,
  monotonic: () => performance.now(),
};
