/** Settings of futures trading (v2): leverage, margin mode, position mode. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text } from './shapes.ts';
import {
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const group = 'Futures settings';
const limit = perSecond(5);
const rules = ['API-23'] as const;

const productType = field.describe('Product type', field.words(futuresCategoryWords));
const market = {
  symbol: field.describe('Trading pair', identifier.symbol()),
  productType,
  marginCoin: field.describe('Margin coin', identifier.coin()),
};

const leverages = {
  symbol: text('Trading pair'),
  marginCoin: text('Margin coin'),
  longLeverage: text('Leverage of an isolated long position'),
  shortLeverage: text('Leverage of an isolated short position'),
};

export const futuresSettingsRows = {
  setFuturesLeverage: endpoint({
    method: 'POST',
    path: '/api/v2/mix/account/set-leverage',
    group,
    summary: 'Set the leverage of a trading pair',
    access: 'futures.write',
    limit,
    request: request({
      ...market,
      leverage: field.describe('Leverage', field.optional(number.decimal())),
      longLeverage: field.describe(
        'Leverage of the long side (isolated, hedge mode)',
        field.optional(number.decimal()),
      ),
      shortLeverage: field.describe(
        'Leverage of the short side (isolated, hedge mode)',
        field.optional(number.decimal()),
      ),
      holdSide: field.describe(
        'Side that `leverage` applies to (isolated, hedge mode)',
        field.optional(field.words(positionSideWords)),
      ),
    }),
    example: { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT', leverage: '10' },
    response: object({
      ...leverages,
      crossMarginLeverage: text('Leverage in crossed mode'),
      marginMode: wordOf(marginModeWords, 'Margin mode'),
    }),
    rules: [...rules, 'ACC-14', 'ACC-15', 'ACC-19', 'ACC-26'],
  }),

  setFuturesMarginMode: endpoint({
    method: 'POST',
    path: '/api/v2/mix/account/set-margin-mode',
    group,
    summary: 'Set the margin mode of a trading pair',
    access: 'futures.write',
    limit,
    request: request({
      ...market,
      marginMode: field.describe('Margin mode', field.words(marginModeWords)),
    }),
    response: object({ ...leverages, marginMode: wordOf(marginModeWords, 'Margin mode') }),
    rules: [...rules, 'ACC-13', 'ACC-18', 'ACC-20', 'ACC-26'],
  }),

  setFuturesPositionMode: endpoint({
    method: 'POST',
    path: '/api/v2/mix/account/set-position-mode',
    group,
    summary: 'Set the position mode of the account',
    access: 'futures.write',
    limit,
    request: request({
      productType,
      posMode: field.describe('Position mode', field.words(positionModeWords)),
    }),
    response: object({ posMode: wordOf(positionModeWords, 'Position mode') }),
    rules: [...rules, 'ACC-17', 'ACC-18', 'ACC-20'],
  }),
} as const;
