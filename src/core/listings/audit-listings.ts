/** Recomputes what must hold of what is listed: each listing would be accepted again today. */
import type { Coin, Instrument } from '../../messages/listings.ts';
import { keyOf } from '../derived/instrument-spec.ts';
import type { State } from '../state/state.ts';
import { coinFault } from './coin-checks.ts';
import { instrumentFault, siblingFault } from './instrument-checks.ts';

/**
 * Found to be in order. A listing is a value: it is replaced, never changed, so its own numbers are
 * read once. What it has to do with others is looked at each time.
 */
const inOrder = new WeakSet<Coin | Instrument>();

function ownCoinFault(coin: Coin): unknown {
  if (inOrder.has(coin)) return undefined;
  const fault = coinFault(coin);
  if (fault === undefined) inOrder.add(coin);
  return fault;
}

function ownFault(
  coins: State['coins'],
  instrument: Instrument,
): ReturnType<typeof instrumentFault> {
  const { baseCoin, marginCoin } = instrument;
  if (inOrder.has(instrument) && coins.has(baseCoin) && coins.has(marginCoin)) return undefined;
  const fault = instrumentFault(coins, instrument);
  if (fault === undefined) inOrder.add(instrument);
  return fault;
}

export function auditListings({ coins, instruments }: State): readonly string[] {
  const faults: string[] = [];
  for (const [name, coin] of coins)
    if (coin.coin !== name || ownCoinFault(coin) !== undefined)
      faults.push(`coin ${name} is listed wrongly`);
  for (const [key, { instrument }] of instruments) {
    const fault = ownFault(coins, instrument) ?? siblingFault(instruments, instrument);
    if (keyOf(instrument) !== key || fault !== undefined)
      faults.push(`${key} is listed wrongly: ${fault?.field ?? 'its key'}`);
  }
  return faults;
}
