/** Parts of the scenario language. */
import type { Executed } from '../../src/core/engine.ts';
import type { Rejection } from '../../src/messages/rejections.ts';
import type { World } from './scenario.ts';

/** One phrase. The groups of its pattern are passed on in order. */
export interface Phrase {
  readonly pattern: RegExp;
  say(world: World, ...words: string[]): void;
}

export const phrase = (text: string, say: Phrase['say']): Phrase => ({
  pattern: new RegExp(`^${text}$`),
  say,
});

/** Refusal of a command, or of its first refused item. */
export function refusalOf({ outcome }: Executed): Rejection | undefined {
  if (!outcome.ok) return outcome.refusal;
  if (!Array.isArray(outcome.value)) return undefined;
  const refused = (
    outcome.value as readonly { readonly ok?: boolean; readonly refusal?: Rejection }[]
  ).find((item) => item.ok === false);
  return refused?.refusal;
}
