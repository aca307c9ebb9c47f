/** Refuses calls that arrive after their receive window, because the client has given them up. */

import { wireRejection } from '../../contract/wire-rejections.ts';
import { refuse } from '../../kernel/result.ts';
import type { Clock, Timestamp } from '../../kernel/time.ts';

export interface ReceiveWindow {
  readonly requestTime: Timestamp | undefined;
  readonly receiveWindow: number | undefined;
}

/** The refusal of a late call; undefined for a call in time or without a window. */
export const refuseLate = (clock: Clock, { requestTime, receiveWindow }: ReceiveWindow) => {
  const isLate =
    requestTime !== undefined &&
    receiveWindow !== undefined &&
    clock.wall() - requestTime > receiveWindow;
  return isLate ? refuse(wireRejection('requestTooLate')) : undefined;
};
