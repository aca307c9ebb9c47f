/** Checks a trigger before it is placed or changed, without changing anything. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import {
  type Amount,
  money,
  moneyFromText,
  moneyText,
  type Price,
  type Rate,
} from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { stepsIn } from '../../kernel/steps.ts';
import type { CommandField } from '../../messages/command-fields.ts';
import type { Rejection, RejectionReason } from '../../messages/rejections.ts';
import type { AttachedDraft, AttachedTpsl } from '../../messages/triggers.ts';
import {
  closesWholePosition,
  type ExitKind,
  isExit,
  isLimit,
  isMarket,
  isStopLoss,
  isTakeProfit,
  isTrailing,
  type OrderType,
  type PositionSide,
  type PriceSource,
  type Side,
  type TriggerCategory,
  type TriggerKind,
  takesOrders,
} from '../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, ORDER_LOTS_MAX, TICK_MAX, type Tick } from '../book/order-book.ts';
import { type InstrumentSpec, instrumentKey, priceOf } from '../derived/instrument-spec.ts';
import type { Trigger } from '../state/trigger.ts';
import { checkQuoteAmount } from '../trading/orders/order-plan.ts';
import { reject, type Step } from '../transaction/step.ts';
import { sourceIn, sourcePrice } from './trigger.ts';

type Checked<Value> = Result<Value, Rejection>;

/** In percent. A trailing order that closes a position may trail closer. */
const CALLBACK_MIN = money<Rate>('1');
const CALLBACK_MAX = money<Rate>('10');
/** For take-profit or stop-loss attached to a trailing order. */
const PERCENT_MIN = money<Rate>('0.01');
const PERCENT_MAX = money<Rate>('999.99');

/** The spec of a symbol that takes triggers: it is open and has its prices. */
export function openSpec(
  step: Step,
  category: TriggerCategory,
  symbol: string,
): Checked<InstrumentSpec> {
  const spec = step.derived.spec.get(instrumentKey(category, symbol));
  if (spec === undefined) return reject('unknownSymbol', 'symbol', symbol);
  const { status } = step.state.instruments.get(spec.key)!;
  const hasMark = !spec.futures || step.state.symbolPrices.get(spec.key)?.mark !== undefined;
  const isFresh = hasMark && sourcePrice(step.state, spec, 'index') !== undefined;
  return !takesOrders(status) || !isFresh ? reject('symbolClosed', 'symbol', symbol) : ok(spec);
}

export function readTriggerPrice(
  spec: InstrumentSpec,
  text: DecimalText,
  field: CommandField,
): Checked<Price> {
  const tick = stepsIn(text, spec.priceStep);
  if (tick === undefined) return reject('priceOffStep', field, spec.instrument.priceStep);
  if (tick < 1 || tick > TICK_MAX) return reject('fieldInvalid', field, text);
  return ok(priceOf(spec, tick as Tick));
}

function readLots(
  spec: InstrumentSpec,
  text: DecimalText,
  orderType: OrderType,
  field: CommandField,
): Checked<Lots> {
  const lots = stepsIn(text, spec.sizeStep);
  if (lots === undefined) return reject('sizeOffStep', field, spec.instrument.sizeStep);
  if (lots < spec.lotsMin || lots === 0)
    return reject('sizeTooSmall', field, spec.instrument.sizeMin);
  const [max, shown] = isMarket(orderType)
    ? [spec.marketLotsMax, spec.instrument.marketSizeMax]
    : [spec.lotsMax, spec.instrument.sizeMax];
  return lots > max || lots > ORDER_LOTS_MAX
    ? reject('sizeTooLarge', field, shown)
    : ok(lots as Lots);
}

/** What a trigger waits for, and what its order will ask for. */
export type Aim = Pick<
  Trigger,
  'triggerPrice' | 'source' | 'price' | 'callbackRate' | 'lots' | 'quoteAmount'
>;
/** The size that its order asks for, in lots or quote coin. */
type Quantity = Pick<Trigger, 'lots' | 'quoteAmount'>;

export interface AimInput {
  readonly triggerPrice: DecimalText;
  readonly source: PriceSource;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly price: DecimalText | undefined;
  readonly size: DecimalText | undefined;
  /**
   * The present size, if it stays: an attached one is as large as its order has filled, so it is
   * not checked again.
   */
  readonly kept?: Quantity | undefined;
  readonly callbackRate: DecimalText | undefined;
}

