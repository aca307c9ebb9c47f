/**
 * Predicted funding: what the next settlement charges if the book keeps its present distance from
 * the index. It uses the average of the whole interval (POS-61), counted as in the engine: one
 * observation every five seconds while the symbol has positions.
 */
import {
  averagePremiumRate,
  type FundingBounds,
  fundingBounds,
  fundingRate,
  holdPremium,
  NO_PREMIUMS,
  nextFunding,
  type PremiumTally,
  premiumRate,
  UNCOUNTED,
} from '../formulas/funding.ts';
import { lastSampleTime, midPriceOf, PREMIUM_SAMPLE_SPACING } from '../formulas/mark-price.ts';
import { type Rate, ZERO_RATE } from '../kernel/money.ts';
import { HOUR, type Timestamp } from '../kernel/time.ts';
import type { EventBatch } from '../messages/events.ts';
import type { Instrument } from '../messages/listings.ts';
import type { PositionRow } from '../messages/orders.ts';
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  isDelisted,
  isFutures,
} from '../messages/vocabulary.ts';
import type { ListingQueries } from './listings.ts';
import type { OrderQueries } from './orders.ts';
import type { PositionQueries } from './positions.ts';
import type { PriceQueries } from './prices.ts';
import { symbolKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface Funding {
  readonly rate: Rate;
  readonly bounds: FundingBounds;
  readonly hours: number;
  readonly next: Timestamp;
}

export interface FundingQueries {
  /** Undefined for a symbol that is not listed. */
  of(category: FuturesCategory, symbol: string, now: Timestamp): Funding | undefined;
}

interface FundingSources {
  readonly listings: ListingQueries;
  readonly orders: OrderQueries;
  readonly prices: PriceQueries;
  readonly positions: PositionQueries;
}

/** Observations of a symbol since its last settlement. */
interface Counted {
  /** The last sampled premium; it holds until the next sample. */
  readonly premium: Rate;
  readonly tally: PremiumTally;
  /** `UNCOUNTED` while the symbol has no positions. */
  readonly until: Timestamp;
  /** Settlement time; in the past if the symbol had no positions then. */
  readonly due: Timestamp;
}

interface SavedFunding {
  readonly lookedAt: Timestamp;
  readonly counted: Map<string, Counted>;
}

const UNSEEN: Counted = {
  premium: ZERO_RATE,
  tally: NO_PREMIUMS,
  until: UNCOUNTED,
  due: 0 as Timestamp,
};

/** Extends the count with the held premium up to a time. */
function countedTo(counted: Counted, at: Timestamp): Counted {
  const { until, premium, tally } = counted;
  const times = Math.floor((at - until) / PREMIUM_SAMPLE_SPACING);
  if (times <= 0) return counted;
  return {
    ...counted,
    tally: holdPremium(tally, premium, times),
    until: (until + times * PREMIUM_SAMPLE_SPACING) as Timestamp,
  };
}

export class FundingView implements View<'funding'>, FundingQueries {
  readonly name = 'funding';
  readonly #sources: FundingSources;
  #counted = new Map<string, Counted>();
  /** Time of the last sample: books are sampled every five seconds of the clock. */
  #sampledAt = 0 as Timestamp;

  /** Must receive positions after the view that counts their owners. */
  constructor(sources: FundingSources) {
    this.#sources = sources;
  }

  /**
   * The state after the last event is what the next sample sees, so missed samples are taken before
   * each batch.
   */
  begin({ at }: EventBatch): void {
    const sampledAt = lastSampleTime(at);
    if (sampledAt <= this.#sampledAt) return;
    const first = (this.#sampledAt + PREMIUM_SAMPLE_SPACING) as Timestamp;
    this.#sampledAt = sampledAt;
    for (const category of FUTURES_CATEGORIES)
      for (const { instrument } of this.#sources.listings.instruments(category))
        this.#sample(category, instrument, first);
  }

  readonly on: Listeners<'funding'> = {
    positionChanged: ({ position }, at) => this.#hold(position, at),
    fundingSettled: ({ category, symbol, next }, at) =>
      this.#change(category, symbol, (before) => ({
        ...countedTo(before, at),
        tally: NO_PREMIUMS,
        due: next,
      })),
    instrumentListed: ({ instrument: { category, symbol, fundingHours } }, at) => {
      if (!isFutures(category)) return;
      this.#change(category, symbol, (before) =>
        before.due > at ? { ...before, due: nextFunding(at, fundingHours) } : before,
      );
    },
  };

  save(): SavedFunding {
    return { lookedAt: this.#sampledAt, counted: new Map(this.#counted) };
  }

  restore(saved: unknown): void {
    const { lookedAt, counted } = saved as SavedFunding;
    this.#sampledAt = lookedAt;
    this.#counted = new Map(counted);
  }

  of(category: FuturesCategory, symbol: string, now: Timestamp): Funding | undefined {
    const listed = this.#sources.listings.instrument(category, symbol);
    if (listed === undefined) return undefined;
    const { instrument, status } = listed;
    const { fundingHours: hours } = instrument;
    const bounds = fundingBounds(instrument);
    const next = nextFunding(now, hours);
    // A symbol that is off is settled at zero, whatever its book did before (POS-88).
    if (isDelisted(status)) return { rate: ZERO_RATE, bounds, hours, next };
    const { tally } = this.#expected(category, instrument, now, next);
    const count = Math.max(tally.count, (hours * HOUR) / PREMIUM_SAMPLE_SPACING);
    return {
      rate: fundingRate(averagePremiumRate({ sum: tally.sum, count }), hours, bounds),
      bounds,
      hours,
      next,
    };
  }

  /**
   * The count up to the settlement if the book stays as it is. A symbol without positions is
   * treated as if one opened now.
   */
  #expected(
    category: FuturesCategory,
    instrument: Instrument,
    now: Timestamp,
    next: Timestamp,
  ): Counted {
    const known = this.#counted.get(symbolKey(category, instrument.symbol)) ?? UNSEEN;
    // The last sample holds until the next one; then the current book counts.
    const sampledAt = (this.#sampledAt + PREMIUM_SAMPLE_SPACING) as Timestamp;
    const premium = this.#premium(category, instrument, sampledAt) ?? known.premium;
    const tally = known.due > now ? known.tally : NO_PREMIUMS;
    const held: Counted = {
      ...known,
      tally,
      until: known.until === UNCOUNTED ? lastSampleTime(now) : known.until,
    };
    return countedTo({ ...countedTo(held, sampledAt), premium }, next);
  }

  #sample(category: FuturesCategory, instrument: Instrument, at: Timestamp): void {
    const premium = this.#premium(category, instrument, at);
    if (premium === undefined) return;
    this.#change(category, instrument.symbol, (before) =>
      before.premium === premium ? before : { ...countedTo(before, at), premium },
    );
  }

  /** Undefined if the index is stale at that time. */
  #premium(category: FuturesCategory, instrument: Instrument, at: Timestamp): Rate | undefined {
    const { symbol, baseCoin, quoteCoin } = instrument;
    const { orders, prices } = this.#sources;
    const index = prices.index(category, symbol);
    if (index === undefined || prices.isStale(baseCoin, at) || prices.isStale(quoteCoin, at))
      return undefined;
    const [bid] = orders.depth(category, symbol, 'buy', 1);
    const [ask] = orders.depth(category, symbol, 'sell', 1);
    const middle = midPriceOf(bid?.price, ask?.price);
    return middle === undefined ? ZERO_RATE : premiumRate(middle, index, instrument);
  }

  /** Premiums count only while the symbol has positions, which pay for them (POS-79). */
  #hold({ category, symbol }: PositionRow, at: Timestamp): void {
    const { positions, listings } = this.#sources;
    const key = symbolKey(category, symbol);
    const known = this.#counted.get(key);
    const before = known ?? UNSEEN;
    const isHeld = positions.openInterest(category, symbol) > 0n;
    const isUp = isHeld && before.due <= at;
    // Most position changes do not change whether the symbol has positions.
    if (known !== undefined && isHeld === (before.until !== UNCOUNTED) && !isUp) return;
    if (!isHeld) {
      this.#counted.set(key, { ...countedTo(before, at), until: UNCOUNTED });
      return;
    }
    const hours = listings.instrument(category, symbol)?.instrument.fundingHours ?? 1;
    const begun = isUp ? { ...before, tally: NO_PREMIUMS, due: nextFunding(at, hours) } : before;
    this.#counted.set(key, { ...begun, until: lastSampleTime(at) });
  }

  #change(category: FuturesCategory, symbol: string, change: (before: Counted) => Counted): void {
    const key = symbolKey(category, symbol);
    const before = this.#counted.get(key) ?? UNSEEN;
    const after = change(before);
    if (after !== before) this.#counted.set(key, after);
  }
}
