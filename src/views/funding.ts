/** Funding as it would come: what the next settlement would charge if the book stayed as far from its index as it is now. */
import { type FundingBounds, fundingBounds, fundingRate, nextFunding, premiumRate } from '../formulas/funding.ts';
import { middleOf } from '../formulas/mark-price.ts';
import { type Rate, ZERO_RATE } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { FuturesCategory } from '../messages/vocabulary.ts';
import type { ListingQueries } from './listings.ts';
import type { OrderQueries } from './orders.ts';
import type { PriceQueries } from './prices.ts';

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
}

export function createFunding({ listings, orders, prices }: FundingSources): FundingQueries {
  const premium = (category: FuturesCategory, symbol: string): Rate => {
    const index = prices.index(category, symbol);
    const [bid] = orders.depth(category, symbol, 'buy', 1);
    const [ask] = orders.depth(category, symbol, 'sell', 1);
    const middle = middleOf(bid?.price, ask?.price);
    return index === undefined || middle === undefined ? ZERO_RATE : premiumRate(middle, index);
  };

  return {
    of: (category, symbol, now) => {
      const instrument = listings.instrument(category, symbol)?.instrument;
      if (instrument === undefined) return undefined;
      const { fundingHours: hours } = instrument;
      const bounds = fundingBounds(instrument);
      return { rate: fundingRate(premium(category, symbol), hours, bounds), bounds, hours, next: nextFunding(now, hours) };
    },
  };
}
