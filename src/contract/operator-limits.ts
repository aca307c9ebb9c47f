/**
 * The operator API for thresholds of the daily number of orders, and the accounts that reached one.
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

/** More than any account can place in a day within its limits. */
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
    summary:
      'Set the thresholds of the daily number of orders; a threshold that is left out is off',
    access: 'operator',
    request: exact(
      request({
        warn: threshold(
          'Number of orders of a master and its sub-accounts at which the operator gets a warning',
        ),
        restrict: threshold(
          'Number of orders at which new orders are refused, also for the simulated market; not below `warn`',
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
    summary:
      'Get the thresholds of the daily number of orders, and the accounts that have reached one today (UTC)',
    access: 'operator',
    request: request({}),
    response: object({
      warn: sometimes(wholeNumber('Threshold of the warning; absent if it is off')),
      restrict: sometimes(wholeNumber('Threshold of the restriction; absent if it is off')),
      reached: described(
        'Accounts that have reached a threshold, newest first',
        listOf(
          object({
            uid: text('Master account'),
            threshold: word(['warn', 'restrict'], 'Threshold'),
            count: wholeNumber('Orders of the day at that time'),
            time: text('Time (ms)'),
          }),
        ),
      ),
    }),
    rules,
  }),
} as const;
