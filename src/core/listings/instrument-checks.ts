/** Checks an instrument before it is listed or changed. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import {
  type Amount,
  MONEY_DECIMALS,
  moneyFromText,
  moneyText,
  ONE_RATE,
} from '../../kernel/money.ts';
import { TIERS_MAX } from '../../messages/bounds.ts';
import type { RowPlace } from '../../messages/command-fields.ts';
import type { Coin, Instrument, Tier } from '../../messages/listings.ts';
import { type Rejection, rejection } from '../../messages/rejections.ts';
import { type FuturesCategory, isFutures } from '../../messages/vocabulary.ts';
import { ORDER_LOTS_MAX } from '../book/order-book.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { UNIT_OF_ACCOUNT } from './coin-checks.ts';
import { countFault, listed, numbersFault } from './listing-numbers.ts';

const SYMBOL = /^[A-Z0-9]{1,40}$/;

/** The quote coin of each category of futures. */
const QUOTES: Readonly<Record<FuturesCategory, string>> = {
  'USDT-FUTURES': 'USDT',
  'USDC-FUTURES': 'USDC',
  'COIN-FUTURES': UNIT_OF_ACCOUNT,
};

function coinsFault(
  coins: ReadonlyMap<string, Coin>,
  { category, baseCoin, quoteCoin, marginCoin }: Instrument,
): Rejection | undefined {
  if (!coins.has(baseCoin)) return rejection('unknownCoin', 'baseCoin', baseCoin);
  if (!coins.has(quoteCoin) && !(category === 'COIN-FUTURES' && quoteCoin === UNIT_OF_ACCOUNT)) {
    return rejection('unknownCoin', 'quoteCoin', quoteCoin);
  }
  if (!coins.has(marginCoin)) return rejection('unknownCoin', 'marginCoin', marginCoin);
  if (baseCoin === quoteCoin) return rejection('fieldInvalid', 'quoteCoin', 'it is the base coin');
  if (isFutures(category) && quoteCoin !== QUOTES[category])
    return rejection('fieldInvalid', 'quoteCoin', QUOTES[category]);
  const settles = category === 'COIN-FUTURES' ? baseCoin : quoteCoin;
  return marginCoin === settles ? undefined : rejection('fieldInvalid', 'marginCoin', settles);
}

/** Multiples of a step are counted in safe integers, so a step has few digits. */
const STEP_DIGITS_MAX = 15;

const STEP_RULE = `at most ${STEP_DIGITS_MAX} digits`;

const isStep = (text: DecimalText): boolean =>
  text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length <= STEP_DIGITS_MAX;

function sizesFault(instrument: Instrument): Rejection | undefined {
  const fault = numbersFault(instrument, {
    priceStep: 'positive',
    sizeStep: 'positive',
    sizeMin: 'positive',
    sizeMax: 'positive',
    marketSizeMax: 'positive',
    followSizeMax: 'positive',
    followSizeMin: 'positive',
  });
  if (fault !== undefined) return fault;
  const step = listed(instrument.sizeStep);
  const min = listed(instrument.sizeMin);
  if (!isStep(instrument.priceStep)) return rejection('fieldInvalid', 'priceStep', STEP_RULE);
  if (!isStep(instrument.sizeStep)) return rejection('fieldInvalid', 'sizeStep', STEP_RULE);
  // A tick of a lot is worth whole units of money, so that the value of a trade is exact.
  if ((listed(instrument.priceStep) * step) % ONE_RATE !== 0n)
    return rejection(
      'fieldInvalid',
      'sizeStep',
      `priceStep × sizeStep has at most ${MONEY_DECIMALS} decimals`,
    );
  if (min % step !== 0n)
    return rejection('fieldInvalid', 'sizeMin', `a multiple of ${instrument.sizeStep}`);
  // The book counts the lots of an order in 31 bits.
  const most = (step * BigInt(ORDER_LOTS_MAX)) as Amount;
  const isTooMuch = (size: DecimalText): boolean => listed(size) / step > BigInt(ORDER_LOTS_MAX);
  if (isTooMuch(instrument.sizeMax))
    return rejection('fieldOutOfRange', 'sizeMax', `at most ${moneyText(most)}`);
  if (min > listed(instrument.sizeMax))
    return rejection('fieldOutOfRange', 'sizeMin', `at most ${instrument.sizeMax}`);
  if (min > listed(instrument.marketSizeMax))
    return rejection('fieldOutOfRange', 'marketSizeMax', `at least ${instrument.sizeMin}`);
  if (isTooMuch(instrument.marketSizeMax))
    return rejection('fieldOutOfRange', 'marketSizeMax', `at most ${moneyText(most)}`);
  const { followSizeMin, followSizeMax } = instrument;
  if (followSizeMin === undefined || followSizeMax === undefined) return undefined;
  return listed(followSizeMin) <= listed(followSizeMax)
    ? undefined
    : rejection('fieldOutOfRange', 'followSizeMin', `at most ${followSizeMax}`);
}

