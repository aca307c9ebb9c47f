/**
 * The fields of coins and instruments in operator calls. Their decoded values are the listings of
 * `messages/listings.ts`.
 */

import { CHAINS_PER_COIN_MAX, TIERS_MAX } from '../messages/bounds.ts';
import { ADDRESS_KINDS, LEVELS } from '../messages/vocabulary.ts';
import * as field from './fields.ts';
import { scalar } from './fields.ts';
import type { Field } from './fields-reader.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { described, listOf, object, sometimes, text, truth, wholeNumber, word } from './shapes.ts';
import { categoryWords, levelWords, wordOf } from './wire-words.ts';

const WHOLE = /^\d{1,9}$/;
const whole = (): Field<number, number> =>
  scalar<number, number>({ type: 'integer' }, (input) =>
    WHOLE.test(input) ? Number.parseInt(input, 10) : undefined,
  );

const decimal = (description: string) => field.describe(description, number.decimal());
const flag = (description: string) => field.describe(description, field.flag());
const count = (description: string) => field.describe(description, whole());

const chain = {
  chain: field.describe('Network', identifier.chain()),
  addressKind: field.describe('Format of addresses', field.sameWords(ADDRESS_KINDS)),
  needsTag: flag('Whether an address requires a tag'),
  depositOpen: flag('Whether deposits are open'),
  withdrawOpen: flag('Whether withdrawals are open'),
  withdrawFee: decimal('Fee of a withdrawal'),
  withdrawMin: decimal('Smallest withdrawal'),
  depositMin: decimal('Smallest deposit'),
  withdrawStep: decimal('Withdrawals are multiples of this'),
  withdrawDecimals: count('Decimal places of a withdrawal'),
  depositConfirmations: count('Confirmations that a deposit requires'),
  withdrawConfirmations: count('Confirmations that a withdrawal requires'),
};

const dailyLimit = {
  level: field.describe('Level', field.words(levelWords)),
  limit: decimal('In USD, over all coins'),
};

export const coinListing = {
  coin: field.describe('Coin', identifier.coin()),
  collateralRate: decimal('Collateral rate of a positive balance; 0.95 means 95 %'),
  leverage: decimal('Initial borrowing leverage'),
  leverageMax: decimal('Largest borrowing leverage'),
  automaticLimitUsd: decimal('Withdrawals up to this value in USD are sent without approval'),
  singleLimitUsd: decimal('Largest single withdrawal in USD'),
  chains: field.describe('Networks', field.listOf(field.objectOf(chain), CHAINS_PER_COIN_MAX)),
  secondApprovalUsd: field.describe(
    'Withdrawals above this value in USD need two operators',
    field.optional(number.decimal()),
  ),
  houseDailyLimitUsd: field.describe(
    'Value in USD that is sent without approval in a day, over all users; further withdrawals wait for an operator',
    field.optional(number.decimal()),
  ),
  dailyLimitsUsd: field.describe(
    'Daily withdrawal limit of a user of this level, in USD, if it differs from the default',
    field.optional(field.listOf(field.objectOf(dailyLimit), LEVELS.length)),
  ),
  hourlyInterestRate: field.describe(
    'Hourly interest rate of a loan',
    field.optional(number.decimal()),
  ),
};

const tier = {
  fromValue: decimal('Lower bound of the position values in the tier'),
  toValue: decimal('Upper bound of the position values in the tier'),
  leverageMax: decimal('Largest leverage in the tier'),
  maintenanceRate: decimal('Maintenance margin rate of the tier'),
};

