/** Reckons everybody's level anew when a settlement day ends, from thirty days of trading and from what they own. */
import { higherLevel, levelFor, type Standing } from '../../formulas/levels.ts';
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { type Amount, minus, plus, type Rate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { DAY, startOfSettlementDay } from '../../kernel/time.ts';
import type { Level } from '../../messages/vocabulary.ts';
import type { BacklogPart } from '../backlog.ts';
import { pairOwed } from '../isolated/pair-debts.ts';
import { totalOf } from '../ledger/ledger.ts';
import { debtOf } from '../margin/debts.ts';
import { coinPriceOf } from '../prices/coin-prices.ts';
import type { State } from '../state.ts';
import type { Reaction, Step } from '../step.ts';

/** Days that count, the one that has just ended included. */
const VOLUME_DAYS = 30;

export const startLevels: Reaction<'settlementDayEnded'> = ({ state }) => {
  state.levels.next = UID_FIRST;
};

export const levelBacklog: BacklogPart = {
  isWaiting: ({ state }) => state.levels.next !== undefined,
  workOff: (step) => {
    const { state, derived } = step;
    const from = state.levels.next!;
    const end = Math.min(from + derived.slices.levels, state.nextUid) as Uid;
    // A sub-account has its master's level, and is looked at with it.
    for (let uid = from; uid < end; uid++) if (state.accounts.get(uid)?.profile.parentUid === undefined) reckonLevel(step, uid as Uid);
    if (end < state.nextUid) state.levels.next = end;
    else delete state.levels.next;
  },
};

function reckonLevel(step: Step, master: Uid): void {
  const { state, derived } = step;
  const subAccounts = derived.subAccounts.get(master) ?? [];
  const assets = sum([master, ...subAccounts].map((uid) => assetsOf(state, uid)));
  // What a master has, earned or given, his sub-accounts have too.
  const shared = setLevel(step, master, levelFor({ ...volumesOf(step, master), assets }));
  for (const uid of subAccounts) setLevel(step, uid, shared);
}

/** Nobody falls below the level the operator gave him; answers the level he has from now on. */
function setLevel(step: Step, uid: Uid, earned: Level): Level {
  const account = step.state.accounts.get(uid)!;
  const level = higherLevel(account.grantedLevel, earned);
  if (level === account.profile.level) return level;
  account.profile = { ...account.profile, level };
  // Fees are part of what positions must keep up.
  step.derived.leeway.forget(uid);
  step.emit({ type: 'levelChanged', uid, level });
  return level;
}

const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, amount) => plus(total, amount), ZERO_AMOUNT);

/** Days that no longer count are forgotten on the way. */
function volumesOf({ state, at }: Step, master: Uid): Omit<Standing, 'assets'> {
  const { volumes } = state.levels;
  const today = startOfSettlementDay(at);
  const kept = volumes.get(master)?.filter(({ day }) => day >= today - VOLUME_DAYS * DAY) ?? [];
  if (kept.length > 0) volumes.set(master, kept);
  else volumes.delete(master);
  const ended = kept.filter(({ day }) => day < today);
  return { spotVolume: sum(ended.map(({ spot }) => spot)), futuresVolume: sum(ended.map(({ futures }) => futures)) };
}

/** All that stands in an account's wallets at index, less what it owes, be that more; a coin without a price counts for nothing. */
function assetsOf(state: State, uid: Uid): Amount {
  let assets = ZERO_AMOUNT;
  for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? []) {
    const price = coinPriceOf(state, coin);
    if (price === undefined) continue;
    assets = plus(assets, rateOf(minus(totalOf(wallet), owedIn(state, uid, coin)), price as bigint as Rate, 'down'));
  }
  return assets;
}

function owedIn(state: State, uid: Uid, coin: string): Amount {
  const { principal, interest } = debtOf(state, uid, coin);
  const pairs = [...(state.isolatedPairs.get(uid)?.keys() ?? [])];
  return plus(plus(principal, interest), sum(pairs.map((symbol) => pairOwed(state, { uid, symbol }, coin))));
}
