/** Isolated spot margin (v2): pairs, their loans, their orders and fills. */

import type { RequestOf } from '../../contract/endpoint.ts';
import type { isolatedFillRows } from '../../contract/isolated-fills.ts';
import type { isolatedMarginRows } from '../../contract/isolated-margin.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { PlacedOrder } from '../../messages/outcomes.ts';
import { type PairLimits, pairLimits } from '../../views/isolated-risks.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import { dailyInterestText, yearlyInterestText } from './borrowing.ts';
import { cancelListed } from './cancel-listed.ts';
import type { HandlersOf, Reply } from './handler.ts';
import {
  isolatedAssetTexts,
  isolatedFillText,
  isolatedOrderText,
  isolatedRiskTexts,
  kindsFrom,
} from './isolated-texts.ts';
import { namedText, onlyOne, parted } from './order-answers.ts';
import { endedOrders, openOrders } from './order-lists.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { submitReadable } from './submit-readable.ts';

type IsolatedHandlers = HandlersOf<typeof isolatedMarginRows & typeof isolatedFillRows>;
type MoneyName = 'borrowIsolated' | 'repayIsolated';
type OrderName =
  | 'placeIsolatedOrder'
  | 'placeIsolatedBatch'
  | 'cancelIsolatedOrder'
  | 'cancelIsolatedOrders';

const category = 'MARGIN';

const movingMoney = ({ submit }: HandlerParts): Pick<IsolatedHandlers, MoneyName> => ({
  borrowIsolated: ({ symbol, coin, borrowAmount }, { uid }) =>
    submitAndShow(
      submit,
      { type: 'borrowIsolated', uid, symbol, coin, amount: borrowAmount },
      ({ loanId, amount }) => ({
        loanId: idText(loanId),
        symbol,
        coin,
        borrowAmount: moneyText(amount),
      }),
      { amount: 'borrowAmount' },
    ),

  repayIsolated: ({ symbol, coin, repayAmount }, { uid }) =>
    submitAndShow(
      submit,
      { type: 'repayIsolated', uid, symbol, coin, amount: repayAmount },
      ({ repayId, repaid, owed }) => ({
        repayId: idText(repayId),
        symbol,
        coin,
        repayAmount: moneyText(repaid),
        remainDebtAmount: moneyText(owed),
      }),
      { amount: 'repayAmount' },
    ),
});

type IsolatedOrder = RequestOf<(typeof isolatedMarginRows)['placeIsolatedOrder']>;

/** The size of a market buy is in quote coin, that of any other order in base coin. */
const sizeField = ({ orderType, side }: Pick<OrderDraft, 'orderType' | 'side'>) =>
  orderType === 'market' && side === 'buy' ? 'quoteSize' : 'baseSize';

function draftOf(input: IsolatedOrder): Reply<OrderDraft> {
  const field = sizeField(input);
  const size = input[field];
  if (size === undefined) return refuse(wireRejection('fieldMissing', field));
  return ok({
    symbol: input.symbol,
    side: input.side,
    orderType: input.orderType,
    size,
    price: input.price,
    timeInForce: input.force,
    clientOid: input.clientOid,
    selfTradeMode: input.stpMode,
    reduceOnly: false,
    loanType: input.loanType,
  });
}

/** An order of a batch is for the trading pair of the call. */
function itemOf(
  symbol: string,
  input: Omit<IsolatedOrder, 'symbol'> & { readonly symbol: string | undefined },
): Reply<OrderDraft> {
  const isHere = input.symbol === undefined || input.symbol === symbol;
  return isHere ? draftOf({ ...input, symbol }) : refuse(wireRejection('fieldInvalid', 'symbol'));
}

/** Only reduce-only orders replace others. */
const placedText = ({ orderId, clientOid }: PlacedOrder) => ({
  orderId: orderId === undefined ? '' : idText(orderId),
  clientOid,
});

const changingOrders = ({ submit }: HandlerParts): Pick<IsolatedHandlers, OrderName> => ({
  placeIsolatedOrder: async (input, { uid }) => {
    const draft = draftOf(input);
    if (!draft.ok) return draft;
    const command = { type: 'placeOrders', uid, category, orders: [draft.value] } as const;
    return onlyOne(await submit(command, { size: sizeField(input) }), placedText);
  },

  placeIsolatedBatch: async ({ symbol, orderList }, { uid, language }) => {
    const drafts = orderList.map(({ input }) => (input.ok ? itemOf(symbol, input.value) : input));
    const placed = await submitReadable(drafts, (orders) =>
      submit({ type: 'placeOrders', uid, category, orders }, (item) => ({
        size: sizeField(orders[item]!),
      })),
    );
    return placed.ok ? ok(parted(placed.value, orderList, language, placedText)) : placed;
  },

  cancelIsolatedOrders: ({ symbol, orderIdList }, caller) =>
    cancelListed(submit, caller, { category, symbol, isolated: true }, orderIdList),

  cancelIsolatedOrder: async ({ symbol, orderId, clientOid }, { uid }) => {
    const market = { category, symbol, isolated: true } as const;
    return onlyOne(
      await submit({ type: 'cancelOrders', uid, orders: [{ orderId, clientOid }], market }),
      namedText,
    );
  },
});

