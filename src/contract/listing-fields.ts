/**
 * The fields of coins and instruments as the operator writes and reads them; the decoded values are
 * the listings of `messages/listings.ts`.
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
  addressKind: field.describe('Which rules an address obeys', field.sameWords(ADDRESS_KINDS)),
  needsTag: flag('Whether an address needs a tag'),
  depositOpen: flag('Whether deposits are open'),
  withdrawOpen: flag('Whether withdrawals are open'),
  withdrawFee: decimal('Fee of a withdrawal'),
  withdrawMin: decimal('Smallest withdrawal'),
  depositMin: decimal('Smallest deposit'),
  withdrawStep: decimal('Withdrawals are multiples of this'),
  withdrawDecimals: count('Decimal places of a withdrawal'),
  depositConfirmations: count('Confirmations after which a deposit counts'),
  withdrawConfirmations: count('Confirmations after which a withdrawal counts'),
};

const dailyLimit = {
  level: field.describe('Level', field.words(levelWords)),
  limit: decimal('In USD, over all coins'),
};

export const coinListing = {
  coin: field.describe('Coin', identifier.coin()),
  collateralRate: decimal('How much of a positive balance counts as collateral: 0.95 means 95 %'),
  leverage: decimal('Initial leverage of borrowing'),
  leverageMax: decimal('Largest leverage of borrowing'),
  automaticLimitUsd: decimal('Withdrawals up to this value in USD go out by themselves'),
  singleLimitUsd: decimal('Largest single withdrawal in USD'),
  chains: field.describe('Networks', field.listOf(field.objectOf(chain), CHAINS_PER_COIN_MAX)),
  secondApprovalUsd: field.describe(
    'Withdrawals above this value in USD need two operators',
    field.optional(number.decimal()),
  ),
  houseDailyLimitUsd: field.describe(
    'What goes out by itself in a day, over all users, in USD; beyond it withdrawals wait for an operator',
    field.optional(number.decimal()),
  ),
  dailyLimitsUsd: field.describe(
    'What a user of a level may withdraw in a day, in USD, where it differs from the usual',
    field.optional(field.listOf(field.objectOf(dailyLimit), LEVELS.length)),
  ),
  hourlyInterestRate: field.describe(
    'Interest of a loan in each full hour',
    field.optional(number.decimal()),
  ),
};

const tier = {
  fromValue: decimal('The tier holds the part of a position value above this'),
  toValue: decimal('… and up to this'),
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
  priceBandRate: decimal('A limit price lies within the reference price times 1 ± this'),
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
    "Funding rates lie within plus and minus this; the exchange's own when left out",
    field.optional(number.decimal()),
  ),
};

export const coinListingShape = {
  coin: text('Coin'),
  collateralRate: text('How much of a positive balance counts as collateral'),
  leverage: text('Initial leverage of borrowing'),
  leverageMax: text('Largest leverage of borrowing'),
  automaticLimitUsd: text('Withdrawals up to this value in USD go out by themselves'),
  singleLimitUsd: text('Largest single withdrawal in USD'),
  chains: listOf(
    object({
      chain: text('Network'),
      addressKind: word(ADDRESS_KINDS, 'Which rules an address obeys'),
      needsTag: truth('Whether an address needs a tag'),
      depositOpen: truth('Whether deposits are open'),
      withdrawOpen: truth('Whether withdrawals are open'),
      withdrawFee: text('Fee of a withdrawal'),
      withdrawMin: text('Smallest withdrawal'),
      depositMin: text('Smallest deposit'),
      withdrawStep: text('Withdrawals are multiples of this'),
      withdrawDecimals: wholeNumber('Decimal places of a withdrawal'),
      depositConfirmations: wholeNumber('Confirmations after which a deposit counts'),
      withdrawConfirmations: wholeNumber('Confirmations after which a withdrawal counts'),
    }),
  ),
  secondApprovalUsd: sometimes(text('Withdrawals above this value in USD need two operators')),
  houseDailyLimitUsd: sometimes(text('What goes out by itself in a day, over all users, in USD')),
  dailyLimitsUsd: described(
    'What a user of each level may withdraw in a day',
    listOf(object({ level: wordOf(levelWords, 'Level'), limit: text('In USD, over all coins') })),
  ),
  hourlyInterestRate: sometimes(text('Interest of a loan in each full hour')),
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
  priceBandRate: text('A limit price lies within the reference price times 1 ± this'),
  leverageMax: text('Largest leverage'),
  fundingHours: wholeNumber('Hours between fundings'),
  tiers: listOf(
    object({
      fromValue: text('The tier holds the part of a position value above this'),
      toValue: text('… and up to this'),
      leverageMax: text('Largest leverage in the tier'),
      maintenanceRate: text('Maintenance margin rate of the tier'),
    }),
  ),
  followSizeMax: sometimes(text('Largest size of one copied order')),
  followSizeMin: sometimes(text('Smallest size of one copied order')),
  fundingRateMax: sometimes(text('Funding rates lie within plus and minus this')),
};
