/** The operator API for the market: prices, listings, the simulated market and the clock. */

import { timestampFromText } from '../kernel/time.ts';
import { CLOCK_RATE_MAX } from '../messages/bounds.ts';
import { careful, endpoint, request, requestOfList } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import {
  coinListing,
  coinListingShape,
  instrumentListing,
  instrumentListingShape,
} from './listing-fields.ts';
import * as number from './number-fields.ts';
import { operatorName } from './operator-withdrawals.ts';
import { listOf, nothing, object, text, textOrNull, truth, word } from './shapes.ts';
import { categoryWords, instrumentStatusWords, sceneWords, wordOf } from './wire-words.ts';

/** One call sets every price of a large exchange, and stays within the size of a body. */
const PRICES_MAX = 500;

const category = field.describe('Category', field.words(categoryWords));
const symbol = field.describe('Symbol', identifier.symbol());
/** A week of seconds fits into the body. Longer recordings come as a file. */
const CSV_LENGTH_MAX = 60_000;
const CSV = /^[\x20-\x7e\t\r\n]+$/;
const csvText = field.scalar({ type: 'string', maxLength: CSV_LENGTH_MAX }, (input) =>
  input.length <= CSV_LENGTH_MAX && CSV.test(input) ? input : undefined,
);

const CLOCK_GOALS = ['nextFunding', 'nextDay'] as const;
const clockGoal = field.scalar(
  { type: 'string', examples: ['1789000000000', ...CLOCK_GOALS] },
  (input) =>
    CLOCK_GOALS.find((goal) => goal.toLowerCase() === input.toLowerCase()) ??
    timestampFromText(input),
);
const group = 'Operator: market';
const rules = ['API-26'] as const;

