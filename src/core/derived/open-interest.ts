/** Whether a user has open interest that prevents a change of settings. */

import type { Uid } from '../../kernel/ids.ts';
import type { State } from '../state/state.ts';
import { positionKey } from './position.ts';

/** Checks one kind of open interest, in one instrument or in all if `key` is undefined. */
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

/** Triggers hold no money, so they only prevent changes of the whole account. */
const hasTrigger: OpenInterestCheck = ({ accounts }, uid, key) =>
  key === undefined && accounts.get(uid)!.triggers.size > 0;

const CHECKS: readonly OpenInterestCheck[] = [hasOrder, hasPosition, hasTrigger];

export const hasOpenInterest = (state: State, uid: Uid, key?: string): boolean =>
  CHECKS.some((isOpen) => isOpen(state, uid, key));
