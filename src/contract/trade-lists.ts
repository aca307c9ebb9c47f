/** The latest trades of a market (v2). Futures and spot differ only in the spelling of sides. */
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text, word } from './shapes.ts';

export const tradePageFields = {
  limit: number.pageSize(100, 1_000),
  idLessThan: field.describe(
    'Smallest `tradeId` of the previous page, for older trades',
    field.optional(identifier.pageCursor()),
  ),
  startTime: field.describe('From (ms)', field.optional(number.timestamp())),
  endTime: field.describe('To (ms)', field.optional(number.timestamp())),
};

export const tradeShape = <const Word extends string>(sides: readonly [buy: Word, sell: Word]) =>
  object({
    tradeId: text('Trade ID'),
    price: text('Price'),
    size: text('Size, base coin'),
    side: word(sides, 'Side of the taker'),
    ts: text('Time (ms)'),
    symbol: text('Trading pair'),
  });
