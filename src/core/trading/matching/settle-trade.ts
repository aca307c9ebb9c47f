/**
 * Settles a trade: money and coins for spot, positions for futures. Both sides are settled before
 * the taker meets the next maker.
 */
import { type Amount, type Size, ZERO_AMOUNT, plus } from '../../../kernel/money.ts';
import type { Intent, PositionSide } from '../../../messages/vocabulary.ts';
import { type Step, takeId } from '../../transaction/step.ts';
import { type Trade, countFill } from './trade.ts';
import { applyLevyOfTrade } from './drawn-on-clearing.ts';
import { settleSpot } from './settle-spot.ts';
import type { FillRow } from '../../../messages/orders.ts';
import { feeCoinOf } from '../orders/order.ts';
import type { ClearingLevy } from '../positions/clearing-levy.ts';
import { symbolAccountOf } from '../../derived/lookups.ts';
import { countInSums } from '../orders/open-orders.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { Order } from '../../state/order.ts';
import { type Part, closePosition, openPosition, partOf } from '../positions/fill-position.ts';
import { otherPositionSide } from '../../derived/position.ts';
import type { Lots } from '../../book/order-book.ts';
import { invariant } from '../../../kernel/invariant.ts';

interface Settled {
  readonly fee: Amount;
  readonly profit: Amount;
  readonly leftToClearing: Amount;
  readonly intent: Intent | undefined;
  readonly positionSide: PositionSide | undefined;
  /** Of one that closed and went on to the other side. */
  readonly openedSize: Size | undefined;
}

export function settleTrade(step: Step, trade: Trade): void {
  if (trade.spec.futures) {
    const levy = applyLevyOfTrade(step, trade);
    emitFill(step, trade, 'taker', settleFutures(step, trade, 'taker', levy));
    emitFill(step, trade, 'maker', settleFutures(step, trade, 'maker', levy));
    return;
  }
  const fees = settleSpot(step, trade);
  emitFill(step, trade, 'taker', fillResult(charged(fees.taker)));
  emitFill(step, trade, 'maker', fillResult(charged(fees.maker)));
}

type Earned = Pick<Settled, 'fee' | 'profit' | 'leftToClearing'>;

const charged = (fee: Amount): Earned => ({
  fee,
  profit: ZERO_AMOUNT,
  leftToClearing: ZERO_AMOUNT,
});

/** All fields at once, so that all fills are told from objects of one shape. */
const fillResult = (
  { fee, profit, leftToClearing }: Earned,
  intent?: Intent,
  positionSide?: PositionSide,
  openedSize?: Size,
): Settled => ({
  fee,
  profit,
  leftToClearing,
  intent,
  positionSide,
  openedSize,
});

function emitFill(step: Step, trade: Trade, role: FillRow['role'], settled: Settled): void {
  const { spec, maker, taker } = trade;
  const order = role === 'maker' ? maker : taker;
  const { hold } = order;
  const fill: FillRow = {
    fillId: takeId(step),
    tradeId: trade.tradeId,
    orderId: order.id,
    uid: order.uid,
    clientOid: order.clientOid,
    category: order.category,
    symbol: spec.instrument.symbol,
    orderType: order.orderType,
    side: order.side,
    price: trade.price,
    size: trade.size,
    value: trade.value,
    role,
    feeCoin: feeCoinOf(spec, order.side),
    fee: settled.fee,
    positionSide: settled.positionSide,
    intent: settled.intent,
    openedSize: settled.openedSize,
    profit: settled.profit,
    leftToClearing: settled.leftToClearing === 0n ? undefined : settled.leftToClearing,
    executionKind: order.executionKind,
    loanType: order.loanType,
    selfTrade: maker.owner === taker.owner,
    marginHold: hold.kind === 'margin' && hold.amount > 0n ? hold.amount : undefined,
  };
  step.emit({ type: 'fillSettled', fill });
}

function settleFutures(
  step: Step,
  trade: Trade,
  role: FillRow['role'],
  levy: ClearingLevy | undefined,
): Settled {
  const { spec, tick, lots, price, size, value, cost } = trade;
  const order = role === 'maker' ? trade.maker : trade.taker;
  const symbolAccount = symbolAccountOf(step, order);
  const fees = symbolAccount.context.futuresFees;
  const feeRate = role === 'maker' ? fees.maker : fees.taker;
  const sums = symbolAccount.sums(order.side);
  countInSums(sums, order, -1);
  const settle = order.positionMode === 'hedge' ? settleHedged : settleOneWay;
  const due =
    levy === undefined
      ? undefined
      : { amount: levy.amounts[role === 'maker' ? 0 : 1], mark: levy.mark };
  const settled = settle(step, symbolAccount, order, {
    spec,
    tick,
    lots,
    price,
    size,
    value,
    cost,
    feeRate,
    due,
  });
  countFill(order, trade);
  countInSums(sums, order, 1);
  return settled;
}

/** In one-way mode an order larger than the opposite position closes it and opens the rest. */
function settleOneWay(step: Step, symbolAccount: SymbolAccount, order: Order, part: Part): Settled {
  const { spec, tick, lots, feeRate } = part;
  const grows: PositionSide = order.side === 'buy' ? 'long' : 'short';
  const opposite = symbolAccount.position(otherPositionSide(grows));
  if (opposite === undefined)
    return fillResult(
      charged(openPosition(step, symbolAccount, order, grows, part)),
      'open',
      grows,
    );

  const closing = Math.min(opposite.lots, lots) as Lots;
  const closed = closePosition(
    step,
    symbolAccount,
    order,
    opposite,
    closing === lots ? part : partOf(spec, tick, closing, feeRate, part.due),
  );
  if (closing === lots) return fillResult(closed, 'close', opposite.side);
  const opening = partOf(spec, tick, (lots - closing) as Lots, feeRate);
  const fee = openPosition(step, symbolAccount, order, grows, opening);
  const { profit, leftToClearing } = closed;
  return fillResult(
    { fee: plus(closed.fee, fee), profit, leftToClearing },
    'close',
    opposite.side,
    opening.size,
  );
}

function settleHedged(step: Step, symbolAccount: SymbolAccount, order: Order, part: Part): Settled {
  const { lots } = part;
  const side = order.positionSide;
  invariant(side !== undefined, 'an order in hedge mode names its position');
  if (order.intent === 'open')
    return fillResult(charged(openPosition(step, symbolAccount, order, side, part)), 'open', side);
  const position = symbolAccount.position(side);
  invariant(
    position !== undefined && position.locked >= lots,
    'a closing order holds back what it closes',
  );
  position.locked = (position.locked - lots) as Lots;
  return fillResult(closePosition(step, symbolAccount, order, position, part), 'close', side);
}
