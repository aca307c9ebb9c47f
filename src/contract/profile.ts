/** Who the caller is, and what trading costs him. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import { categoryWords } from './wire-words.ts';

const group = 'Unified account';
const rules = ['API-53'] as const;

const symbol = field.describe('Symbol', identifier.symbol());
const feeRates = { makerFeeRate: text('Maker fee rate'), takerFeeRate: text('Taker fee rate') };

const holder = {
  userId: text('User ID'),
  inviterId: text('Who invited the user; empty when nobody did'),
  parentId: text('Master account; empty for a master'),
  channelCode: text('Referral code the user registered with; empty without one'),
  channel: text('Where the user came from'),
  ips: text('Addresses the key may be used from; empty for all'),
  regisTime: text('Registration time (ms)'),
};

export const profileRows = {
  getProfile: endpoint({
    method: 'GET',
    path: '/api/v3/account/info',
    group,
    summary: 'Get who the key belongs to and what it may do',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({}),
    response: object({
      ...holder,
      permType: word(['read-only', 'read-and-write'], 'Whether the key may write'),
      permissions: listOf(text('Permission')),
    }),
    rules,
  }),

  getClassicProfile: endpoint({
    method: 'GET',
    path: '/api/v2/spot/account/info',
    group: 'Spot orders',
    summary: 'Get who the key belongs to and what it may do (v2)',
    access: 'uta_mgt.read',
    limit: perSecond(1),
    request: request({}),
    response: object({
      ...holder,
      authorities: listOf(word(['trade', 'readonly'], 'Whether the key may write')),
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