/** The fields that a refusal names, for a take-profit or stop-loss of its own or attached. */
export const TPSL_FIELDS = {
  takeProfit: {
    triggerPrice: 'takeProfitTriggerPrice',
    source: 'takeProfitSource',
    price: 'takeProfitLimitPrice',
    size: 'takeProfitSize',
  },
  stopLoss: {
    triggerPrice: 'stopLossTriggerPrice',
    source: 'stopLossSource',
    price: 'stopLossLimitPrice',
    size: 'stopLossSize',
  },
} as const;
const OWN_FIELDS = { triggerPrice: 'triggerPrice', price: 'price', size: 'size' } as const;
type AimFields = Readonly<Record<keyof typeof OWN_FIELDS, CommandField>>;

function fieldsOf(kind: TriggerKind): AimFields {
  if (isTakeProfit(kind)) return TPSL_FIELDS.takeProfit;
  return isStopLoss(kind) ? TPSL_FIELDS.stopLoss : OWN_FIELDS;
}

/** From 1 % to 10 %, or for one that closes above 0. */
function readCallback(kind: TriggerKind, text: DecimalText | undefined): Checked<Rate | undefined> {
  const field = 'callbackRate';
  if (!isTrailing(kind))
    return text === undefined || isExit(kind)
      ? ok(undefined)
      : reject('triggerFieldsConflict', field, 'only a trailing order has it');
  if (text === undefined)
    return reject('triggerFieldsConflict', field, 'a trailing order needs it');
  const rate = moneyFromText<Rate>(text);
  const isInside =
    rate !== undefined && rate <= CALLBACK_MAX && (isExit(kind) ? rate > 0n : rate >= CALLBACK_MIN);
  return isInside
    ? ok(rate)
    : reject('triggerFieldsConflict', field, isExit(kind) ? 'above 0, at most 10' : '1 to 10');
}

/** Rules between fields first, then steps, then sizes (TRG-15). */
export function checkAim(spec: InstrumentSpec, kind: TriggerKind, input: AimInput): Checked<Aim> {
  const { orderType, price, size } = input;
  const fields = fieldsOf(kind);
  if (isTrailing(kind) && !isMarket(orderType))
    return reject(
      'triggerFieldsConflict',
      isExit(kind) ? fields.price : 'orderType',
      'a trailing order is at market',
    );
  if (isLimit(orderType) && price === undefined)
    return reject('triggerFieldsConflict', fields.price, 'a limit order needs it');
  if (isMarket(orderType) && price !== undefined)
    return reject('triggerFieldsConflict', fields.price, 'a market order has none');
  const callbackRate = readCallback(kind, input.callbackRate);
  if (!callbackRate.ok) return callbackRate;
  if (size === undefined && !closesWholePosition(kind)) return reject('fieldMissing', fields.size);
  const triggerPrice = readTriggerPrice(spec, input.triggerPrice, fields.triggerPrice);
  if (!triggerPrice.ok) return triggerPrice;
  const limit = price === undefined ? ok(undefined) : readTriggerPrice(spec, price, fields.price);
  if (!limit.ok) return limit;
  const quantity =
    input.kept === undefined ? readQuantity(spec, kind, input, triggerPrice.value) : ok(input.kept);
  if (!quantity.ok) return quantity;
  return ok({
    triggerPrice: triggerPrice.value,
    source: sourceIn(spec, input.source),
    price: limit.value,
    callbackRate: callbackRate.value,
    ...quantity.value,
  });
}

/**
 * Quote coin for a spot market buy, within the largest order value at the trigger price (TRG-95).
 */
function readQuantity(
  spec: InstrumentSpec,
  kind: TriggerKind,
  { side, orderType, size }: AimInput,
  triggerPrice: Price,
): Checked<Quantity> {
  if (closesWholePosition(kind)) return ok({ lots: NO_LOTS });
  if (spec.futures || isLimit(orderType) || side === 'sell') {
    const lots = readLots(spec, size!, orderType, fieldsOf(kind).size);
    return lots.ok ? ok({ lots: lots.value }) : lots;
  }
  const amount = checkQuoteAmount(spec, size!, triggerPrice);
  return amount.ok ? ok({ lots: NO_LOTS, quoteAmount: amount.value }) : amount;
}

