/** Futures orders (v2). */

import type { futuresOrderRows } from '../../contract/futures-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { OrderMarket, ProtectedDraft } from '../../messages/order-commands.ts';
import type { PlacedOrder } from '../../messages/outcomes.ts';
import type { FuturesCategory, MarginMode } from '../../messages/vocabulary.ts';
import { THREE_MONTHS } from '../../views/pages.ts';
import type { CallSubmit } from './call-submit.ts';
import { cancelListed } from './cancel-listed.ts';
import {
  futuresFillText,
  futuresOrderText,
  futuresStatusText,
  listedFuturesOrder,
} from './futures-order-texts.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { refuseOtherCoin } from './leverage.ts';
import { endIdText, failureText, namedText, onlyOne, parted, placedText } from './order-answers.ts';
import {
  closedSideOf,
  FUTURES_NAMES,
  type FuturesOrder,
  futuresDraft,
  placingOf,
} from './order-drafts.ts';
import { endedOrders, findOrder, openOrders, settledFills } from './order-lists.ts';
import { meantBySource } from './order-sources.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { refuseLate } from './receive-window.ts';
import { submitReadable } from './submit-readable.ts';

/** The answer for a source that no order has. */
const NO_ORDERS = { entrustedList: [], endId: '' };

type FuturesOrderHandlers = HandlersOf<typeof futuresOrderRows>;

/** An order of a batch may repeat the fields of the call, with the same values. */
interface FuturesItem extends FuturesOrder {
  readonly symbol: string | undefined;
  readonly productType: FuturesCategory | undefined;
  readonly marginMode: MarginMode | undefined;
}

const placing = ({
  submit,
  views,
}: HandlerParts): Pick<FuturesOrderHandlers, 'placeFuturesOrder' | 'placeFuturesBatch'> => ({
  placeFuturesOrder: async (
    { productType: category, symbol, marginMode, marginCoin, ...input },
    { uid },
  ) => {
    const otherCoin = refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);
    if (otherCoin !== undefined) return otherCoin;
    const draft = futuresDraft(
      { symbol, marginMode, positionMode: views.accounts.positionMode(uid) },
      input,
    );
    if (!draft.ok) return draft;
    return onlyOne(
      await submit(placingOf(uid, category, [draft.value]), FUTURES_NAMES),
      placedText,
    );
  },

  placeFuturesBatch: async (
    { productType: category, symbol, marginMode, marginCoin, orderList },
    { uid, language },
  ) => {
    const otherCoin = refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);
    if (otherCoin !== undefined) return otherCoin;
    const positionMode = views.accounts.positionMode(uid);
    const draftOf = (input: FuturesItem): Reply<ProtectedDraft> => {
      if ((input.symbol ?? symbol) !== symbol)
        return refuse(wireRejection('fieldInvalid', 'symbol'));
      if ((input.productType ?? category) !== category)
        return refuse(wireRejection('fieldInvalid', 'productType'));
      return futuresDraft(
        { symbol, marginMode: input.marginMode ?? marginMode, positionMode },
        input,
      );
    };
    const drafts = orderList.map(({ input }) => (input.ok ? draftOf(input.value) : input));
    const placed = await submitReadable(drafts, (readable) =>
      submit(placingOf(uid, category, readable), FUTURES_NAMES),
    );
    return placed.ok ? ok(parted(placed.value, orderList, language, placedText)) : placed;
  },
});

const cancelAll = (submit: CallSubmit, uid: Uid, market: OrderMarket) =>
  submitAndShow(submit, { type: 'cancelAllOrders', uid, ...market }, (all) => ({
    successList: all.map(namedText),
    failureList: [],
  }));

/** The id is empty if the order replaced older ones. */
const closingText = ({ orderId, clientOid }: PlacedOrder) => ({
  orderId: orderId === undefined ? '' : idText(orderId),
  clientOid,
});

type Ending =
  | 'cancelFuturesOrder'
  | 'cancelFuturesOrders'
  | 'cancelAllFuturesOrders'
  | 'closeFuturesPositions';

