/** The arguments of public channels. */
import { request } from '../endpoint.ts';
import * as field from '../fields.ts';
import * as identifier from '../identifier-fields.ts';
import { categoryWords } from '../wire-words.ts';

const instType = field.describe('Category, compared without case', field.words(categoryWords));

export const v2MarketArg = request({
  instType,
  instId: field.describe('Symbol', identifier.symbol()),
});

const v3MarketFields = {
  instType,
  symbol: field.describe('Symbol', identifier.symbol()),
};
export const v3MarketArg = request(v3MarketFields);
