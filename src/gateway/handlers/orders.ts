/** Orders of the unified account (v3). */
import type { orderRows } from '../../contract/orders.ts';
import type { unifiedTradingRows } from '../../contract/unified-trading.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { DAY, SECOND } from '../../kernel/time.ts';
import { type Category, hasTriggers } from '../../messages/vocabulary.ts';
import type { HandlersOf, Reply } from './handler.ts';
import {
  endIdText,
  itemText,
  namedText,
  nameOfInput,
  onlyOne,
  placedText,
} from './order-answers.ts';
import { closedSideOf, placingOf, unifiedDraft, unifiedTpsl } from './order-drafts.ts';
import { endedOrders, findOrder, openOrders, settledFills } from './order-lists.ts';
import { fillText, orderText } from './order-texts.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { type TriggerNames, triggerNames } from './strategy-orders.ts';
import { submitReadable } from './submit-readable.ts';
import {
  isTrailing,
  type OrderInput,
  waitingDraft,
  waitingNames,
  whatItWaitsFor,
} from './waiting-orders.ts';

type OrderHandlers = HandlersOf<typeof orderRows & typeof unifiedTradingRows>;

/** The longest window of a list. */
const SPAN = 30 * DAY;

/** Places a trigger order (TRG-86), in the requested margin mode, else in that of the symbol. */
async function placeWaiting(
  { submit, views }: HandlerParts,
  uid: Uid,
  input: OrderInput,
  waitsFor: string,
): Promise<Reply<TriggerNames>> {
  const { category } = input;
  if (!hasTriggers(category) || (category === 'SPOT' && isTrailing(input))) {
    return refuse(wireRejection('notOffered', waitsFor));
  }
  const trigger = waitingDraft(input, views.accounts.positionMode(uid));
  if (!trigger.ok) return trigger;
  const command = { type: 'placeTrigger', uid, category, trigger: trigger.value } as const;
  return submitAndShow(submit, command, triggerNames, waitingNames(input, trigger.value));
}

const placing = (parts: HandlerParts): Pick<OrderHandlers, 'placeBatch' | 'placeOrder'> => ({
  placeBatch: async (items, { uid, language }) => {
    const { submit, views } = parts;
    const positionMode = views.accounts.positionMode(uid);
    const drafts = items.map(({ input }) =>
      input.ok ? unifiedDraft(input.value, positionMode) : input,
    );
    // The readable items share a category, because the contract refuses a mixed batch.
    const category = items.reduce<Category | undefined>(
      (known, { input }) => known ?? (input.ok ? input.value.category : undefined),
      undefined,
    );
    const placed = await submitReadable(drafts, (orders) =>
      submit({ type: 'placeOrders', uid, category: category!, orders }),
    );
    return placed.ok
      ? ok(placed.value.map((fared, at) => itemText(fared, language, items[at]!)))
      : placed;
  },

  placeOrder: async (input, { uid }) => {
    const { submit, views } = parts;
    const waiting = whatItWaitsFor(input);
    if (waiting !== undefined) return placeWaiting(parts, uid, input, waiting);
    const tpsl = unifiedTpsl(input.category, input);
    if (!tpsl.ok) return tpsl;
    const draft = unifiedDraft(input, views.accounts.positionMode(uid));
    if (!draft.ok) return draft;
    return onlyOne(
      await submit(placingOf(uid, input.category, [{ order: draft.value, ...tpsl.value }])),
      placedText,
    );
  },
});

const ending = ({
  submit,
  views,
}: HandlerParts): Pick<
  OrderHandlers,
  'cancelOrder' | 'cancelBatch' | 'cancelSymbolOrders' | 'setCountdown' | 'closePositions'
> => ({
  cancelOrder: async (name, { uid }) =>
    onlyOne(await submit({ type: 'cancelOrders', uid, orders: [name] }), namedText),

  cancelBatch: async (items, { uid, language }) => {
    const names = items.map(({ input }) => (input.ok ? ok(nameOfInput(input.value)) : input));
    const cancelled = await submitReadable(names, (orders) =>
      submit({ type: 'cancelOrders', uid, orders }),
    );
    return cancelled.ok
      ? ok(cancelled.value.map((fared, at) => itemText(fared, language, items[at]!)))
      : cancelled;
  },

  cancelSymbolOrders: ({ category, symbol }, { uid, language }) =>
    submitAndShow(submit, { type: 'cancelAllOrders', uid, category, symbol }, (cancelled) => ({
      list: cancelled.map((order) => itemText(ok(order), language, {})),
    })),

  setCountdown: ({ countdown }, { uid }) =>
    submitAndShow(
      submit,
      { type: 'setCountdown', uid, ms: countdown * SECOND },
      () => 'success' as const,
    ),

  closePositions: async ({ category, symbol, posSide }, { uid, language }) => {
    const side = closedSideOf(views.accounts.positionMode(uid), posSide, 'posSide');
    if (!side.ok) return side;
    return submitAndShow(
      submit,
      { type: 'closePositions', uid, category, symbol, side: side.value },
      (closed) => ({
        list: closed.map((fared) => itemText(fared, language, {})),
      }),
    );
  },
});

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  OrderHandlers,
  'getOrder' | 'listOpenOrders' | 'listOrderHistory' | 'listFills'
> => ({
  getOrder: async (name, { uid }) => {
    if (name.orderId === undefined && name.clientOid === undefined)
      return refuse(wireRejection('orderIdNeeded'));
    const found = await findOrder(views, uid, name);
    return found === undefined ? refuse(wireRejection('orderNotFound')) : ok(orderText(found));
  },

  listOpenOrders: ({ cursor, ...query }, { uid }) => {
    const found = openOrders(views, { ...query, uid, idLessThan: cursor }, exchangeNow(), SPAN);
    return found.ok
      ? ok({ list: found.value.map(orderText), cursor: endIdText(found.value) })
      : found;
  },

  listOrderHistory: async ({ cursor, ...query }, { uid }) => {
    const found = await endedOrders(
      views,
      { ...query, uid, idLessThan: cursor },
      exchangeNow(),
      SPAN,
    );
    return found.ok
      ? ok({ list: found.value.map(orderText), cursor: endIdText(found.value) })
      : found;
  },

  listFills: async ({ cursor, ...query }, { uid }) => {
    const fills = await settledFills(
      views,
      { ...query, uid, idLessThan: cursor },
      exchangeNow(),
      SPAN,
    );
    return fills.ok
      ? ok({ list: fills.value.map(fillText), cursor: endIdText(fills.value) })
      : fills;
  },
});

export const orderHandlers = (parts: HandlerParts): OrderHandlers => ({
  ...placing(parts),
  ...ending(parts),
  ...reading(parts),
});
