/**
 * What each master and its sub-accounts have traded, day by day, in USD: levels are reckoned from
 * it.
 */
import { isDollar } from '../../formulas/index-price.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, plus, type Rate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { FillRow } from '../../messages/orders.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { isEarning } from '../agents/accrue-fees.ts';
import { accountOf } from '../derived/lookups.ts';
import { coinPriceOf } from '../derived/coin-prices.ts';
import type { DayVolume } from '../state/levels.ts';
import type { State } from '../state/state.ts';
import type { Reaction, Step } from '../transaction/step.ts';

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
