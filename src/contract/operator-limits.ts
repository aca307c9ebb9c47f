/** The operator plane, limits and fees: thresholds of the daily number of orders, who has reached one, and what each level pays. */
import { FEE_MARKETS } from '../messages/fees.ts';
import { LEVELS } from '../messages/vocabulary.ts';
import { endpoint, request } from './endpoint.ts';
import * as field from './fields.ts';
import { described, listOf, nothing, object, sometimes, text, wholeNumber, word } from './shapes.ts';

/** More than any account places in a day at the limits there are. */
const DAILY_ORDERS_MAX = 100_000_000;

const group = 'Operator: limits';
const rules = ['API-26', 'ORD-38', 'ORD-39'] as const;
const threshold = (description: string) => field.describe(description, field.optional(field.countUpTo(DAILY_ORDERS_MAX)));

const feeRules = ['API-26', 'POS-26', 'POS-87'] as const;
const feeTable = (market: string) =>
  described(
    `Of ${market}, the first level first`,
    listOf(object({ level: word(LEVELS, 'Level'), maker: text('Maker fee rate'), taker: text('Taker fee rate') })),
  );

export const operatorLimitRows = {
  setDailyOrders: endpoint({
    method: 'POST',
    path: '/operator/v1/daily-orders',
    group,
    summary: 'Set the thresholds of the daily number of orders; one that is left out is off',
    access: 'operator',
    request: request({
      warn: threshold('The operator is told when a master and its sub-accounts have placed so many'),
      restrict: threshold('From so many on new orders are refused; not below `warn`'),
    }),
    response: nothing,
    rules,
  }),

  getDailyOrders: endpoint({
    method: 'GET',
    path: '/operator/v1/daily-orders',
    group,
    summary: 'Thresholds of the daily number of orders, and who has reached one today (UTC)',
    access: 'operator',
    request: request({}),
    response: object({
      warn: sometimes(wholeNumber('Threshold of the warning; left out when it is off')),
      restrict: sometimes(wholeNumber('Threshold of the restriction; left out when it is off')),
      reached: described(
        'Who has reached a threshold, newest first',
        listOf(
          object({
            uid: text('Master account'),
            threshold: word(['warn', 'restrict'], 'Which threshold'),
            count: wholeNumber('Orders of the day at that moment'),
            time: text('Time (ms)'),
          }),
        ),
      ),
    }),
    rules,
  }),

  setFees: endpoint({
    method: 'POST',
    path: '/operator/v1/fees',
    group,
    summary: 'Set what levels pay from now on; levels that are left out pay what they paid',
    access: 'operator',
    request: request({
      market: field.describe('Spot and margin, or futures', field.sameWords(FEE_MARKETS)),
      rates: field.describe(
        'Each level pays no more than the one before it',
        field.listOf(
          field.objectOf({
            level: field.describe('Level', field.sameWords(LEVELS)),
            maker: field.describe('Maker fee rate: 0.0002 is 0.02 %; no more than the taker fee rate', field.decimal()),
            taker: field.describe('Taker fee rate, 0.1 at most', field.decimal()),
          }),
          LEVELS.length,
          1,
        ),
      ),
    }),
    response: nothing,
    rules: feeRules,
  }),

  getFees: endpoint({
    method: 'GET',
    path: '/operator/v1/fees',
    group,
    summary: 'What each level pays',
    access: 'operator',
    request: request({}),
    response: object({ spot: feeTable('spot and margin'), futures: feeTable('futures') }),
    rules: feeRules,
  }),
} as const;
