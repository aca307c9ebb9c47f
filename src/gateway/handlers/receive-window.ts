/** Calls that are meant for a while only: whoever asked for one too long ago has given up on it. */

import { wireRejection } from '../../contract/wire-rejections.ts';
import { refuse } from '../../kernel/result.ts';
import type { Clock, Timestamp } from '../../kernel/time.ts';

export interface ReceiveWindow {
  readonly requestTime: Timestamp | undefined;
  readonly receiveWindow: number | undefined;
}

/**
 * The refusal of a call that came after its receive window; undefined when it came in time, or has
 * none.
 */
export const refuseLate = (clock: Clock, { requestTime, receiveWindow }: ReceiveWindow) => {
  const isLate =
    requestTime !== undefined &&
    receiveWindow !== undefined &&
    clock.wall() - requestTime > receiveWindow;
  return isLate ? refuse(wireRejection('requestTooLate')) : undefined;
};
