/** The operator plane, market side: prices, what is listed, the simulated market, the clock. */

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

/** One call moves every price of a large exchange at once, and stays within the size of a body. */
const PRICES_MAX = 500;

const category = field.describe('Category', field.words(categoryWords));
const symbol = field.describe('Symbol', identifier.symbol());
/** A week of seconds fits the body; longer ones come as a file. */
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
    summary: 'Set index prices and pin mark prices: all of the list, or nothing',
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
            'Passes the guard against jumps of more than 30 %',
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
    summary: 'Instruments with their status and prices',
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
        '`halted` takes orders and matches none, `cancel_only` takes cancels only, `off` takes nothing',
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
    summary: 'Switch the simulated makers and price path, or let them play a scene in a symbol',
    access: 'operator',
    request: careful(
      request({
        state: field.describe(
          '`off` takes the makers out of the books and keeps the prices',
          field.optional(field.onOrOff()),
        ),
        scene: field.describe(
          'What to play; `feed` follows the prices of a file',
          field.optional(field.words(sceneWords)),
        ),
        category: field.describe(
          'Category, with a scene',
          field.optional(field.words(categoryWords)),
        ),
        symbol: field.describe(
          'Symbol, with a scene; a price moves for every symbol of its base coin',
          field.optional(identifier.symbol()),
        ),
        percent: field.describe(
          'How far, below zero for down, from -90 to 100; as usual for the scene when left out',
          field.optional(number.signedDecimal()),
        ),
        durationMs: field.describe(
          'How long; as usual for the scene when left out',
          field.optional(number.milliseconds()),
        ),
        delayMs: field.describe('From now', field.optional(number.milliseconds())),
        csv: field.describe(
          'Rows of time, price and perhaps size, or of candles, for `feed`',
          field.optional(csvText),
        ),
        file: field.describe(
          'The same in a file of the machine that the exchange runs on',
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
    summary: 'Whether the simulated market runs, and what it plays',
    access: 'operator',
    request: request({}),
    response: object({
      state: word(['on', 'off'], 'Whether makers and price path run'),
      scenes: listOf(
        object({
          id: text('Scene ID'),
          scene: wordOf(sceneWords, 'What is played'),
          category: wordOf(categoryWords, 'Category'),
          symbol: text('Symbol'),
          percent: text('How far, below zero for down'),
          startTime: text('When it begins (ms)'),
          endTime: text('When it ends (ms)'),
        }),
      ),
    }),
    rules: [...rules, 'OPR-11'],
  }),

  getClock: endpoint({
    method: 'GET',
    path: '/operator/v1/clock',
    group,
    summary: 'The exchange clock beside the real one',
    access: 'operator',
    request: request({}),
    response: object({
      now: text('Exchange time (ms)'),
      wall: text('Real time (ms)'),
      offsetMs: text('Exchange time minus real time'),
      frozen: truth('Whether the exchange clock stands still'),
      rate: text('Seconds it shows for one that passes'),
      movingFrom: textOrNull(
        'Where the move that is under way began (ms); null while the clock is not being moved',
      ),
      movingTo: textOrNull('Where that move ends (ms); `now` says how far it has come'),
    }),
    rules: [...rules, 'OPR-09', 'OPR-43', 'CLK-01'],
  }),

  moveClock: endpoint({
    method: 'POST',
    path: '/operator/v1/clock',
    group,
    summary:
      'Move the exchange clock forward, freeze it or let it go; answers when all that fell due on the way is done. A caller that stops waiting does not stop the move',
    access: 'operator',
    request: careful(
      request({
        advanceMs: field.describe(
          'Forward by so many milliseconds, at most 3,652 days of them',
          field.optional(number.milliseconds()),
        ),
        to: field.describe(
          'Forward to this time (ms), to `nextFunding` or to `nextDay` (midnight in UTC+8)',
          field.optional(clockGoal),
        ),
        frozen: field.describe('Stop the clock, or let it go on', field.optional(field.flag())),
        rate: field.describe(
          'Seconds it shows for one that passes',
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
    summary: 'Coins with chains, fees, minimums, limits and collateral rates',
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
