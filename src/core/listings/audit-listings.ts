/** Audits listings: each of them would be accepted again. */
import type { Coin, Instrument } from '../../messages/listings.ts';
import { keyOf } from '../derived/instrument-spec.ts';
import type { State } from '../state/state.ts';
import { coinFault } from './coin-checks.ts';
import { instrumentFault, siblingFault } from './instrument-checks.ts';

/** Listings whose own numbers were checked; a listing never changes, but is replaced. */
const checked = new WeakSet<Coin | Instrument>();

function ownCoinFault(coin: Coin): unknown {
  if (checked.has(coin)) return undefined;
  const fault = coinFault(coin);
  if (fault === undefined) checked.add(coin);
  return fault;
}

function ownFault(
  coins: State['coins'],
  instrument: Instrument,
): ReturnType<typeof instrumentFault> {
  const { baseCoin, marginCoin } = instrument;
  if (checked.has(instrument) && coins.has(baseCoin) && coins.has(marginCoin)) return undefined;
  const fault = instrumentFault(coins, instrument);
  if (fault === undefined) checked.add(instrument);
  return fault;
}

export function auditListings({ coins, instruments }: State): readonly string[] {
  const faults: string[] = [];
  for (const [name, coin] of coins)
    if (coin.coin !== name || ownCoinFault(coin) !== undefined)
      faults.push(`the listing of coin ${name} is invalid`);
  for (const [key, { instrument }] of instruments) {
    const fault = ownFault(coins, instrument) ?? siblingFault(instruments, instrument);
    if (keyOf(instrument) !== key || fault !== undefined)
      faults.push(`the listing of ${key} is invalid: ${fault?.field ?? 'its key'}`);
  }
  return faults;
}
