/** Follows a leader, changes the copy settings, and ends following. */
import type { Uid } from '../../kernel/ids.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import type { Account } from '../state/account.ts';
import {
  type Following,
  followingOf,
  isLeader,
  LEADERS_PER_FOLLOWER_MAX,
  type Leader,
} from '../state/copy-state.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, reject, type Step, takeId } from '../transaction/step.ts';
import { settingsFault } from './setting-checks.ts';

type Refusal = ReturnType<typeof reject>;

const ownerOf = ({ profile: { uid, parentUid } }: Account): Uid => parentUid ?? uid;

/** Checks that the two accounts may be leader and follower (CPY-02 to CPY-04). */
function pairFault(
  state: State,
  follower: Account,
  leader: Leader | undefined,
  input: Uid,
): Refusal | undefined {
  const { uid } = follower.profile;
  if (input === uid) return reject('followsHimself', 'leader');
  if (leader === undefined) return reject('unknownLeader', 'leader');
  if (isLeader(state.copy, uid))
    return reject('cannotFollow', undefined, 'a trader does not follow traders');
  if (ownerOf(follower) === ownerOf(state.accounts.get(leader.uid)!))
    return reject(
      'cannotFollow',
      undefined,
      'a master and its sub-accounts do not follow one another',
    );
  return follower.positionMode === 'hedge'
    ? undefined
    : reject('cannotFollow', undefined, 'the account must be in hedge mode');
}

function roomFault({ copy }: State, uid: Uid, leader: Leader): Refusal | undefined {
  if (followingOf(copy, uid, leader.uid) !== undefined) return undefined;
  if (leader.followers.length >= leader.followersMax) return reject('leaderFull', 'leader');
  const count = copy.followings.get(uid)?.size ?? 0;
  return count >= LEADERS_PER_FOLLOWER_MAX
    ? reject('tooManyItems', 'leader', `${LEADERS_PER_FOLLOWER_MAX}`)
    : undefined;
}

export const setCopySettings: Handler<'setCopySettings'> = (step, command) => {
  const { state } = step;
  const { uid, leader: input, mode, autoCopy, settings } = command;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const leader = state.copy.leaders.get(input);
  const refused = pairFault(state, account, leader, input);
  if (refused !== undefined) return refused;
  const known = followingOf(state.copy, uid, input);
  const fault = settingsFault(step, leader!, command, known) ?? roomFault(state, uid, leader!);
  if (fault !== undefined) return fault;

  const following = known ?? beginToFollow(step, uid, leader!, command);
  following.mode = mode;
  if (autoCopy !== undefined) following.autoCopy = autoCopy;
  for (const setting of settings)
    following.settings.set(instrumentKey(setting.category, setting.symbol), setting);
  const { id: followingId, since } = following;
  step.emit({
    type: 'followingChanged',
    following: {
      followingId,
      follower: uid,
      leader: input,
      mode,
      autoCopy: following.autoCopy,
      settings: [...following.settings.values()],
      since,
    },
  });
  return done;
};

function beginToFollow(
  step: Step,
  uid: Uid,
  leader: Leader,
  { mode }: CommandOf<'setCopySettings'>,
): Following {
  const { followings } = step.state.copy;
  const following: Following = {
    id: takeId(step),
    leader: leader.uid,
    since: step.at,
    mode,
    autoCopy: false,
    settings: new Map(),
  };
  const own = followings.get(uid) ?? new Map<Uid, Following>();
  followings.set(uid, own.set(leader.uid, following));
  leader.followers.push({ followingId: following.id, uid });
  return following;
}

/**
 * Open copies remain: they close with the leader's order, at their own prices, or on request of the
 * follower (CPY-44).
 */
export const unfollow: Handler<'unfollow'> = (step, { uid, leader: input }) => {
  const { leaders, followings } = step.state.copy;
  const leader = leaders.get(input);
  if (leader === undefined) return reject('unknownLeader', 'leader');
  const own = followings.get(uid);
  if (own?.has(input) !== true) return reject('notFollowing', 'leader');

  own.delete(input);
  if (own.size === 0) followings.delete(uid);
  leader.followers.splice(
    leader.followers.findIndex((follower) => follower.uid === uid),
    1,
  );
  step.emit({ type: 'followingEnded', follower: uid, leader: input });
  return done;
};
