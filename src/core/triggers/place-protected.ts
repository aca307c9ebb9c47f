/**
 * Places orders with attached take-profit or stop-loss. They are placed for what has filled once
 * the order is done.
 */
import { greatest, least, type Price } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { stepsIn } from '../../kernel/steps.ts';
import type { ProtectedDraft } from '../../messages/order-commands.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { PlacedOrder } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { AttachedDraft, AttachedTpsl } from '../../messages/triggers.ts';
import {
  type FuturesCategory,
  isMarket,
  type PositionMode,
  type PositionSide,
} from '../../messages/vocabulary.ts';
import type { Tick } from '../book/order-book.ts';
import type { AccountContext } from '../derived/account-context.ts';
import { findAccountContext } from '../derived/derived.ts';
import { type InstrumentSpec, priceOf } from '../derived/instrument-spec.ts';
import { settleOwnCopies } from '../trading/charges/settle-charges.ts';
import { applicableFields, selfTradeModeGiven } from '../trading/orders/client-oids.ts';
import type { OrderRequest } from '../trading/orders/order.ts';
import { planOrder } from '../trading/orders/order-plan.ts';
import {
  type AttachedTpslPair,
  answer,
  answerToRepeated,
  placeAndRemember,
  placeOnce,
} from '../trading/orders/place-orders.ts';
import { accept, type Handler, reject, type Step } from '../transaction/step.ts';
import { storeAttached } from './fire-triggers.ts';
import {
  CLOSING_ORDER_RULE,
  contentOfTrigger,
  earlierUse,
  roomRefusal,
  TPSL_PER_ORDER,
} from './place-trigger.ts';
import { sourcePrice } from './trigger.ts';
import { openSpec, readTriggerPrice, TPSL_FIELDS, wrongSide } from './trigger-checks.ts';

type Checked<Value> = Result<Value, Rejection>;

export const placeProtectedOrders: Handler<'placeProtectedOrders'> = (
  step,
  { uid, category, orders },
) => {
  const context = findAccountContext(step, uid);
  if (context === undefined) return reject('unknownUser', 'uid', `${uid}`);

  const placed: Checked<PlacedOrder>[] = [];
  for (const protectedDraft of orders) {
    const isBare = protectedDraft.takeProfit === undefined && protectedDraft.stopLoss === undefined;
    placed.push(
      isBare
        ? placeOnce(step, {
            context,
            category,
            draft: protectedDraft.order,
            sizePolicy: 'asRequested',
          })
        : placeProtected(step, context, category, protectedDraft),
    );
    step.endPart();
    settleOwnCopies(step, uid);
  }
  return accept(placed);
};

function placeProtected(
  step: Step,
  context: AccountContext,
  category: FuturesCategory,
  protectedDraft: ProtectedDraft,
): Checked<PlacedOrder> {
  const { uid, account } = context;
  const { order: draft } = protectedDraft;
  const selfTradeMode = selfTradeModeGiven(draft.selfTradeMode);
  const contentIn = (mode: PositionMode): string => {
    const order = {
      ...draft,
      ...applicableFields(category, mode, draft),
      selfTradeMode,
      clientOid: undefined,
    };
    return contentOfTrigger(category, { ...protectedDraft, order });
  };
  const content = contentIn(account.positionMode);
  const use = earlierUse(step, uid, draft.clientOid);
  if (use !== undefined) return answerToRepeated(use, draft, contentIn);
  const opened = openSpec(step, category, draft.symbol);
  if (!opened.ok) return opened;
  const spec = opened.value;
  // Planned first, so that a wrong price is refused as such and not as a wrong take-profit.
  const request: OrderRequest = { context, category, draft, sizePolicy: 'asRequested' };
  const planned = planOrder(step, request);
  if (!planned.ok) return planned;
  const tpsl = checkTpsl(step, context, spec, protectedDraft);
  if (!tpsl.ok) return tpsl;
  const full = roomRefusal(step, account, spec.key, TPSL_PER_ORDER, 'tooManyTpsl');
  if (full !== undefined) return full;

  const placed = placeAndRemember(step, request, content, tpsl.value);
  if (!placed.ok) return placed;
  const { order: accepted, hidesOrderId } = placed.value;
  storeAttached(step, { ...accepted, ...tpsl.value }, accepted.id);
  return answer(accepted, hidesOrderId);
}

