/**
 * All objects are born young, where whatever dies soon costs nothing. Left to itself, V8 watches
 * which lines of the program make objects that live on, and objects of such a line are born old
 * from then on. What an order is made of waits for its sync, so that in some runs it passes for
 * long-lived; and what is old and dead keeps alive whatever it points to until the next full
 * collection.
 */
import { setFlagsFromString } from 'node:v8';

export const PRETENURING_OFF = '--no-allocation-site-pretenuring';

export const disablePretenuring = (setFlag: (flag: string) => void = setFlagsFromString): void =>
  setFlag(PRETENURING_OFF);
