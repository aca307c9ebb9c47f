/**
 * Settles funding: one side of a symbol pays the other by a rate that follows from how far the book stood from the index. Who pays pays in
 * full out of his wallet when crossed, and out of his position as far as it can bear when isolated; who receives receives the share of his
 * due that was really paid, so that funding never makes money (POS-64, POS-65).
 */
import { averagePremium, fundingBounds, fundingPayment, fundingRate, NO_PREMIUMS, nextFunding } from '../../formulas/funding.ts';
import { spareAbove } from '../../formulas/maintenance.ts';
import { PREMIUM_SAMPLE_SPACING } from '../../formulas/mark-price.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, divide, greatest, least, minus, negate, plus, type Rate, ZERO_AMOUNT, ZERO_RATE } from '../../kernel/money.ts';
import { HOUR } from '../../kernel/time.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { termsFor } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { post } from '../ledger/ledger.ts';
import { ensureAvailable, repayFromAvailable } from '../margin/debts.ts';
import { maintenanceOf, markOf, unrealisedProfit } from '../margin/position-margin.ts';
import { clearingRoom, countDrawn } from '../positions/clearing-room.ts';
import { tellPosition } from '../positions/fill-position.ts';
import type { Position } from '../positions/position.ts';
import { countPremium } from '../prices/premiums.ts';
import type { State } from '../state.ts';
import { inParts, type Step } from '../step.ts';
import type { Timer } from '../timers.ts';
import { scheduleFunding } from './funding-times.ts';

export function settleFunding(step: Step, timer: Timer): void {
  const { state, at } = step;
  const funding = state.funding.get(timer.subject)!;
  invariant(funding.due === at, 'a symbol waits for its next funding and for no other');
  const terms = termsFor(step.derived, timer.subject);
  const positions = positionsIn(state, terms.key);
  funding.due = undefined;
  if (positions.length === 0) return;

  const average = takeRate(step, terms);
  // Nothing is traded there and nobody could get out of it (POS-88).
  const rate = state.instruments.get(terms.key)?.status === 'off' ? ZERO_RATE : average;
  funding.rate = rate;
  funding.settledAt = at;
  scheduleFunding(step, terms.key, terms.instrument.fundingHours);
  if (rate !== 0n) chargeAll(step, terms, positions, rate);
  const { symbol, fundingHours } = terms.instrument;
  const next = nextFunding(at, fundingHours);
  step.emit({ type: 'fundingSettled', category: terms.category as FuturesCategory, symbol, rate, at, next });
}

/** The rate of the interval that ends now; the premiums of the next one are counted from here. Time without a book, or without a position, counts as no premium. */
function takeRate({ state, at }: Step, { key, instrument }: Terms): Rate {
  const { fundingHours } = instrument;
  const bounds = fundingBounds(instrument);
  const premium = state.premiums.get(key);
  if (premium === undefined) return fundingRate(ZERO_RATE, fundingHours, bounds);
  countPremium(premium, at);
  const count = Math.max(premium.tally.count, (fundingHours * HOUR) / PREMIUM_SAMPLE_SPACING);
  const average = averagePremium({ sum: premium.tally.sum, count });
  premium.tally = NO_PREMIUMS;
  return fundingRate(average, fundingHours, bounds);
}

/** Every position of a symbol, oldest first. */
function positionsIn(state: State, key: string): Position[] {
  const found: Position[] = [];
  for (const own of state.positions.values()) for (const position of own.values()) if (position.key === key) found.push(position);
  return found.sort((one, other) => one.id - other.id);
}

interface Share {
  readonly position: Position;
  /** Positive for one that receives. */
  readonly due: Amount;
}

