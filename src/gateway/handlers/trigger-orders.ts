/** Futures trigger orders (v2). */
import type { operatorTriggerRows } from '../../contract/operator-triggers.ts';
import type { triggerOrderListRows } from '../../contract/trigger-order-lists.ts';
import type { triggerOrderRows } from '../../contract/trigger-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { triggerOfRow } from '../../views/history/ended-triggers.ts';
import type { TriggerRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf } from './handler.ts';
import { refuseOtherCoin } from './leverage.ts';
import { endIdText, failureText, nameOfInput } from './order-answers.ts';
import { holdSideOf } from './order-drafts.ts';
import { findOrder } from './order-lists.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import {
  exitDraft,
  kindsMeant,
  placingNames,
  positionExitDrafts,
  TPSL_NAMES,
  TRIGGER_CHANGE_NAMES,
  tpslChange,
  triggerChange,
  triggerDraft,
} from './trigger-drafts.ts';
import { endedTriggers, pendingTriggers, together } from './trigger-lists.ts';
import { endedText, endedTriggerText, pendingText, subOrderText } from './trigger-texts.ts';

type TriggerHandlers = HandlersOf<typeof triggerOrderRows & typeof triggerOrderListRows>;

const placedText = ({
  triggerId,
  clientOid,
}: {
  readonly triggerId: Id;
  readonly clientOid: ClientOid;
}) => ({
  orderId: idText(triggerId),
  clientOid,
});

interface CoinInput {
  readonly productType: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
}
const refuseCoin = (views: ViewQueries, { productType: category, symbol, marginCoin }: CoinInput) =>
  refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);

const placing = ({
  submit,
  views,
}: HandlerParts): Pick<
  TriggerHandlers,
  'placeTriggerOrder' | 'placeTpslOrder' | 'placePositionTpsl'
> => ({
  placeTriggerOrder: async (input, { uid }) => {
    const otherCoin = refuseCoin(views, input);
    if (otherCoin !== undefined) return otherCoin;
    const draft = triggerDraft(views.accounts.positionMode(uid), input);
    if (!draft.ok) return draft;
    const command = {
      type: 'placeTrigger',
      uid,
      category: input.productType,
      trigger: draft.value,
    } as const;
    return submitAndShow(submit, command, placedText, placingNames(input));
  },

  placeTpslOrder: async (input, { uid }) => {
    const otherCoin = refuseCoin(views, input);
    if (otherCoin !== undefined) return otherCoin;
    const side = holdSideOf(views.accounts.positionMode(uid), input.holdSide, 'holdSide');
    if (!side.ok) return side;
    const { productType: category, symbol, stpMode: selfTradeMode } = input;
    const tpsl = [exitDraft(input)];
    const command = {
      type: 'placeTpsl',
      uid,
      category,
      symbol,
      side: side.value,
      selfTradeMode,
      tpsl,
    } as const;
    return submitAndShow(submit, command, ([placed]) => placedText(placed!), TPSL_NAMES);
  },

  placePositionTpsl: async (input, { uid }) => {
    const otherCoin = refuseCoin(views, input);
    if (otherCoin !== undefined) return otherCoin;
    const drafts = positionExitDrafts(input);
    if (!drafts.ok) return drafts;
    const tpsl = drafts.value;
    const side = holdSideOf(views.accounts.positionMode(uid), input.holdSide, 'holdSide');
    if (!side.ok) return side;
    const { productType: category, symbol, stpMode: selfTradeMode } = input;
    const command = {
      type: 'placeTpsl',
      uid,
      category,
      symbol,
      side: side.value,
      selfTradeMode,
      tpsl,
    } as const;
    return submitAndShow(submit, command, (placed) => {
      const nameOf = (kinds: readonly string[]): string =>
        placed[tpsl.findIndex(({ kind }) => kinds.includes(kind))]?.clientOid ?? '';
      const names = {
        stopSurplusClientOid: nameOf(['takeProfit', 'positionTakeProfit']),
        stopLossClientOid: nameOf(['stopLoss', 'positionStopLoss']),
      };
      return placed.map(({ triggerId }) => ({ orderId: idText(triggerId), ...names }));
    });
  },
});

const changing = ({
  submit,
}: HandlerParts): Pick<
  TriggerHandlers,
  'cancelTriggerOrders' | 'changeTriggerOrder' | 'changeTpslOrder'
