/** Whether a user has anything open that a change of settings would disturb. The one place that knows what counts. */
import type { Uid } from '../../kernel/ids.ts';
import { positionKey } from '../positions/position.ts';
import type { State } from '../state.ts';

/** Looks for one kind of thing that is open: in one instrument, or anywhere when `key` is undefined. */
export type OpenInterestCheck = (state: State, uid: Uid, key: string | undefined) => boolean;

const hasOrder: OpenInterestCheck = ({ accounts, orders }, uid, key) => {
  const open = accounts.get(uid)?.openOrders ?? new Set();
  return key === undefined ? open.size > 0 : [...open].some((id) => orders.get(id)?.key === key);
};

const hasPosition: OpenInterestCheck = ({ positions }, uid, key) => {
  const own = positions.get(uid);
  if (own === undefined) return false;
  return key === undefined ? own.size > 0 : own.has(positionKey(key, 'long')) || own.has(positionKey(key, 'short'));
};

/** One row for each kind of thing a user can have open. */
const CHECKS: readonly OpenInterestCheck[] = [hasOrder, hasPosition];

export const hasOpenInterest = (state: State, uid: Uid, key?: string): boolean => CHECKS.some((isOpen) => isOpen(state, uid, key));
