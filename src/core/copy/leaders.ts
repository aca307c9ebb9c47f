/** Makes a user a leader, or changes its profit share and limits. */

import { moneyFromText, ONE_RATE, type Rate } from '../../kernel/money.ts';
import type { Writable } from '../../kernel/writable.ts';
import { FOLLOWERS_PER_LEADER_MAX } from '../../messages/bounds.ts';
import type { LeaderRow } from '../../messages/copy-trading.ts';
import { FUTURES_CATEGORIES } from '../../messages/vocabulary.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { hasOpenInterest } from '../derived/open-interest.ts';
import { LEADERS_MAX, type Leader } from '../state/copy-state.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, reject } from '../transaction/step.ts';

const isListed = ({ instruments }: State, symbol: string): boolean =>
  FUTURES_CATEGORIES.some((category) => instruments.has(instrumentKey(category, symbol)));

export const makeLeader: Handler<'makeLeader'> = (
  step,
  { uid, profitShare, symbols, followersMax = FOLLOWERS_PER_LEADER_MAX },
) => {
  const { state } = step;
  const { leaders, followings } = state.copy;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const share = moneyFromText<Rate>(profitShare);
  if (share === undefined) return reject('tooFine', 'profitShare');
  if (share > ONE_RATE) return reject('fieldInvalid', 'profitShare', 'a profit share is at most 1');
  const unlisted = symbols?.find((symbol) => !isListed(state, symbol));
  if (unlisted !== undefined) return reject('unknownSymbol', 'symbols', unlisted);
  if (followersMax < 1 || followersMax > FOLLOWERS_PER_LEADER_MAX)
    return reject('fieldOutOfRange', 'followersMax', `1 to ${FOLLOWERS_PER_LEADER_MAX}`);
  if (followings.has(uid)) return reject('cannotFollow', undefined, 'a follower cannot lead');
  const isOneWay = account.positionMode === 'oneWay';
  if (isOneWay && hasOpenInterest(state, uid)) return reject('positionModeInUse', 'positionMode');
  const known = leaders.get(uid);
  if (known === undefined && leaders.size >= LEADERS_MAX) return reject('exchangeFull');

  if (isOneWay) {
    account.positionMode = 'hedge';
    step.emit({ type: 'positionModeChanged', uid, positionMode: 'hedge' });
  }
  const leader: Leader = {
    uid,
    profitShare: share,
    followersMax,
    followers: known?.followers ?? [],
  };
  if (symbols !== undefined) leader.symbols = new Set(symbols);
  leaders.set(uid, leader);
  const row: Writable<LeaderRow> = { uid, profitShare: share, followersMax };
  if (symbols !== undefined) row.symbols = [...new Set(symbols)];
  step.emit({ type: 'leaderMade', leader: row });
  return done;
};
