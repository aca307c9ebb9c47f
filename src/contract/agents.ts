/** Agents: their customers, and what they earn from them. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, wholeNumber } from './shapes.ts';
import { affiliationWords, categoryWords, levelWords, wordOf } from './wire-words.ts';

/** No agent has so many customers in thirty days. */
const PAGES_MAX = 10_000;

const group = 'Agent';
const startTime = field.describe(
  'From (ms); given together with `endTime`; the default is yesterday, UTC+8',
  field.optional(number.timestamp()),
);
const endTime = field.describe(
  'To (ms); at most 30 days after the start',
  field.optional(number.timestamp()),
);
const showSub = field.describe(
  'Includes customers of direct customers',
  field.withDefault(field.yesOrNo(), false, 'no'),
);
const uid = field.describe('Only this customer', field.optional(identifier.namedUid()));

const listAgentCustomers = endpoint({
  method: 'POST',
  path: '/api/broker/v1/agent/customerList',
  aliases: ['/api/v2/broker/customer-list'],
  group,
  summary: 'Get customers of an agent',
  access: 'broker.read',
  limit: perSecond(10),
  request: request({
    startTime,
    endTime,
    pageNo: field.describe('Page number', number.pageNumber(PAGES_MAX)),
    pageSize: number.pageSize(100, 1_000),
    uid,
    referralCode: field.describe('Referral code', field.optional(field.text(64))),
    showSub,
  }),
  response: listOf(
    object({
      uid: wholeNumber('UID of the customer, a JSON number because clients require it'),
      registerTime: text('Registration time (ms)'),
    }),
  ),
  rules: ['API-20', 'API-21', 'AGT-03', 'AGT-04', 'AGT-05', 'AGT-06', 'AGT-07', 'AGT-08'],
});

const getRebateRatios = endpoint({
  method: 'GET',
  path: '/api/v2/broker/rebate-info',
  group,
  summary: 'Get level and rebate ratios of a customer',
  access: 'broker.read',
  limit: perSecond(20),
  request: request({ uid: field.describe('Customer', identifier.namedUid()) }),
  response: object({
    affiliationType: wordOf(affiliationWords, 'Channel through which the customer registered'),
    userLevel: wordOf(levelWords, 'Level of the customer'),
    clientSpotRebateRatio: text('Rebate ratio on spot fees; 0.07 means 7 %'),
    clientFuturesRebateRatio: text('Rebate ratio on futures fees'),
  }),
  rules: ['API-20', 'AGT-03', 'AGT-10', 'AGT-11', 'AGT-12'],
});

const listAgentCommissions = endpoint({
  method: 'GET',
  path: '/api/broker/v1/agent/customer-commissions',
  aliases: ['/api/v2/broker/customer-commissions'],
  group,
  summary: 'Get commissions on customers',
  access: 'broker.read',
  limit: perSecond(10),
  request: request({
    startTime,
    endTime,
    idLessThan: field.describe(
      '`endId` of the previous page, for older rows',
      field.optional(identifier.pageCursor()),
    ),
    limit: number.pageSize(100, 1_000),
    uid,
    coin: field.describe('Coin of the fee', field.optional(identifier.coin())),
    symbol: field.describe(
      'Symbol with the suffix of its market: _SPBL, _SPBL-MABL, _UMCBL, _DMCBL or _CMCBL',
      field.optional(identifier.symbol()),
    ),
    showSub,
  }),
  response: object({
    commissionList: listOf(
      object({
        uid: text('Customer'),
        date: text('Trading day of the fees (UTC+8, ms)'),
        coin: text('Coin of the fee'),
        symbol: text('Symbol with the suffix of its market'),
        productType: wordOf(categoryWords, 'Market'),
        dealAmount: text('Traded value'),
        fee: text('Trading fee'),
        feeDeduction: text('Fee deducted'),
        activityBonusDeduct: text('Offset by experience funds'),
        spotCouponDeduct: text('Offset by spot cashback coupons'),
        futuresCouponDeduct: text('Offset by futures coupons'),
        spotFeeDiscountDeduct: text('Reduced by spot fee discounts'),
        negativeMakerFeeDeduct: text('Offset by negative maker fees'),
        feePaid: text('Fee paid'),
        rebateAmount: text('Commission of the agent'),
        userTotalRebateAmount: text('Share that the customer gets back'),
        dayTotalRebateAmount: text('Total of the day'),
        totalRebateAmount: text('Total of all days'),
      }),
    ),
    endId: text('Last row ID; pass back as `idLessThan`'),
  }),
  rules: ['API-20', 'API-21', 'AGT-03', 'AGT-05', 'AGT-13', 'AGT-14', 'AGT-16', 'AGT-17'],
});

export const agentRows = { listAgentCustomers, getRebateRatios, listAgentCommissions } as const;
