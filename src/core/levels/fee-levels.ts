/**
 * Computes every user's level when a settlement day ends, from 30 days of trading and from what the
 * user owned at that moment.
 */

import { isDollar } from '../../formulas/index-price.ts';
import { higherLevel, type LevelCriteria, levelFor } from '../../formulas/levels.ts';
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  minus,
  type Price,
  plus,
  type Rate,
  rateOf,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { FillRow } from '../../messages/orders.ts';
import { isFutures, type Level } from '../../messages/vocabulary.ts';
import { masterOf } from '../accounts/sub-accounts.ts';
import { isEarning } from '../agents/commissions.ts';
import { accountOf, type CoreState } from '../derived/derived.ts';
import { coinPriceOf } from '../derived/market-context.ts';
import { totalOf } from '../ledger/ledger.ts';
import { debtOf } from '../margin/debts.ts';
import { pairOwed } from '../margin/pair-debts.ts';
import type { DayVolume, LevelRound } from '../state/levels.ts';
import type { State } from '../state/state.ts';
import type { Reaction, Step } from '../transaction/step.ts';

/** Index prices by coin. */
function indexesOf(state: State): Map<string, Price> {
  const indexes = new Map<string, Price>();
  for (const coin of state.coins.keys()) {
    const price = coinPriceOf(state, coin);
    if (price !== undefined) indexes.set(coin, price);
  }
  return indexes;
}

/**
 * Called before money or a debt of the account changes, to keep what it owned when the day ended.
 */
export function keepAssets(core: CoreState, uid: Uid): void {
  const { round } = core.state.levels;
  if (round === undefined) return;
  const master = masterOf(core.state, uid);
  if (master < round.next || master >= round.end || round.assets.has(master)) return;
  round.assets.set(master, assetsOf(core, master, round.indexes));
}

/** The assets of a master and its sub-accounts, which share one level. */
export function assetsOf(
  { state, derived }: CoreState,
  master: Uid,
  indexes: ReadonlyMap<string, Price>,
): Amount {
  return [master, ...(derived.subAccounts.get(master) ?? [])].reduce(
    (sum, uid) => plus(sum, ownAssets(state, uid, indexes)),
    ZERO_AMOUNT,
  );
}

/** All wallets at index less all debts, possibly negative; a coin without a price counts 0. */
function ownAssets(state: State, uid: Uid, indexes: ReadonlyMap<string, Price>): Amount {
  let assets = ZERO_AMOUNT;
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) {
    const price = indexes.get(coin);
    if (price === undefined) continue;
    assets = plus(
      assets,
      rateOf(minus(totalOf(wallet), owedIn(state, uid, coin)), price as bigint as Rate, 'down'),
    );
  }
  return assets;
}

function owedIn(state: State, uid: Uid, coin: string): Amount {
  const { principal, interest } = debtOf(state, uid, coin);
  const pairs = [...(state.isolatedPairs.get(uid)?.keys() ?? [])];
  return pairs.reduce(
    (owed, symbol) => plus(owed, pairOwed(state, { uid, symbol }, coin)),
    plus(principal, interest),
  );
}

/** Days that count, including the one that has just ended. */
const VOLUME_DAYS = 30;

export const startLevels: Reaction<'settlementDayEnded'> = ({ state }) => {
  state.levels.round = {
    next: UID_FIRST,
    end: state.nextUid,
    indexes: indexesOf(state),
    assets: new Map(),
  };
};

export function levelPortion(step: Step): void {
  const { state, derived } = step;
  const round = state.levels.round!;
  const end = Math.min(round.next + derived.portions.levels, round.end) as Uid;
  // A sub-account gets its level together with its master.
  for (let uid = round.next; uid < end; uid++)
    if (state.accounts.get(uid)?.profile.parentUid === undefined) computeLevel(step, round, uid);
  round.next = end;
  if (end === round.end) delete state.levels.round;
}

function computeLevel(step: Step, { assets: kept, indexes }: LevelRound, master: Uid): void {
  const assets = kept.get(master) ?? assetsOf(step, master, indexes);
  kept.delete(master);
  // Sub-accounts share the level that their master has, earned or granted.
  const shared = setLevel(step, master, levelFor({ ...volumesOf(step, master), assets }));
  for (const uid of step.derived.subAccounts.get(master) ?? []) setLevel(step, uid, shared);
}

/** A level never falls below the granted one (AGT-35). Returns the new level. */
function setLevel(step: Step, uid: Uid, earned: Level): Level {
  const account = step.state.accounts.get(uid)!;
  const level = higherLevel(account.grantedLevel, earned);
  if (level === account.profile.level) return level;
  account.profile = { ...account.profile, level };
  // Fees are part of the maintenance requirement.
  step.derived.headroom.forget(uid);
  step.emit({ type: 'levelChanged', uid, level });
  return level;
}

const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((total, amount) => plus(total, amount), ZERO_AMOUNT);

/** Deletes days that no longer count. */
function volumesOf({ state, at }: Step, master: Uid): Omit<LevelCriteria, 'assets'> {
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

/** The master's volume of today, cached for the day. */
function today(step: Step, uid: Uid): DayVolume {
  const context = accountOf(step, uid);
  const { parentUid } = context.account.profile;
  if (parentUid !== undefined) return today(step, parentUid);
  const known = context.volume;
  if (known !== undefined && step.at < known.day + DAY) return known;
  const volume = volumeOf(step.state, uid, startOfSettlementDay(step.at));
  context.volume = volume;
  return volume;
}

function volumeOf({ levels: { volumes } }: State, master: Uid, day: Timestamp): DayVolume {
  const days = volumes.get(master) ?? [];
  if (days.length === 0) volumes.set(master, days);
  const last = days.at(-1);
  if (last?.day === day) return last;
  const volume: DayVolume = { day, spot: ZERO_AMOUNT, futures: ZERO_AMOUNT };
  days.push(volume);
  return volume;
}

function inUsd(state: State, quoteCoin: string, value: Amount): Amount {
  if (isDollar(quoteCoin)) return value;
  // A pair takes orders only when both of its coins have a price.
  return rateOf(value, coinPriceOf(state, quoteCoin)! as bigint as Rate, 'down');
}

/** A fill that earns an agent nothing does not count as volume either (AGT-152). */
export const countVolume: Reaction<'fillSettled'> = (step, { fill }) => {
  if (!isEarning(fill)) return;
  const volume = today(step, fill.uid);
  const value = inUsd(step.state, quoteCoinOf(step, fill), fill.value);
  if (isFutures(fill.category)) volume.futures = plus(volume.futures, value);
  else volume.spot = plus(volume.spot, value);
};

function quoteCoinOf({ derived }: Step, { category, symbol }: FillRow): string {
  const market = derived.marketContexts.named(category, symbol);
  invariant(market !== undefined, 'what is traded is listed');
  return market.spec.instrument.quoteCoin;
}
