/**
 * When funding is settled: at the same hours of every day in UTC, for each future by a timer of its
 * own while anybody holds it.
 */

import { NO_PREMIUMS, nextFunding, UNCOUNTED } from '../../formulas/funding.ts';
import { lastLook } from '../../formulas/mark-price.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { keyOf } from '../derived/instrument-key.ts';
import { countPremium, keepPremium } from '../prices/premiums.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { dropTimers, setTimer } from '../transaction/timers.ts';

export function scheduleFunding(step: Step, key: string, hours: number): void {
  const { funding } = step.state;
  const due = nextFunding(step.at, hours);
  const known = funding.get(key);
  if (known === undefined) funding.set(key, { due });
  else known.due = due;
  setTimer(step, due, 'funding', key);
}

/**
 * The first position of a symbol starts its funding. Premiums count while it is held: otherwise
 * there is nobody to pay for them (POS-79).
 */
export const startFunding: Reaction<'positionChanged'> = (
  step,
  { position: { category, symbol, size } },
) => {
  const market = step.derived.marketContexts.named(category, symbol);
  if (size === 0n || market === undefined) return;
  // Counted before its book is first looked at, too: that time is of the interval as well.
  const premium = market.premium(step.state) ?? keepPremium(step, market);
  if (premium.countedUntil === UNCOUNTED) premium.countedUntil = lastLook(step.at);
  if (market.funding(step.state)?.due !== undefined) return;
  premium.tally = NO_PREMIUMS;
  premium.countedUntil = Math.max(premium.countedUntil, lastLook(step.at)) as Timestamp;
  scheduleFunding(step, market.key, market.spec.instrument.fundingHours);
};

/**
 * With the last position closed, time passes without counting until somebody holds the symbol again
 * (POS-79).
 */
export const pausePremium: Reaction<'positionClosed'> = (
  step,
  { position: { category, symbol } },
) => {
  const market = step.derived.marketContexts.named(category, symbol);
  const premium = market?.premium(step.state);
  if (market === undefined || premium === undefined || market.held.size > 0) return;
  countPremium(premium, step.at);
  premium.countedUntil = UNCOUNTED;
};

/** Listed again with other hours a symbol is funded at those, and no longer at the old ones. */
export const moveFunding: Reaction<'instrumentListed'> = (step, { instrument }) => {
  const key = keyOf(instrument);
  const due = step.state.funding.get(key)?.due;
  if (due === undefined || due === nextFunding(step.at, instrument.fundingHours)) return;
  dropTimers(step, 'funding', key);
  scheduleFunding(step, key, instrument.fundingHours);
};
