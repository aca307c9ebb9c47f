/** The arguments of private channels. */
import type { Category, Permission } from '../../messages/vocabulary.ts';
import { request } from '../endpoint.ts';
import * as field from '../fields.ts';
import * as identifier from '../identifier-fields.ts';
import { futuresCategoryWords } from '../wire-words.ts';

const DEFAULT = 'DEFAULT';
const all = field.words({ default: 'default' });
const symbol = field.describe(
  'Symbol; `default` or nothing for all',
  field.optional(identifier.symbol()),
);

/** Some clients send `coin` in place of `instId`. */
const ofAllCoins = field.describe('`default`, in place of `instId`', field.optional(all));

export const v2UserArg = request({
  instType: field.describe(
    'Category, compared without case',
    field.words({ SPOT: 'SPOT', ...futuresCategoryWords }),
  ),
  instId: symbol,
  coin: ofAllCoins,
});

export const v2PositionArg = request({
  instType: field.describe('Category, compared without case', field.words(futuresCategoryWords)),
  instId: symbol,
  coin: ofAllCoins,
});

const margin = field.describe('`MARGIN`', field.words({ MARGIN: 'MARGIN' }));
export const v2MarginArg = request({ instType: margin, instId: symbol, coin: ofAllCoins });

const coin = field.describe(
  'Coin; `default` or nothing for all',
  field.optional(identifier.coin()),
);
const ofAllSymbols = field.describe('`default`, in place of `coin`', field.optional(all));
export const v2MarginAccountArg = request({ instType: margin, coin, instId: ofAllSymbols });

export const v2AccountArg = request({
  instType: field.describe(
    'Category, compared without case',
    field.words({ SPOT: 'SPOT', ...futuresCategoryWords }),
  ),
  coin,
  instId: ofAllSymbols,
});

export const v3UserArg = request({
  instType: field.describe('`UTA`, compared without case', field.words({ UTA: 'UTA' })),
  symbol: field.describe('`default` or nothing', field.optional(all)),
});

/** The symbol or coin that an argument names; undefined for all. */
export const namedIn = (given: string | undefined): string | undefined =>
  given === DEFAULT ? undefined : given;

/** The permission that shows the rows of a category in v2. */
export const permissionByCategory =
  (spot: Permission) =>
  ({ instType }: { readonly instType: Category }): Permission =>
    instType === 'SPOT' ? spot : 'futures.read';
