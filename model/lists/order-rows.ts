/** Orders computed from their events, as each API version shows them. */
import type { OrderRow } from '../../src/messages/orders.ts';
import type { EmittedEvents } from './recorded-run.ts';
import { average, decimals, modeText, paid, type Row, spelt, wireId } from './row.ts';

export interface OrderState {
  order: OrderRow;
  status: string;
  size: bigint;
  value: bigint;
  fee: bigint;
  profit: bigint;
  reason: string | undefined;
  readonly createdAt: number;
  updatedAt: number;
  ended: boolean;
}

export function orderStates(emitted: readonly EmittedEvents[]): ReadonlyMap<number, OrderState> {
  const runs = new Map<number, OrderState>();
  const change = (id: number, at: number, by: (run: OrderState) => void): void => {
    const run = runs.get(id)!;
    by(run);
    run.updatedAt = at;
  };
  for (const { event, at } of emitted) {
    switch (event.type) {
      case 'orderAccepted': {
        const { order } = event;
        const nothing = { size: 0n, value: 0n, fee: 0n, profit: 0n, reason: undefined };
        runs.set(order.orderId, {
          order,
          status: order.status,
          ...nothing,
          createdAt: at,
          updatedAt: at,
          ended: false,
        });
        break;
      }
      case 'orderActivated':
        change(event.orderId, at, (run) => {
          run.status = run.size > 0n ? 'partiallyFilled' : 'new';
        });
        break;
      case 'fillSettled':
        change(event.fill.orderId, at, (run) => {
          const { size, value, fee, profit } = event.fill;
          run.status = 'partiallyFilled';
          run.size += size;
          run.value += value;
          run.fee += fee;
          run.profit += profit;
        });
        break;
      case 'orderModified':
        change(event.order.orderId, at, (run) => {
          run.order = event.order;
        });
        break;
      case 'orderReleveraged':
        change(event.orderId, at, (run) => {
          if (event.leverage !== undefined) run.order = { ...run.order, leverage: event.leverage };
        });
        break;
      case 'orderEnded':
        change(event.end.orderId, at, (run) => {
          run.status = event.end.status;
          run.reason = event.end.cancelReason;
          run.ended = true;
        });
        break;
    }
  }
  return runs;
}

const CANCEL_TEXTS: Readonly<Record<string, string>> = {
  byUser: 'normal_cancel',
  fokNotFull: 'fok_not_full_cancel',
  iocNotFull: 'ioc_not_full_cancel',
  postOnlyWouldTake: 'post_only_fill_cancel',
  selfTrade: 'stp_cancel',
  slippage: 'slippage_cancel',
  reduceOnlyReplaced: 'normal_cancel',
  nothingToReduce: 'delegated_risk_order_cancel',
  liquidation: 'burst_cancel',
  autoDeleverage: 'adl_cancel',
  delisted: 'delivery_order_cancel',
  moneyGone: 'delegated_risk_order_cancel',
  tooManyTrades: 'trade_too_many_times_cancel',
  modified: 'modify_limit_order',
};
const cancelText = ({ reason }: OrderState): string =>
  reason === undefined ? '' : CANCEL_TEXTS[reason]!;

const isFutures = (category: string): boolean => category.endsWith('FUTURES');
const madeBy = (kind: string): string => (kind === 'normal' ? 'API' : 'SYS');
const priceOr = (price: bigint | undefined, otherwise: string): string =>
  price === undefined ? otherwise : decimals(price);
const averageOr = ({ size, value }: OrderState, otherwise: string): string =>
  size === 0n ? otherwise : decimals(average(value, size));

/** Hedge-mode closing orders, and orders with reduceOnly (ORD-64). */
const onlyCloses = ({ reduceOnly, positionMode, intent, category }: OrderRow): string =>
  reduceOnly || (isFutures(category) && positionMode === 'hedge' && intent === 'close')
    ? 'YES'
    : 'NO';

/** In one-way mode, the position side that the order opens or reduces (ORD-84). */
export function sideTaken({
  positionSide,
  side,
  intent,
}: {
  readonly positionSide?: string | undefined;
  readonly side: string;
  readonly intent?: string | undefined;
}): string {
  if (positionSide !== undefined) return positionSide;
  if (intent === 'close') return side === 'buy' ? 'short' : 'long';
  return side === 'buy' ? 'long' : 'short';
}

