/**
 * The operator API for recorded candles and trades, as the past of a market or as the path of its
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
  endTime: text('End of the last row (ms)'),
};

const useOfFile = {
  symbol: field.describe('Symbol', identifier.symbol()),
  category: field.describe(
    'Category; when left out, each category that lists the symbol',
    field.optional(field.words(categoryWords)),
  ),
  as: field.describe(
    '`past` for the time before now, `path` for the price from now on, or both; `past` when left out',
    field.optional(field.sameWords(RECORDING_USES)),
  ),
  divide: field.describe(
    'Time of the file that corresponds to now: the past is before it, the path after it',
    field.optional(number.timestamp()),
  ),
  columns: field.describe(
    'Names of the columns, such as `time,open,high,low,close,volume`',
    field.optional(field.text()),
  ),
};

const imported = object({
  hash: text('SHA-256 of the stored file'),
  kind: word(RECORDED_KINDS, 'Kind of rows in the file'),
  rows: wholeNumber('Number of stored rows'),
  intervalMs: text('Length of one candle (ms)'),
  ...times,
  divide: text('Time of the file that corresponds to now (ms)'),
  price: text('Recorded price at that time, which is the index price now'),
  missing: wholeNumber('Number of missing candles between the first and the last'),
  longestGapMs: text('Longest time without a row (ms)'),
  repeated: wholeNumber('Number of rows that repeat the row above'),
  empty: wholeNumber('Number of rows without prices'),
});

export const operatorRecordingRows = {
  importRecording: endpoint({
    method: 'POST',
    path: '/operator/v1/recordings',
    group,
    summary: 'Import recorded candles or trades as the past, the path, or both',
    access: 'operator',
    request: careful(
      request({
        file: field.describe(
          'File on the machine of the exchange: CSV or JSON, plain, .gz or .zip',
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
    summary: 'Import recorded candles or trades from the body',
    access: 'operator',
    upload: {
      bytesMax: PACKED_BYTES_MAX,
      description: 'CSV or JSON, plain, gzip or ZIP, with any content type',
    },
    request: careful(
      request({
        ...useOfFile,
        name: field.describe(
          'Name of the table in refusals; `body` when left out',
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
    summary: 'List recordings and their current uses',
    access: 'operator',
    request: request({}),
    response: listOf(
      object({
        hash: text('SHA-256 of the stored file'),
        kind: word(RECORDED_KINDS, 'Kind of rows in the file'),
        bytes: text('Length of the stored file'),
        intervalMs: text('Length of one candle (ms)'),
        ...times,
        uses: described(
          'Current uses',
          listOf(
            object({
              as: word(['past', 'path'], 'Use of this part of the file'),
              symbol: text('Symbol'),
              category: textOrNull('Category; null for every category that lists the symbol'),
              startTime: text('Start of the part, in the time of the file (ms)'),
              endTime: text('End of the part, in the time of the file (ms)'),
              shiftMs: text('Exchange time minus the time of the file'),
            }),
          ),
        ),
      }),
    ),
    rules: [...rules, 'OPR-36'],
  }),
} as const;
