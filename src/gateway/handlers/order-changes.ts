/** Modifying orders that are open. */
import type { orderChangeRows } from '../../contract/order-changes.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { CommandOf } from '../../messages/commands.ts';
import { rejection } from '../../messages/rejections.ts';
import type { AttachedDraft } from '../../messages/triggers.ts';
import { type FieldNames, namedAs } from './field-names.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { itemText, type NamedOrder, namedText, nameOfSaid } from './order-answers.ts';
import { isPositive } from './order-drafts.ts';
import type { HandlerParts } from './parts.ts';

type OrderChangeHandlers = HandlersOf<typeof orderChangeRows>;

/** As v2 calls what the exchange may find wrong with a modification. */
const FUTURES_FIELDS: FieldNames = {
  qty: 'newSize',
  price: 'newPrice',
  presetStopSurplusPrice: 'newPresetStopSurplusPrice',
  presetStopLossPrice: 'newPresetStopLossPrice',
};

/** What v3 says of one order. */
interface UnifiedChange extends Pick<CommandOf<'modifyOrder'>, 'orderId' | 'clientOid' | 'category' | 'symbol' | 'price' | 'autoCancel'> {
  readonly qty: DecimalText | undefined;
}

const exitOf = (said: DecimalText | undefined): AttachedDraft | undefined =>
  said !== undefined && isPositive(said) ? { triggerPrice: said, source: 'last' } : undefined;

export const orderChangeHandlers = ({ submit }: HandlerParts): OrderChangeHandlers => {
  /** An order that was cancelled because it could not be modified answers why that was. */
  const modified = async (command: Omit<CommandOf<'modifyOrder'>, 'type'>): Promise<Reply<NamedOrder>> => {
    const outcome = await submit({ type: 'modifyOrder', ...command });
    return outcome.ok ? outcome.value : outcome;
  };

  const modifiedInPlace = async (uid: Uid, { qty: size, price, ...said }: UnifiedChange): Promise<Reply<NamedOrder>> => {
    if (size === undefined && price === undefined) return refuse(rejection('oneOfFieldsNeeded', 'qty, price'));
    const { orderId, clientOid, category, symbol, autoCancel } = said;
    return modified({ uid, orderId, clientOid, category, symbol, size, price, replace: false, autoCancel });
  };

  return {
    changeOrder: async (said, { uid }) => {
      const reply = await modifiedInPlace(uid, said);
      return reply.ok ? ok(namedText(reply.value)) : reply;
    },

    /** One after another, each a command of its own: what one of them does, the next one sees. */
    changeOrders: async (items, { uid, language }) => {
      const answers: ReturnType<typeof itemText>[] = [];
      for (const { said, clientOid } of items) {
        const fared = said.ok ? await modifiedInPlace(uid, { ...said.value, ...nameOfSaid(said.value) }) : said;
        answers.push(itemText(fared, language, said.ok ? said.value : { clientOid }));
      }
      return ok(answers);
    },

    changeFuturesOrder: async ({ productType: category, newSize: size, newPrice: price, ...said }, { uid }) => {
      const { newPresetStopSurplusPrice: takeProfit, newPresetStopLossPrice: stopLoss, ...names } = said;
      if ((size === undefined) !== (price === undefined)) return refuse(rejection('priceAndSizeNeeded'));
      if (size !== undefined && names.newClientOid === undefined) return refuse(rejection('fieldMissing', 'newClientOid'));
      const hasExits = takeProfit !== undefined || stopLoss !== undefined;
      if (size === undefined && !hasExits)
        return refuse(rejection('oneOfFieldsNeeded', 'newSize, newPresetStopSurplusPrice, newPresetStopLossPrice'));
      const exits = hasExits ? { takeProfit: exitOf(takeProfit), stopLoss: exitOf(stopLoss) } : undefined;
      const reply = await modified({ ...names, uid, category, size, price, replace: true, autoCancel: false, exits });
      return namedAs(reply.ok ? ok(namedText(reply.value)) : reply, FUTURES_FIELDS);
    },

    changeSpotOrder: async ({ orderId, clientOid, symbol, price, size, newClientOid }, { uid }) => {
      const names = { orderId, clientOid, newClientOid };
      const reply = await modified({ ...names, uid, category: 'SPOT', symbol, price, size, replace: true, autoCancel: false });
      return reply.ok ? ok({ ...namedText(reply.value), success: 'success' as const, msg: null }) : reply;
    },
  };
};
