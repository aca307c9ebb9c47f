/**
 * Reckons everybody's level anew when a settlement day ends, from thirty days of trading and from
 * what they owned then.
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

/** By coin, those of all that a wallet may hold. */
function indexesOf(state: State): Map<string, Price> {
  const indexes = new Map<string, Price>();
  for (const coin of state.coins.keys()) {
    const price = coinPriceOf(state, coin);
    if (price !== undefined) indexes.set(coin, price);
  }
  return indexes;
}

/** Before money or a debt of somebody changes. */
export function keepAssets(core: CoreState, uid: Uid): void {
  const { round } = core.state.levels;
  if (round === undefined) return;
  const master = masterOf(core.state, uid);
  if (master < round.next || master >= round.end || round.assets.has(master)) return;
  round.assets.set(master, assetsOf(core, master, round.indexes));
}

/** Of all that stands behind one level; by the indexes of the same moment. */
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

/**
 * All that stands in an account's wallets at index, less what it owes, be that more; a coin without
 * a price counts for nothing.
 */
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

export function levelPortion(step: Step): void {
  const { state, derived } = step;
  const round = state.levels.round!;
  const end = Math.min(round.next + derived.portions.levels, round.end) as Uid;
  // A sub-account has its master's level, and is looked at with it.
  for (let uid = round.next; uid < end; uid++)
    if (state.accounts.get(uid)?.profile.parentUid === undefined) computeLevel(step, round, uid);
  round.next = end;
  if (end === round.end) delete state.levels.round;
}

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

/** The master's own, kept at hand for as long as the day lasts. */
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

/** What earns an agent nothing does not lift a level either. */
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
