/** How much a simulated exchange does at once: a crowd is too small to be too much for one command, unless little is. */
import { SLICES, type Slices } from '../core/slices.ts';

const SMALLEST: Slices = { pendingCharges: 2, triggers: 1, mirrors: 1, commissions: 1, levels: 1 };

/** Every other seed has as much left over as there can be. */
export const slicesOf = (seed: number): Slices => (seed % 2 === 0 ? SLICES : SMALLEST);
