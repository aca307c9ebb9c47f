/** The state with everything derived from it, as code that changes nothing receives it. */

import type { Timestamp } from '../../kernel/time.ts';
import type { State } from '../state/state.ts';
import type { Derived } from './derived.ts';

/** What commands and timers are executed on. */
export interface CoreState {
  readonly state: State;
  /** What follows from the state: books and ready numbers. */
  readonly derived: Derived;
}

/** What there is to look at. */
export interface Moment extends CoreState {
  readonly at: Timestamp;
}
