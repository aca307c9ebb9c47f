/**
 * Funding as it will come: what the next settlement charges if the book stays as far from its index
 * as it is now. It charges the average of the whole interval (POS-61), so what has been is counted
 * here as the engine counts it: once for every five seconds in which the symbol was held.
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
import { FUTURES_CATEGORIES, type FuturesCategory, isFutures } from '../messages/vocabulary.ts';
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

/** What a symbol has come to since its last settlement. */
interface Counted {
  /** As last looked at; it holds until the next look. */
  readonly premium: Rate;
  readonly tally: PremiumTally;
  /** `UNCOUNTED` while nobody holds the symbol. */
  readonly until: Timestamp;
  /** When it is settled; in the past when nobody held it then. */
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

/** With the premium that held, up to a moment. */
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

export class FundingView implements View, FundingQueries {
  readonly name = 'funding';
  readonly #sources: FundingSources;
  #counted = new Map<string, Counted>();
  /** Books are looked at every five seconds on the clock: this is the last of these moments. */
  #lookedAt = 0 as Timestamp;

  /** Hears of a position after the view that it asks who holds what. */
  constructor(sources: FundingSources) {
    this.#sources = sources;
  }

  /**
   * What happened since the last look stands as it is when the next one comes, and then until the
   * next event.
   */
  begin({ at }: EventBatch): void {
    const look = lastSampleTime(at);
    if (look <= this.#lookedAt) return;
    const first = (this.#lookedAt + PREMIUM_SAMPLE_SPACING) as Timestamp;
    this.#lookedAt = look;
    for (const category of FUTURES_CATEGORIES)
      for (const { instrument } of this.#sources.listings.instruments(category))
        this.#look(category, instrument, first);
  }

  readonly on: Listeners = {
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
    return { lookedAt: this.#lookedAt, counted: new Map(this.#counted) };
  }

  restore(saved: unknown): void {
    const { lookedAt, counted } = saved as SavedFunding;
    this.#lookedAt = lookedAt;
    this.#counted = new Map(counted);
  }

  of(category: FuturesCategory, symbol: string, now: Timestamp): Funding | undefined {
    const listed = this.#sources.listings.instrument(category, symbol);
    if (listed === undefined) return undefined;
    const { instrument, status } = listed;
    const { fundingHours: hours } = instrument;
    const bounds = fundingBounds(instrument);
    const next = nextFunding(now, hours);
    // Whatever its book has been through, what is off is settled at nothing (POS-88).
    if (status === 'off') return { rate: ZERO_RATE, bounds, hours, next };
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
   * Up to the settlement, if the book stays as it stands; of a symbol that nobody holds, if
   * somebody held it from now on.
   */
  #expected(
    category: FuturesCategory,
    instrument: Instrument,
    now: Timestamp,
    next: Timestamp,
  ): Counted {
    const known = this.#counted.get(symbolKey(category, instrument.symbol)) ?? UNSEEN;
    // What was looked at last holds until the look that comes next, and then what stands now.
    const look = (this.#lookedAt + PREMIUM_SAMPLE_SPACING) as Timestamp;
    const premium = this.#premium(category, instrument, look) ?? known.premium;
    const tally = known.due > now ? known.tally : NO_PREMIUMS;
    const held: Counted = {
      ...known,
      tally,
      until: known.until === UNCOUNTED ? lastSampleTime(now) : known.until,
    };
    return countedTo({ ...countedTo(held, look), premium }, next);
  }

  #look(category: FuturesCategory, instrument: Instrument, at: Timestamp): void {
    const premium = this.#premium(category, instrument, at);
    if (premium === undefined) return;
    this.#change(category, instrument.symbol, (before) =>
      before.premium === premium ? before : { ...countedTo(before, at), premium },
    );
  }

  /** Undefined while the index says nothing about that moment. */
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

  /**
   * Premiums count while somebody holds the symbol: otherwise there is nobody to pay for them
   * (POS-79).
   */
  #hold({ category, symbol }: PositionRow, at: Timestamp): void {
    const { positions, listings } = this.#sources;
    const key = symbolKey(category, symbol);
    const known = this.#counted.get(key);
    const before = known ?? UNSEEN;
    const isHeld = positions.openInterest(category, symbol) > 0n;
    const isUp = isHeld && before.due <= at;
    // Most positions change while others hold the symbol too.
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
