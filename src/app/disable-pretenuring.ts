/**
 * Makes V8 allocate all objects in the young generation, where short-lived objects cost nothing. By
 * default, V8 allocates objects of some code in the old generation once its objects survive. The
 * parts of an order survive until its sync, so in some runs V8 takes them for long-lived. Dead old
 * objects keep everything they point to until the next full collection.
 */
import { setFlagsFromString } from 'node:v8';

export const PRETENURING_OFF = '--no-allocation-site-pretenuring';

export const disablePretenuring = (setFlag: (flag: string) => void = setFlagsFromString): void =>
  setFlag(PRETENURING_OFF);
