/** The arguments of public channels. */
import { candleLength } from '../candle-fields.ts';
import { request } from '../endpoint.ts';
import * as field from '../fields.ts';
import * as identifier from '../identifier-fields.ts';
import { categoryWords, futuresCategoryWords } from '../wire-words.ts';

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

export const v3CandleArg = request({ ...v3MarketFields, interval: candleLength });

/** Of all symbols of a category. */
export const liquidationArg = request({
  instType: field.describe('Category, compared without case', field.words(futuresCategoryWords)),
});
