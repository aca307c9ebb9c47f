/** The audit trail: every operator act that moves or releases money, with the operator's name. */
import { smallLetters } from '../../kernel/small-letters.ts';
import type { Events } from '../../messages/events.ts';
import { type Step, takeId } from '../transaction/step.ts';

/** No control characters and no lone surrogates. */
const OPERATOR = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

/**
 * The normal form of an operator's name: without it, one operator could give both approvals by a
 * change of case. Undefined if the text is no name.
 */
export function normalOperator(input: string): string | undefined {
  const name = smallLetters(input.trim());
  return OPERATOR.test(name) ? name : undefined;
}

export function recordAct(step: Step, act: Omit<Events['operatorActed'], 'actId'>): void {
  step.emit({ type: 'operatorActed', actId: takeId(step), ...act });
}
