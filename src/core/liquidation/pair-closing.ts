/** Trades one coin of a pair for the coin that it owes, in the book by an engine order. */

import { ceilingDivide } from '../../formulas/exact.ts';
import { forcedCloseRate } from '../../formulas/fees.ts';
import { countOf } from '../../kernel/count.ts';
import { money, ONE_RATE, type Price, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, ORDER_LOTS_MAX, TICK_MAX, type Tick } from '../book/order-book.ts';
import { bookOf, marketOf } from '../derived/derived.ts';
import { feeRatesFor } from '../derived/fee-rates.ts';
import { coinsIn, type InstrumentSpec, tickAt, worthOf } from '../derived/instrument-spec.ts';
import { pairFree } from '../ledger/ledger.ts';
import { pairOwed } from '../margin/pair-debts.ts';
import { placePairHold } from '../margin/pair-holds.ts';
import type { Order } from '../state/order.ts';
import type { PairName } from '../state/pair.ts';
import { matchOrder } from '../trading/matching/match-order.ts';
import { countOpenOrder } from '../trading/orders/open-orders.ts';
import { newEngineOrder, orderRow } from '../trading/orders/order.ts';
import type { Step } from '../transaction/step.ts';

/** How far from the index a coin trades at worst. */
export const TAKEOVER_DISCOUNT = money<Rate>('0.05');

interface Closing {
  readonly side: Side;
  readonly lots: Lots;
  readonly limit: Tick;
}

/** True if anything traded. */
export function tradeForDebt(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  index: Price,
): boolean {
  const closing = closingSell(step, pair, spec, index) ?? closingBuy(step, pair, spec, index);
  return closing !== undefined && placeClosing(step, pair, spec, closing) > 0;
}

const lotsFrom = (count: bigint): Lots =>
  (count < BigInt(ORDER_LOTS_MAX) ? countOf(count) : ORDER_LOTS_MAX) as Lots;

/** The share of what a closing order gets that its fee leaves. */
const keptShare = ({ state }: Step, { uid }: PairName, { category }: InstrumentSpec): bigint =>
  ONE_RATE - forcedCloseRate(feeRatesFor(state, uid, category));

/**
 * Sells base coin for owed quote coin: as few lots as repay the debt, at a price at which all lots
 * together would repay it.
 */
function closingSell(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  index: Price,
): Closing | undefined {
  const owed = pairOwed(step.state, pair, spec.instrument.quoteCoin);
  const most = pairFree(step.state, pair, spec.instrument.baseCoin) / spec.lotSize;
  if (owed === 0n || most === 0n) return undefined;
  const kept = keptShare(step, pair, spec);
  const breakEven = ceilingDivide(owed * ONE_RATE, most * spec.tickLotValue * kept);
  if (breakEven > BigInt(TICK_MAX)) return undefined;
  const discounted = (index - (index * TAKEOVER_DISCOUNT) / ONE_RATE) as Price;
  const limit = Math.max(countOf(breakEven), tickAt(spec, discounted, 'up')) as Tick;

  let lots = 0n;
  let missing: bigint = owed;
  bookOf(step.derived, spec).look('sell', limit, (_id, _owner, tick, available) => {
    // One unit more, because the fee of each trade is rounded up.
    const enough = ceilingDivide((missing + 1n) * ONE_RATE, worthOf(spec, tick, 1 as Lots) * kept);
    const taken = [enough, BigInt(available), most - lots].reduce((one, other) =>
      one < other ? one : other,
    );
    lots += taken;
    missing -= (worthOf(spec, tick, lotsFrom(taken)) * kept) / ONE_RATE - 1n;
    return missing > 0n && lots < most;
  });
  return lots === 0n ? undefined : { side: 'sell', lots: lotsFrom(lots), limit };
}

/** Buys owed base coin with quote coin, at a price at which the quote coin pays for all lots. */
function closingBuy(
  step: Step,
  pair: PairName,
  spec: InstrumentSpec,
  index: Price,
): Closing | undefined {
  const owed = pairOwed(step.state, pair, spec.instrument.baseCoin);
  const free = pairFree(step.state, pair, spec.instrument.quoteCoin);
  if (owed === 0n || free === 0n) return undefined;
  const kept = keptShare(step, pair, spec);
  const lots = lotsFrom(ceilingDivide((owed + 1n) * ONE_RATE, spec.lotSize * kept));
  const payable = free / worthOf(spec, 1 as Tick, lots);
  const raised = tickAt(spec, (index + (index * TAKEOVER_DISCOUNT) / ONE_RATE) as Price, 'down');
  const limit = payable < BigInt(raised) ? countOf(payable) : raised;
  const taken =
    limit < 1 ? NO_LOTS : bookOf(step.derived, spec).fillableLots('buy', limit as Tick, lots);
  return taken === NO_LOTS ? undefined : { side: 'buy', lots: taken, limit: limit as Tick };
}

function placeClosing(
  step: Step,
  { uid, symbol }: PairName,
  spec: InstrumentSpec,
  { side, lots, limit }: Closing,
): Lots {
  const { state } = step;
  const account = state.accounts.get(uid)!;
  const { baseCoin, quoteCoin } = spec.instrument;
  const held =
    side === 'sell'
      ? { coin: baseCoin, amount: coinsIn(spec, lots) }
      : { coin: quoteCoin, amount: worthOf(spec, limit, lots) };
  const hold = { kind: 'isolated' as const, symbol, ...held, lots, borrowed: ZERO_AMOUNT };
  const order: Order = {
    ...newEngineOrder(step, uid, spec, { lots, limit }),
    side,
    positionMode: account.positionMode,
    reduceOnly: false,
    selfTradeMode: 'none',
    executionKind: 'liquidation',
    loanType: 'autoRepay',
    hold,
  };
  placePairHold(step, uid, hold);
  state.orders.set(order.id, order);
  countOpenOrder(account, order, 1);
  step.emit({ type: 'orderAccepted', order: orderRow(order, spec) });
  matchOrder(step, order, marketOf(step.derived, spec.key));
  return order.filled;
}
