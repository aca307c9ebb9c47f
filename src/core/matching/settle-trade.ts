/** Settles a trade: money and coins for spot, positions for futures. Both sides are settled before the taker meets the next maker. */
import type { Id } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, minus, negate, plus, type Rate, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { FillRow } from '../../messages/orders.ts';
import type { Intent, PositionSide } from '../../messages/vocabulary.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms, valueOf } from '../instruments/terms.ts';
import { post } from '../ledger/ledger.ts';
import { ensureAvailable, repayFromAvailable } from '../margin/debts.ts';
import { releaseHold, takeHeldValue, takeHold } from '../orders/holds.ts';
import { feeCoinOf, type Order } from '../orders/order.ts';
import { closePosition, openPosition, type Part } from '../positions/fill-position.ts';
import { otherPositionSide, positionOf } from '../positions/position.ts';
import { type Step, takeId } from '../step.ts';

export interface Trade {
  readonly tradeId: Id;
  readonly terms: Terms;
  readonly tick: Tick;
  readonly lots: Lots;
}

interface Settled {
  readonly fee: Amount;
  readonly profit: Amount;
  readonly intent?: Intent;
  readonly positionSide?: PositionSide;
}

export function settleTrade(step: Step, trade: Trade, maker: Order, taker: Order): void {
  settleSide(step, trade, taker, 'taker', maker);
  settleSide(step, trade, maker, 'maker', taker);
}

function settleSide(step: Step, trade: Trade, order: Order, role: FillRow['role'], other: Order): void {
  const { terms, tick, lots } = trade;
  const feeRate = feeRateFor(step.state, order.uid, order.category, role);
  const settled = terms.futures ? settleFutures(step, trade, order, feeRate) : settleSpot(step, trade, order, feeRate);
  order.left = (order.left - lots) as Lots;
  order.filled = (order.filled + lots) as Lots;
  order.filledValue = plus(order.filledValue, valueOf(terms, tick, lots));
  step.emit({
    type: 'fillSettled',
    fill: {
      fillId: takeId(step),
      tradeId: trade.tradeId,
      orderId: order.id,
      uid: order.uid,
      clientOid: order.clientOid,
      category: order.category,
      symbol: terms.instrument.symbol,
      orderType: order.orderType,
      side: order.side,
      price: priceOf(terms, tick),
      size: sizeOf(terms, lots),
      value: valueOf(terms, tick, lots),
      role,
      feeCoin: feeCoinOf(terms, order.side),
      executionKind: order.executionKind,
      ...(order.loanType === undefined ? {} : { loanType: order.loanType }),
      selfTrade: order.owner === other.owner,
      ...settled,
    },
  });
}

/** In one-way mode an order larger than the opposite position closes it and opens the rest. */
function settleFutures(step: Step, trade: Trade, order: Order, feeRate: Rate): Settled {
  const part: Part = { terms: trade.terms, tick: trade.tick, lots: trade.lots, feeRate };
  if (order.positionMode === 'hedge') return settleHedged(step, order, part);
  const grows: PositionSide = order.side === 'buy' ? 'long' : 'short';
  const opposite = positionOf(step.state, order.uid, order.key, otherPositionSide(grows));
  if (opposite === undefined) return opened(openPosition(step, order, grows, part), grows);

  const closing = Math.min(opposite.lots, part.lots) as Lots;
  const closed = closePosition(step, order, opposite, { ...part, lots: closing });
  if (closing === part.lots) return { ...closed, intent: 'close', positionSide: opposite.side };
  order.left = (order.left - closing) as Lots;
  const openFee = openPosition(step, order, grows, { ...part, lots: (part.lots - closing) as Lots });
  order.left = (order.left + closing) as Lots;
  return { fee: plus(closed.fee, openFee), profit: closed.profit, intent: 'close', positionSide: opposite.side };
}

const opened = (fee: Amount, side: PositionSide): Settled => ({ fee, profit: ZERO_AMOUNT, intent: 'open', positionSide: side });

function settleHedged(step: Step, order: Order, part: Part): Settled {
  const side = order.positionSide;
  invariant(side !== undefined, 'an order in hedge mode names its position');
  if (order.intent === 'open') return opened(openPosition(step, order, side, part), side);
  const position = positionOf(step.state, order.uid, order.key, side);
  invariant(position !== undefined && position.locked >= part.lots, 'a closing order holds back what it closes');
  position.locked = (position.locked - part.lots) as Lots;
  return { ...closePosition(step, order, position, part), intent: 'close', positionSide: side };
}

/** The fee comes out of the coin received; the exchange gains the dust. */
function settleSpot(step: Step, { terms, tick, lots }: Trade, order: Order, feeRate: Rate): Settled {
  const { baseCoin, quoteCoin } = terms.instrument;
  const { uid } = order;
  const value = valueOf(terms, tick, lots);
  const base = sizeOf(terms, lots) as bigint as Amount;
  const [paidCoin, paid, gotCoin, got] = order.side === 'buy' ? [quoteCoin, value, baseCoin, base] : [baseCoin, base, quoteCoin, value];
  const fee = rateOf(got, feeRate, 'up');

  payOut(step, order, paidCoin, paid, lots);
  post(step, 'trade', [
    { uid, coin: gotCoin, account: 'available', amount: minus(got, fee) },
    { coin: gotCoin, account: 'fees', amount: fee },
    { coin: gotCoin, account: 'exchanging', amount: negate(got) },
  ]);
  if (order.category === 'MARGIN') repayFromAvailable(step, uid, gotCoin);
  return { fee, profit: ZERO_AMOUNT };
}

/** What a spot order gives: out of what was locked for it, or, on margin, out of the wallet and a loan. */
function payOut(step: Step, order: Order, coin: string, paid: Amount, lots: Lots): void {
  const { uid } = order;
  if (order.hold.kind !== 'wallet') {
    releaseHold(step, order, lots);
    ensureAvailable(step, uid, coin, paid);
    post(step, 'trade', [
      { uid, coin, account: 'available', amount: negate(paid) },
      { coin, account: 'exchanging', amount: paid },
    ]);
    return;
  }
  // A buy given in quote coin holds money, not lots: each fill takes what it costs.
  const held = order.quoteAmount === undefined ? takeHold(order, lots) : takeHeldValue(order, paid);
  post(step, 'trade', [
    { uid, coin, account: 'locked', amount: negate(held) },
    { uid, coin, account: 'available', amount: minus(held, paid) },
    { coin, account: 'exchanging', amount: paid },
  ]);
}
