/** Modifies open orders. */
import type { Language } from '../../contract/dialects.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import { wireError } from '../../contract/errors.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { ListedItem } from '../../contract/listed-items.ts';
import type { orderChangeRows } from '../../contract/order-changes.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import type { AttachedDraft } from '../../messages/triggers.ts';
import type { HandlersOf, Reply } from './handler.ts';
import {
  type ItemName,
  itemText,
  type NamedOrder,
  namedText,
  nameOfInput,
} from './order-answers.ts';
import { isPositive } from './order-drafts.ts';
import type { HandlerParts } from './parts.ts';
import { refuseLate } from './receive-window.ts';
import { changeWaiting } from './strategy-orders.ts';

type OrderChangeHandlers = HandlersOf<typeof orderChangeRows>;

/** The v2 names of fields that a modification refusal may have. */
const CHANGE_NAMES: CallNames = {
  size: 'newSize',
  price: 'newPrice',
  takeProfitTriggerPrice: 'newPresetStopSurplusPrice',
  stopLossTriggerPrice: 'newPresetStopLossPrice',
};

/** The v3 fields of one modification. */
interface UnifiedChange
  extends Pick<
    CommandOf<'modifyOrder'>,
    'orderId' | 'clientOid' | 'category' | 'symbol' | 'price' | 'autoCancel'
  > {
  readonly qty: DecimalText | undefined;
}

type SpotChange = Pick<
  CommandOf<'modifyOrder'>,
  'orderId' | 'clientOid' | 'newClientOid' | 'symbol' | 'price' | 'size'
>;

const replacedText = (order: NamedOrder) => ({
  ...namedText(order),
  success: 'success' as const,
  msg: null,
});
const notReplacedText = (
  refusal: WireRejection,
  language: Language,
  { orderId = '', clientOid = '' }: ItemName,
) => ({
  orderId,
  clientOid,
  success: 'failure' as const,
  msg: wireError(refusal, language, 'v2').msg,
});

/** Fields of a trigger order that modify-order does not change. */
const NOTHING_ELSE = {
  takeProfit: undefined,
  tpTriggerBy: undefined,
  tpOrderType: undefined,
  tpLimitPrice: undefined,
  stopLoss: undefined,
  slTriggerBy: undefined,
  slOrderType: undefined,
  slLimitPrice: undefined,
  triggerBy: undefined,
  triggerOrderType: undefined,
  newTriggerType: undefined,
};

const exitOf = (input: DecimalText | undefined): AttachedDraft | undefined =>
  input !== undefined && isPositive(input) ? { triggerPrice: input, source: 'last' } : undefined;

/**
 * Submits each item as a command of its own, in order, so that an item sees the effects of those
 * before it. It awaits no item before submitting the next, so that all share a journal sync.
 */
const inTurn = <Input>(
  items: readonly ListedItem<Input>[],
  change: (input: Input) => Promise<Reply<NamedOrder>>,
): Promise<Reply<NamedOrder>[]> =>
  Promise.all(items.map(async ({ input }) => (input.ok ? change(input.value) : input)));

export const orderChangeHandlers = (parts: HandlerParts): OrderChangeHandlers => {
  const { submit, clock } = parts;

  /** If a failed modification cancels the order, the answer gives the reason. */
  const modified = async (
    command: Omit<CommandOf<'modifyOrder'>, 'type'>,
    names?: CallNames,
  ): Promise<Reply<NamedOrder>> => {
    const outcome = await submit({ type: 'modifyOrder', ...command }, names);
    return outcome.ok ? outcome.value : outcome;
  };

  const modifiedInPlace = async (
    uid: Uid,
    { qty: size, price, ...input }: UnifiedChange,
  ): Promise<Reply<NamedOrder>> => {
    if (size === undefined && price === undefined)
      return refuse(wireRejection('oneOfFieldsNeeded', 'qty, price'));
    const { orderId, clientOid, category, symbol, autoCancel } = input;
    return modified({
      uid,
      orderId,
      clientOid,
      category,
      symbol,
      size,
      price,
      replace: false,
      autoCancel,
    });
  };

  /** Only a trigger order has a trigger price (TRG-87); a failed change does not cancel it. */
  const modifiedTrigger = async (
    uid: Uid,
    input: RequestOf<typeof orderChangeRows.changeOrder>,
  ) => {
    if (input.autoCancel) return refuse(wireRejection('notOffered', 'autoCancel'));
    const { orderId, clientOid, qty, triggerPrice, price: triggerOrderPrice } = input;
    const change = { ...NOTHING_ELSE, orderId, clientOid, qty, triggerPrice, triggerOrderPrice };
    return changeWaiting(parts, uid, change, input, { price: 'price', orderType: 'price' });
  };

  const replacedOnSpot = async (
    uid: Uid,
    { orderId, clientOid, symbol, price, size, newClientOid }: SpotChange,
  ): Promise<Reply<NamedOrder>> => {
    const change = {
      uid,
      orderId,
      clientOid,
      newClientOid,
      category: 'SPOT',
      symbol,
      price,
      size,
      replace: true,
      autoCancel: false,
    } as const;
    return modified(change);
  };

  return {
    changeOrder: async (input, { uid }) => {
      if (isPositive(input.triggerPrice)) return modifiedTrigger(uid, input);
      const reply = await modifiedInPlace(uid, input);
      return reply.ok ? ok(namedText(reply.value)) : reply;
    },

    changeOrders: async (items, { uid, language }) => {
      const fared = await inTurn(items, (input) =>
        modifiedInPlace(uid, { ...input, ...nameOfInput(input) }),
      );
      return ok(items.map((name, at) => itemText(fared[at]!, language, name)));
    },

    changeFuturesOrder: async (
      { productType: category, newSize: size, newPrice: price, ...input },
      { uid },
    ) => {
      const {
        newPresetStopSurplusPrice: takeProfit,
        newPresetStopLossPrice: stopLoss,
        ...names
      } = input;
      if ((size === undefined) !== (price === undefined))
        return refuse(wireRejection('priceAndSizeNeeded'));
      if (size !== undefined && names.newClientOid === undefined)
        return refuse(wireRejection('fieldMissing', 'newClientOid'));
      const hasTpsl = takeProfit !== undefined || stopLoss !== undefined;
      if (size === undefined && !hasTpsl)
        return refuse(
          wireRejection(
            'oneOfFieldsNeeded',
            'newSize, newPresetStopSurplusPrice, newPresetStopLossPrice',
          ),
        );
      const tpsl = hasTpsl
        ? { takeProfit: exitOf(takeProfit), stopLoss: exitOf(stopLoss) }
        : undefined;
      const change = { ...names, uid, category, size, price, tpsl } as const;
      const reply = await modified({ ...change, replace: true, autoCancel: false }, CHANGE_NAMES);
      return reply.ok ? ok(namedText(reply.value)) : reply;
    },

    changeSpotOrder: async (input, { uid }) => {
      const late = refuseLate(clock, input);
      if (late !== undefined) return late;
      const reply = await replacedOnSpot(uid, input);
      return reply.ok ? ok(replacedText(reply.value)) : reply;
    },

    changeSpotOrders: async ({ orderList }, { uid, language }) => {
      const fared = await inTurn(orderList, (input) =>
        replacedOnSpot(uid, { ...input, ...nameOfInput(input) }),
      );
      const text = (name: ItemName, reply: Reply<NamedOrder>) =>
        reply.ok ? replacedText(reply.value) : notReplacedText(reply.refusal, language, name);
      return ok(orderList.map((name, at) => text(name, fared[at]!)));
    },
  };
};
