/** Whether a user has anything open that a change of settings would disturb. The one place that knows what counts. */
import type { Uid } from '../../kernel/ids.ts';
import type { State } from '../state.ts';

/** Looks for one kind of thing that is open: in one instrument, or anywhere when `key` is undefined. */
export type OpenInterestCheck = (state: State, uid: Uid, key: string | undefined) => boolean;

/** One row for each kind of thing a user can have open. Nothing can be opened yet. */
const CHECKS: readonly OpenInterestCheck[] = [];

export const hasOpenInterest = (state: State, uid: Uid, key?: string): boolean => CHECKS.some((isOpen) => isOpen(state, uid, key));
