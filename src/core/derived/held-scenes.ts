/**
 * Scenes that halt a symbol or hold its mark: what they did stands until the last of them has
 * ended.
 */

import type { HeldScene } from '../../messages/scenes.ts';
import type { State } from '../state/state.ts';

export function isStillHeld({ scenes }: State, { category, symbol, name }: HeldScene): boolean {
  for (const scene of scenes.values())
    if (scene.held && scene.name === name && scene.category === category && scene.symbol === symbol)
      return true;
  return false;
}
