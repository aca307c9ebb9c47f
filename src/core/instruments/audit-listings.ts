/** Recomputes what must hold of what is listed: each listing would be accepted again today. */
import type { State } from '../state.ts';
import { coinFault } from './coin-checks.ts';
import { instrumentFault, siblingFault } from './instrument-checks.ts';
import { keyOf } from './instrument-key.ts';

export function auditListings({ coins, instruments }: State): readonly string[] {
  const faults: string[] = [];
  for (const [name, coin] of coins) if (coin.coin !== name || coinFault(coin) !== undefined) faults.push(`coin ${name} is listed wrongly`);
  for (const [key, { instrument }] of instruments) {
    const fault = instrumentFault(coins, instrument) ?? siblingFault(instruments, instrument);
    if (keyOf(instrument) !== key || fault !== undefined) faults.push(`${key} is listed wrongly: ${fault?.field ?? 'its key'}`);
  }
  return faults;
}
