/** Random public questions about a market, and the answers that the rules require. */
import type { Random } from '../../src/kernel/random.ts';
import { DAY, HOUR, startOf } from '../../src/kernel/time.ts';
import type { Asked, EndpointName } from '../lists/program.ts';
import { decimals, nearest } from '../lists/row.ts';
import {
  type Candle,
  candleStart,
  candleText,
  LENGTHS,
  type Length,
  priceCandles,
  tradeCandles,
} from './candles.ts';
import { isFutures, type Level, type Market, UNIT } from './markets.ts';
import { classicTicker, symbolPrices, unifiedTicker } from './tickers.ts';

export interface Question {
  readonly name: EndpointName;
  readonly asked: Asked;
  /** The answer, or those fields of it that follow from the events. */
  readonly right: unknown;
  /** Names for the counters. */
  readonly reached: readonly string[];
}

const levelTexts = (levels: readonly Level[], count: number): readonly (readonly string[])[] =>
  levels.slice(0, count).map((level) => level.map(decimals));

function bookQuestions(
  random: Random,
  { instrument, bids, asks }: Market,
  now: number,
): readonly Question[] {
  const { category, symbol, priceStep } = instrument;
  const count = 1 + random.below(random.pick([5, 150]));
  const limit = String(count);
  const [a, b, ts] = [levelTexts(asks, count), levelTexts(bids, count), String(now)];
  const reached = [
    bids.length > count ? 'a book was cut' : 'a complete book',
    ...(bids.length === 0 ? ['a side was empty'] : []),
  ];
  const unified: Question = {
    name: 'getOrderBook',
    asked: { category, symbol, limit },
    right: { a, b, ts },
    reached,
  };
  if (category === 'SPOT')
    return [
      unified,
      {
        name: 'getSpotOrderBook',
        asked: { symbol, limit },
        right: { asks: a, bids: b, ts },
        reached: [],
      },
    ];
  if (!isFutures(instrument)) return [unified];
  const all = { asks: levelTexts(asks, 200), bids: levelTexts(bids, 200), ts, scale: priceStep };
  const asked = { productType: category, symbol };
  return [
    unified,
    {
      name: 'getFuturesDepth',
      asked: { ...asked, limit },
      right: { ...all, asks: a, bids: b },
      reached: [],
    },
    {
      name: 'getFuturesDepth',
      asked: { ...asked, limit: 'max' },
      right: all,
      reached: ['a whole book requested'],
    },
  ];
}

/** The hours since midnight are multiples of the interval (POS-60). */
function nextFunding(now: number, hours: number): number {
  const midnight = startOf(now, DAY);
  const times = Array.from({ length: 24 }, (_, place) => midnight + (place + 1) * hours * HOUR);
  return Math.min(midnight + DAY, ...times.filter((time) => time > now));
}

/** Only bounds are compared here; other tests compare the rate with what is charged. */
function fundingQuestions({ instrument, status }: Market, now: number): readonly Question[] {
  const { category, symbol, fundingHours, fundingRateMax = '0.003' } = instrument;
  const next = String(nextFunding(now, fundingHours));
  const right = [
    {
      symbol,
      fundingRateInterval: String(fundingHours),
      nextUpdate: next,
      minFundingRate: `-${fundingRateMax}`,
      maxFundingRate: fundingRateMax,
      ...(status === 'off' ? { fundingRate: '0' } : {}),
    },
  ];
  const asked = { productType: category, symbol };
  const reached = status === 'off' ? ['funding of a symbol that is off'] : [];
  const time = [{ symbol, nextFundingTime: next, ratePeriod: String(fundingHours) }];
  return [
    { name: 'getFundingRate', asked: { symbol }, right, reached },
    { name: 'getFuturesFundingRate', asked, right, reached },
    { name: 'getFuturesFundingTime', asked, right: time, reached: [] },
  ];
}

function tickerQuestions(market: Market, now: number): readonly Question[] {
  const { instrument, openInterest } = market;
  const { category, symbol } = instrument;
  const unified: Question = {
    name: 'listTickers',
    asked: { category, symbol },
    right: [unifiedTicker(market, now)],
    reached: [],
  };
  const right = [classicTicker(market, now)];
  if (category === 'SPOT')
    return [unified, { name: 'listSpotTickers', asked: { symbol }, right, reached: [] }];
  if (!isFutures(instrument)) return [unified];
  const asked = { productType: category, symbol };
  const size = decimals(openInterest);
  const held = { list: [{ symbol, openInterest: size }], ts: String(now) };
  const classicHeld = { openInterestList: [{ symbol, size }], ts: String(now) };
  return [
    unified,
    { name: 'getFuturesTicker', asked, right, reached: [] },
    { name: 'getFuturesPrices', asked, right: [symbolPrices(market, now)], reached: [] },
    {
      name: 'getOpenInterest',
      asked: { category, symbol },
      right: held,
      reached: openInterest > 0n ? ['open interest'] : [],
    },
    { name: 'getFuturesOpenInterest', asked, right: classicHeld, reached: [] },
  ];
}

