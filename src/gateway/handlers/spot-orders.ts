/** Spot orders and assets (v2). */
import type { spotOrderRows } from '../../contract/spot-orders.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { spotOrderStatusWords, timeInForceWords, wireWord } from '../../contract/wire-words.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { moneyText, negate } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { PlacedOrder } from '../../messages/outcomes.ts';
import { accountMargin, spendable } from '../../views/account-margins.ts';
import type { SettledFillRow } from '../../views/history/fills.ts';
import { THREE_MONTHS } from '../../views/pages.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import { cancelListed } from './cancel-listed.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { namedText, onlyOne, parted } from './order-answers.ts';
import { type SpotOrder, spotDraft } from './order-drafts.ts';
import { endedOrders, findOrder, openOrders, settledFills } from './order-lists.ts';
import { averagePrice, cancelReasonText, textOr } from './order-texts.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';
import { refuseLate } from './receive-window.ts';
import { submitReadable } from './submit-readable.ts';

type SpotOrderHandlers = HandlersOf<typeof spotOrderRows>;

const category = 'SPOT';

/** Fees of a spot order are JSON with numbers inside a text, as clients expect. */
function feeDetailText({ order: { feeCoin }, fee, filledSize }: OrderRecord): string {
  if (filledSize === 0n) return '';
  const paid = moneyText(negate(fee));
  const shared = `"deduction":false,"totalDeductionFee":0`;
  const newFees = `{"c":0,"d":0,${shared},"r":${paid},"t":${paid}}`;
  const coinFees = `{${shared},"feeCoinCode":"${feeCoin}","totalFee":${paid}}`;
  return `{"newFees":${newFees},"${feeCoin}":${coinFees}}`;
}

function spotOrderText(record: OrderRecord) {
  const { order, status, filledSize, filledValue, createdAt, updatedAt } = record;
  return {
    userId: String(order.uid),
    symbol: order.symbol,
    orderId: idText(order.orderId),
    clientOid: order.clientOid as string,
    price: textOr(order.price, '0'),
    size: moneyText(order.quoteAmount ?? order.size),
    orderType: order.orderType,
    side: order.side,
    force: wireWord(timeInForceWords, order.timeInForce),
    status: wireWord(spotOrderStatusWords, status === 'live' ? 'new' : status),
    priceAvg: textOr(averagePrice(record), '0'),
    baseVolume: moneyText(filledSize),
    quoteVolume: moneyText(filledValue),
    enterPointSource: 'API',
    orderSource: order.orderType === 'market' ? 'market' : 'normal',
    feeDetail: feeDetailText(record),
    cancelReason: cancelReasonText(record),
    cTime: String(createdAt),
    uTime: String(updatedAt),
  } as const;
}

export const spotFillText = (fill: SettledFillRow) =>
  ({
    userId: String(fill.uid),
    symbol: fill.symbol,
    orderId: idText(fill.orderId),
    tradeId: idText(fill.id),
    orderType: fill.orderType,
    side: fill.side,
    priceAvg: moneyText(fill.price),
    size: moneyText(fill.size),
    amount: moneyText(fill.value),
    feeDetail: {
      deduction: 'no',
      feeCoin: fill.feeCoin,
      totalDeductionFee: '0',
      totalFee: moneyText(negate(fill.fee)),
    },
    tradeScope: fill.role,
    cTime: String(fill.time),
    uTime: String(fill.time),
  }) as const;

/** The balances of the wallet, of one coin or of all. */
export function spotAssetTexts(views: ViewQueries, uid: Uid, coin: string | undefined) {
  const margin = accountMargin(views, uid);
  return views.accounts
    .balances(uid)
    .filter((balance) => coin === undefined || balance.coin === coin)
    .map((balance) => ({
      coin: balance.coin,
      available: moneyText(spendable(views, uid, balance.coin, margin)),
      frozen: moneyText(balance.locked),
      locked: '0',
      limitAvailable: '0',
      uTime: String(views.accounts.balanceChangedAt(uid, balance.coin) ?? ''),
    }));
}