const unified = (run: OrderState) => {
  const { order } = run;
  const futures = isFutures(order.category);
  return {
    orderId: wireId(order.orderId),
    clientOid: order.clientOid,
    category: order.category,
    symbol: order.symbol,
    orderType: order.orderType,
    side: order.side,
    price: priceOr(order.price, '0'),
    qty: decimals(order.size),
    amount: priceOr(order.quoteAmount, '0'),
    cumExecQty: decimals(run.size),
    cumExecValue: decimals(run.value),
    avgPrice: averageOr(run, '0'),
    timeInForce: spelt(order.timeInForce),
    orderStatus: spelt(run.status),
    posSide: futures ? sideTaken(order) : '',
    holdMode: futures ? modeText(order.positionMode) : '',
    tradeSide: futures ? order.intent : '',
    stpMode: spelt(order.selfTradeMode),
    reduceOnly: onlyCloses(order),
    feeDetail: run.size === 0n ? [] : [{ feeCoin: order.feeCoin, fee: decimals(run.fee) }],
    cancelReason: cancelText(run),
    execType: order.executionKind === 'autoDeleverage' ? 'reduce' : order.executionKind,
    createdTime: String(run.createdAt),
    updatedTime: String(run.updatedAt),
  };
};

/** v2 has no status for an order that waits for its symbol (API-51). */
const shownStatus = (status: string): string =>
  status === 'live' || status === 'new' ? 'live' : spelt(status);

const ENGINE_WORDS: Readonly<Record<string, string>> = {
  offset: 'offset',
  reduce: 'reduce',
  liquidation: 'burst',
  delivery: 'delivery',
};

interface Directed {
  readonly side: string;
  readonly positionSide?: string | undefined;
  readonly intent?: string | undefined;
  readonly executionKind: string;
}
export function tradeSideText(
  { side, positionSide, intent, executionKind }: Directed,
  mode: string,
): string {
  const hedged = mode === 'hedge' && positionSide !== undefined;
  if (executionKind === 'normal') return hedged ? intent! : `${side}_single`;
  if (executionKind === 'autoDeleverage')
    return hedged ? `dte_sys_adl_close_${positionSide}` : `dte_sys_adl_${side}_in_single_side_mode`;
  return hedged
    ? `${ENGINE_WORDS[executionKind]}_close_${positionSide}`
    : `${ENGINE_WORDS[executionKind]}_${side}_single`;
}

/** In hedge mode v2 names the position: `buy` is a long (ORD-19). */
export const classicSide = (
  { side, positionSide }: Pick<Directed, 'side' | 'positionSide'>,
  mode: string,
): string => {
  if (mode !== 'hedge' || positionSide === undefined) return side;
  return positionSide === 'long' ? 'buy' : 'sell';
};

const EXIT_WORDS: Readonly<Record<string, string>> = {
  takeProfit: 'profit',
  stopLoss: 'loss',
  trailingExit: 'profit',
  positionTakeProfit: 'pos_profit',
  positionStopLoss: 'pos_loss',
};
/** LIST-23. */
export function sourceText(origin: string, orderType: string): string {
  if (origin !== 'placed') return `${EXIT_WORDS[origin]}_${orderType}`;
  return orderType === 'limit' ? 'normal' : 'market';
}

function exitPrices(exit: OrderRow['takeProfit']): readonly [at: string, limit: string] {
  return exit?.kind === 'price' ? [decimals(exit.triggerPrice), priceOr(exit.price, '')] : ['', ''];
}

