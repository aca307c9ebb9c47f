/** The parts a story's language is made of. */
import type { Executed } from '../../src/core/engine.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import type { World } from './scenario.ts';

/** One way to say something. The pattern's groups are handed over in order. */
export interface Phrase {
  readonly pattern: RegExp;
  say(world: World, ...words: string[]): void;
}

export const phrase = (text: string, say: Phrase['say']): Phrase => ({
  pattern: new RegExp(`^${text}$`),
  say,
});

/** Why a command was refused, or the first item of one that answers item by item. */
export function refusalOf({ outcome }: Executed): Rejection | undefined {
  if (!outcome.ok) return outcome.refusal;
  if (!Array.isArray(outcome.value)) return undefined;
  const refused = (
    outcome.value as readonly { readonly ok?: boolean; readonly refusal?: Rejection }[]
  ).find((item) => item.ok === false);
  return refused?.refusal;
}