/** The largest and smallest id of a page, newest first. */
const idRange = (ids: readonly Id[]) => ({
  maxId: ids[0] === undefined ? '' : idText(ids[0]),
  minId: ids.length === 0 ? '' : idText(ids.at(-1)!),
});

/** Formats what a pair may still borrow of its base and quote coin; refuses an unknown pair. */
function withRooms<Text>(
  symbol: string,
  rooms: ReturnType<typeof pairLimits>,
  show: (base: PairLimits, quote: PairLimits) => Text,
): Reply<Text> {
  return rooms === undefined
    ? refuse(wireRejection('noIsolatedMargin', 'symbol', symbol))
    : ok(show(...rooms));
}

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Omit<IsolatedHandlers, MoneyName | OrderName> => ({
  listIsolatedAssets: ({ symbol, coin }, { uid }) =>
    ok(
      isolatedAssetTexts(views, uid, symbol).filter(
        (row) => coin === undefined || row.coin === coin,
      ),
    ),
  listIsolatedRisks: ({ symbol }, { uid }) => ok(isolatedRiskTexts(views, uid, symbol)),

  listIsolatedRates: ({ symbol }, { uid }) => {
    const listed = views.listings.instrument(category, symbol);
    const dailyOf = (coin: string) => dailyInterestText(views.listings.coin(coin));
    const yearlyOf = (coin: string) => yearlyInterestText(views.listings.coin(coin));
    return withRooms(symbol, pairLimits(views, uid, symbol, exchangeNow()), (base, quote) => [
      {
        symbol,
        leverage: listed!.instrument.leverageMax,
        baseCoin: base.coin,
        baseTransferable: true,
        baseBorrowable: base.borrow > 0n,
        baseDailyInterestRate: dailyOf(base.coin),
        baseAnnuallyInterestRate: yearlyOf(base.coin),
        baseMaxBorrowableAmount: moneyText(base.borrow),
        quoteCoin: quote.coin,
        quoteTransferable: true,
        quoteBorrowable: quote.borrow > 0n,
        quoteDailyInterestRate: dailyOf(quote.coin),
        quoteAnnuallyInterestRate: yearlyOf(quote.coin),
        quoteMaxBorrowableAmount: moneyText(quote.borrow),
      },
    ]);
  },

  getIsolatedBorrowable: ({ symbol }, { uid }) =>
    withRooms(symbol, pairLimits(views, uid, symbol, exchangeNow()), (base, quote) => ({
      symbol,
      baseCoin: base.coin,
      baseCoinMaxBorrowAmount: moneyText(base.borrow),
      quoteCoin: quote.coin,
      quoteCoinMaxBorrowAmount: moneyText(quote.borrow),
    })),

  getIsolatedRemovable: ({ symbol }, { uid }) =>
    withRooms(symbol, pairLimits(views, uid, symbol, exchangeNow()), (base, quote) => ({
      symbol,
      baseCoin: base.coin,
      baseCoinMaxTransferOutAmount: moneyText(base.transferOut),
      quoteCoin: quote.coin,
      quoteCoinMaxTransferOutAmount: moneyText(quote.transferOut),
    })),

  listOpenIsolatedOrders: (query, { uid }) => {
    const found = openOrders(
      views,
      { ...query, uid, category, isolated: true },
      exchangeNow(),
      THREE_MONTHS,
    );
    if (!found.ok) return found;
    return ok({
      orderList: found.value.map(isolatedOrderText),
      ...idRange(found.value.map(({ order }) => order.orderId)),
    });
  },

  listIsolatedOrderHistory: async ({ enterPointSource, ...query }, { uid }) => {
    const executionKinds = enterPointSource === undefined ? undefined : kindsFrom(enterPointSource);
    const found = await endedOrders(
      views,
      { ...query, uid, category, isolated: true, executionKinds },
      exchangeNow(),
      THREE_MONTHS,
    );
    if (!found.ok) return found;
    return ok({
      orderList: found.value.map(isolatedOrderText),
      ...idRange(found.value.map(({ order }) => order.orderId)),
    });
  },

  listIsolatedFills: async ({ startTime, endTime, ...query }, { uid }) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.fills({
      ...query,
      uid,
      category,
      isolated: true,
      ...window.value,
    });
    return ok({ fills: rows.map(isolatedFillText), ...idRange(rows.map(({ id }) => id)) });
  },
});

export const isolatedMarginHandlers = (parts: HandlerParts): IsolatedHandlers => ({
  ...movingMoney(parts),
  ...changingOrders(parts),
  ...reading(parts),
});
