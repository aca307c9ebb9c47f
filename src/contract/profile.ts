/** The profile of the caller, and its fee rates. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { categoryWords } from './wire-words.ts';

const group = 'Unified account';
const rules = ['API-53'] as const;

const symbol = field.describe('Symbol', identifier.symbol());
const feeRates = { makerFeeRate: text('Maker fee rate'), takerFeeRate: text('Taker fee rate') };

const profileFields = {
  userId: text('User ID'),
  inviterId: text('User that invited this user; empty if there is none'),
  parentId: text('Master account; empty for a master'),
  channelCode: text('Referral code the user registered with; empty without one'),
  channel: text('Channel through which the user registered'),
  ips: text('Addresses the key may be used from; empty for all'),
  regisTime: text('Registration time (ms)'),
};

export const profileRows = {
  getProfile: endpoint({
    method: 'GET',
    path: '/api/v3/account/info',
    group,
    summary: 'Get the user and the permissions of the key',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({}),
    response: object({
      ...profileFields,
      permType: word(['read-only', 'read-and-write'], 'Read-write or read-only'),
      permissions: listOf(text('Permission')),
    }),
    rules,
  }),

  getClassicProfile: endpoint({
    method: 'GET',
    path: '/api/v2/spot/account/info',
    group: 'Spot orders',
    summary: 'Get the user and the permissions of the key (v2)',
    access: 'uta_mgt.read',
    limit: perSecond(1),
    request: request({}),
    response: object({
      ...profileFields,
      authorities: listOf(word(['trade', 'readonly'], 'Read-write or read-only')),
      traderType: word(['trader', 'not_trader'], 'Whether the user is an elite trader'),
    }),
    rules,
  }),

  getFeeRate: endpoint({
    method: 'GET',
    path: '/api/v3/account/fee-rate',
    group,
    summary: 'Get the fee rates of the caller in a symbol',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({ category: field.describe('Category', field.words(categoryWords)), symbol }),
    response: object(feeRates),
    rules: [...rules, 'POS-160'],
  }),

  listFeeRates: endpoint({
    method: 'GET',
    path: '/api/v3/account/all-fee-rate',
    group,
    summary: 'Get the fee rates of the caller in every symbol of a category',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      category: field.describe('Category', field.words(categoryWords)),
      symbol: field.describe('All symbols when left out', field.optional(identifier.symbol())),
    }),
    response: listOf(object({ symbol: text('Symbol'), ...feeRates })),
    rules: [...rules, 'POS-160'],
  }),

  getTradeRate: endpoint({
    method: 'GET',
    path: '/api/v2/common/trade-rate',
    group,
    summary: 'Get the fee rates of the caller in a trading pair',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({
      symbol,
      businessType: field.describe('Market', field.sameWords(['mix', 'spot', 'margin'])),
    }),
    response: object(feeRates),
    rules: [...rules, 'POS-160'],
  }),
} as const;
