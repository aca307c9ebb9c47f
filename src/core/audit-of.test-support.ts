/**
 * The audit of a state that a test has made or damaged: everything that follows from it is worked
 * out anew.
 */

import { type AuditReport, audit } from './invariants.ts';
import { rebuildDerived } from './rebuild.ts';
import type { State } from './state/state.ts';

export const auditOf = (state: State): AuditReport => audit(state, rebuildDerived(state));
