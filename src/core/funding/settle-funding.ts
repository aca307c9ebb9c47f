/**
 * Settles funding: one side of a symbol pays the other at a rate from the average premium. A
 * crossed position pays in full. An isolated position pays at most its margin above maintenance.
 * Receivers share what is paid, so funding creates no money (POS-64, POS-65). The mark price at the
 * funding time fixes all amounts.
 */

import {
  averagePremiumRate,
  fundingBounds,
  fundingPayment,
  fundingRate,
  NO_PREMIUMS,
  nextFunding,
  UNCOUNTED,
} from '../../formulas/funding.ts';
import { spareAbove } from '../../formulas/maintenance.ts';
import { lastSampleTime, PREMIUM_SAMPLE_SPACING } from '../../formulas/mark-price.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  divide,
  greatest,
  least,
  minus,
  negate,
  plus,
  plusLarge,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../../kernel/money.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import { isDelisted, isIsolated } from '../../messages/vocabulary.ts';
import { marketOf } from '../derived/derived.ts';
import { futuresCategoryOf, type InstrumentSpec, keyOf } from '../derived/instrument-spec.ts';
import type { MarketContext } from '../derived/market-context.ts';
import { maintenanceOf, markOf, unrealisedProfit } from '../derived/position.ts';
import { post } from '../ledger/ledger.ts';
import { addPremium, countPremium } from '../prices/market-prices.ts';
import type { FundingCharge } from '../state/charges.ts';
import type { Position } from '../state/position.ts';
import type { Timer } from '../state/timer.ts';
import { chargeFunding } from '../trading/charges/charge-funding.ts';
import { chargeNow, fitInCommand, queueCharges } from '../trading/charges/pending-charges.ts';
import { clearingAllowance, countDrawn } from '../trading/positions/clearing-levy.ts';
import { dropTimers, type Reaction, type Step, setTimer } from '../transaction/step.ts';

function scheduleFunding(step: Step, key: string, hours: number): void {
  const { funding } = step.state;
  const due = nextFunding(step.at, hours);
  const known = funding.get(key);
  if (known === undefined) funding.set(key, { due });
  else known.due = due;
  setTimer(step, due, 'funding', key);
}

/** The first position of a symbol starts funding. Premiums count while there is one (POS-79). */
export const startFunding: Reaction<'positionChanged'> = (
  step,
  { position: { category, symbol, size } },
) => {
  const market = step.derived.marketContexts.named(category, symbol);
  if (size === 0n || market === undefined) return;
  // Premiums count from now on, even before the first sample of the book.
  const premium = market.premium(step.state) ?? addPremium(step, market);
  if (premium.countedUntil === UNCOUNTED) premium.countedUntil = lastSampleTime(step.at);
  if (market.funding(step.state)?.due !== undefined) return;
  premium.tally = NO_PREMIUMS;
  premium.countedUntil = Math.max(premium.countedUntil, lastSampleTime(step.at)) as Timestamp;
  scheduleFunding(step, market.key, market.spec.instrument.fundingHours);
};

/** After the last position has closed, premiums do not count until the next one opens (POS-79). */
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

/** A listing with new funding hours moves the next funding. */
export const moveFunding: Reaction<'instrumentListed'> = (step, { instrument }) => {
  const key = keyOf(instrument);
  const due = step.state.funding.get(key)?.due;
  if (due === undefined || due === nextFunding(step.at, instrument.fundingHours)) return;
  dropTimers(step, 'funding', key);
  scheduleFunding(step, key, instrument.fundingHours);
};

export function settleFunding(step: Step, timer: Timer): void {
  const { state, at } = step;
  const funding = state.funding.get(timer.subject)!;
  invariant(funding.due === at, 'a symbol has one funding timer');
  const market = marketOf(step.derived, timer.subject);
  const { spec } = market;
  funding.due = undefined;
  if (market.held.size === 0) return;

  const average = takeRate(step, spec);
  // Positions of a delisted symbol cannot be closed, so they pay no funding (POS-88).
  const rate = isDelisted(state.instruments.get(spec.key)?.status) ? ZERO_RATE : average;
  funding.rate = rate;
  funding.settledAt = at;
  scheduleFunding(step, spec.key, spec.instrument.fundingHours);
  if (rate !== 0n) chargePositions(step, market, rate);
  const { symbol, fundingHours } = spec.instrument;
  const next = nextFunding(at, fundingHours);
  step.emit({ type: 'fundingSettled', category: futuresCategoryOf(spec), symbol, rate, at, next });
}