function chargeAll(step: Step, terms: Terms, positions: readonly Position[], rate: Rate): void {
  const mark = markOf(step.state, terms);
  const shares: Share[] = positions.map((position) => ({
    position,
    due: fundingPayment(terms.kind, position.side, position.entry, mark, rate),
  }));
  let owed = ZERO_AMOUNT;
  let paid = ZERO_AMOUNT;
  const [paying, receiving] = [shares.filter(({ due }) => due < 0n), shares.filter(({ due }) => due > 0n)];
  inParts(step, paying, ({ position, due }) => {
    owed = minus(owed, due);
    paid = plus(paid, pay(step, terms, position, negate(due), rate));
  });
  const whole = receiving.reduce((sum, { due }) => plus(sum, due), ZERO_AMOUNT);
  const given = plus(paid, drawnFor(step, terms, minus(whole, owed)));
  const shared = greatest(owed, whole);
  inParts(step, receiving, ({ position, due }) => {
    // Rounded down: who receives goes without the dust.
    const received = given === shared ? due : (divide(due * given, shared, 'down') as Amount);
    receive(step, terms, position, received, rate);
  });
}

/** Of an inverse contract whose entries differ more may be due than is owed; clearing pays that as far as the house stands for it (POS-94). */
function drawnFor({ state }: Step, terms: Terms, lacking: Amount): Amount {
  const { marginCoin } = terms.instrument;
  if (lacking <= 0n) return ZERO_AMOUNT;
  const drawn = least(lacking, clearingRoom(state, marginCoin, markOf(state, terms)));
  countDrawn(state, marginCoin, drawn);
  return drawn;
}

/** Dust of linear contracts is the exchange's; the two sides of an inverse one differ by their entries, which clearing evens out (POS-20). */
const between = (terms: Terms): 'rounding' | 'clearing' => (terms.inverse ? 'clearing' : 'rounding');

/** What an isolated position can give: its margin, as long as it stays above its maintenance. */
function bearable({ state }: Step, terms: Terms, position: Position): Amount {
  const equity = plus(position.margin, unrealisedProfit(state, position, terms));
  const spare = spareAbove(equity, maintenanceOf(state, position, terms));
  return greatest(ZERO_AMOUNT, least(position.margin, spare));
}

function pay(step: Step, terms: Terms, position: Position, owed: Amount, rate: Rate): Amount {
  const { uid } = position;
  const { marginCoin: coin } = terms.instrument;
  const isolated = position.marginMode === 'isolated';
  const amount = isolated ? least(owed, bearable(step, terms, position)) : owed;
  if (amount > 0n) {
    if (!isolated) ensureAvailable(step, uid, coin, amount);
    post(step, 'funding', [
      { uid, coin, account: isolated ? 'margin' : 'available', amount: negate(amount) },
      { coin, account: between(terms), amount },
    ]);
    if (isolated) position.margin = minus(position.margin, amount);
  }
  tell(step, terms, position, negate(amount), rate);
  return amount;
}

function receive(step: Step, terms: Terms, position: Position, amount: Amount, rate: Rate): void {
  const { uid } = position;
  const { marginCoin: coin } = terms.instrument;
  const isolated = position.marginMode === 'isolated';
  if (amount > 0n) {
    post(step, 'funding', [
      { coin, account: between(terms), amount: negate(amount) },
      { uid, coin, account: isolated ? 'margin' : 'available', amount },
    ]);
    if (isolated) position.margin = plus(position.margin, amount);
    else repayFromAvailable(step, uid, coin);
  }
  tell(step, terms, position, amount, rate);
}

function tell(step: Step, terms: Terms, position: Position, amount: Amount, rate: Rate): void {
  const { symbol, marginCoin: coin } = terms.instrument;
  const { uid, id: positionId, side } = position;
  const category = terms.category as FuturesCategory;
  position.funding = plus(position.funding ?? ZERO_AMOUNT, amount);
  position.updatedAt = step.at;
  step.emit({ type: 'fundingCharged', uid, positionId, category, symbol, side, coin, rate, amount, at: step.at });
  tellPosition(step, position, terms);
}
