/**
 * The operator plane: recorded candles and trades as the past of a market, or as the path of its
 * price.
 */
import { PACKED_BYTES_MAX, RECORDED_KINDS, RECORDING_USES } from '../messages/recordings.ts';
import { careful, endpoint, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { described, listOf, object, text, textOrNull, wholeNumber, word } from './shapes.ts';
import { categoryWords } from './wire-words.ts';

const group = 'Operator: market';
const rules = ['API-26'] as const;
const TABLE_NAME_MAX = 128;

const times = {
  startTime: text('Time of the first row (ms)'),
  endTime: text('When the last row is over (ms)'),
};

const useOfFile = {
  symbol: field.describe('Symbol', identifier.symbol()),
  category: field.describe(
    'Category; each that lists the symbol when left out',
    field.optional(field.words(categoryWords)),
  ),
  as: field.describe(
    'What was before now, what the price follows from now on, or both; `past` when left out',
    field.optional(field.sameWords(RECORDING_USES)),
  ),
  divide: field.describe(
    'The time of the file that is now: past before it, path behind it',
    field.optional(number.timestamp()),
  ),
  columns: field.describe(
    'What the columns hold, as in `time,open,high,low,close,volume`',
    field.optional(field.text()),
  ),
};

const imported = object({
  hash: text('SHA-256 of the kept file'),
  kind: word(RECORDED_KINDS, 'What the file holds'),
  rows: wholeNumber('Rows that are kept'),
  intervalMs: text('Length of one candle (ms)'),
  ...times,
  divide: text('The time of the file that is now (ms)'),
  price: text('The recorded price at that time, which is the index now'),
  missing: wholeNumber('Candles left out between the first and the last'),
  longestGapMs: text('Longest time without a row (ms)'),
  repeated: wholeNumber('Rows that repeat the row above'),
  empty: wholeNumber('Rows without prices'),
});

export const operatorRecordingRows = {
  importRecording: endpoint({
    method: 'POST',
    path: '/operator/v1/recordings',
    group,
    summary: 'Import recorded candles or trades as past, as path, or as both',
    access: 'operator',
    request: careful(
      request({
        file: field.describe(
          'CSV or JSON on the machine of the exchange, plain, .gz or .zip',
          field.text(),
        ),
        ...useOfFile,
      }),
    ),
    response: imported,
    rules: [...rules, 'DATA-10', 'DATA-30', 'DATA-31', 'OPR-35'],
  }),

  uploadRecording: endpoint({
    method: 'POST',
    path: '/operator/v1/recordings/upload',
    group,
    summary: 'Import recorded candles or trades that the body holds',
    access: 'operator',
    upload: {
      bytesMax: PACKED_BYTES_MAX,
      description: 'CSV or JSON, plain, gzip or ZIP, of any content type',
    },
    request: careful(
      request({
        ...useOfFile,
        name: field.describe(
          'What refusals call the table; `body` when left out',
          field.optional(field.text(TABLE_NAME_MAX)),
        ),
      }),
    ),
    response: imported,
    rules: [...rules, 'DATA-10', 'DATA-30', 'DATA-31', 'OPR-35', 'OPR-37', 'REQ-74'],
  }),

  listRecordings: endpoint({
    method: 'GET',
    path: '/operator/v1/recordings',
    group,
    summary: 'Recordings, and what they are used for now',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        hash: text('SHA-256 of the kept file'),
        kind: word(RECORDED_KINDS, 'What the file holds'),
        bytes: text('Length of the kept file'),
        intervalMs: text('Length of one candle (ms)'),
        ...times,
        uses: described(
          'What it is used for now',
          listOf(
            object({
              as: word(['past', 'path'], 'What this stretch is'),
              symbol: text('Symbol'),
              category: textOrNull('Category; null for each that lists the symbol'),
              startTime: text('From this time of the file on (ms)'),
              endTime: text('Until this time of the file (ms)'),
              shiftMs: text('Exchange time less the time of the file'),
            }),
          ),
        ),
      }),
    ),
    rules: [...rules, 'OPR-36'],
  }),
} as const;
