/** The audit of a state that a test has made or damaged: everything that follows from it is worked out anew. */
import { rebuildDerived } from './derived.ts';
import { type AuditReport, audit } from './invariants.ts';
import type { State } from './state.ts';

export const auditOf = (state: State): AuditReport => audit(state, rebuildDerived(state));
