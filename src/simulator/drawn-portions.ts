/**
 * Draws the work portions of a simulated exchange. Its crowd is small, so only small portions leave
 * deferred work.
 */
import { WORK_PORTIONS, type WorkPortions } from '../core/derived/work-portions.ts';

const SMALLEST: WorkPortions = {
  pendingCharges: 2,
  triggers: 1,
  mirrors: 1,
  commissions: 1,
  levels: 1,
};

/** Every other seed has the smallest portions, and so the most deferred work. */
export const portionsOf = (seed: number): WorkPortions =>
  seed % 2 === 0 ? WORK_PORTIONS : SMALLEST;
