/**
 * Reckons everybody's level anew when a settlement day ends, from thirty days of trading and from
 * what they owned then.
 */
import { higherLevel, levelFor, type Standing } from '../../formulas/levels.ts';
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { type Amount, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { DAY, startOfSettlementDay } from '../../kernel/time.ts';
import type { Level } from '../../messages/vocabulary.ts';
import type { LevelRound } from '../state/levels.ts';
import type { DeferredWork, Reaction, Step } from '../transaction/step.ts';
import { assetsOf, indexesOf } from './midnight-assets.ts';

/** Days that count, the one that has just ended included. */
const VOLUME_DAYS = 30;

export const startLevels: Reaction<'settlementDayEnded'> = ({ state }) => {
  state.levels.round = {
    next: UID_FIRST,
    end: state.nextUid,
    indexes: indexesOf(state),
    assets: new Map(),
  };
};

export const deferredLevels: DeferredWork = {
  isWaiting: ({ state }) => state.levels.round !== undefined,
  doPortion: (step) => {
    const { state, derived } = step;
    const round = state.levels.round!;
    const end = Math.min(round.next + derived.portions.levels, round.end) as Uid;
    // A sub-account has its master's level, and is looked at with it.
    for (let uid = round.next; uid < end; uid++)
      if (state.accounts.get(uid)?.profile.parentUid === undefined) computeLevel(step, round, uid);
    round.next = end;
    if (end === round.end) delete state.levels.round;
  },
};

function computeLevel(step: Step, { assets: kept, indexes }: LevelRound, master: Uid): void {
  const assets = kept.get(master) ?? assetsOf(step, master, indexes);
  kept.delete(master);
  // What a master has, earned or given, his sub-accounts have too.
  const shared = setLevel(step, master, levelFor({ ...volumesOf(step, master), assets }));
  for (const uid of step.derived.subAccounts.get(master) ?? []) setLevel(step, uid, shared);
}

/** Nobody falls below the level the operator gave him; answers the level he has from now on. */
function setLevel(step: Step, uid: Uid, earned: Level): Level {
  const account = step.state.accounts.get(uid)!;
  const level = higherLevel(account.grantedLevel, earned);
  if (level === account.profile.level) return level;
  account.profile = { ...account.profile, level };
  // Fees are part of what positions must keep up.
  step.derived.headroom.forget(uid);
  step.emit({ type: 'levelChanged', uid, level });
  return level;
}

const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((total, amount) => plus(total, amount), ZERO_AMOUNT);

/** Days that no longer count are forgotten on the way. */
function volumesOf({ state, at }: Step, master: Uid): Omit<Standing, 'assets'> {
  const { volumes } = state.levels;
  const today = startOfSettlementDay(at);
  const kept = volumes.get(master)?.filter(({ day }) => day >= today - VOLUME_DAYS * DAY) ?? [];
  if (kept.length > 0) volumes.set(master, kept);
  else volumes.delete(master);
  const ended = kept.filter(({ day }) => day < today);
  return {
    spotVolume: sum(ended.map(({ spot }) => spot)),
    futuresVolume: sum(ended.map(({ futures }) => futures)),
  };
}
