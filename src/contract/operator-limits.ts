/**
 * The operator plane, limits: thresholds of the daily number of orders, and who has reached one.
 */
import { endpoint, exact, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as number from './number-fields.ts';
import {
  described,
  listOf,
  nothing,
  object,
  sometimes,
  text,
  wholeNumber,
  word,
} from './shapes.ts';

/** More than any account places in a day at the limits there are. */
const DAILY_ORDERS_MAX = 100_000_000;

const group = 'Operator: limits';
const rules = ['API-26', 'ORD-38', 'ORD-39'] as const;
const threshold = (description: string) =>
  field.describe(description, field.optional(number.countUpTo(DAILY_ORDERS_MAX)));

export const operatorLimitRows = {
  setDailyOrders: endpoint({
    method: 'POST',
    path: '/operator/v1/daily-orders',
    group,
    summary: 'Set the thresholds of the daily number of orders; one that is left out is off',
    access: 'operator',
    request: exact(
      request({
        warn: threshold(
          'The operator is told when a master and its sub-accounts have placed so many',
        ),
        restrict: threshold(
          'From so many on new orders are refused, those of the simulated market too; not below `warn`',
        ),
      }),
    ),
    response: nothing,
    rules: [...rules, 'API-58'],
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
} as const;