type Window = Readonly<Partial<Record<'startTime' | 'endTime' | 'limit', string>>>;

/** Mostly the start of a candle, or one millisecond beside it. */
function drawWindow(
  random: Random,
  candles: readonly Candle[],
  length: number,
  now: number,
): Window {
  const time = (): number => {
    const { start } = candles.length === 0 ? { start: now } : random.pick(candles);
    return start + random.pick([0, 0, 1, -1, length - 1, random.below(length)]);
  };
  const [one, other] = [time(), time()];
  const drawn = {
    startTime: String(Math.min(one, other)),
    endTime: String(Math.max(one, other)),
    limit: String(1 + random.below(random.pick([3, 1_000]))),
  };
  return Object.fromEntries(Object.entries(drawn).filter(() => random.below(2) === 0));
}

/**
 * The end is exclusive. With a start time the oldest candles are listed, otherwise the newest; both
 * oldest first (VIEW-50).
 */
function cut(candles: readonly Candle[], { startTime, endTime, limit = '100' }: Window) {
  const [from, to] = [Number(startTime ?? '0'), Number(endTime ?? Number.MAX_SAFE_INTEGER)];
  const inside = candles.filter(({ start }) => start >= from && start < to);
  const page =
    startTime === undefined ? inside.slice(-Number(limit)) : inside.slice(0, Number(limit));
  const reached = [
    ...(page.length < inside.length ? ['candles were cut'] : []),
    ...(page[0]?.start === from ? ['a candle at the start'] : []),
    ...(candles.some(({ start }) => start === to) ? ['a candle at the end'] : []),
  ];
  return { page, reached };
}

const SPOT_WORDS: Readonly<Partial<Record<Length, readonly string[]>>> = {
  '1m': ['1min'],
  '5m': ['5min'],
  '30m': ['30min'],
  '1H': ['1h'],
  '4H': ['4h'],
  '6H': ['6h', '6Hutc'],
  '12H': ['12Hutc'],
  '1D': ['1day', '1Dutc'],
  '3D': ['3Dutc'],
  '1W': ['1week', '1Wutc'],
};
const KINDS = {
  MARKET: 'listFuturesCandles',
  MARK: 'listMarkCandles',
  INDEX: 'listIndexCandles',
} as const;

function candleQuestions(
  random: Random,
  market: Market,
  kind: keyof typeof KINDS,
  now: number,
): readonly Question[] {
  const { instrument, index, mark, quoteIndex } = market;
  const { category, symbol } = instrument;
  const interval = random.pick(Object.keys(LENGTHS) as Length[]);
  const length = LENGTHS[interval];
  const candles =
    kind === 'MARKET'
      ? tradeCandles(market, length)
      : priceCandles(kind === 'MARK' ? mark : index, length, now);
  const window = drawWindow(random, candles, length, now);
  const { page, reached: edges } = cut(candles, window);
  const right = page.map(candleText);
  const isOpen = page.some(({ start }) => start === candleStart(now, length));
  const reached = [
    ...edges,
    ...(page.length > 0 ? [`${kind} of ${interval}`] : []),
    ...(isOpen ? [`${kind} still open`] : []),
  ];
  const unified: Question = {
    name: 'listCandles',
    asked: { category, symbol, interval, type: kind, ...window },
    right,
    reached,
  };
  if (isFutures(instrument)) {
    const asked = { productType: category, symbol, granularity: interval, ...window };
    const named = { ...asked, kLineType: kind };
    return [
      unified,
      { name: KINDS[kind], asked, right, reached: [] },
      { name: 'listFuturesCandles', asked: named, right, reached: [] },
    ];
  }
  const words = SPOT_WORDS[interval];
  if (category !== 'SPOT' || words === undefined) return [unified];
  const worth = page.map((candle) => [
    ...candleText(candle),
    decimals(nearest(candle.value * quoteIndex, UNIT)),
  ]);
  return [
    unified,
    {
      name: 'listSpotCandles',
      asked: { symbol, granularity: random.pick(words), ...window },
      right: worth,
      reached: [],
    },
  ];
}

export function questionsAbout(random: Random, market: Market, now: number): readonly Question[] {
  const candles = (kind: keyof typeof KINDS) => candleQuestions(random, market, kind, now);
  const ofEvery = [
    ...tickerQuestions(market, now),
    ...bookQuestions(random, market, now),
    ...candles('MARKET'),
    ...candles('MARKET'),
  ];
  return isFutures(market.instrument)
    ? [...ofEvery, ...candles('MARK'), ...candles('INDEX'), ...fundingQuestions(market, now)]
    : ofEvery;
}
