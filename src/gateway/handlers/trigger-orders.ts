/** Futures trigger orders (v2). */
import type { operatorTriggerRows } from '../../contract/operator-triggers.ts';
import type { triggerOrderRows } from '../../contract/trigger-orders.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { rejection } from '../../messages/rejections.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { familyOf, type TriggerFamily, triggerOfRow } from '../../views/history/ended-triggers.ts';
import { isWithin, type PageQuery, pageOf, saidWindow, THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import { isNamed, type TriggerRecord, type TriggerStatus } from '../../views/triggers.ts';
import type { ViewQueries } from '../../views/views.ts';
import { namedAs } from './field-names.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { refuseOtherCoin } from './leverage.ts';
import { failureText, nameOfSaid } from './order-answers.ts';
import { holdSideOf } from './order-drafts.ts';
import { findOrder } from './order-lists.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import {
  exitDraft,
  exitFieldNames,
  kindsMeant,
  PLAN_CHANGE_FIELDS,
  planChange,
  positionExitDrafts,
  tpslChange,
  triggerDraft,
} from './trigger-drafts.ts';
import { endedText, endedTriggerText, pendingText, subOrderText } from './trigger-texts.ts';

type TriggerHandlers = HandlersOf<typeof triggerOrderRows>;

const placedText = ({ triggerId, clientOid }: { readonly triggerId: Id; readonly clientOid: ClientOid }) => ({
  orderId: idText(triggerId),
  clientOid,
});

interface SaidCoin {
  readonly productType: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
}
const refuseCoin = (views: ViewQueries, { productType: category, symbol, marginCoin }: SaidCoin) =>
  refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);

const placing = ({ submit, views }: HandlerParts): Pick<TriggerHandlers, 'placeTriggerOrder' | 'placeTpslOrder' | 'placePositionTpsl'> => ({
  placeTriggerOrder: async (said, { uid }) => {
    const otherCoin = refuseCoin(views, said);
    if (otherCoin !== undefined) return otherCoin;
    const draft = triggerDraft(views.accounts.positionMode(uid), said);
    if (!draft.ok) return draft;
    return submitAndShow(submit, { type: 'placeTrigger', uid, category: said.productType, trigger: draft.value }, placedText);
  },

  placeTpslOrder: async (said, { uid }) => {
    const otherCoin = refuseCoin(views, said);
    if (otherCoin !== undefined) return otherCoin;
    const side = holdSideOf(views.accounts.positionMode(uid), said.holdSide, 'holdSide');
    if (!side.ok) return side;
    const { productType: category, symbol, stpMode: selfTradeMode } = said;
    const exits = [exitDraft(said)];
    return submitAndShow(submit, { type: 'placeTpsl', uid, category, symbol, side: side.value, selfTradeMode, exits }, ([placed]) =>
      placedText(placed!),
    );
  },

  placePositionTpsl: async (said, { uid }) => {
    const otherCoin = refuseCoin(views, said);
    if (otherCoin !== undefined) return otherCoin;
    const drafts = positionExitDrafts(said);
    if (!drafts.ok) return drafts;
    const exits = drafts.value;
    const side = holdSideOf(views.accounts.positionMode(uid), said.holdSide, 'holdSide');
    if (!side.ok) return side;
    const { productType: category, symbol, stpMode: selfTradeMode } = said;
    const command = { type: 'placeTpsl', uid, category, symbol, side: side.value, selfTradeMode, exits } as const;
    const reply = await submitAndShow(submit, command, (placed) => {
      const nameOf = (kinds: readonly string[]): string => placed[exits.findIndex(({ kind }) => kinds.includes(kind))]?.clientOid ?? '';
      const names = {
        stopSurplusClientOid: nameOf(['takeProfit', 'positionTakeProfit']),
        stopLossClientOid: nameOf(['stopLoss', 'positionStopLoss']),
      };
      return placed.map(({ triggerId }) => ({ orderId: idText(triggerId), ...names }));
    });
    return reply.ok ? reply : namedAs(reply, exitFieldNames(exits, reply.refusal));
  },
});

const changing = ({ submit }: HandlerParts): Pick<TriggerHandlers, 'cancelTriggerOrders' | 'changeTriggerOrder' | 'changeTpslOrder'> => ({
  cancelTriggerOrders: async ({ productType: category, symbol, planType, orderIdList, marginCoin }, { uid, language }) => {
    if (orderIdList !== undefined && symbol === undefined) return refuse(rejection('fieldMissing', 'symbol'));
    const kinds = kindsMeant(planType, orderIdList !== undefined);
    const triggers = orderIdList?.map(nameOfSaid).map(({ orderId: triggerId, clientOid }) => ({ triggerId, clientOid }));
    return submitAndShow(submit, { type: 'cancelTriggers', uid, category, symbol, kinds, triggers, marginCoin }, (cancelled) => ({
      successList: cancelled.flatMap((fared) => (fared.ok ? [placedText(fared.value)] : [])),
      failureList: cancelled.flatMap((fared, at) => {
        if (fared.ok) return [];
        const { orderId, clientOid, errorMsg } = failureText(fared.refusal, language, orderIdList?.[at] ?? {});
        return [{ orderId, clientOid, errorMsg }];
      }),
    }));
  },

  changeTriggerOrder: async (said, { uid }) => {
    const { productType: category, symbol, planType: kind, orderId: triggerId, clientOid } = said;
    const meant = { uid, category, symbol, exit: false, kind, triggerId, clientOid };
    const changed = await submitAndShow(submit, { type: 'changeTrigger', ...meant, change: planChange(said) }, placedText);
    return namedAs(changed, PLAN_CHANGE_FIELDS);
  },

  changeTpslOrder: (said, { uid }) => {
    const { productType: category, symbol, marginCoin, orderId: triggerId, clientOid } = said;
    const meant = { uid, category, symbol, marginCoin, exit: true, triggerId, clientOid };
    return submitAndShow(submit, { type: 'changeTrigger', ...meant, change: tpslChange(said) }, placedText);
  },
});

