/**
 * Whether a user has anything open that a change of settings would disturb. The one place that
 * knows what counts.
 */

import type { Uid } from '../../kernel/ids.ts';
import type { State } from '../state/state.ts';
import { positionKey } from './position.ts';

/**
 * Looks for one kind of thing that is open: in one instrument, or anywhere when `key` is undefined.
 */
export type OpenInterestCheck = (state: State, uid: Uid, key: string | undefined) => boolean;

const hasOrder: OpenInterestCheck = ({ accounts, orders }, uid, key) => {
  const open = accounts.get(uid)!.openOrders;
  if (key === undefined) return open.length > 0;
  for (const id of open) if (orders.get(id)?.key === key) return true;
  return false;
};

const hasPosition: OpenInterestCheck = ({ positions }, uid, key) => {
  const own = positions.get(uid);
  if (own === undefined) return false;
  return key === undefined
    ? own.size > 0
    : own.has(positionKey(key, 'long')) || own.has(positionKey(key, 'short'));
};

/** A trigger holds nothing, so only a change of the whole account disturbs it. */
const hasTrigger: OpenInterestCheck = ({ accounts }, uid, key) =>
  key === undefined && accounts.get(uid)!.triggers.size > 0;

/** One row for each kind of thing a user can have open. */
const CHECKS: readonly OpenInterestCheck[] = [hasOrder, hasPosition, hasTrigger];

export const hasOpenInterest = (state: State, uid: Uid, key?: string): boolean =>
  CHECKS.some((isOpen) => isOpen(state, uid, key));
