/** Collateral rates of coins, and the cost of wallet loans (v2 and v3). */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, truth, word } from './shapes.ts';
import { windowFields } from './trading-fields.ts';

const coin = field.describe('Coin', identifier.coin());

const historyFields = {
  coin: field.describe('Every coin when left out', field.optional(identifier.coin())),
  ...windowFields('90 days'),
  startTime: field.describe('From (ms); at most 90 days before the end', number.timestamp()),
  limit: number.pageSize(20, 100),
  idLessThan: field.describe(
    '`minId` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
};

const charge = {
  interestId: text('Interest ID'),
  loanCoin: text('Coin of the loan'),
  interestCoin: text('Coin of the interest'),
  dailyInterestRate: text('Interest for 24 hours at the rate of that hour'),
  interestAmount: text('Interest for that hour'),
  interstType: word(['scheduled'], 'Charged at each full hour'),
  cTime: text('Time (ms)'),
  uTime: text('Time (ms)'),
};

const pageIds = {
  maxId: text('Largest interest ID of the page; 0 for an empty page'),
  minId: text('Smallest interest ID of the page; pass back as `idLessThan`; 0 for an empty page'),
};

export const borrowingRows = {
  listCrossedInterest: endpoint({
    method: 'GET',
    path: '/api/v2/margin/crossed/interest-history',
    group: 'Unified account',
    summary: 'Get the hourly interest on loans of the wallet',
    access: 'margin.read',
    limit: perSecond(10),
    request: request(historyFields),
    example: { startTime: '1700000000000' },
    response: object({ resultList: listOf(object(charge)), ...pageIds }),
    rules: ['ACC-39', 'LIST-24'],
  }),

  listIsolatedInterest: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/interest-history',
    group: 'Isolated spot margin',
    summary: 'Get the hourly interest on loans of a pair',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({
      symbol: field.describe('Trading pair', identifier.symbol()),
      ...historyFields,
    }),
    example: { symbol: 'BTCUSDT', startTime: '1700000000000' },
    response: object({
      resultList: listOf(object({ ...charge, symbol: text('Trading pair') })),
      ...pageIds,
    }),
    rules: ['ACC-39', 'LIST-24'],
  }),

  listDiscountRates: endpoint({
    method: 'GET',
    path: '/api/v3/market/discount-rate',
    group: 'Market',
    summary: 'Get the collateral rates of each coin',
    access: 'anybody',
    limit: perSecond(20, 'ip'),
    request: request({}),
    response: listOf(
      object({
        coin: text('Coin'),
        list: listOf(
          object({
            tierStartValue: text('Lower bound of the tier, in USD'),
            discountRate: text(
              'Collateral rate: the share of the value that counts as margin, 0 to 1',
            ),
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
    summary: 'Get the interest and the limit of loans of a coin, as a list of one',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({ coin }),
    response: listOf(
      object({
        coin: text('Coin'),
        leverage: text('Largest leverage'),
        transferable: truth('Whether the coin can be transferred'),
        borrowable: truth('Whether the caller can borrow the coin now'),
        dailyInterestRate: text('Interest for 24 hours'),
        annualInterestRate: text('Interest for 365 days'),
        maxBorrowableAmount: text('Largest amount that the caller may borrow now'),
        vipList: listOf(
          object({
            level: text('Fee level'),
            limit: text('Largest loan'),
            dailyInterestRate: text('Interest for 24 hours'),
            annualInterestRate: text('Interest for 365 days'),
            discountRate: text('Share of the interest that this level pays'),
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
    summary: 'Get the interest rates on loans of a coin',
    access: 'anybody',
    limit: perSecond(20, 'ip'),
    request: request({ coin }),
    response: object({
      dailyInterest: text('Interest for 24 hours'),
      annualInterest: text('Interest for 365 days'),
      limit: text('Largest amount of the coin that the exchange can store'),
    }),
    rules: ['ACC-37'],
  }),
} as const;
