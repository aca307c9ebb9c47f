/**
 * Recordings that markets use as their past or as their price path. The exchange stores which part
 * of a recording applies at which time.
 */
import { isDollar } from '../../formulas/index-price.ts';
import { given } from '../../kernel/given.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Refused, Result } from '../../kernel/result.ts';
import { ok } from '../../kernel/result.ts';
import { DAY, MINUTE, type Timestamp } from '../../kernel/time.ts';
import { RECORDINGS_MAX } from '../../messages/bounds.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { Instrument } from '../../messages/listings.ts';
import {
  type KnownRecording,
  RECORDED_TRADE_IDS_MAX,
  type RecordedPast,
  type RecordedRange,
} from '../../messages/recordings.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, reject, type Step } from '../transaction/step.ts';

type ImportRequest = CommandOf<'importRecording'>;
type ListingRequest = Pick<ImportRequest, 'symbol' | 'category' | 'use'>;

const HASH = /^[0-9a-f]{64}$/;

/** The instruments that a recording is for. */
function listingsOf(state: State, { symbol, category }: ListingRequest): Instrument[] {
  const categories = category === undefined ? CATEGORIES : [category];
  return categories.flatMap(
    (each) => state.instruments.get(instrumentKey(each, symbol))?.instrument ?? [],
  );
}

function factsFault({
  hash,
  intervalMs,
  from,
  to,
  divideAt,
}: ImportRequest): Refused<Rejection> | undefined {
  if (!HASH.test(hash)) return reject('fieldInvalid', 'hash');
  if (intervalMs < 1 || DAY % intervalMs !== 0) return reject('fieldInvalid', 'intervalMs');
  if (to <= from) return reject('fieldInvalid', 'to');
  if (divideAt < from || divideAt > to)
    return reject('fieldOutOfRange', 'divideAt', `${from} to ${to}`);
  return undefined;
}

/** A request for an empty part is a mistake. */
function emptyPart({ use, from, to, divideAt }: ImportRequest): Refused<Rejection> | undefined {
  if (use !== 'path' && divideAt === from)
    return reject('fieldInvalid', 'divideAt', 'nothing is before it');
  if (use !== 'past' && divideAt === to)
    return reject('fieldInvalid', 'divideAt', 'nothing is behind it');
  return undefined;
}

/** The refusal if this symbol cannot use recordings. */
export function listingFault(
  state: State,
  request: ListingRequest,
): Refused<Rejection> | undefined {
  const [first] = listingsOf(state, request);
  if (first === undefined) return reject('unknownSymbol', 'symbol', request.symbol);
  if (request.use !== 'past' && !isPricedInDollars(first)) return reject('priceDerived', 'symbol');
  return undefined;
}

/** The instruments that a recording is for, or the refusal. */
export function recordingPlan(
  state: State,
  request: ImportRequest,
): Result<readonly Instrument[], Rejection> {
  const fault = factsFault(request) ?? emptyPart(request) ?? listingFault(state, request);
  if (fault !== undefined) return fault;
  if (state.recordings.size >= RECORDINGS_MAX && !state.recordings.has(request.hash))
    return reject('exchangeFull', 'recording');
  return ok(listingsOf(state, request));
}

/** Only such an instrument can set the index of its base coin, which is in dollars. */
export const isPricedInDollars = ({ baseCoin, quoteCoin }: Instrument): boolean =>
  isDollar(quoteCoin) && !isDollar(baseCoin);

/** A multiple of the candle interval, so that recorded and later candles share one grid. */
function shiftOf(at: Timestamp, { intervalMs, divideAt }: ImportRequest): number {
  const grid = Math.max(MINUTE, intervalMs);
  return Math.floor((at - divideAt) / grid) * grid;
}

/** A candle shows four trades. Their ids are smaller than those of later trades. */
function takeTradeIds(
  { state }: Step,
  { kind, candles, trades }: ImportRequest,
): Pick<RecordedPast, 'tradeIdFirst' | 'tradeIds'> {
  const tradeIds = Math.min(RECORDED_TRADE_IDS_MAX, kind === 'trades' ? trades : candles * 4);
  const tradeIdFirst = state.nextId;
  state.nextId = (state.nextId + tradeIds) as Id;
  return { tradeIdFirst, tradeIds };
}

export const importRecording: Handler<'importRecording'> = (step, request) => {
  const { state, at } = step;
  const plan = recordingPlan(state, request);
  if (!plan.ok) return plan;
  const { hash, bytes, kind, intervalMs, from, to, symbol, category, use, divideAt } = request;
  const coin = plan.value[0]!.baseCoin;
  const known: KnownRecording = { bytes, kind, intervalMs, from, to };
  state.recordings.set(hash, known);
  const range = { hash, symbol, ...given({ category }), shiftMs: shiftOf(at, request) };
  const past =
    use === 'path' ? undefined : { ...range, from, to: divideAt, ...takeTradeIds(step, request) };
  const path: RecordedRange | undefined =
    use === 'past' ? undefined : { ...range, from: divideAt, to };
  if (past !== undefined)
    for (const listing of plan.value)
      state.recordedPasts.set(instrumentKey(listing.category, symbol), past);
  if (path !== undefined) state.recordedPaths.set(coin, path);
  step.emit({
    type: 'recordingImported',
    hash,
    known,
    ...given({ past, path, coin: path === undefined ? undefined : coin }),
  });
  return done;
};

/** A missing path has already ended. */
export const endRecordedPath: Handler<'endRecordedPath'> = (step, { coin }) => {
  if (!step.state.recordedPaths.delete(coin)) return done;
  step.emit({ type: 'recordedPathEnded', coin });
  return done;
};
