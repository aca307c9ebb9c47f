/** Candles: how clients of each generation call their lengths. */
import { refuse } from '../kernel/result.ts';
import { DAY, HOUR, MINUTE } from '../kernel/time.ts';
import { rejection } from '../messages/rejections.ts';
import * as field from './fields.ts';
import type { Raw } from './raw.ts';

const WEEK = 7 * DAY;
/** Candles of these lengths; the longer ones begin at midnight UTC. */
const lengths = {
  '1m': MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1H': HOUR,
  '2H': 2 * HOUR,
  '4H': 4 * HOUR,
  '6H': 6 * HOUR,
  '12H': 12 * HOUR,
  '1D': DAY,
  '3D': 3 * DAY,
  '1W': WEEK,
} as const;
export type CandleLength = keyof typeof lengths;
export const candleMs = (length: CandleLength): number => lengths[length];

const same = Object.fromEntries(Object.keys(lengths).map((length) => [length, length])) as { readonly [Length in CandleLength]: Length };

/** A month to every client, though a minute when compared without case: it has no fixed length and is not offered. */
const MONTH = /^1M(utc)?$/i;
const isMonth = (raw: Raw): boolean => typeof raw === 'string' && raw !== '1m' && MONTH.test(raw);

const lengthOf = <const Words extends Readonly<Record<string, CandleLength>>>(table: Words) => {
  const words = field.words(table);
  const length: typeof words = {
    ...field.describe('Length; months (`1M`) are refused', words),
    decode: (raw, name) => (isMonth(raw) ? refuse(rejection('notOffered', name)) : words.decode(raw, name)),
  };
  return length;
};

/** Compared without case, so `1h` is `1H`. */
export const candleLength = lengthOf({
  ...same,
  '6Hutc': '6H',
  '12Hutc': '12H',
  '1Dutc': '1D',
  '3Dutc': '3D',
  '1Wutc': '1W',
});

const kinds = field.withDefault(field.words({ MARKET: 'trades', MARK: 'mark', INDEX: 'index' }), 'trades', 'MARKET');
/** What a candle is made of. Other kinds that clients know are not offered (REQ-36). */
export const candleKind: typeof kinds = {
  ...field.describe('`MARKET`: of trades; `MARK` and `INDEX`: of those prices, futures only; others are refused', kinds),
  decode: (raw, name) => {
    const kind = kinds.decode(raw, name);
    return kind.ok ? kind : refuse(rejection('notOffered', name));
  },
};

/** What spot calls the same lengths. */
export const spotCandleLength = lengthOf({
  '1min': '1m',
  '3min': '3m',
  '5min': '5m',
  '15min': '15m',
  '30min': '30m',
  '1h': '1H',
  '4h': '4H',
  '6h': '6H',
  '12h': '12H',
  '1day': '1D',
  '3day': '3D',
  '1week': '1W',
  '6Hutc': '6H',
  '12Hutc': '12H',
  '1Dutc': '1D',
  '3Dutc': '3D',
  '1Wutc': '1W',
});
