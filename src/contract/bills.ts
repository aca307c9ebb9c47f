/**
 * Bills (v2 and v3): what an account received and paid, and transfers between the wallet and
 * isolated pairs.
 */
import { CATEGORIES } from '../messages/vocabulary.ts';
import {
  futuresBillWords,
  pairBillWords,
  spotBillGroups,
  spotBillWords,
  unifiedBillWords,
  unusedFuturesBillWords,
  unusedPairBillWords,
  unusedSpotBillGroups,
  unusedSpotBillWords,
  wordsOf,
} from './bill-words.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { described, listOf, object, text, word } from './shapes.ts';
import { futuresCategoryWords, pairAccountWords, wordOf } from './wire-words.ts';

const group = 'Bills';
const rules = [
  'BILL-01',
  'BILL-02',
  'BILL-03',
  'BILL-04',
  'BILL-06',
  'LIST-01',
  'LIST-07',
] as const;

const coin = field.describe('Coin', field.optional(identifier.coin()));
const symbol = field.describe('Symbol', field.optional(identifier.symbol()));
const oneOf = <const Values extends readonly string[]>(description: string, values: Values) =>
  field.describe(description, field.optional(field.sameWords(values)));
const older = (name: string) =>
  field.describe(
    `${name} of the previous page, for older rows`,
    field.optional(identifier.pageCursor()),
  );
const times = (days: number) => ({
  startTime: field.describe(
    `From (ms); at most ${days} days before the end`,
    field.optional(number.timestamp()),
  ),
  endTime: field.describe('To (ms)', field.optional(number.timestamp())),
});

const changeOf = {
  amount: text('Amount received, or paid if negative, without the fee'),
  fee: text('Fee; negative when paid'),
};
const balance = text('Balance of the coin afterwards, held amounts included');

const listFuturesBills = endpoint({
  method: 'GET',
  path: '/api/v2/mix/account/bill',
  group,
  summary: 'Get the bills of futures: fills, funding, liquidation, profit shares',
  access: 'futures.read',
  limit: perSecond(10),
  request: request({
    productType: field.describe('Product type', field.words(futuresCategoryWords)),
    symbol,
    coin,
    businessType: oneOf('Kind of bill', [...wordsOf(futuresBillWords), ...unusedFuturesBillWords]),
    idLessThan: older('`endId`'),
    ...times(30),
    limit: number.pageSize(20, 100),
  }),
  response: object({
    bills: described(
      'Newest first',
      listOf(
        object({
          billId: text('Bill ID'),
          symbol: text('Trading pair'),
          ...changeOf,
          feeByCoupon: text(
            'Part of the fee that coupons paid; always empty, because coupons pay at the end of a day',
          ),
          businessType: word(wordsOf(futuresBillWords), 'Kind of bill'),
          coin: text('Coin'),
          balance,
          cTime: text('Time (ms)'),
        }),
      ),
    ),
    endId: text('Smallest bill ID of the page; pass back as `idLessThan`'),
  }),
  rules,
});

const listSpotBills = endpoint({
  method: 'GET',
  path: '/api/v2/spot/account/bills',
  group,
  summary: 'Get all bills except those of futures',
  access: 'uta_mgt.read',
  limit: perSecond(10),
  request: request({
    coin,
    groupType: oneOf('Group of kinds of bills', [
      ...wordsOf(spotBillGroups),
      ...unusedSpotBillGroups,
    ]),
    businessType: oneOf('Kind of bill', [...wordsOf(spotBillWords), ...unusedSpotBillWords]),
    ...times(90),
    limit: number.pageSize(100, 500),
    idLessThan: older('Smallest `billId`'),
  }),
  response: listOf(
    object({
      cTime: text('Time (ms)'),
      coin: text('Coin'),
      groupType: word(wordsOf(spotBillGroups), 'Group of kinds of bills'),
      businessType: word(wordsOf(spotBillWords), 'Kind of bill'),
      size: changeOf.amount,
      balance,
      fees: changeOf.fee,
      billId: text('Bill ID'),
    }),
  ),
  rules,
});

