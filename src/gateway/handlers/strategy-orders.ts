/** Trigger orders of the unified account (v3), shared with v2. */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { strategyOrderRows } from '../../contract/strategy-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { type Category, hasTriggers, isExit, isFutures } from '../../messages/vocabulary.ts';
import type { TriggerRecord } from '../../views/records.ts';
import { isNamed } from '../../views/triggers.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { endIdText } from './order-answers.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import {
  changedNames,
  closedBy,
  spotExit,
  spotNames,
  strategyChange,
  strategyTpsl,
  strategyTrigger,
  TRIGGER_NAMES,
} from './strategy-drafts.ts';
import { strategyText } from './strategy-texts.ts';
import { endedTriggers, pendingTriggers } from './trigger-lists.ts';

type StrategyHandlers = HandlersOf<typeof strategyOrderRows>;

interface PlacedTrigger {
  readonly triggerId: Id;
  readonly clientOid: ClientOid;
}
export const triggerNames = ({ triggerId, clientOid }: PlacedTrigger) => ({
  orderId: idText(triggerId),
  clientOid,
});
export type TriggerNames = ReturnType<typeof triggerNames>;

const FAMILIES = { tpsl: ['tpsl'], trigger: ['conditional', 'trailing'] } as const;

const placing = ({
  submit,
  views,
}: HandlerParts): Pick<StrategyHandlers, 'placeStrategyOrder'> => ({
  placeStrategyOrder: async (input, { uid }) => {
    const { category, symbol } = input;
    if (!hasTriggers(category)) return refuse(wireRejection('notOffered', 'category'));
    if (input.type === 'trigger') {
      const trigger = strategyTrigger(input, views.accounts.positionMode(uid));
      if (!trigger.ok) return trigger;
      return submitAndShow(
        submit,
        { type: 'placeTrigger', uid, category, trigger: trigger.value },
        triggerNames,
        TRIGGER_NAMES,
      );
    }
    if (!isFutures(category)) {
      const trigger = spotExit(input);
      if (!trigger.ok) return trigger;
      return submitAndShow(
        submit,
        { type: 'placeTrigger', uid, category, trigger: trigger.value },
        triggerNames,
        spotNames(input),
      );
    }
    const tpsl = strategyTpsl(input);
    if (!tpsl.ok) return tpsl;
    const side = closedBy(input);
    if (!side.ok) return side;
    const command = {
      type: 'placeTpsl',
      uid,
      category,
      symbol,
      side: side.value,
      tpsl: tpsl.value,
    } as const;
    return submitAndShow(submit, command, ([placed]) => triggerNames(placed!));
  },
});

interface Named {
  readonly orderId: Id | undefined;
  readonly clientOid: ClientOid | undefined;
}

/**
 * The live trigger of that name, the newest if there are several. The command needs its category.
 */
function findLive(
  { triggers }: ViewQueries,
  uid: Uid,
  { orderId, clientOid }: Named,
): Reply<TriggerRecord> {
  if (orderId === undefined && clientOid === undefined)
    return refuse(wireRejection('orderIdNeeded'));
  const found = triggers.live(uid).findLast((record) => isNamed(record, orderId, clientOid));
  return found === undefined ? refuse(wireRejection('unknownTrigger')) : ok(found);
}

type ChangeInput = RequestOf<typeof strategyOrderRows.changeStrategyOrder>;

/**
 * Changes a pending trigger, limited to the category and symbol if they are given. `names` are the
 * field names of the call that differ.
 */
export async function changeWaiting(
  { submit, views }: HandlerParts,
  uid: Uid,
  input: ChangeInput,
  bounds: { readonly category?: Category | undefined; readonly symbol?: string | undefined } = {},
  names: CallNames = {},
): Promise<Reply<TriggerNames>> {
  const found = findLive(views, uid, input);
  if (!found.ok) return found;
  const { triggerId, category, symbol, kind } = found.value.trigger;
  if ((bounds.category ?? category) !== category || (bounds.symbol ?? symbol) !== symbol)
    return refuse(wireRejection('unknownTrigger'));
  const change = strategyChange(found.value.trigger, input);
  if (!change.ok) return change;
  const command = {
    type: 'changeTrigger',
    uid,
    category,
    exit: isExit(kind),
    triggerId,
    change: change.value,
  } as const;
  return submitAndShow(submit, command, triggerNames, {
    ...changedNames(found.value.trigger, input),
    ...names,
  });
}

const changing = (
  parts: HandlerParts,
): Pick<StrategyHandlers, 'changeStrategyOrder' | 'cancelStrategyOrder'> => ({
  changeStrategyOrder: (input, { uid }) => changeWaiting(parts, uid, input),

  cancelStrategyOrder: async (name, { uid }) => {
    const { submit, views } = parts;
    const found = findLive(views, uid, name);
    if (!found.ok) return found;
    const { triggerId, category } = found.value.trigger;
    const cancelled = await submit({
      type: 'cancelTriggers',
      uid,
      category,
      kinds: [],
      triggers: [{ triggerId }],
    });
    if (!cancelled.ok) return cancelled;
    const fared = cancelled.value[0]!;
    return fared.ok ? ok(null) : fared;
  },
});

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  StrategyHandlers,
  'listOpenStrategyOrders' | 'listStrategyOrderHistory'
> => ({
  listOpenStrategyOrders: ({ category, type, cursor: idLessThan, ...query }, { uid }) => {
    const families = type === undefined ? undefined : FAMILIES[type];
    const found = pendingTriggers(
      views,
      { ...query, uid, category, families, idLessThan },
      exchangeNow(),
    );
    return found.ok ? ok(found.value.map(strategyText)) : found;
  },

  listStrategyOrderHistory: async ({ category, type, cursor: idLessThan, ...query }, { uid }) => {
    const families = type === undefined ? undefined : FAMILIES[type];
    const found = await endedTriggers(
      views,
      { ...query, uid, category, families, idLessThan },
      exchangeNow(),
    );
    return found.ok
      ? ok({ list: found.value.map(strategyText), cursor: endIdText(found.value) })
      : found;
  },
});

export const strategyOrderHandlers = (parts: HandlerParts): StrategyHandlers => ({
  ...placing(parts),
  ...changing(parts),
  ...reading(parts),
});
