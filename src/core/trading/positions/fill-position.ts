/** Applies a fill to a position and its margin: opens, increases, reduces and closes. */

import {
  addToEntry,
  costOfPart,
  type Entry,
  leftOfEntry,
  splitEntry,
} from '../../../formulas/entry.ts';
import { costOf, type Product } from '../../../formulas/exact.ts';
import { forcedCloseRate, inverseFee, valueFee } from '../../../formulas/fees.ts';
import { orderMargin } from '../../../formulas/margin.ts';
import {
  type LevyCharge,
  leastProfit,
  profitAfterLevy,
  profitOfPart,
} from '../../../formulas/profit.ts';
import { invariant } from '../../../kernel/invariant.ts';
import {
  type Amount,
  approximate,
  divide,
  least,
  minus,
  negate,
  type Price,
  plus,
  type Rate,
  type Size,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { type ExecutionKind, isIsolated, type PositionSide } from '../../../messages/vocabulary.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import type { AccountContext, SymbolAccount } from '../../derived/account-context.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
  worthOf,
} from '../../derived/instrument-spec.ts';
import { newPosition, positionKey, positionRow, releasedBy } from '../../derived/position.ts';
import { isTakenOver, lendShortfall, post, postFill, walletOf } from '../../ledger/ledger.ts';
import { ensureCost, repay } from '../../margin/debts.ts';
import {
  addedMaintenance,
  estimatedMargin,
  estimatedValue,
  isBounded,
  lossAgainstMark,
} from '../../margin/estimate-margin.ts';
import { releaseExcess, takeHold } from '../../margin/holds.ts';
import type { Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { type Step, takeId } from '../../transaction/step.ts';

/** The part of a trade that concerns one position. */
export interface Part {
  readonly spec: InstrumentSpec;
  readonly tick: Tick;
  readonly lots: Lots;
  readonly price: Price;
  readonly size: Size;
  /** Price × size, rounded to money. */
  readonly value: Amount;
  /** Price × size, not rounded. */
  readonly cost: Product;
  readonly feeRate: Rate;
  /** The clearing levy if it closes. */
  readonly levy?: LevyCharge | undefined;
}

/**
 * A hold is rounded once, and its parts again. A fill may lack that many smallest units, and its
 * margin is then smaller by them.
 */
export const ROUNDING_MAX = 3n;

export function partOf(
  spec: InstrumentSpec,
  tick: Tick,
  lots: Lots,
  feeRate: Rate,
  levy?: LevyCharge,
): Part {
  const price = priceOf(spec, tick);
  const size = sizeOf(spec, lots);
  return {
    spec,
    tick,
    lots,
    price,
    size,
    value: worthOf(spec, tick, lots),
    cost: costOf(price, size),
    feeRate,
    levy,
  };
}

export const feeOfOpening = (part: Part): Amount => feeOf(part, part.cost);

/** `cost` is that of the opened or closed entry, which determines an inverse fee. */
const feeOf = ({ spec, price, size, value, feeRate }: Part, cost: Product): Amount =>
  spec.inverse ? inverseFee({ size, cost }, price, feeRate) : valueFee(value, feeRate);

function openedPosition(
  step: Step,
  symbolAccount: SymbolAccount,
  order: Order,
  side: PositionSide,
): Position {
  const { state, at } = step;
  const existing = symbolAccount.position(side);
  if (existing !== undefined) return existing;
  const { uid, key, positionMode, marginMode, leverage } = order;
  invariant(
    marginMode !== undefined && leverage !== undefined,
    'an order of futures knows its margin mode and leverage',
  );
  const position = newPosition({
    id: takeId(step),
    uid,
    key,
    side,
    positionMode,
    marginMode,
    leverage,
    createdAt: at,
  });
  symbolAccount.context.putPosition(state, positionKey(key, side), position);
  symbolAccount.setPosition(side, position);
  symbolAccount.market.held.add(position);
  return position;
}

/** Opens or increases; returns the fee. */
export function openPosition(
  step: Step,
  symbolAccount: SymbolAccount,
  order: Order,
  side: PositionSide,
  part: Part,
): Amount {
  const { spec, lots } = part;
  const position = openedPosition(step, symbolAccount, order, side);
  const fee = feeOfOpening(part);

  countOpeningInHeadroom(step, symbolAccount, position, part);
  if (isIsolated(position.marginMode)) moveMarginIn(step, order, position, part, fee);
  else payOpeningFee(step, symbolAccount.context, order, lots, spec.instrument.marginCoin, fee);
  position.lots = (position.lots + lots) as Lots;
  position.entry = addToEntry(position.entry, part.size, part.cost);
  position.openFees = plus(position.openFees, fee);
  position.updatedAt = step.at;
  step.emit({ type: 'positionChanged', position: positionRow(position, spec) });
  return fee;
}

/**
 * Updates the headroom for a fill that opens: it may lose against mark, adds maintenance, and needs
 * margin.
 */
function countOpeningInHeadroom(
  { state, derived }: Step,
  { context, market, crossedLeverage }: SymbolAccount,
  position: Position,
  { spec, tick, lots }: Part,
): void {
  const { uid, side } = position;
  if (isIsolated(position.marginMode) || !isBounded(spec)) return derived.headroom.forget(uid);
  const mark = market.markTicks(state);
  const loss = lossAgainstMark(spec, mark, side === 'long' ? 'buy' : 'sell', tick, lots);
  const closeRate = forcedCloseRate(context.futuresFees);
  const requirement = addedMaintenance(spec, mark, position.lots, lots, closeRate);
  const initial = estimatedMargin(estimatedValue(spec, mark, lots), crossedLeverage);
  derived.headroom.positionMoved(uid, loss, requirement, initial);
}

/**
 * Updates the headroom for a fill that closes: its unrealised profit ends. The realised profit
 * comes with the wallet.
 */
function countClosingInHeadroom(
  { state, derived }: Step,
  { market }: SymbolAccount,
  position: Position,
  { spec, tick, lots }: Part,
  profit: Amount,
): void {
  const { uid, side } = position;
  if (isIsolated(position.marginMode) || !isBounded(spec)) return derived.headroom.forget(uid);
  const risen = estimatedValue(spec, market.markTicks(state) - tick, lots);
  const unrealised = approximate(profit) + (side === 'long' ? risen : -risen);
  derived.headroom.positionMoved(uid, Math.max(0, unrealised), 0, 0);
}

const NOTHING_RELEASED = (): Amount => ZERO_AMOUNT;

/** A crossed position has no money of its own, so the account pays the fee. */
function payOpeningFee(
  step: Step,
  context: AccountContext,
  order: Order,
  lots: Lots,
  coin: string,
  fee: Amount,
): void {
  takeHold(step, order, lots, fee);
  ensureCost(step, context.uid, coin, fee, NOTHING_RELEASED);
  postFill(step, 'openPosition', context, coin, { profit: ZERO_AMOUNT, fee });
}

/** Moves an isolated position's margin out of its order's hold, never out of a loan. */
function moveMarginIn(
  step: Step,
  order: Order,
  position: Position,
  { spec, lots, price, size }: Part,
  fee: Amount,
): void {
  const { uid } = order;
  const { marginCoin: coin } = spec.instrument;
  const wanted = orderMargin(spec.kind, price, size, rateFromText(order.leverage!));
  // Takes at most its share, which leaves theirs to later parts. The wallet covers what is lacking
  // (ORD-71).
  const held = takeHold(step, order, lots, ZERO_AMOUNT);
  const affordable = minus(plus(walletOf(step.state.ledger, uid, coin).available, held), fee);
  const margin = least(wanted, affordable);
  invariant(wanted - margin <= ROUNDING_MAX, 'an isolated order holds the margin of what it opens');
  post(step, 'openPosition', [
    { uid, coin, account: 'locked', amount: negate(held) },
    { uid, coin, account: 'available', amount: minus(held, plus(margin, fee)) },
    { uid, coin, account: 'margin', amount: margin },
    { coin, account: 'fees', amount: fee },
  ]);
  position.margin = plus(position.margin, margin);
}

type Closable = Pick<Position, 'entry' | 'side'>;

/**
 * The result of closing a part: profit after levy, the levy, the fee, and the entry that remains.
 */
export interface Closing {
  readonly left: Entry;
  readonly fee: Amount;
  readonly profit: Amount;
  readonly leftToClearing: Amount;
}

export function closingOf({ entry, side }: Closable, part: Part): Closing {
  const { spec, price, size, levy } = part;
  const cost = costOfPart(entry, size);
  const left = leftOfEntry(entry, size, cost);
  const fee = feeOf(part, cost);
  const whole = profitOfPart(spec.kind, side, part.cost, cost, price);
  if (levy === undefined) return { left, fee, profit: whole, leftToClearing: ZERO_AMOUNT };
  const profit = profitAfterLevy(spec.kind, side, { size, cost }, price, levy);
  return { left, fee, profit, leftToClearing: minus(whole, profit) };
}

/** The least result, for a check before the trade that does not know the other side. */
export function leastClosingOf(position: Closable, part: Part, mark: Price): Closing {
  const closing = closingOf(position, part);
  if (!part.spec.inverse) return closing;
  const { closed } = splitEntry(position.entry, part.size);
  return {
    ...closing,
    profit: leastProfit(part.spec.kind, position.side, closed, part.price, mark),
  };
}

export function closePosition(
  step: Step,
  symbolAccount: SymbolAccount,
  order: Order,
  position: Position,
  part: Part,
): Closing {
  const { spec, lots } = part;
  invariant(lots <= position.lots, 'a close is at most the position');
  const closing = closingOf(position, part);
  const { fee, profit } = closing;

  countClosingInHeadroom(step, symbolAccount, position, part, profit);
  releaseExcess(step, order, (order.left - lots) as Lots);
  settleClose(step, symbolAccount.context, position, part, closing, order.executionKind);
  position.lots = (position.lots - lots) as Lots;
  position.entry = closing.left;
  position.realisedProfit = plus(position.realisedProfit, profit);
  position.closeFees = plus(position.closeFees, fee);
  position.closed = addToEntry(position.closed, part.size, part.cost);
  position.updatedAt = step.at;
  emitClosing(step, position, spec, order.executionKind);
  return closing;
}

/** The end of a position under takeover is emitted once the fund's gain is known (POS-85). */
export function emitClosing(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  executionKind: ExecutionKind,
): void {
  if (position.lots > 0 || !isTakenOver(executionKind)) emitPosition(step, position, spec);
}

/** Emits the position; one without lots has closed and leaves the state. */
export function emitPosition(step: Step, position: Position, spec: InstrumentSpec): void {
  const row = positionRow(position, spec);
  step.emit({ type: 'positionChanged', position: row });
  if (position.lots > 0) return;
  const symbolAccount = symbolAccountOf(step, position);
  symbolAccount.setPosition(position.side, undefined);
  symbolAccount.market.held.delete(position);
  symbolAccount.context.removePosition(step.state, positionKey(position.key, position.side));
  step.emit({ type: 'positionClosed', position: row });
}

/**
 * The part of the margin that leaves with `part`, rounded down. The last part takes all that is
 * left.
 */
export const marginOfPart = (
  { margin, lots }: Pick<Position, 'margin' | 'lots'>,
  part: Lots,
): Amount =>
  part === lots || margin === 0n
    ? margin
    : (divide(margin * BigInt(part), BigInt(lots), 'down') as Amount);

/**
 * What a close takes out of the margin beyond its part: an isolated loss uses up its whole margin
 * before the wallet pays.
 */
export function lossBeyondPart(
  margin: Amount,
  marginPart: Amount,
  { profit, fee }: Pick<Closing, 'profit' | 'fee'>,
): Amount {
  const net = minus(plus(marginPart, profit), fee);
  return net < 0n ? least(negate(net), minus(margin, marginPart)) : ZERO_AMOUNT;
}

function settleClose(
  step: Step,
  context: AccountContext,
  position: Position,
  { spec, lots }: Part,
  closing: Closing,
  executionKind: ExecutionKind,
): void {
  const { uid } = position;
  const { marginCoin: coin } = spec.instrument;
  const { profit, fee } = closing;
  const marginPart = marginOfPart(position, lots);
  const marginOut =
    position.margin === 0n
      ? ZERO_AMOUNT
      : plus(marginPart, lossBeyondPart(position.margin, marginPart, closing));
  const toWallet = minus(plus(marginOut, profit), fee);
  if (isTakenOver(executionKind)) lendShortfall(step, uid, coin, negate(toWallet));
  if (toWallet < 0n)
    ensureCost(step, uid, coin, negate(toWallet), () =>
      releasedBy(step.state, position, closing.left, spec),
    );
  if (marginOut === 0n) postFill(step, 'closePosition', context, coin, closing);
  if (marginOut > 0n) moveMarginOut(step, position, coin, { marginOut, toWallet, profit, fee });
  // Repays at most what the close brought: what was free before may open the rest of the order
  // (POS-196).
  if (toWallet > 0n && !isTakenOver(executionKind)) repay(step, uid, coin, toWallet);
}

type PaidOut = Readonly<Record<'marginOut' | 'toWallet' | 'profit' | 'fee', Amount>>;

function moveMarginOut(
  step: Step,
  position: Position,
  coin: string,
  { marginOut, toWallet, profit, fee }: PaidOut,
): void {
  const { uid } = position;
  post(step, 'closePosition', [
    { uid, coin, account: 'margin', amount: negate(marginOut) },
    { uid, coin, account: 'available', amount: toWallet },
    { coin, account: 'clearing', amount: negate(profit) },
    { coin, account: 'fees', amount: fee },
  ]);
  position.margin = minus(position.margin, marginOut);
}