/** Only reduce-only orders replace others; their answer has no id. */
const spotPlacedText = ({ orderId, clientOid }: PlacedOrder) => ({
  orderId: orderId === undefined ? '' : idText(orderId),
  clientOid,
});

/** An order of a batch is for the trading pair of the call. */
function itemOf(
  symbol: string,
  input: Omit<SpotOrder, 'symbol'> & { readonly symbol: string | undefined },
): Reply<OrderDraft> {
  const isHere = input.symbol === undefined || input.symbol === symbol;
  return isHere
    ? ok(spotDraft({ ...input, symbol }))
    : refuse(wireRejection('fieldInvalid', 'symbol'));
}

const changing = ({
  submit,
  clock,
}: HandlerParts): Pick<
  SpotOrderHandlers,
  | 'placeSpotOrder'
  | 'placeSpotBatch'
  | 'cancelSpotOrder'
  | 'cancelSpotOrders'
  | 'cancelSpotSymbolOrders'
> => ({
  placeSpotOrder: async (input, { uid }) =>
    refuseLate(clock, input) ??
    onlyOne(
      await submit({ type: 'placeOrders', uid, category, orders: [spotDraft(input)] }),
      spotPlacedText,
    ),

  placeSpotBatch: async ({ symbol, orderList }, { uid, language }) => {
    const drafts = orderList.map(({ input }) => (input.ok ? itemOf(symbol, input.value) : input));
    const placed = await submitReadable(drafts, (orders) =>
      submit({ type: 'placeOrders', uid, category, orders }),
    );
    return placed.ok ? ok(parted(placed.value, orderList, language, spotPlacedText)) : placed;
  },

  cancelSpotOrders: ({ symbol, orderList }, caller) =>
    cancelListed(submit, caller, { category, symbol }, orderList),

  cancelSpotOrder: async ({ symbol, orderId, clientOid, ...window }, { uid }) => {
    const market = { category, symbol } as const;
    return (
      refuseLate(clock, window) ??
      onlyOne(
        await submit({ type: 'cancelOrders', uid, orders: [{ orderId, clientOid }], market }),
        namedText,
      )
    );
  },

  cancelSpotSymbolOrders: ({ symbol }, { uid }) =>
    submitAndShow(submit, { type: 'cancelAllOrders', uid, category, symbol }, () => ({ symbol })),
});

const reading = ({
  views,
  exchangeNow,
}: HandlerParts): Pick<
  SpotOrderHandlers,
  | 'getSpotOrder'
  | 'listOpenSpotOrders'
  | 'listSpotOrderHistory'
  | 'listSpotFills'
  | 'listSpotAssets'
> => ({
  getSpotOrder: async (name, { uid }) => {
    if (name.orderId === undefined && name.clientOid === undefined)
      return refuse(wireRejection('orderIdNeeded'));
    const found = await findOrder(views, uid, name);
    return ok(found?.order.category === category ? [spotOrderText(found)] : []);
  },

  listOpenSpotOrders: (query, { uid }) => {
    const found = openOrders(views, { ...query, uid, category }, exchangeNow(), THREE_MONTHS);
    return found.ok ? ok(found.value.map(spotOrderText)) : found;
  },

  listSpotOrderHistory: async (query, { uid }) => {
    const found = await endedOrders(
      views,
      { ...query, uid, category },
      exchangeNow(),
      THREE_MONTHS,
    );
    return found.ok ? ok(found.value.map(spotOrderText)) : found;
  },

  listSpotFills: async (query, { uid }) => {
    const fills = await settledFills(
      views,
      { ...query, uid, category },
      exchangeNow(),
      THREE_MONTHS,
    );
    return fills.ok ? ok(fills.value.map(spotFillText)) : fills;
  },

  listSpotAssets: ({ coin }, { uid }) => ok(spotAssetTexts(views, uid, coin)),
});

export const spotOrderHandlers = (parts: HandlerParts): SpotOrderHandlers => ({
  ...changing(parts),
  ...reading(parts),
});
