/** Lets a test set faults through the operator API; a refusal there is thrown here. */
import type { Client } from '../client/client.ts';
import type { ResponseOf, WireRequestOf } from '../contract/endpoint.ts';
import type { operatorEndpoints } from '../contract/endpoints.ts';
import type { operatorFaultRows } from '../contract/operator-faults.ts';
import { findNamedFault, namedFaults } from '../gateway/faults/named-faults.ts';
import { noSuchName } from '../kernel/near-names.ts';

type Rows = typeof operatorFaultRows;

/**
 * Faults of public calls, and the true outcome of the calls they hit. A fault that cannot be set is
 * thrown.
 */
export interface TestFaults {
  /**
   * By a name of `docs/faults.md`, or by an effect; `match` selects the calls it hits. Resolves to
   * its id.
   */
  set(fault: WireRequestOf<Rows['setFault']>): Promise<ResponseOf<Rows['setFault']>>;
  /** The active faults, with the number of calls each has hit. */
  list(): Promise<ResponseOf<Rows['listFaults']>>;
  /** Removes one fault, or all. Verdicts stay. */
  clear(id?: string): Promise<void>;
  /** The true outcome of every intent that a fault has hit; of one user if `uid` is given. */
  verdicts(uid?: string): Promise<ResponseOf<Rows['listVerdicts']>>;
}

export const testFaults = (operator: Client<typeof operatorEndpoints>): TestFaults => ({
  set: async (fault) => {
    const { name, effect } = fault;
    // A fault with an effect may have any name.
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
