/**
 * The audit trail: every act of an operator that moves or frees money, with who did it. It is only
 * ever added to.
 */
import { smallLetters } from '../../kernel/small-letters.ts';
import type { Events } from '../../messages/events.ts';
import { type Step, takeId } from '../transaction/step.ts';

/** Anything that can be shown. */
const OPERATOR = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

/**
 * A name in the one form it is kept and compared in, so that nobody is two people by a capital
 * letter; undefined for what is no name.
 */
export function normalOperator(input: string): string | undefined {
  const name = smallLetters(input.trim());
  return OPERATOR.test(name) ? name : undefined;
}

export function recordAct(step: Step, act: Omit<Events['operatorActed'], 'actId'>): void {
  step.emit({ type: 'operatorActed', actId: takeId(step), ...act });
}
