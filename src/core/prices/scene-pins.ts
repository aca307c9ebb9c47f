/**
 * Marks that scenes hold away from the index, until the last one ends or the operator pins or
 * releases the mark (MKT-14, MKT-153).
 */
import { instrumentKey } from '../derived/instrument-key.ts';
import type { Reaction } from '../transaction/step.ts';
import { isStillHeld } from '../derived/held-scenes.ts';
import { ownPrices } from '../derived/symbol-prices.ts';

export const pinWithScene: Reaction<'sceneHeld'> = (step, { category, symbol, mark, again }) => {
  if (mark === undefined) return;
  const prices = ownPrices(step.state, instrumentKey(category, symbol));
  // Pinned by the operator, or let go by him while the scene played.
  if (prices.pinnedByScene !== true && (again || prices.pinned !== undefined)) return;
  prices.pinnedByScene = true;
  if (prices.pinned === mark) return;
  prices.pinned = mark;
  step.emit({ type: 'markPinned', category, symbol, price: mark });
};

export const releaseAfterScene: Reaction<'sceneEnded'> = (step, { held }) => {
  if (held?.name !== 'markIndexSplit') return;
  const { category, symbol } = held;
  const prices = step.state.symbolPrices.get(instrumentKey(category, symbol));
  if (prices?.pinnedByScene !== true || isStillHeld(step.state, held)) return;
  prices.pinned = undefined;
  prices.pinnedByScene = undefined;
  step.emit({ type: 'markPinned', category, symbol });
};
