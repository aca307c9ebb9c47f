/** Take-profit and stop-loss of tracked orders, which the last price reaches. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id } from '../../kernel/ids.ts';
import { moneyFromText, moneyText, type Price } from '../../kernel/money.ts';
import { stepsIn } from '../../kernel/steps.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { type Category, isLimit, takesOrders } from '../../messages/vocabulary.ts';
import { NO_LOTS, TICK_MAX } from '../book/order-book.ts';
import { specOf } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import { tpslOfTracked } from '../derived/tracked-index.ts';
import type { TrackedOrder } from '../state/copy-state.ts';
import type { State } from '../state/state.ts';
import { trackedRow } from '../trading/charges/settle-charges.ts';
import { done, type Handler, type Reaction, reject, type Step } from '../transaction/step.ts';
import { setTarget } from './close-tracked.ts';
import { queueRetry, queueTpsl } from './mirror-queue.ts';

/** Always set: a trade opened the tracked order. */
const lastTradedPrice = (state: State, { key }: InstrumentSpec): Price =>
  state.symbolPrices.get(key)!.last!;

/** Undefined keeps the price that is set, zero removes it. */
const priceGiven = (text: DecimalText | undefined): Price | undefined =>
  text === undefined ? undefined : moneyFromText<Price>(text);

type TpslRequest = CommandOf<'setTrackedOrderTpsl'>;

/** A symbol that takes no orders takes no new take-profit or stop-loss either (CPY-151). */
const isClosed = ({ instruments }: State, { key }: InstrumentSpec): boolean => {
  const { status } = instruments.get(key)!;
  return !takesOrders(status);
};

function findTracked(
  { state, derived }: Step,
  { uid, role, trackingId, category, symbol }: TpslRequest,
): TrackedOrder | undefined {
  const order = state.copy.tracked.get(trackingId);
  if (
    order === undefined ||
    order.uid !== uid ||
    order.lots === 0 ||
    (order.kind === 'original') !== (role === 'leader')
  )
    return undefined;
  const { instrument } = specOf(derived, order.key);
  return instrument.category === category && (symbol === undefined || instrument.symbol === symbol)
    ? order
    : undefined;
}

function priceFault(
  spec: InstrumentSpec,
  { takeProfit, stopLoss }: TpslRequest,
): ReturnType<typeof reject> | undefined {
  const faultOf = (text: DecimalText | undefined, field: 'takeProfit' | 'stopLoss') => {
    const tick = text === undefined ? 0 : stepsIn(text, spec.priceStep);
    if (tick === undefined) return reject('priceOffStep', field, spec.instrument.priceStep);
    return tick > TICK_MAX ? reject('fieldInvalid', field, text) : undefined;
  };
  return faultOf(takeProfit, 'takeProfit') ?? faultOf(stopLoss, 'stopLoss');
}

export const setTrackedOrderTpsl: Handler<'setTrackedOrderTpsl'> = (step, command) => {
  const { state, derived } = step;
  if (!state.accounts.has(command.uid)) return reject('unknownUser', 'uid', `${command.uid}`);
  if (command.role === 'leader' && !state.copy.leaders.has(command.uid)) return reject('notLeader');
  const order = findTracked(step, command);
  if (order === undefined) return reject('unknownTrackedOrder', 'trackingId');
  const spec = specOf(derived, order.key);
  const fault = priceFault(spec, command);
  if (fault !== undefined) return fault;
  const last = lastTradedPrice(state, spec);
  const [takeProfit, stopLoss] = [priceGiven(command.takeProfit), priceGiven(command.stopLoss)];
  const isAhead = (price: Price): boolean => (order.side === 'long' ? price > last : price < last);
  const isBehind = (price: Price): boolean => (order.side === 'long' ? price < last : price > last);
  if (takeProfit !== undefined && takeProfit > 0n && !isAhead(takeProfit))
    return reject('takeProfitOnWrongSide', 'takeProfit', moneyText(last));
  if (stopLoss !== undefined && stopLoss > 0n && !isBehind(stopLoss))
    return reject('stopLossOnWrongSide', 'stopLoss', moneyText(last));
  if (order.target === 0) return reject('copyNotNow', 'trackingId');
  const isSet = (price: Price | undefined): boolean => price !== undefined && price > 0n;
  if ((isSet(takeProfit) || isSet(stopLoss)) && isClosed(state, spec))
    return reject('copyNotNow', 'symbol');

  derived.tracked.unwatch(order);
  setPrice(order, 'takeProfit', takeProfit);
  setPrice(order, 'stopLoss', stopLoss);
  derived.tracked.watch(order);
  step.emit({ type: 'trackedOrderChanged', order: trackedRow(order, spec) });
  return done;
};

function setPrice(
  order: TrackedOrder,
  kind: 'takeProfit' | 'stopLoss',
  price: Price | undefined,
): void {
  if (price === undefined) return;
  order[kind] = price === 0n ? undefined : price;
}

/** The last price lies between the two until one is reached, so it never reaches both. */
const closerAt = ({ side, takeProfit }: TrackedOrder, last: Price): 'takeProfit' | 'stopLoss' =>
  takeProfit !== undefined && (side === 'long' ? last >= takeProfit : last <= takeProfit)
    ? 'takeProfit'
    : 'stopLoss';

export const reachTpsl: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) => {
  const { copy } = step.state;
  if (copy.tracked.size === 0) return;
  const reached: Id[] = [];
  for (const id of step.derived.tracked.reached(instrumentKey(category, symbol), price)) {
    const order = copy.tracked.get(id)!;
    setTarget(step, order, NO_LOTS, closerAt(order, price));
    reached.push(id);
  }
  queueTpsl(step, reached);
};

/** A copy that opens past its take-profit or stop-loss ends at once (CPY-61). */
export function endIfReached(step: Step, order: TrackedOrder): void {
  const last = lastTradedPrice(step.state, specOf(step.derived, order.key));
  if (!tpslOfTracked(order).some(({ price, rises }) => (rises ? last >= price : last <= price)))
    return;
  setTarget(step, order, NO_LOTS, closerAt(order, last));
  queueTpsl(step, [order.id]);
}

const retryIn = ({ state }: Step, category: Category, symbol: string): void => {
  if (state.copy.stuck.size > 0) queueRetry(state, instrumentKey(category, symbol));
};

/**
 * Closes without a counterparty are retried when an order rests, trading resumes, or the price band
 * moves or changes (CPY-172).
 */
export const retryWithMaker: Reaction<'orderAccepted'> = (step, { order }) => {
  if (isLimit(order.orderType)) retryIn(step, order.category, order.symbol);
};
export const retryWithModified: Reaction<'orderModified'> = (step, { order }) =>
  retryIn(step, order.category, order.symbol);
export const retryWithStatus: Reaction<'instrumentStatusChanged'> = (step, { category, symbol }) =>
  retryIn(step, category, symbol);
export const retryWithListing: Reaction<'instrumentListed'> = (
  step,
  { instrument: { category, symbol } },
) => retryIn(step, category, symbol);
export const retryWithMark: Reaction<'markPriceMoved'> = (step, { category, symbol }) =>
  retryIn(step, category, symbol);