/**
 * Attached to a conditional order: a price. Attached to a trailing order: a percentage, by last
 * price and at market (TRG-09 to TRG-11).
 */
export function checkAttached(
  spec: InstrumentSpec,
  kind: TriggerKind,
  input: AttachedDraft | undefined,
  name: 'takeProfit' | 'stopLoss',
): Checked<AttachedTpsl | undefined> {
  if (input === undefined) return ok(undefined);
  const fields = TPSL_FIELDS[name];
  const { source } = input;
  if (source === undefined) return reject('fieldMissing', fields.source);
  if (isTrailing(kind)) return checkPercent({ ...input, source }, fields);
  const triggerPrice = readTriggerPrice(spec, input.triggerPrice, fields.triggerPrice);
  if (!triggerPrice.ok) return triggerPrice;
  if (input.price === undefined)
    return ok({ kind: 'price', triggerPrice: triggerPrice.value, source });
  const price = readTriggerPrice(spec, input.price, fields.price);
  return price.ok
    ? ok({ kind: 'price', triggerPrice: triggerPrice.value, source, price: price.value })
    : price;
}

function checkPercent(
  { triggerPrice, source, price }: AttachedDraft & { readonly source: PriceSource },
  fields: (typeof TPSL_FIELDS)[keyof typeof TPSL_FIELDS],
): Checked<AttachedTpsl> {
  if (price !== undefined)
    return reject('triggerFieldsConflict', fields.price, 'a trailing order has none');
  if (source !== 'last')
    return reject(
      'triggerFieldsConflict',
      fields.source,
      'a trailing order takes the last price only',
    );
  const percent = moneyFromText<Rate>(triggerPrice);
  if (percent === undefined || percent < PERCENT_MIN || percent > PERCENT_MAX)
    return reject('triggerFieldsConflict', fields.triggerPrice, '0.01 to 999.99');
  return ok({ kind: 'percent', percent, source });
}

type ReasonBySource = Readonly<Record<PriceSource, RejectionReason>>;
/** The mark price has its own reasons; last and index share theirs. */
const reasons = (traded: RejectionReason, mark: RejectionReason): ReasonBySource => ({
  last: traded,
  mark,
  index: traded,
});
const WRONG_SIDE: Readonly<
  Record<'takeProfit' | 'stopLoss', Readonly<Record<PositionSide, ReasonBySource>>>
> = {
  takeProfit: {
    long: reasons('longTakeProfitTooLow', 'longTakeProfitBelowMark'),
    short: reasons('shortTakeProfitTooHigh', 'shortTakeProfitAboveMark'),
  },
  stopLoss: {
    long: reasons('longStopLossTooHigh', 'longStopLossAboveMark'),
    short: reasons('shortStopLossTooLow', 'shortStopLossBelowMark'),
  },
};

/**
 * The sides follow from the position: a long takes profit above the price of the source and stops
 * below it (TRG-30).
 */
export function checkTpslSide(
  step: Step,
  spec: InstrumentSpec,
  kind: ExitKind,
  side: PositionSide,
  aim: Aim,
): ReturnType<typeof reject> | undefined {
  if (isTrailing(kind)) return undefined;
  // `openSpec` has checked that the symbol has all its prices.
  const price = sourcePrice(step.state, spec, aim.source)!;
  const name = isTakeProfit(kind) ? 'takeProfit' : 'stopLoss';
  return wrongSide(name, side, aim, price, TPSL_FIELDS[name].triggerPrice);
}

/** Refuses a trigger price on the wrong side of `price`. */
export function wrongSide(
  kind: 'takeProfit' | 'stopLoss',
  side: PositionSide,
  { triggerPrice, source }: Pick<Aim, 'triggerPrice' | 'source'>,
  price: Price,
  field: CommandField,
): ReturnType<typeof reject> | undefined {
  const isAbove = (kind === 'takeProfit') === (side === 'long');
  if (isAbove ? triggerPrice > price : triggerPrice < price) return undefined;
  return reject(WRONG_SIDE[kind][side][source], field, moneyText(price as bigint as Amount));
}
