/** What each master and its sub-accounts have traded, day by day, in USD: levels are reckoned from it. */
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, plus, type Rate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { startOfSettlementDay } from '../../kernel/time.ts';
import type { FillRow } from '../../messages/orders.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { masterOf } from '../accounts/sub-accounts.ts';
import { isEarning } from '../agents/accrue-fees.ts';
import { termsFor } from '../derived.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import { coinPriceOf, isDollar } from '../prices/coin-prices.ts';
import type { State } from '../state.ts';
import type { Reaction, Step } from '../step.ts';
import type { DayVolume } from './levels.ts';

function today({ state, at }: Step, master: Uid): DayVolume {
  const days = state.levels.volumes.get(master) ?? [];
  if (days.length === 0) state.levels.volumes.set(master, days);
  const day = startOfSettlementDay(at);
  const last = days.at(-1);
  if (last?.day === day) return last;
  const volume: DayVolume = { day, spot: ZERO_AMOUNT, futures: ZERO_AMOUNT };
  days.push(volume);
  return volume;
}

function inUsd(state: State, quoteCoin: string, value: Amount): Amount {
  if (isDollar(quoteCoin)) return value;
  const price = coinPriceOf(state, quoteCoin);
  return price === undefined ? ZERO_AMOUNT : rateOf(value, price as bigint as Rate, 'down');
}

/** What earns an agent nothing does not lift a level either. */
export const countVolume: Reaction<'fillSettled'> = (step, { fill }) => {
  if (!isEarning(fill)) return;
  const volume = today(step, masterOf(step.state, fill.uid));
  const value = inUsd(step.state, quoteCoinOf(step, fill), fill.value);
  if (isFutures(fill.category)) volume.futures = plus(volume.futures, value);
  else volume.spot = plus(volume.spot, value);
};

const quoteCoinOf = ({ derived }: Step, { category, symbol }: FillRow): string =>
  termsFor(derived, instrumentKey(category, symbol)).instrument.quoteCoin;