const ending = ({ submit, views, clock }: HandlerParts): Pick<FuturesOrderHandlers, Ending> => ({
  cancelFuturesOrder: async (
    { productType: category, symbol, marginCoin, orderId, clientOid },
    { uid },
  ) => {
    const market = { category, symbol, marginCoin };
    return onlyOne(
      await submit({ type: 'cancelOrders', uid, orders: [{ orderId, clientOid }], market }),
      namedText,
    );
  },

  cancelFuturesOrders: async (
    { productType: category, symbol, marginCoin, orderIdList },
    caller,
  ) => {
    const market = { category, symbol, marginCoin };
    if (orderIdList !== undefined) return cancelListed(submit, caller, market, orderIdList);
    return cancelAll(submit, caller.uid, market);
  },

  cancelAllFuturesOrders: ({ productType: category, symbol, marginCoin, ...window }, { uid }) =>
    refuseLate(clock, window) ?? cancelAll(submit, uid, { category, symbol, marginCoin }),

  closeFuturesPositions: async ({ productType: category, symbol, holdSide }, { uid, language }) => {
    const side = closedSideOf(views.accounts.positionMode(uid), holdSide, 'holdSide');
    if (!side.ok) return side;
    return submitAndShow(
      submit,
      { type: 'closePositions', uid, category, symbol, side: side.value },
      (closed) => ({
        successList: closed.flatMap((fared) =>
          fared.ok ? [{ ...closingText(fared.value), symbol: fared.symbol }] : [],
        ),
        failureList: closed.flatMap((fared) =>
          fared.ok ? [] : [{ ...failureText(fared.refusal, language, {}), symbol: fared.symbol }],
        ),
      }),
    );
  },
});

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  FuturesOrderHandlers,
  'getFuturesOrder' | 'listOpenFuturesOrders' | 'listFuturesOrderHistory' | 'listFuturesFills'
> => ({
  getFuturesOrder: async ({ productType, symbol, ...name }, { uid }) => {
    if (name.orderId === undefined && name.clientOid === undefined)
      return refuse(wireRejection('orderIdNeeded'));
    const found = await findOrder(views, uid, name);
    if (
      found === undefined ||
      found.order.category !== productType ||
      found.order.symbol !== symbol
    )
      return refuse(wireRejection('orderNotFound'));
    return ok({ ...futuresOrderText(found), state: futuresStatusText(found) });
  },

  listOpenFuturesOrders: ({ productType: category, status, orderSource, ...query }, { uid }) => {
    const meant = orderSource === undefined ? {} : meantBySource(orderSource);
    if (meant === undefined) return ok(NO_ORDERS);
    const found = openOrders(
      views,
      { ...query, ...meant, uid, category, status },
      exchangeNow(),
      THREE_MONTHS,
    );
    return found.ok
      ? ok({ entrustedList: found.value.map(listedFuturesOrder), endId: endIdText(found.value) })
      : found;
  },

  listFuturesOrderHistory: async ({ productType: category, orderSource, ...query }, { uid }) => {
    const meant = orderSource === undefined ? {} : meantBySource(orderSource);
    if (meant === undefined) return ok(NO_ORDERS);
    const found = await endedOrders(
      views,
      { ...query, ...meant, uid, category },
      exchangeNow(),
      THREE_MONTHS,
    );
    return found.ok
      ? ok({ entrustedList: found.value.map(listedFuturesOrder), endId: endIdText(found.value) })
      : found;
  },

  listFuturesFills: async ({ productType: category, ...query }, { uid }) => {
    const fills = await settledFills(
      views,
      { ...query, uid, category },
      exchangeNow(),
      THREE_MONTHS,
    );
    return fills.ok
      ? ok({ fillList: fills.value.map(futuresFillText), endId: endIdText(fills.value) })
      : fills;
  },
});

export const futuresOrderHandlers = (parts: HandlerParts): FuturesOrderHandlers => ({
  ...placing(parts),
  ...ending(parts),
  ...reading(parts),
});
