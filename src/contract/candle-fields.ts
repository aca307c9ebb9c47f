/** Candles: the words of each API generation for their lengths. */
import { type Interval, WEEK } from '../kernel/intervals.ts';
import { refuse } from '../kernel/result.ts';
import { DAY, HOUR, MINUTE } from '../kernel/time.ts';
import * as field from './fields.ts';
import { wireRejection } from './wire-rejections.ts';

/** Lengths of candles. Candles of days begin at midnight UTC, those of weeks on Monday. */
const lengths = {
  // Words are compared without case, and the later row wins. `1m` is therefore the minute, and only
  // the exact `1M` is the month.
  '1M': 'month',
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
} as const satisfies Readonly<Record<string, Interval>>;
export type CandleLength = keyof typeof lengths;
export const candleInterval = (length: CandleLength): Interval => lengths[length];

const same = Object.fromEntries(Object.keys(lengths).map((length) => [length, length])) as {
  readonly [Length in CandleLength]: Length;
};

const about = 'Length; `1m` is a minute and `1M` a month';

const names = {
  '1Mutc': '1M',
  ...same,
  '6Hutc': '6H',
  '12Hutc': '12H',
  '1Dutc': '1D',
  '3Dutc': '3D',
  '1Wutc': '1W',
} as const;

/** Words are compared without case, so `1h` is `1H`. */
export const candleLength = field.describe(about, field.words(names));

/** The same names for channels. Of two that differ in case, the usual one is first. */
export const streamedLengths: Readonly<Record<string, CandleLength>> = Object.fromEntries([
  ['1m', '1m'],
  ...Object.entries(names),
]);

const kinds = field.withDefault(
  field.words({ MARKET: 'trades', MARK: 'mark', INDEX: 'index' }),
  'trades',
  'MARKET',
);
/** The prices that a candle shows. Other kinds that clients know are not offered (REQ-36). */
export const candleKind: typeof kinds = {
  ...field.describe(
    '`MARKET` for trades; `MARK` or `INDEX` for those prices (futures only); others are refused',
    kinds,
  ),
  decode: (raw, name) => {
    const kind = kinds.decode(raw, name);
    return kind.ok ? kind : refuse(wireRejection('notOffered', name));
  },
};

/** The words of spot for the same lengths. */
export const spotCandleLength = field.describe(
  about,
  field.words({
    '1M': '1M',
    '1Mutc': '1M',
    // Without this row, the comparison without case would find the month.
    '1m': '1m',
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
  }),
);
