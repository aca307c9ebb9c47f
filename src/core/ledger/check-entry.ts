/** The check that runs with every ledger entry. The slower audits are in the invariants. */

import { invariant } from '../../kernel/invariant.ts';
import type { EventOf } from '../../messages/events.ts';
import type { LedgerAccount } from '../../messages/vocabulary.ts';
import { MAY_OWE } from './ledger.ts';

const mayOwe = (account: LedgerAccount): boolean =>
  (MAY_OWE as ReadonlySet<LedgerAccount>).has(account);

/**
 * Stays on in production: the lines as they were told add up to nothing, and no account they
 * touched is below zero that may not be.
 */
export function checkEntry({ lines }: EventOf<'entryPosted'>): void {
  const coin = lines[0]?.coin;
  let sum = 0n;
  for (const line of lines) {
    invariant(line.coin === coin, 'an entry tells of one coin');
    if (line.balance < 0n && !mayOwe(line.account))
      invariant(false, `${line.account} in ${coin} is told as nothing or more`);
    sum += line.amount;
  }
  invariant(sum === 0n, 'the lines told of an entry add up to nothing');
}