/**
 * Returns the rate of the ending interval and resets its premiums. Time without a sample or without
 * a position counts as a premium of zero.
 */
function takeRate({ state, at }: Step, { key, instrument }: InstrumentSpec): Rate {
  const { fundingHours } = instrument;
  const bounds = fundingBounds(instrument);
  const premium = state.premiums.get(key);
  if (premium === undefined) return fundingRate(ZERO_RATE, fundingHours, bounds);
  countPremium(premium, at);
  const count = Math.max(premium.tally.count, (fundingHours * HOUR) / PREMIUM_SAMPLE_SPACING);
  const average = averagePremiumRate({ sum: premium.tally.sum, count });
  premium.tally = NO_PREMIUMS;
  return fundingRate(average, fundingHours, bounds);
}

/**
 * The exchange keeps the dust of linear contracts. The sides of an inverse contract differ by their
 * entry prices, and clearing covers the difference (POS-20). If charges are queued, clearing also
 * pays accounts before others have paid.
 */
function chargePositions(step: Step, { spec, held }: MarketContext, rate: Rate): void {
  const pendingCharges = chargesOf(step, spec, held, rate);
  if (fitInCommand(step, pendingCharges.length)) {
    const between = spec.inverse ? 'clearing' : 'rounding';
    return chargeNow(step, pendingCharges, (charge) => chargeFunding(step, charge, between));
  }
  queueCharges(step, pendingCharges);
  if (!spec.inverse) postDust(step, spec, pendingCharges);
}

/** The charges of all positions, paying ones first. */
function chargesOf(
  step: Step,
  spec: InstrumentSpec,
  positions: Iterable<Position>,
  rate: Rate,
): readonly FundingCharge[] {
  const mark = markOf(step.state, spec);
  const paying: FundingCharge[] = [];
  const receiving: FundingCharge[] = [];
  let owed = ZERO_AMOUNT;
  let paid = ZERO_AMOUNT;
  let receivable = ZERO_AMOUNT;
  for (const position of positions) {
    const due = fundingPayment(spec.kind, position.side, position.entry, mark, rate);
    if (due < 0n) {
      const amount = payable(step, spec, position, negate(due));
      owed = minus(owed, due);
      paid = plus(paid, amount);
      paying.push(chargeOf(position, negate(amount), rate));
    } else if (due > 0n) {
      receivable = plus(receivable, due);
      receiving.push(chargeOf(position, due, rate));
    }
  }
  const payout = plus(paid, drawnFor(step, spec, minus(receivable, owed)));
  const claims = greatest(owed, receivable);
  if (payout === claims) return [...paying, ...receiving];
  // Rounded down, so receivers do not get the dust.
  const share = (due: Amount): Amount => divide(due * payout, claims, 'down') as Amount;
  return [...paying, ...receiving.map((charge) => ({ ...charge, amount: share(charge.amount) }))];
}

const chargeOf = ({ id, uid, key, side }: Position, amount: Amount, rate: Rate): FundingCharge => ({
  kind: 'funding',
  uid,
  positionId: id,
  key,
  side,
  amount,
  rate,
});

/** Clearing pays the shortfall of an inverse contract, up to its allowance (POS-94). */
function drawnFor({ state }: Step, spec: InstrumentSpec, shortfall: Amount): Amount {
  const { marginCoin } = spec.instrument;
  if (shortfall <= 0n) return ZERO_AMOUNT;
  const drawn = least(shortfall, clearingAllowance(state, marginCoin, markOf(state, spec)));
  countDrawn(state, marginCoin, drawn);
  return drawn;
}

/** An isolated position pays at most its margin above maintenance. */
function payable({ state }: Step, spec: InstrumentSpec, position: Position, owed: Amount): Amount {
  if (!isIsolated(position.marginMode)) return owed;
  const equity = plus(position.margin, unrealisedProfit(state, position, spec));
  const spare = spareAbove(equity, maintenanceOf(state, position, spec));
  return least(owed, greatest(ZERO_AMOUNT, least(position.margin, spare)));
}

/** Posts the payments that no position receives, before the queued charges are settled. */
function postDust(
  step: Step,
  { instrument: { marginCoin: coin } }: InstrumentSpec,
  pendingCharges: readonly FundingCharge[],
): void {
  const dust = negate(
    pendingCharges.reduce((sum, { amount }) => plusLarge(sum, amount), ZERO_AMOUNT),
  );
  post(step, 'funding', [
    { coin, account: 'clearing', amount: negate(dust) },
    { coin, account: 'rounding', amount: dust },
  ]);
}
