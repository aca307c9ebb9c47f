/**
 * Faults in the hands of a test: set through the operator plane, so that whatever is refused there
 * is thrown here.
 */
import type { Client } from '../client/client.ts';
import type { ResponseOf, WireRequestOf } from '../contract/endpoint.ts';
import type { operatorEndpoints } from '../contract/endpoints.ts';
import type { operatorFaultRows } from '../contract/operator-faults.ts';
import { findNamedFault, namedFaults } from '../gateway/faults/named-faults.ts';
import { noSuchName } from '../kernel/near-names.ts';

type Rows = typeof operatorFaultRows;

/**
 * Faults of public calls, and the truth about the calls they struck. A fault that cannot be set is
 * thrown.
 */
export interface TestFaults {
  /**
   * By a name of `docs/faults.md`, or by an effect; `match` says which calls it strikes. Answers
   * its id.
   */
  set(fault: WireRequestOf<Rows['setFault']>): Promise<ResponseOf<Rows['setFault']>>;
  /** What is set, with how often each has struck. */
  list(): Promise<ResponseOf<Rows['listFaults']>>;
  /** One of them, or all. Verdicts stay. */
  clear(id?: string): Promise<void>;
  /** What really became of every intent that a fault has struck; of one user where one is named. */
  verdicts(uid?: string): Promise<ResponseOf<Rows['listVerdicts']>>;
}

export const testFaults = (operator: Client<typeof operatorEndpoints>): TestFaults => ({
  set: async (fault) => {
    const { name, effect } = fault;
    // A fault with an effect may be called anything.
    if (name !== undefined && effect === undefined && findNamedFault(name) === undefined)
      throw new Error(`name: ${noSuchName('fault', String(name), Object.keys(namedFaults))}`);
    return await operator.call('setFault', fault);
  },
  list: () => operator.call('listFaults'),
  clear: async (id) => {
    await (id === undefined ? operator.call('clearFaults') : operator.call('clearFault', { id }));
  },
  verdicts: (uid) => operator.call('listVerdicts', uid === undefined ? {} : { uid }),
});
