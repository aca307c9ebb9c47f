/** Audits a state that a test has built or damaged, with freshly derived data. */

import { type AuditReport, audit } from './invariants.ts';
import { rebuildDerived } from './rebuild.ts';
import type { State } from './state/state.ts';

export const auditOf = (state: State): AuditReport => audit(state, rebuildDerived(state));