/**
 * A tier begins at the end of the previous one. Its leverage may not rise and its maintenance rate
 * may not fall. Maintenance margin is below initial margin. The first tier allows the maximum
 * leverage of the instrument, so that every leverage setting can be used.
 */
function tierFault(
  instrument: Instrument,
  before: Tier | undefined,
  tier: Tier,
  at: RowPlace,
): Rejection | undefined {
  const fault = numbersFault(
    tier,
    { fromValue: 'amount', toValue: 'positive', leverageMax: 'leverage', maintenanceRate: 'rate' },
    at,
  );
  if (fault !== undefined) return fault;
  const start = before === undefined ? ('0' as DecimalText) : before.toValue;
  if (listed(tier.fromValue) !== listed(start))
    return rejection('fieldInvalid', `${at}.fromValue`, `it is ${start}`);
  if (listed(tier.toValue) <= listed(start))
    return rejection('fieldInvalid', `${at}.toValue`, `above ${start}`);
  const allowed = listed(tier.leverageMax);
  if (before === undefined && allowed !== listed(instrument.leverageMax))
    return rejection('fieldInvalid', `${at}.leverageMax`, `it is ${instrument.leverageMax}`);
  if (before !== undefined && allowed > listed(before.leverageMax))
    return rejection('fieldInvalid', `${at}.leverageMax`, `at most ${before.leverageMax}`);
  if (listed(tier.maintenanceRate) * allowed >= ONE_RATE * ONE_RATE)
    return rejection('fieldInvalid', `${at}.maintenanceRate`, `below 1 / ${tier.leverageMax}`);
  if (before !== undefined && listed(tier.maintenanceRate) < listed(before.maintenanceRate))
    return rejection('fieldInvalid', `${at}.maintenanceRate`, `at least ${before.maintenanceRate}`);
  return undefined;
}

function tiersFault(instrument: Instrument): Rejection | undefined {
  const { category, tiers } = instrument;
  if (tiers.length > TIERS_MAX) return rejection('tooManyItems', 'tiers', `${TIERS_MAX}`);
  if (isFutures(category) && tiers.length === 0) return rejection('fieldMissing', 'tiers');
  for (const [at, tier] of tiers.entries()) {
    const fault = tierFault(instrument, tiers[at - 1], tier, `tiers[${at}]`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Hours must divide a day. Otherwise the last interval before midnight would be shorter, but charge
 * a full rate.
 */
function fundingHoursFault({ category, fundingHours }: Instrument): Rejection | undefined {
  if (!isFutures(category)) return countFault('fundingHours', fundingHours, 0, 24);
  return (
    countFault('fundingHours', fundingHours, 1, 24) ??
    (24 % fundingHours === 0
      ? undefined
      : rejection('fieldInvalid', 'fundingHours', '1, 2, 3, 4, 6, 8, 12 or 24'))
  );
}

export function instrumentFault(
  coins: ReadonlyMap<string, Coin>,
  instrument: Instrument,
): Rejection | undefined {
  const { symbol } = instrument;
  if (!SYMBOL.test(symbol)) return rejection('fieldInvalid', 'symbol', symbol);
  return (
    coinsFault(coins, instrument) ??
    sizesFault(instrument) ??
    numbersFault(instrument, {
      priceBandRate: 'rate',
      leverageMax: 'leverage',
      fundingRateMax: 'rate',
    }) ??
    fundingHoursFault(instrument) ??
    tiersFault(instrument)
  );
}

/** SPOT and MARGIN of a symbol share a book, so their coins and steps must be equal. */
export function siblingFault(
  instruments: ReadonlyMap<string, { readonly instrument: Instrument }>,
  instrument: Instrument,
): Rejection | undefined {
  const { category, symbol } = instrument;
  if (isFutures(category)) return undefined;
  const sibling = instruments.get(instrumentKey(category === 'SPOT' ? 'MARGIN' : 'SPOT', symbol));
  return sibling === undefined ? undefined : changeFault(sibling.instrument, instrument);
}

const FIXED_COINS = ['baseCoin', 'quoteCoin', 'marginCoin'] as const;

const FIXED_STEPS = ['priceStep', 'sizeStep'] as const;

/**
 * The coins and steps of an instrument never change, because open orders and positions count in
 * them. `after` is not checked yet.
 */
export function changeFault(before: Instrument, after: Instrument): Rejection | undefined {
  const field =
    FIXED_COINS.find((name) => before[name] !== after[name]) ??
    FIXED_STEPS.find((name) => listed(before[name]) !== moneyFromText<Amount>(after[name]));
  return field === undefined ? undefined : rejection('fieldInvalid', field, 'it is fixed');
}
