/**
 * Bills (v2 and v3): what came into an account and went out of it, and transfers between the wallet
 * and isolated pairs.
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
  field.describe(`${name} of the page before; older rows`, field.optional(identifier.pageCursor()));
const times = (days: number) => ({
  startTime: field.describe(
    `From (ms); at most ${days} days before the end`,
    field.optional(number.timestamp()),
  ),
  endTime: field.describe('To (ms)', field.optional(number.timestamp())),
});

const changeOf = {
  amount: text('What came in, or went out when below zero; the fee aside'),
  fee: text('Fee; below zero when paid'),
};
const balance = text('All of the coin afterwards, held or not');

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
    businessType: oneOf('What it is about', [
      ...wordsOf(futuresBillWords),
      ...unusedFuturesBillWords,
    ]),
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
            'What coupons paid of the fee; empty, for they pay at the end of a day',
          ),
          businessType: word(wordsOf(futuresBillWords), 'What it is about'),
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
  summary: 'Get all bills but those of futures',
  access: 'uta_mgt.read',
  limit: perSecond(10),
  request: request({
    coin,
    groupType: oneOf('What kind of thing it is about', [
      ...wordsOf(spotBillGroups),
      ...unusedSpotBillGroups,
    ]),
    businessType: oneOf('What it is about', [...wordsOf(spotBillWords), ...unusedSpotBillWords]),
    ...times(90),
    limit: number.pageSize(100, 500),
    idLessThan: older('Smallest `billId`'),
  }),
  response: listOf(
    object({
      cTime: text('Time (ms)'),
      coin: text('Coin'),
      groupType: word(wordsOf(spotBillGroups), 'What kind of thing it is about'),
      businessType: word(wordsOf(spotBillWords), 'What it is about'),
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
    category: oneOf('Where it was traded, OTHER for what was not; all when left out', [
      ...CATEGORIES,
      'OTHER',
    ]),
    symbol,
    coin,
    type: oneOf('What it is about', wordsOf(unifiedBillWords)),
    ...times(30),
    limit: number.pageSize(100, 100),
    cursor: older('`cursor`'),
  }),
  response: object({
    list: listOf(
      object({
        category: word([...CATEGORIES, 'OTHER'], 'Where it was traded'),
        id: text('Bill ID'),
        symbol: text('Symbol; empty where there is none'),
        coin: text('Coin'),
        type: word(wordsOf(unifiedBillWords), 'What it is about'),
        ...changeOf,
        balance,
        ts: text('Time (ms)'),
      }),
    ),
    cursor: text('Pass back for older rows; empty for an empty page'),
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
    marginType: oneOf('What it is about', [...wordsOf(pairBillWords), ...unusedPairBillWords]),
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
        marginType: word(wordsOf(pairBillWords), 'What it is about'),
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
      'Where it came from',
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
      toType: wordOf(pairAccountWords, 'Where it went'),
      toSymbol: text('The pair, when it went to one'),
      fromType: wordOf(pairAccountWords, 'Where it came from'),
      fromSymbol: text('The pair, when it came from one'),
      size: text('How much'),
      ts: text('Time (ms)'),
      clientOid: text('Empty: it is not kept'),
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