/** The position side that an opening order adds to. */
const openedSide = ({ side }: OrderDraft): PositionSide => (side === 'buy' ? 'long' : 'short');

/** Only an opening order leaves something to protect (ORD-79). */
export function checkTpsl(
  step: Step,
  { account }: AccountContext,
  spec: InstrumentSpec,
  { order, takeProfit, stopLoss }: ProtectedDraft,
): Checked<AttachedTpslPair> {
  const side = openedSide(order);
  const closes =
    account.positionMode === 'hedge'
      ? order.positionSide !== undefined && order.positionSide !== side
      : order.reduceOnly;
  if (closes)
    return reject(
      'triggerFieldsConflict',
      takeProfit === undefined
        ? TPSL_FIELDS.stopLoss.triggerPrice
        : TPSL_FIELDS.takeProfit.triggerPrice,
      CLOSING_ORDER_RULE,
    );
  const checked: { takeProfit?: AttachedTpsl; stopLoss?: AttachedTpsl } = {};
  for (const [kind, input] of [
    ['takeProfit', takeProfit] as const,
    ['stopLoss', stopLoss] as const,
  ]) {
    if (input === undefined) continue;
    const exit = checkOneTpsl(step, spec, order, kind, input);
    if (!exit.ok) return exit;
    checked[kind] = exit.value;
  }
  return ok(checked);
}

function checkOneTpsl(
  step: Step,
  spec: InstrumentSpec,
  order: OrderDraft,
  kind: 'takeProfit' | 'stopLoss',
  { triggerPrice: input, source = 'last', price: givenLimit }: AttachedDraft,
): Checked<AttachedTpsl> {
  const triggerPrice = readTriggerPrice(spec, input, TPSL_FIELDS[kind].triggerPrice);
  if (!triggerPrice.ok) return triggerPrice;
  const limit =
    givenLimit === undefined
      ? ok(undefined)
      : readTriggerPrice(spec, givenLimit, TPSL_FIELDS[kind].price);
  if (!limit.ok) return limit;
  const exit = { kind: 'price', triggerPrice: triggerPrice.value, source } as const;
  const wrong = wrongSide(
    kind,
    openedSide(order),
    exit,
    entryExpected(step, spec, order, source),
    TPSL_FIELDS[kind].triggerPrice,
  );
  if (wrong !== undefined) return wrong;
  return ok(limit.value === undefined ? exit : { ...exit, price: limit.value });
}

/**
 * Refuses attached take-profit or stop-loss that a new price of the order puts on the wrong side.
 */
export function tpslRefusal(
  step: Step,
  spec: InstrumentSpec,
  order: OrderDraft,
  tpsl: AttachedTpslPair,
): ReturnType<typeof reject> | undefined {
  for (const kind of ['takeProfit', 'stopLoss'] as const) {
    const exit = tpsl[kind];
    // A percentage from the entry is never on its wrong side.
    if (exit?.kind !== 'price') continue;
    const wrong = wrongSide(
      kind,
      openedSide(order),
      exit,
      entryExpected(step, spec, order, exit.source),
      TPSL_FIELDS[kind].triggerPrice,
    );
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/**
 * The price at which the order would fill now: the current price, or its limit if that is better
 * (ORD-78).
 */
function entryExpected(
  step: Step,
  spec: InstrumentSpec,
  { orderType, side, price }: OrderDraft,
  source: AttachedTpsl['source'],
): Price {
  // A symbol that takes orders has all prices (`openSpec`).
  const now = sourcePrice(step.state, spec, source)!;
  const tick =
    isMarket(orderType) || price === undefined ? undefined : stepsIn(price, spec.priceStep);
  if (tick === undefined) return now;
  const limit = priceOf(spec, tick as Tick);
  return side === 'buy' ? least(limit, now) : greatest(limit, now);
}
