/** Spot trigger orders (v2). */

import type { RequestOf } from '../../contract/endpoint.ts';
import type { CallNames } from '../../contract/field-names.ts';
import type { spotTriggerOrderRows } from '../../contract/spot-trigger-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { triggerStatusWords, wireWord } from '../../contract/wire-words.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { TriggerDraft } from '../../messages/triggers.ts';
import type { PriceSource } from '../../messages/vocabulary.ts';
import type { TriggerRecord } from '../../views/records.ts';
import { isNamed } from '../../views/triggers.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { endIdText, onlyOne } from './order-answers.ts';
import { isPositive } from './order-drafts.ts';
import { textOr } from './order-texts.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { endedTriggers, pendingTriggers } from './trigger-lists.ts';
import { subOrdersOf } from './trigger-orders.ts';

type SpotTriggerHandlers = HandlersOf<typeof spotTriggerOrderRows>;
type Input<Name extends keyof typeof spotTriggerOrderRows> = RequestOf<
  (typeof spotTriggerOrderRows)[Name]
>;

const category = 'SPOT';
const NAMES: CallNames = { price: 'executePrice' };

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

/** An unknown spot order has one code, with or without a trigger price (TRG-102). */
function asSpotOrder<Value>(reply: Reply<Value>): Reply<Value> {
  const isUnknown = !reply.ok && reply.refusal.reason === 'unknownTrigger';
  return isUnknown ? refuse(wireRejection('unknownOrder')) : reply;
}

/** Clients send a limit price with market orders too; it is ignored (TRG-94). */
function draftOf(input: Input<'placeSpotTriggerOrder'>): Reply<TriggerDraft> {
  const {
    symbol,
    side,
    orderType,
    size,
    triggerPrice,
    triggerType: source,
    clientOid,
    executePrice,
  } = input;
  const isLimit = orderType === 'limit';
  const unit = !isLimit && side === 'buy' ? 'total' : 'amount';
  if (input.planType !== unit)
    return refuse(wireRejection('triggerFieldsConflict', 'planType', `this order is in ${unit}`));
  return ok({
    kind: 'conditional',
    symbol,
    marginMode: 'asSet',
    size,
    triggerPrice,
    source,
    side,
    orderType,
    price: isLimit && isPositive(executePrice) ? executePrice : undefined,
    timeInForce: isLimit ? input.force : undefined,
    reduceOnly: false,
    clientOid,
    selfTradeMode: input.stpMode,
  });
}

/** The live spot trigger of that name; the newest if there are several. */
const findLive = (
  { triggers }: ViewQueries,
  uid: Uid,
  { orderId, clientOid }: Input<'cancelSpotTriggerOrder'>,
) =>
  triggers
    .live(uid)
    .findLast(
      (record) => record.trigger.category === category && isNamed(record, orderId, clientOid),
    );

const changing = ({
  submit,
  views,
}: HandlerParts): Pick<
  SpotTriggerHandlers,
  | 'placeSpotTriggerOrder'
  | 'changeSpotTriggerOrder'
  | 'cancelSpotTriggerOrder'
  | 'cancelSpotTriggerOrders'
> => ({
  placeSpotTriggerOrder: async (input, { uid }) => {
    const trigger = draftOf(input);
    if (!trigger.ok) return trigger;
    const command = { type: 'placeTrigger', uid, category, trigger: trigger.value } as const;
    return submitAndShow(submit, command, placedText, NAMES);
  },

  changeSpotTriggerOrder: async (input, { uid }) => {
    const { orderId: triggerId, clientOid, orderType, size, triggerPrice, executePrice } = input;
    const found = findLive(views, uid, input);
    const isLimit = found?.trigger.price !== undefined;
    if (found !== undefined && orderType !== undefined && (orderType === 'limit') !== isLimit) {
      return refuse(wireRejection('triggerFieldsConflict', 'orderType', 'it cannot be changed'));
    }
    const price = isPositive(executePrice) && orderType !== 'market' ? executePrice : undefined;
    const meant = { uid, category, exit: false, triggerId, clientOid } as const;
    const command = {
      type: 'changeTrigger',
      ...meant,
      change: { size, triggerPrice, price },
    } as const;
    return asSpotOrder(await submitAndShow(submit, command, placedText, NAMES));
  },

  cancelSpotTriggerOrder: async ({ orderId: triggerId, clientOid }, { uid }) => {
    const cancelled = await submit({
      type: 'cancelTriggers',
      uid,
      category,
      kinds: [],
      triggers: [{ triggerId, clientOid }],
    });
    return asSpotOrder(onlyOne(cancelled, () => ({ result: 'success' }) as const));
  },

  cancelSpotTriggerOrders: ({ symbolList, symbols = symbolList }, { uid }) =>
    submitAndShow(
      submit,
      { type: 'cancelTriggers', uid, category, kinds: [], symbols },
      (cancelled) => ({
        successList: cancelled.flatMap((each) => (each.ok ? [placedText(each.value)] : [])),
        failureList: [],
      }),
    ),
});

/** An index price stands for the mark price that spot does not have (TRG-93). */
const SOURCES = {
  last: 'fill_price',
  mark: 'mark_price',
  index: 'mark_price',
} as const satisfies Record<PriceSource, string>;

function spotTriggerText({ trigger, status, endedAt }: TriggerRecord) {
  return {
    orderId: idText(trigger.triggerId),
    clientOid: trigger.clientOid as string,
    symbol: trigger.symbol,
    size: moneyText(trigger.quoteAmount ?? trigger.size),
    executePrice: textOr(trigger.price, ''),
    triggerPrice: moneyText(trigger.triggerPrice),
    status: wireWord(triggerStatusWords, status),
    orderType: trigger.price === undefined ? 'market' : 'limit',
    side: trigger.side,
    planType: trigger.quoteAmount === undefined ? 'amount' : 'total',
    triggerType: SOURCES[trigger.source],
    enterPointSource: 'API',
    cTime: String(trigger.createdAt),
    uTime: String(endedAt ?? trigger.updatedAt ?? trigger.createdAt),
  } as const;
}

/** Takes one row more than the page size, which shows if there are older ones. */
function pageText(rows: readonly TriggerRecord[], limit: number) {
  const shown = rows.slice(0, limit);
  return {
    nextFlag: rows.length > limit,
    idLessThan: endIdText(shown),
    orderList: shown.map(spotTriggerText),
  };
}

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  SpotTriggerHandlers,
  'listOpenSpotTriggerOrders' | 'listSpotTriggerOrderHistory' | 'listSpotTriggerSubOrders'
> => ({
  listOpenSpotTriggerOrders: ({ limit, ...query }, { uid }) => {
    const found = pendingTriggers(
      views,
      { ...query, uid, category, limit: limit + 1 },
      exchangeNow(),
    );
    return found.ok ? ok(pageText(found.value, limit)) : found;
  },

  listSpotTriggerOrderHistory: async ({ limit, ...query }, { uid }) => {
    const found = await endedTriggers(
      views,
      { ...query, uid, category, limit: limit + 1 },
      exchangeNow(),
    );
    return found.ok ? ok(pageText(found.value, limit)) : found;
  },

  listSpotTriggerSubOrders: async ({ planOrderId }, { uid }) =>
    ok(await subOrdersOf(views, uid, planOrderId, ({ trigger }) => trigger.category === category)),
});

export const spotTriggerOrderHandlers = (parts: HandlerParts): SpotTriggerHandlers => ({
  ...changing(parts),
  ...reading(parts),
});
