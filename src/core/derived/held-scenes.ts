/** Whether any scene still halts a symbol or holds its mark price. */

import type { HeldScene } from '../../messages/scenes.ts';
import type { State } from '../state/state.ts';

export function isStillHeld({ scenes }: State, { category, symbol, name }: HeldScene): boolean {
  for (const scene of scenes.values())
    if (scene.held && scene.name === name && scene.category === category && scene.symbol === symbol)
      return true;
  return false;
}
