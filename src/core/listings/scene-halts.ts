/**
 * Symbols that scenes halt: halted by the first, open again after the last, unless the operator has
 * had his say meanwhile (MKT-15).
 */
import type { Reaction } from '../transaction/step.ts';
import { instrumentKey } from '../derived/instrument-key.ts';
import { isStillHeld } from '../derived/held-scenes.ts';

export const haltWithScene: Reaction<'sceneHeld'> = (step, { category, symbol, name }) => {
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  // One that is not open was closed by the operator, or by a scene before this one.
  if (name !== 'halt' || listed?.status !== 'normal') return;
  listed.status = 'halted';
  listed.haltedByScene = true;
  step.emit({ type: 'instrumentStatusChanged', category, symbol, status: 'halted' });
};

export const openAfterScene: Reaction<'sceneEnded'> = (step, { held }) => {
  if (held?.name !== 'halt') return;
  const { category, symbol } = held;
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  if (listed?.haltedByScene !== true || isStillHeld(step.state, held)) return;
  listed.status = 'normal';
  listed.haltedByScene = undefined;
  step.emit({ type: 'instrumentStatusChanged', category, symbol, status: 'normal' });
};