interface TriggerListQuery extends PageQuery {
  readonly uid: Uid;
  readonly category: FuturesCategory;
  readonly family: TriggerFamily;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  readonly status?: TriggerStatus | undefined;
  readonly startTime?: Timestamp | undefined;
  readonly endTime?: Timestamp | undefined;
}

const isMeant = (record: TriggerRecord, { category, family, symbol, status, orderId, clientOid }: TriggerListQuery): boolean =>
  record.trigger.category === category &&
  familyOf(record.trigger.kind) === family &&
  (symbol === undefined || record.trigger.symbol === symbol) &&
  (status === undefined || record.status === status) &&
  isNamed(record, orderId, clientOid);

const page = (records: readonly TriggerRecord[], query: PageQuery): readonly TriggerRecord[] =>
  pageOf(
    records.map((record) => ({ id: record.trigger.triggerId, record })),
    query,
  ).map(({ record }) => record);

const endId = (records: readonly TriggerRecord[]): string => {
  const last = records.at(-1);
  return last === undefined ? '' : idText(last.trigger.triggerId);
};

/** Live triggers never grow too old to be shown: only times that are said bound the list (LIST-12). */
function pending({ triggers }: ViewQueries, query: TriggerListQuery, now: Timestamp): Reply<readonly TriggerRecord[]> {
  const { startTime: start, endTime: end } = query;
  const window = saidWindow({ start, end }, now, THREE_MONTHS);
  if (!window.ok) return window;
  const meant = triggers.live(query.uid).filter((record) => isMeant(record, query) && isWithin(window.value, record.trigger.createdAt));
  return ok(page(meant, query));
}

/**
 * Those that are stored, and those that have fired and whose order is still at work. Whatever came to its end while history was being read is
 * told by history alone.
 */
function together(working: readonly TriggerRecord[], stored: readonly TriggerRecord[], query: PageQuery): readonly TriggerRecord[] {
  if (working.length === 0) return stored;
  const byId = new Map([...working, ...stored].map((record) => [record.trigger.triggerId, record]));
  return page([...byId.values()], query);
}

/** One asked for by its name is never too old (LIST-21). */
async function ended(
  { triggers, history }: ViewQueries,
  query: TriggerListQuery,
  now: Timestamp,
): Promise<Reply<readonly TriggerRecord[]>> {
  const { startTime: start, endTime: end, orderId: triggerId, clientOid, ...asked } = query;
  const isOne = triggerId !== undefined || clientOid !== undefined;
  const window = (isOne ? saidWindow : timeWindow)({ start, end }, now, THREE_MONTHS);
  if (!window.ok) return window;
  const named = triggerId === undefined ? { clientOid } : { triggerId };
  const working = triggers
    .working(query.uid)
    .filter((record) => isMeant(record, query) && isWithin(window.value, record.trigger.createdAt));
  const stored = (await history.endedTriggers({ ...asked, ...named, ...window.value })).map(triggerOfRow);
  return ok(together(working, stored, query));
}

async function findTrigger({ triggers, history }: ViewQueries, uid: Uid, triggerId: Id): Promise<TriggerRecord | undefined> {
  const live = triggers.find(uid, triggerId);
  if (live !== undefined) return live;
  const [row] = await history.endedTriggers({ uid, triggerId, limit: 1 });
  return row === undefined ? undefined : triggerOfRow(row);
}

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<TriggerHandlers, 'listPendingTriggerOrders' | 'listTriggerOrderHistory' | 'listTriggerSubOrders'> => ({
  listPendingTriggerOrders: ({ productType: category, planType: family, ...query }, { uid }) => {
    const found = pending(views, { ...query, uid, category, family }, exchangeNow());
    return found.ok ? ok({ entrustedList: found.value.map(pendingText), endId: endId(found.value) }) : found;
  },

  listTriggerOrderHistory: async ({ productType: category, planType: family, planStatus: status, ...query }, { uid }) => {
    const found = await ended(views, { ...query, uid, category, family, status }, exchangeNow());
    return found.ok ? ok({ entrustedList: found.value.map(endedText), endId: endId(found.value) }) : found;
  },

  listTriggerSubOrders: async ({ planOrderId, planType, productType }, { uid }) => {
    const found = await findTrigger(views, uid, planOrderId);
    if (found === undefined || found.trigger.category !== productType) return ok([]);
    if (planType !== undefined && !kindsMeant(planType, true).includes(found.trigger.kind)) return ok([]);
    if (found.status === 'failed') return ok([subOrderText(found, undefined)]);
    if (found.orderId === undefined) return ok([]);
    const order = await findOrder(views, uid, { orderId: found.orderId, clientOid: undefined });
    return ok(order === undefined ? [] : [subOrderText(found, order)]);
  },
});

export const triggerOrderHandlers = (parts: HandlerParts): TriggerHandlers => ({
  ...placing(parts),
  ...changing(parts),
  ...reading(parts),
});

export const operatorTriggerHandlers = ({ views }: HandlerParts): HandlersOf<typeof operatorTriggerRows> => ({
  listEndedTriggers: async (query) => {
    const { uid, status } = query;
    const working = views.triggers.working(uid).filter((record) => status === undefined || record.status === status);
    const stored = (await views.history.endedTriggers(query)).map(triggerOfRow);
    return ok(together(working, stored, query).map(endedTriggerText));
  },
});
