/** Operator API: sets and clears faults, and reports the true outcome of affected intents. */
import type { operatorFaultRows } from '../../contract/operator-faults.ts';
import { ok } from '../../kernel/result.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerParts } from './parts.ts';

export const operatorFaultHandlers = ({
  faults,
}: HandlerParts): HandlersOf<typeof operatorFaultRows> => ({
  setFault: (asked) => faults.set(asked),

  listFaults: () => ok(faults.list()),

  clearFaults: () => faults.clear(),

  clearFault: ({ id }) => faults.clear(id),

  listVerdicts: async ({ uid }) => ok(await faults.verdicts(uid)),
});