const listFinancialRecords = endpoint({
  method: 'GET',
  path: '/api/v3/account/financial-records',
  group,
  summary: 'Get all bills, or those of a category',
  access: 'uta_mgt.read',
  limit: perSecond(20),
  request: request({
    category: oneOf('Category of the trade; OTHER for bills without a trade; all when left out', [
      ...CATEGORIES,
      'OTHER',
    ]),
    symbol,
    coin,
    type: oneOf('Kind of bill', wordsOf(unifiedBillWords)),
    ...times(30),
    limit: number.pageSize(100, 100),
    cursor: older('`cursor`'),
  }),
  response: object({
    list: listOf(
      object({
        category: word([...CATEGORIES, 'OTHER'], 'Category of the trade'),
        id: text('Bill ID'),
        symbol: text('Symbol; empty if the bill has none'),
        coin: text('Coin'),
        type: word(wordsOf(unifiedBillWords), 'Kind of bill'),
        ...changeOf,
        balance,
        ts: text('Time (ms)'),
      }),
    ),
    cursor: text('`cursor` of the next request, for older rows; empty for an empty page'),
  }),
  rules,
});

const listIsolatedRecords = endpoint({
  method: 'GET',
  path: '/api/v2/margin/isolated/financial-records',
  group,
  summary: 'Get the bills of an isolated pair',
  access: 'margin.read',
  limit: perSecond(10),
  request: request({
    symbol: field.describe('Trading pair', identifier.symbol()),
    marginType: oneOf('Kind of bill', [...wordsOf(pairBillWords), ...unusedPairBillWords]),
    coin,
    ...times(90),
    startTime: field.describe('From (ms); at most 90 days before the end', number.timestamp()),
    limit: number.pageSize(100, 500),
    idLessThan: older('`minId`'),
  }),
  example: { symbol: 'BTCUSDT', startTime: '1700000000000' },
  response: object({
    resultList: listOf(
      object({
        coin: text('Coin'),
        symbol: text('Trading pair'),
        marginId: text('Bill ID'),
        ...changeOf,
        balance,
        marginType: word(wordsOf(pairBillWords), 'Kind of bill'),
        cTime: text('Time (ms)'),
        uTime: text('Time (ms)'),
      }),
    ),
    maxId: text('Largest bill ID of the page'),
    minId: text('Smallest bill ID of the page; pass back as `idLessThan`'),
  }),
  rules: [...rules, 'BILL-05'],
});

const listTransferRecords = endpoint({
  method: 'GET',
  path: '/api/v2/spot/account/transferRecords',
  group,
  summary: 'Get transfers between the wallet and isolated pairs',
  access: 'uta_mgt.read',
  limit: perSecond(20),
  request: request({
    coin: field.describe('Coin', identifier.coin()),
    fromType: field.describe(
      'Source',
      field.sameWords([
        'spot',
        'isolated_margin',
        'p2p',
        'coin_futures',
        'usdt_futures',
        'usdc_futures',
        'crossed_margin',
        'uta',
      ]),
    ),
    ...times(90),
    clientOid: field.describe('Not offered', field.notOffered()),
    limit: number.pageSize(100, 500),
    idLessThan: older('Smallest `transferId`'),
  }),
  response: listOf(
    object({
      coin: text('Coin'),
      status: word(['Successful'], 'Status'),
      toType: wordOf(pairAccountWords, 'Target'),
      toSymbol: text('Target pair, if the target is a pair'),
      fromType: wordOf(pairAccountWords, 'Source'),
      fromSymbol: text('Source pair, if the source is a pair'),
      size: text('Amount'),
      ts: text('Time (ms)'),
      clientOid: text('Always empty: the ID is not stored'),
      transferId: text('Transfer ID'),
    }),
  ),
  rules: ['BILL-07', 'LIST-01', 'LIST-07'],
});

export const billRows = {
  listFuturesBills,
  listSpotBills,
  listFinancialRecords,
  listIsolatedRecords,
  listTransferRecords,
} as const;
