/**
 * Closes positions outside the book: hedged sides against each other, and opposite positions
 * against one that nobody in the book wants.
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
import { houseLines, isTakenOver, lendLacking, post } from '../ledger/ledger.ts';
import { ensureCost, repay } from '../margin/debts.ts';
import type { Order } from '../state/order.ts';
import type { Position } from '../state/position.ts';
import { closingSide, type OutsideFill, tellOutsideFill } from '../trading/orders/engine-orders.ts';
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

/** What closing so many lots at a price realises, less what it leaves to clearing. */
export function profitOf(
  { side, entry }: Position,
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
  due?: LevyCharge,
): Amount {
  const { closed } = splitEntry(entry, sizeOf(spec, lots));
  return due === undefined
    ? profitAt(spec.kind, side, closed, price)
    : profitAfterLevy(spec.kind, side, closed, price, due);
}

/** Whose position closes, and why. */
export type Party = readonly [Position, ExecutionKind];

const gainsOf = (
  [[one], [other]]: readonly [Party, Party],
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
): readonly [Gain, Gain] => [gainAt(one, spec, lots, price), gainAt(other, spec, lots, price)];

/**
 * What each of two opposite positions would leave to clearing by closing against the other at a
 * price (POS-156).
 */
export const levyAgainst = (
  { state }: Step,
  spec: InstrumentSpec,
  parties: readonly [Party, Party],
  lots: Lots,
  price: Price,
): ClearingLevy | undefined => levyOf(state, spec, price, gainsOf(parties, spec, lots, price));

/**
 * Two opposite positions close against each other at one price; answers what that brought each of
 * their holders.
 */
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
    makeRoom(step, position, lots);
    const due = levy === undefined ? undefined : { amount: levy.amounts[index]!, mark: levy.mark };
    const whole = profitOf(position, spec, lots, price);
    const settled = settle(
      step,
      position,
      spec,
      lots,
      profitOf(position, spec, lots, price, due),
      executionKind,
    );
    const { profit } = settled;
    // A loss that ends with the margin may be less than its price says.
    const leftToClearing = greatest(ZERO_AMOUNT, minus(whole, profit));
    const fill: OutsideFill = { tradeId, lots, price, profit, leftToClearing, executionKind };
    tellOutsideFill(step, position, spec, fill);
    shrink(step, position, spec, fill);
    emitClosing(step, position, spec, executionKind);
    return settled;
  });
}

export interface Settled {
  /** What it realised for its holder: of a loss no more than was his to lose. */
  readonly profit: Amount;
  /** What came into his wallet; below zero when it cost. */
  readonly toWallet: Amount;
}

/**
 * Resting orders that only close never close more than there is: the oldest end until the others
 * still fit what is left.
 */
function makeRoom(step: Step, position: Position, closing: Lots): void {
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
  invariant(position.locked <= position.lots - closing, 'no close holds back more than there is');
}

const isCloseOf = (
  position: Position,
  { positionMode, intent, positionSide, reduceOnly, side }: Order,
): boolean =>
  positionMode === 'hedge'
    ? intent === 'close' && positionSide === position.side
    : reduceOnly && side === closingSide(position);

/**
 * A loss of an isolated position ends with its margin, and the house bears the rest; a crossed one
 * is the account's. What comes in repays (POS-196), but for that of a position that is taken over.
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
    if (isTakenOver(executionKind)) lendLacking(step, uid, coin, negate(profit));
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