export const instrumentListing = {
  category: field.describe('Category', field.words(categoryWords)),
  symbol: field.describe('Symbol', identifier.symbol()),
  baseCoin: field.describe('Base coin', identifier.coin()),
  quoteCoin: field.describe('Quote coin', identifier.coin()),
  marginCoin: field.describe(
    'Coin of margin and profit; the quote coin for spot and margin',
    identifier.coin(),
  ),
  priceStep: decimal('Prices are multiples of this'),
  sizeStep: decimal('Sizes are multiples of this'),
  sizeMin: decimal('Smallest size of an order'),
  sizeMax: decimal('Largest size of one limit order'),
  marketSizeMax: decimal('Largest size of one market order'),
  priceBandRate: decimal(
    'Largest distance of a limit price from the reference price; 0.05 means 5 %',
  ),
  leverageMax: decimal('Largest leverage'),
  fundingHours: count('Hours between fundings, a divisor of 24; 0 for spot and margin'),
  tiers: field.describe('Maintenance tiers', field.listOf(field.objectOf(tier), TIERS_MAX)),
  followSizeMax: field.describe(
    'Largest size of one copied order',
    field.optional(number.decimal()),
  ),
  followSizeMin: field.describe(
    'Smallest size of one copied order',
    field.optional(number.decimal()),
  ),
  fundingRateMax: field.describe(
    'Largest absolute funding rate; the default of the exchange when left out',
    field.optional(number.decimal()),
  ),
};

export const coinListingShape = {
  coin: text('Coin'),
  collateralRate: text('Collateral rate of a positive balance'),
  leverage: text('Initial borrowing leverage'),
  leverageMax: text('Largest borrowing leverage'),
  automaticLimitUsd: text('Withdrawals up to this value in USD are sent without approval'),
  singleLimitUsd: text('Largest single withdrawal in USD'),
  chains: listOf(
    object({
      chain: text('Network'),
      addressKind: word(ADDRESS_KINDS, 'Format of addresses'),
      needsTag: truth('Whether an address requires a tag'),
      depositOpen: truth('Whether deposits are open'),
      withdrawOpen: truth('Whether withdrawals are open'),
      withdrawFee: text('Fee of a withdrawal'),
      withdrawMin: text('Smallest withdrawal'),
      depositMin: text('Smallest deposit'),
      withdrawStep: text('Withdrawals are multiples of this'),
      withdrawDecimals: wholeNumber('Decimal places of a withdrawal'),
      depositConfirmations: wholeNumber('Confirmations that a deposit requires'),
      withdrawConfirmations: wholeNumber('Confirmations that a withdrawal requires'),
    }),
  ),
  secondApprovalUsd: sometimes(text('Withdrawals above this value in USD need two operators')),
  houseDailyLimitUsd: sometimes(
    text('Value in USD that is sent without approval in a day, over all users'),
  ),
  dailyLimitsUsd: described(
    'Daily withdrawal limit of a user by level',
    listOf(object({ level: wordOf(levelWords, 'Level'), limit: text('In USD, over all coins') })),
  ),
  hourlyInterestRate: sometimes(text('Hourly interest rate of a loan')),
};

export const instrumentListingShape = {
  category: wordOf(categoryWords, 'Category'),
  symbol: text('Symbol'),
  baseCoin: text('Base coin'),
  quoteCoin: text('Quote coin'),
  marginCoin: text('Coin of margin and profit'),
  priceStep: text('Prices are multiples of this'),
  sizeStep: text('Sizes are multiples of this'),
  sizeMin: text('Smallest size of an order'),
  sizeMax: text('Largest size of one limit order'),
  marketSizeMax: text('Largest size of one market order'),
  priceBandRate: text('Largest distance of a limit price from the reference price; 0.05 means 5 %'),
  leverageMax: text('Largest leverage'),
  fundingHours: wholeNumber('Hours between fundings'),
  tiers: listOf(
    object({
      fromValue: text('Lower bound of the position values in the tier'),
      toValue: text('Upper bound of the position values in the tier'),
      leverageMax: text('Largest leverage in the tier'),
      maintenanceRate: text('Maintenance margin rate of the tier'),
    }),
  ),
  followSizeMax: sometimes(text('Largest size of one copied order')),
  followSizeMin: sometimes(text('Smallest size of one copied order')),
  fundingRateMax: sometimes(text('Largest absolute funding rate')),
};
