/**
 * How much a simulated exchange does at once: a crowd is too small to be too much for one command,
 * unless little is.
 */
import { WORK_PORTIONS, type WorkPortions } from '../core/derived/work-portions.ts';

const SMALLEST: WorkPortions = {
  pendingCharges: 2,
  triggers: 1,
  mirrors: 1,
  commissions: 1,
  levels: 1,
};

/** Every other seed has as much left over as there can be. */
export const portionsOf = (seed: number): WorkPortions =>
  seed % 2 === 0 ? WORK_PORTIONS : SMALLEST;