> => ({
  cancelTriggerOrders: async (
    { productType: category, symbol, planType, orderIdList, marginCoin },
    { uid, language },
  ) => {
    if (orderIdList !== undefined && symbol === undefined)
      return refuse(wireRejection('fieldMissing', 'symbol'));
    const kinds = kindsMeant(planType, orderIdList !== undefined);
    const readable = orderIdList?.flatMap(({ input }) =>
      input.ok ? [nameOfInput(input.value)] : [],
    );
    const triggers = readable?.map(({ orderId: triggerId, clientOid }) => ({
      triggerId,
      clientOid,
    }));
    return submitAndShow(
      submit,
      { type: 'cancelTriggers', uid, category, symbol, kinds, triggers, marginCoin },
      (cancelled) => {
        const fared = cancelled.values();
        // An unreadable item is refused in place, next to the submitted ones.
        const results =
          orderIdList?.map(({ input }) => (input.ok ? fared.next().value! : input)) ?? cancelled;
        return {
          successList: results.flatMap((each) => (each.ok ? [placedText(each.value)] : [])),
          failureList: results.flatMap((each, at) => {
            if (each.ok) return [];
            const { orderId, clientOid, errorMsg } = failureText(
              each.refusal,
              language,
              orderIdList?.[at] ?? {},
            );
            return [{ orderId, clientOid, errorMsg }];
          }),
        };
      },
    );
  },

  changeTriggerOrder: async (input, { uid }) => {
    const { productType: category, symbol, planType: kind, orderId: triggerId, clientOid } = input;
    const meant = { uid, category, symbol, exit: false, kind, triggerId, clientOid };
    return submitAndShow(
      submit,
      { type: 'changeTrigger', ...meant, change: triggerChange(input) },
      placedText,
      TRIGGER_CHANGE_NAMES,
    );
  },

  changeTpslOrder: (input, { uid }) => {
    const { productType: category, symbol, marginCoin, orderId: triggerId, clientOid } = input;
    const meant = { uid, category, symbol, marginCoin, exit: true, triggerId, clientOid };
    return submitAndShow(
      submit,
      { type: 'changeTrigger', ...meant, change: tpslChange(input) },
      placedText,
      TPSL_NAMES,
    );
  },
});

async function findTrigger(
  { triggers, history }: ViewQueries,
  uid: Uid,
  triggerId: Id,
): Promise<TriggerRecord | undefined> {
  const live = triggers.find(uid, triggerId);
  if (live !== undefined) return live;
  const [row] = await history.endedTriggers({ uid, triggerId, limit: 1 });
  return row === undefined ? undefined : triggerOfRow(row);
}

/**
 * The order that a trigger placed, as a list. The list is empty while the trigger is live, or if
 * another trigger was requested.
 */
export async function subOrdersOf(
  views: ViewQueries,
  uid: Uid,
  triggerId: Id,
  isMeant: (found: TriggerRecord) => boolean,
) {
  const found = await findTrigger(views, uid, triggerId);
  if (found === undefined || !isMeant(found)) return [];
  if (found.status === 'failed') return [subOrderText(found, undefined)];
  if (found.orderId === undefined) return [];
  const order = await findOrder(views, uid, { orderId: found.orderId, clientOid: undefined });
  return order === undefined ? [] : [subOrderText(found, order)];
}

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  TriggerHandlers,
  'listPendingTriggerOrders' | 'listTriggerOrderHistory' | 'listTriggerSubOrders'
> => ({
  listPendingTriggerOrders: ({ productType: category, planType: family, ...query }, { uid }) => {
    const found = pendingTriggers(
      views,
      { ...query, uid, category, families: [family] },
      exchangeNow(),
    );
    return found.ok
      ? ok({ entrustedList: found.value.map(pendingText), endId: endIdText(found.value) })
      : found;
  },

  listTriggerOrderHistory: async (
    { productType: category, planType: family, planStatus: status, ...query },
    { uid },
  ) => {
    const found = await endedTriggers(
      views,
      { ...query, uid, category, families: [family], status },
      exchangeNow(),
    );
    return found.ok
      ? ok({ entrustedList: found.value.map(endedText), endId: endIdText(found.value) })
      : found;
  },

  listTriggerSubOrders: async ({ planOrderId, planType, productType }, { uid }) =>
    ok(
      await subOrdersOf(views, uid, planOrderId, ({ trigger }) => {
        const isKind = planType === undefined || kindsMeant(planType, true).includes(trigger.kind);
        return isKind && trigger.category === productType;
      }),
    ),
});

export const triggerOrderHandlers = (parts: HandlerParts): TriggerHandlers => ({
  ...placing(parts),
  ...changing(parts),
  ...reading(parts),
});

export const operatorTriggerHandlers = ({
  views,
}: HandlerParts): HandlersOf<typeof operatorTriggerRows> => ({
  listEndedTriggers: async (query) => {
    const { uid, status } = query;
    const stored = (await views.history.endedTriggers(query)).map(triggerOfRow);
    const working = views.triggers
      .working(uid)
      .filter((record) => status === undefined || record.status === status);
    return ok(together(working, stored, query).map(endedTriggerText));
  },
});