const futures = (run: OrderState) => {
  const { order } = run;
  const hedged = order.positionMode === 'hedge' && order.positionSide !== undefined;
  const [profitAt, profitLimit] = exitPrices(order.takeProfit);
  const [lossAt, lossLimit] = exitPrices(order.stopLoss);
  return {
    symbol: order.symbol,
    size: decimals(order.size),
    orderId: wireId(order.orderId),
    clientOid: order.clientOid,
    baseVolume: decimals(run.size),
    quoteVolume: decimals(run.value),
    fee: paid(run.fee),
    price: priceOr(order.price, ''),
    priceAvg: averageOr(run, ''),
    side: classicSide(order, order.positionMode),
    force: spelt(order.timeInForce),
    totalProfits: decimals(run.profit),
    posSide: hedged ? order.positionSide : 'net',
    marginCoin: order.feeCoin,
    leverage: order.leverage ?? '',
    marginMode: order.marginMode,
    reduceOnly: onlyCloses(order),
    enterPointSource: madeBy(order.executionKind),
    tradeSide: tradeSideText(order, order.positionMode),
    posMode: modeText(order.positionMode),
    orderType: order.orderType,
    orderSource: sourceText(order.origin, order.orderType),
    cancelReason: cancelText(run),
    presetStopSurplusPrice: profitAt,
    presetStopSurplusExecutePrice: profitLimit,
    presetStopLossPrice: lossAt,
    presetStopLossExecutePrice: lossLimit,
    cTime: String(run.createdAt),
    uTime: String(run.updatedAt),
  };
};
const futuresStatus = ({ status }: OrderState): string =>
  status === 'cancelled' ? 'canceled' : shownStatus(status);

const classic = (run: OrderState) => ({
  symbol: run.order.symbol,
  orderId: wireId(run.order.orderId),
  clientOid: run.order.clientOid,
  price: priceOr(run.order.price, '0'),
  orderType: run.order.orderType,
  side: run.order.side,
  force: spelt(run.order.timeInForce),
  status: shownStatus(run.status),
  priceAvg: averageOr(run, '0'),
  cTime: String(run.createdAt),
  uTime: String(run.updatedAt),
});

function spotFees({ order: { feeCoin }, size, fee }: OrderState): string {
  if (size === 0n) return '';
  const emitted = paid(fee);
  const none = '"deduction":false,"totalDeductionFee":0';
  const newFees = `{"c":0,"d":0,${none},"r":${emitted},"t":${emitted}}`;
  const ofCoin = `{${none},"feeCoinCode":"${feeCoin}","totalFee":${emitted}}`;
  return `{"newFees":${newFees},"${feeCoin}":${ofCoin}}`;
}

const spot = (run: OrderState) => ({
  ...classic(run),
  userId: String(run.order.uid),
  size: decimals(run.order.quoteAmount ?? run.order.size),
  baseVolume: decimals(run.size),
  quoteVolume: decimals(run.value),
  enterPointSource: 'API',
  orderSource: run.order.orderType === 'market' ? 'market' : 'normal',
  feeDetail: spotFees(run),
  cancelReason: cancelText(run),
});

const UNIT = 10n ** 10n;
function quoteSize({ quoteAmount, price, size }: OrderRow): string {
  if (quoteAmount !== undefined) return decimals(quoteAmount);
  // Price times size, to the nearest unit.
  return price === undefined ? '0' : decimals((price * size + UNIT / 2n) / UNIT);
}

const isolated = (run: OrderState) => ({
  ...classic(run),
  enterPointSource: madeBy(run.order.executionKind),
  loanType: run.order.loanType,
  baseSize: decimals(run.order.size),
  quoteSize: quoteSize(run.order),
  size: decimals(run.size),
  amount: decimals(run.value),
});

export const orderTexts = {
  unified,
  spot,
  isolated,
  futures: (run: OrderState) => ({ ...futures(run), status: futuresStatus(run) }),
};
export const futuresDetail = (run: OrderState) => ({ ...futures(run), state: futuresStatus(run) });

/** Orders of a user that appear in a list. */
export const orderRows = (
  runs: Iterable<OrderState>,
  shownAs: (run: OrderState) => Row['shown'],
): readonly Row[] =>
  [...runs].map((run) => {
    const { order } = run;
    return {
      id: order.orderId,
      time: run.createdAt,
      is: {
        category: order.category,
        productType: order.category,
        symbol: order.symbol,
        orderId: wireId(order.orderId),
        clientOid: order.clientOid,
        status: shownStatus(run.status),
        orderSource: sourceText(order.origin, order.orderType),
        enterPointSource: madeBy(order.executionKind),
      },
      get shown() {
        return shownAs(run);
      },
    };
  });
