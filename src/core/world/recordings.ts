/**
 * Recordings that markets use: as their past, or as the path of their price. The exchange remembers
 * which, and where in time they stand.
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

type Asked = CommandOf<'importRecording'>;
type AskedListing = Pick<Asked, 'symbol' | 'category' | 'use'>;

const HASH = /^[0-9a-f]{64}$/;

/** The listings that a recording is for. */
function listingsOf(state: State, { symbol, category }: AskedListing): Instrument[] {
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
}: Asked): Refused<Rejection> | undefined {
  if (!HASH.test(hash)) return reject('fieldInvalid', 'hash');
  if (intervalMs < 1 || DAY % intervalMs !== 0) return reject('fieldInvalid', 'intervalMs');
  if (to <= from) return reject('fieldInvalid', 'to');
  if (divideAt < from || divideAt > to)
    return reject('fieldOutOfRange', 'divideAt', `${from} to ${to}`);
  return undefined;
}

/** A part that would be empty was asked for by mistake. */
function emptyPart({ use, from, to, divideAt }: Asked): Refused<Rejection> | undefined {
  if (use !== 'path' && divideAt === from)
    return reject('fieldInvalid', 'divideAt', 'nothing is before it');
  if (use !== 'past' && divideAt === to)
    return reject('fieldInvalid', 'divideAt', 'nothing is behind it');
  return undefined;
}

/** Why no recording can be used for this symbol. */
export function listingFault(state: State, asked: AskedListing): Refused<Rejection> | undefined {
  const [first] = listingsOf(state, asked);
  if (first === undefined) return reject('unknownSymbol', 'symbol', asked.symbol);
  if (asked.use !== 'past' && !isPricedInDollars(first)) return reject('priceDerived', 'symbol');
  return undefined;
}

/** Why a recording cannot be used; otherwise the listings that it is for. */
export function recordingPlan(
  state: State,
  asked: Asked,
): Result<readonly Instrument[], Rejection> {
  const fault = factsFault(asked) ?? emptyPart(asked) ?? listingFault(state, asked);
  if (fault !== undefined) return fault;
  if (state.recordings.size >= RECORDINGS_MAX && !state.recordings.has(asked.hash))
    return reject('exchangeFull', 'recording');
  return ok(listingsOf(state, asked));
}

/** The index of a coin is in dollars: another price has no say in it. */
export const isPricedInDollars = ({ baseCoin, quoteCoin }: Instrument): boolean =>
  isDollar(quoteCoin) && !isDollar(baseCoin);

/** Whole candles, so that the recorded ones and those that follow lie on one grid. */
function shiftOf(at: Timestamp, { intervalMs, divideAt }: Asked): number {
  const grid = Math.max(MINUTE, intervalMs);
  return Math.floor((at - divideAt) / grid) * grid;
}

/**
 * Four trades are shown of a candle. They are older than what follows, so their ids are smaller.
 */
function takeTradeIds(
  { state }: Step,
  { kind, candles, trades }: Asked,
): Pick<RecordedPast, 'tradeIdFirst' | 'tradeIds'> {
  const tradeIds = Math.min(RECORDED_TRADE_IDS_MAX, kind === 'trades' ? trades : candles * 4);
  const tradeIdFirst = state.nextId;
  state.nextId = (state.nextId + tradeIds) as Id;
  return { tradeIdFirst, tradeIds };
}

export const importRecording: Handler<'importRecording'> = (step, asked) => {
  const { state, at } = step;
  const plan = recordingPlan(state, asked);
  if (!plan.ok) return plan;
  const { hash, bytes, kind, intervalMs, from, to, symbol, category, use, divideAt } = asked;
  const coin = plan.value[0]!.baseCoin;
  const known: KnownRecording = { bytes, kind, intervalMs, from, to };
  state.recordings.set(hash, known);
  const range = { hash, symbol, ...given({ category }), shiftMs: shiftOf(at, asked) };
  const past =
    use === 'path' ? undefined : { ...range, from, to: divideAt, ...takeTradeIds(step, asked) };
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

/** One that is not there has ended already. */
export const endRecordedPath: Handler<'endRecordedPath'> = (step, { coin }) => {
  if (!step.state.recordedPaths.delete(coin)) return done;
  step.emit({ type: 'recordedPathEnded', coin });
  return done;
};
