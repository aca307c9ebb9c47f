/**
 * Orders of v3 that carry a trigger price in place-order and modify-order: clients mean a trigger
 * order.
 */

import type { RequestOf } from '../../contract/endpoint.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { unifiedTradingRows } from '../../contract/unified-trading.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { moneyFromText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { TriggerDraft } from '../../messages/triggers.ts';
import type { PositionMode, PriceSource } from '../../messages/vocabulary.ts';
import type { Reply } from './handler.ts';
import { isPositive } from './order-drafts.ts';
import { strategyTrigger } from './strategy-drafts.ts';

export type OrderInput = RequestOf<typeof unifiedTradingRows.placeOrder>;

/** The name that the call uses, of two names for the same field. */
export function waitingNames(input: OrderInput, { kind }: TriggerDraft): CallNames {
  if (kind !== 'trailing')
    return { triggerPrice: isPositive(input.triggerPrice) ? 'triggerPrice' : 'stopPrice' };
  const callbackRate = isPositive(input.trailingPercent) ? 'trailingPercent' : 'callbackRatio';
  return { triggerPrice: 'trailingTriggerPrice', callbackRate };
}

const WAITING = [
  'triggerPrice',
  'stopPrice',
  'trailingPercent',
  'callbackRatio',
  'trailingTriggerPrice',
] as const;

/** The field that makes an order wait; zero means absent. */
export const whatItWaitsFor = (input: OrderInput) =>
  WAITING.find((name) => isPositive(input[name]));

export const isTrailing = ({
  trailingPercent,
  callbackRatio,
  trailingTriggerPrice,
}: OrderInput): boolean => [trailingPercent, callbackRatio, trailingTriggerPrice].some(isPositive);

/** Compares by value: `1.0` equals `1`. */
const isSame = (one: DecimalText, other: DecimalText): boolean =>
  moneyFromText(one) === moneyFromText(other);

/** Reads one of two alternative fields. */
function either(
  input: OrderInput,
  name: 'triggerPrice' | 'trailingPercent',
  other: 'stopPrice' | 'callbackRatio',
): Reply<DecimalText | undefined> {
  const [first, second] = [input[name], input[other]];
  if (!isPositive(second)) return ok(isPositive(first) ? first : undefined);
  return first !== undefined && isPositive(first) && !isSame(first, second!)
    ? refuse(wireRejection('triggerFieldsConflict', other, `${name} has another value`))
    : ok(second);
}

/** The price source also has two fields, with different words (TRG-89). */
function watched({ triggerBy, triggerType }: OrderInput): Reply<PriceSource> {
  const source = triggerBy ?? triggerType ?? 'last';
  return (triggerType ?? source) === source
    ? ok(source)
    : refuse(wireRejection('triggerFieldsConflict', 'triggerType', 'triggerBy has another value'));
}

/** Refuses fields that a trigger order cannot have, because they would be lost (REQ-36). */
export function waitingDraft(input: OrderInput, positionMode: PositionMode): Reply<TriggerDraft> {
  const isSpot = input.category === 'SPOT';
  if (!isSpot && input.orderType === 'limit' && input.timeInForce !== 'gtc')
    return refuse(wireRejection('notOffered', 'timeInForce'));
  const price = either(input, 'triggerPrice', 'stopPrice');
  if (!price.ok) return price;
  const percent = either(input, 'trailingPercent', 'callbackRatio');
  if (!percent.ok) return percent;
  if (percent.value === undefined) {
    // A trailing price without a callback would enter the book at once, which the client did not
    // request.
    if (isPositive(input.trailingTriggerPrice))
      return refuse(wireRejection('fieldMissing', 'trailingPercent'));
    return draftAt(price.value, input, positionMode);
  }
  if (price.value !== undefined)
    return refuse(
      wireRejection(
        'triggerFieldsConflict',
        'triggerPrice',
        'a trailing order uses trailingTriggerPrice',
      ),
    );
  if (!isPositive(input.trailingTriggerPrice))
    return refuse(wireRejection('fieldMissing', 'trailingTriggerPrice'));
  const exit = (['takeProfit', 'stopLoss'] as const).find((name) => isPositive(input[name]));
  if (exit !== undefined)
    return refuse(wireRejection('triggerFieldsConflict', exit, 'not allowed in a trailing order'));
  const draft = draftAt(input.trailingTriggerPrice, input, positionMode);
  return draft.ok ? ok({ ...draft.value, kind: 'trailing', callbackRate: percent.value }) : draft;
}

function draftAt(
  triggerPrice: DecimalText | undefined,
  input: OrderInput,
  positionMode: PositionMode,
): Reply<TriggerDraft> {
  const {
    orderType: triggerOrderType,
    price: triggerOrderPrice,
    stpMode: selfTradeMode,
    marginMode = 'asSet',
  } = input;
  const source = watched(input);
  if (!source.ok) return source;
  const asked = {
    ...input,
    type: 'trigger',
    tpslMode: undefined,
    triggerPrice,
    triggerOrderType,
    triggerOrderPrice,
  } as const;
  const draft = strategyTrigger(
    { ...asked, triggerBy: 'last', triggerType: undefined },
    positionMode,
    { price: 'price' },
  );
  const timeInForce =
    input.category === 'SPOT' && triggerOrderType === 'limit' ? input.timeInForce : undefined;
  return draft.ok
    ? ok({ ...draft.value, source: source.value, selfTradeMode, marginMode, timeInForce })
    : draft;
}
