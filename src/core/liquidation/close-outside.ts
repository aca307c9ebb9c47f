/**
 * Closes positions outside the book: hedged sides against each other, and opposite positions
 * against one that the book does not take.
 */
import { increaseEntry, splitEntry } from '../../formulas/entry.ts';
import { type LevyCharge, profitAfterLevy, profit as profitAt } from '../../formulas/profit.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  divide,
  greatest,
  least,
  minus,
  negate,
  type Price,
  plus,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { type CancelReason, type ExecutionKind, isCrossed } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import { type InstrumentSpec, sizeOf } from '../derived/instrument-spec.ts';
import { releasedBy } from '../derived/position.ts';
import { houseLines, isTakenOver, lendShortfall, post } from '../ledger/ledger.ts';
import { ensureCost, repay } from '../margin/debts.ts';
import type { Order } from '../state/order.ts';
import type { Position } from '../state/position.ts';
import { closingSide, emitOutsideFill, type OutsideFill } from '../trading/orders/engine-orders.ts';
import { endOrder, openOrdersOf } from '../trading/orders/open-orders.ts';
import {
  applyLevy,
  type ClearingLevy,
  type Gain,
  gainAt,
  levyOf,
} from '../trading/positions/clearing-levy.ts';
import { emitClosing } from '../trading/positions/fill-position.ts';
import { type Step, takeId } from '../transaction/step.ts';

/** What closing `lots` at `price` realises, less its clearing levy. */
export function profitOf(
  { side, entry }: Position,
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
  levy?: LevyCharge,
): Amount {
  const { closed } = splitEntry(entry, sizeOf(spec, lots));
  return levy === undefined
    ? profitAt(spec.kind, side, closed, price)
    : profitAfterLevy(spec.kind, side, closed, price, levy);
}

/** The position that closes, and the kind of its execution. */
export type Party = readonly [Position, ExecutionKind];

const gainsOf = (
  [[one], [other]]: readonly [Party, Party],
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
): readonly [Gain, Gain] => [gainAt(one, spec, lots, price), gainAt(other, spec, lots, price)];

/** The levy that two opposite positions would pay if they closed against each other (POS-156). */
export const levyAgainst = (
  { state }: Step,
  spec: InstrumentSpec,
  parties: readonly [Party, Party],
  lots: Lots,
  price: Price,
): ClearingLevy | undefined => levyOf(state, spec, price, gainsOf(parties, spec, lots, price));

/** Closes two opposite positions against each other at one price. */
export function closeAgainst(
  step: Step,
  spec: InstrumentSpec,
  parties: readonly [Party, Party],
  lots: Lots,
  price: Price,
): Settled[] {
  const levy = applyLevy(step.state, spec, price, gainsOf(parties, spec, lots, price));
  const tradeId = takeId(step);
  return parties.map(([position, executionKind], index) => {
    cancelExcessCloses(step, position, lots);
    const charge =
      levy === undefined ? undefined : { amount: levy.amounts[index]!, mark: levy.mark };
    const whole = profitOf(position, spec, lots, price);
    const settled = settle(
      step,
      position,
      spec,
      lots,
      profitOf(position, spec, lots, price, charge),
      executionKind,
    );
    const { profit } = settled;
    // The margin caps the loss of an isolated position, so it may be less than the price implies.
    const leftToClearing = greatest(ZERO_AMOUNT, minus(whole, profit));
    const fill: OutsideFill = { tradeId, lots, price, profit, leftToClearing, executionKind };
    emitOutsideFill(step, position, spec, fill);
    shrink(step, position, spec, fill);
    emitClosing(step, position, spec, executionKind);
    return settled;
  });
}

export interface Settled {
  /** The profit of the account; a loss is at most the margin of an isolated position. */
  readonly profit: Amount;
  /** What the wallet received; negative if it paid. */
  readonly toWallet: Amount;
}

/** Cancels closing orders, the oldest first, until the others fit what is left (POS-187). */
function cancelExcessCloses(step: Step, position: Position, closing: Lots): void {
  const reason: CancelReason = 'autoDeleverage';
  const closes = (openOrdersOf(step.derived, position.uid, position.key)?.all ?? []).filter(
    (order) => isCloseOf(position, order),
  );
  let held = closes.reduce((sum, order) => sum + order.left, 0);
  for (const order of closes) {
    if (held <= position.lots - closing) break;
    held -= order.left;
    endOrder(step, order, reason);
  }
  invariant(
    position.locked <= position.lots - closing,
    'closing orders lock at most what is left of the position',
  );
}

const isCloseOf = (
  position: Position,
  { positionMode, intent, positionSide, reduceOnly, side }: Order,
): boolean =>
  positionMode === 'hedge'
    ? intent === 'close' && positionSide === position.side
    : reduceOnly && side === closingSide(position);

/**
 * The loss of an isolated position is at most its margin, and the house pays the rest. A crossed
 * one charges the account. What a close brings in repays loans (POS-196), except in a takeover.
 */
function settle(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  lots: Lots,
  profit: Amount,
  executionKind: ExecutionKind,
): Settled {
  const { uid } = position;
  const { marginCoin: coin } = spec.instrument;
  if (isCrossed(position.marginMode)) {
    if (isTakenOver(executionKind)) lendShortfall(step, uid, coin, negate(profit));
    const left = (): Position['entry'] => splitEntry(position.entry, sizeOf(spec, lots)).left;
    if (profit < 0n)
      ensureCost(step, uid, coin, negate(profit), () =>
        releasedBy(step.state, position, left(), spec),
      );
    post(step, 'closePosition', [
      { uid, coin, account: 'available', amount: profit },
      { coin, account: 'clearing', amount: negate(profit) },
    ]);
    if (profit > 0n && !isTakenOver(executionKind)) repay(step, uid, coin, profit);
    return { profit, toWallet: profit };
  }
  const part =
    lots === position.lots
      ? position.margin
      : (divide(position.margin * BigInt(lots), BigInt(position.lots), 'down') as Amount);
  const out = greatest(part, least(position.margin, negate(profit)));
  const toWallet = greatest(ZERO_AMOUNT, plus(out, profit));
  post(step, 'closePosition', [
    { uid, coin, account: 'margin', amount: negate(out) },
    { uid, coin, account: 'available', amount: toWallet },
    { coin, account: 'clearing', amount: negate(profit) },
    ...houseLines(step.state, coin, minus(plus(out, profit), toWallet)),
  ]);
  position.margin = minus(position.margin, out);
  if (toWallet > 0n && !isTakenOver(executionKind)) repay(step, uid, coin, toWallet);
  return { profit: minus(toWallet, out), toWallet };
}

function shrink(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  { lots, price, profit }: OutsideFill,
): void {
  const size = sizeOf(spec, lots);
  step.derived.headroom.forget(position.uid);
  position.entry = splitEntry(position.entry, size).left;
  position.lots = (position.lots - lots) as Lots;
  position.realisedProfit = plus(position.realisedProfit, profit);
  position.closed = increaseEntry(position.closed, price, size);
  position.updatedAt = step.at;
}
