/** Holds what is kept at hand for orders against the state that it follows from. */
import type { Derived } from '../derived.ts';
import { positionOf } from '../positions/position.ts';
import type { State } from '../state.ts';
import type { Holder } from './holder.ts';
import type { Seat } from './seat.ts';
import { settingOf } from './settings.ts';

const isHolderCurrent = (state: State, { uid, account, wallets, orderMargins, positions }: Holder): boolean =>
  account === state.accounts.get(uid) &&
  wallets === state.ledger.wallets.get(uid) &&
  orderMargins === state.orderMargins.get(uid) &&
  positions === state.positions.get(uid);

const isSeatCurrent = (state: State, { uid, account }: Holder, { venue, long, short, setting }: Seat): boolean =>
  long === positionOf(state, uid, venue.key, 'long') &&
  short === positionOf(state, uid, venue.key, 'short') &&
  setting === settingOf(state, account, venue.key) &&
  venue.listed === state.instruments.get(venue.key);

export function auditHolders(state: State, { holders }: Derived): readonly string[] {
  const faults: string[] = [];
  for (const holder of holders.values()) {
    if (!isHolderCurrent(state, holder)) faults.push(`what is at hand of user ${holder.uid} is not what the state says`);
    for (const seat of holder.seats())
      if (!isSeatCurrent(state, holder, seat))
        faults.push(`what is at hand of user ${holder.uid} in ${seat.venue.key} is not what the state says`);
  }
  return faults;
}