export const operatorMarketRows = {
  setPrices: endpoint({
    method: 'POST',
    path: '/operator/v1/prices',
    group,
    summary: 'Set index prices and pin mark prices; the list is accepted or refused as a whole',
    access: 'operator',
    request: careful(
      requestOfList(
        {
          category,
          symbol,
          index: field.describe(
            'Index price of the base coin in USD',
            field.optional(number.decimal()),
          ),
          mark: field.describe(
            'Pins the mark price of this symbol; `null` releases it',
            number.decimalOrRelease(),
          ),
          force: field.describe(
            'Allows a change of more than 30 %',
            field.withDefault(field.flag(), false, false),
          ),
        },
        PRICES_MAX,
      ),
    ),
    response: nothing,
    rules: [
      ...rules,
      'API-14',
      'API-15',
      'OPR-08',
      'PRC-01',
      'PRC-04',
      'PRC-06',
      'PRC-10',
      'API-153',
    ],
  }),

  listInstruments: endpoint({
    method: 'GET',
    path: '/operator/v1/instruments',
    group,
    summary: 'List instruments and their status and prices',
    access: 'operator',
    request: careful(
      request({
        category: field.describe('Category', field.optional(field.words(categoryWords))),
        symbol: field.describe('Symbol', field.optional(identifier.symbol())),
      }),
    ),
    response: listOf(
      object({
        ...instrumentListingShape,
        status: wordOf(instrumentStatusWords, 'Status'),
        indexPrice: textOrNull('Index price'),
        markPrice: textOrNull('Mark price'),
      }),
    ),
    rules: [...rules, 'OPR-10', 'API-153'],
  }),

  listInstrument: endpoint({
    method: 'POST',
    path: '/operator/v1/instruments',
    group,
    summary: 'Create or change an instrument',
    access: 'operator',
    request: careful(request(instrumentListing)),
    response: nothing,
    rules: [...rules, 'OPR-10', 'LST-01', 'LST-05', 'LST-06', 'API-153', 'API-154'],
  }),

  setInstrumentStatus: endpoint({
    method: 'POST',
    path: '/operator/v1/instruments/status',
    group,
    summary: 'Open, halt, close to new orders, or switch off an instrument',
    access: 'operator',
    request: request({
      category,
      symbol,
      status: field.describe(
        '`halted` accepts orders and matches none, `cancel_only` accepts cancels only, `off` accepts nothing',
        field.words(instrumentStatusWords),
      ),
    }),
    response: nothing,
    rules: [...rules, 'OPR-10', 'LST-10'],
  }),

  switchMarket: endpoint({
    method: 'POST',
    path: '/operator/v1/market',
    group,
    summary: 'Switch the simulated makers and price path, or play a scene in a symbol',
    access: 'operator',
    request: careful(
      request({
        state: field.describe(
          '`off` removes the orders of the makers and keeps the prices',
          field.optional(field.onOrOff()),
        ),
        scene: field.describe(
          'Scene to play; `feed` follows the prices of a file',
          field.optional(field.words(sceneWords)),
        ),
        category: field.describe(
          'Category; required with a scene',
          field.optional(field.words(categoryWords)),
        ),
        symbol: field.describe(
          'Symbol; required with a scene. The price moves for every symbol of its base coin',
          field.optional(identifier.symbol()),
        ),
        percent: field.describe(
          'Price change in percent, from -90 to 100; negative is down; the default of the scene when left out',
          field.optional(number.signedDecimal()),
        ),
        durationMs: field.describe(
          'Duration; the default of the scene when left out',
          field.optional(number.milliseconds()),
        ),
        delayMs: field.describe('From now', field.optional(number.milliseconds())),
        csv: field.describe(
          'For `feed`: rows of candles, or of time, price and optional size',
          field.optional(csvText),
        ),
        file: field.describe(
          'For `feed`: the same rows in a file on the machine of the exchange',
          field.optional(field.text()),
        ),
      }),
    ),
    response: nothing,
    rules: [...rules, 'OPR-11', 'MKT-01', 'MKT-150', 'MKT-10', 'MKT-152', 'API-153'],
  }),

  getMarket: endpoint({
    method: 'GET',
    path: '/operator/v1/market',
    group,
    summary: 'Get whether the simulated market runs, and what it plays',
    access: 'operator',
    request: request({}),
    response: object({
      state: word(['on', 'off'], 'Whether makers and price path run'),
      scenes: listOf(
        object({
          id: text('Scene ID'),
          scene: wordOf(sceneWords, 'Scene'),
          category: wordOf(categoryWords, 'Category'),
          symbol: text('Symbol'),
          percent: text('Price change in percent; negative is down'),
          startTime: text('Start (ms)'),
          endTime: text('End (ms)'),
        }),
      ),
    }),
    rules: [...rules, 'OPR-11'],
  }),

  getClock: endpoint({
    method: 'GET',
    path: '/operator/v1/clock',
    group,
    summary: 'Get the exchange clock and the real clock',
    access: 'operator',
    request: request({}),
    response: object({
      now: text('Exchange time (ms)'),
      wall: text('Real time (ms)'),
      offsetMs: text('Exchange time minus real time'),
      frozen: truth('Whether the exchange clock is frozen'),
      rate: text('Seconds of exchange time for one second of real time'),
      movingFrom: textOrNull(
        'Start of the current move (ms); null if the clock is not being moved',
      ),
      movingTo: textOrNull('End of the current move (ms); `now` shows its progress'),
    }),
    rules: [...rules, 'OPR-09', 'OPR-43', 'CLK-01'],
  }),

  moveClock: endpoint({
    method: 'POST',
    path: '/operator/v1/clock',
    group,
    summary:
      'Move the exchange clock forward, freeze it or release it. The answer comes when everything that fell due is done. A caller that stops waiting does not stop the move',
    access: 'operator',
    request: careful(
      request({
        advanceMs: field.describe(
          'Milliseconds to move forward, at most 3,652 days',
          field.optional(number.milliseconds()),
        ),
        to: field.describe(
          'Time to move to: Unix time in ms, `nextFunding`, or `nextDay` (midnight in UTC+8)',
          field.optional(clockGoal),
        ),
        frozen: field.describe(
          '`true` freezes the clock, `false` releases it',
          field.optional(field.flag()),
        ),
        rate: field.describe(
          'Seconds of exchange time for one second of real time',
          field.optional(number.countUpTo(CLOCK_RATE_MAX)),
        ),
      }),
    ),
    response: object({ now: text('Exchange time (ms)') }),
    rules: [
      ...rules,
      'OPR-09',
      'CLK-02',
      'CLK-03',
      'CLK-07',
      'CLK-31',
      'CLK-32',
      'CLK-19',
      'CLK-20',
      'API-153',
    ],
  }),

  listCoins: endpoint({
    method: 'GET',
    path: '/operator/v1/coins',
    group,
    summary: 'List coins and their chains, fees, minimums, limits and collateral rates',
    access: 'operator',
    request: careful(request({ coin: field.describe('Coin', field.optional(identifier.coin())) })),
    response: listOf(object(coinListingShape)),
    rules: [...rules, 'OPR-10', 'API-153'],
  }),

  listCoin: endpoint({
    method: 'POST',
    path: '/operator/v1/coins',
    group,
    summary: 'Create or change a coin',
    access: 'operator',
    request: careful(request({ ...coinListing, operator: operatorName })),
    response: nothing,
    rules: [
      ...rules,
      'OPR-10',
      'LST-01',
      'LST-03',
      'LST-04',
      'WDR-12',
      'WDR-152',
      'API-153',
      'API-154',
    ],
  }),
} as const;
