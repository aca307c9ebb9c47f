/** What collateral counts for and what loans of the wallet cost (v2 and v3). */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import { listOf, object, text, truth } from './shapes.ts';

const coin = field.describe('Coin', field.coin());

export const borrowingRows = {
  listDiscountRates: endpoint({
    method: 'GET',
    path: '/api/v3/market/discount-rate',
    group: 'Market',
    summary: 'Get the share of each coin that counts as margin',
    access: 'anybody',
    limit: perSecond(20, 'ip'),
    request: request({}),
    response: listOf(
      object({
        coin: text('Coin'),
        list: listOf(
          object({
            tierStartValue: text('From this value in USD on'),
            discountRate: text('Share of the value that counts as margin, 0 to 1'),
          }),
        ),
      }),
    ),
    rules: ['ACC-36'],
  }),

  listCrossedRates: endpoint({
    method: 'GET',
    path: '/api/v2/margin/crossed/interest-rate-and-limit',
    group: 'Unified account',
    summary: 'Get what loans of a coin cost and how large they may be, as a list of one',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({ coin }),
    response: listOf(
      object({
        coin: text('Coin'),
        leverage: text('Largest leverage'),
        transferable: truth('Whether it can be transferred'),
        borrowable: truth('Whether the caller can borrow anything of it now'),
        dailyInterestRate: text('Interest of 24 hours'),
        annualInterestRate: text('Interest of 365 days'),
        maxBorrowableAmount: text('The most that the caller may borrow of it now'),
        vipList: listOf(
          object({
            level: text('Fee level'),
            limit: text('Largest loan'),
            dailyInterestRate: text('Interest of 24 hours'),
            annualInterestRate: text('Interest of 365 days'),
            discountRate: text('Share of the interest that the level pays'),
          }),
        ),
      }),
    ),
    rules: ['ACC-37', 'ACC-38'],
  }),

  getLoanRate: endpoint({
    method: 'GET',
    path: '/api/v3/market/margin-loans',
    group: 'Market',
    summary: 'Get what loans of a coin cost',
    access: 'anybody',
    limit: perSecond(20, 'ip'),
    request: request({ coin }),
    response: object({
      dailyInterest: text('Interest of 24 hours'),
      annualInterest: text('Interest of 365 days'),
      limit: text('The largest amount of a coin that the exchange keeps'),
    }),
    rules: ['ACC-37'],
  }),
} as const;
