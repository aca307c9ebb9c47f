/** Rows of fills, book trades, closed positions and funding rates. */
import type { FillRow } from '../../src/messages/orders.ts';
import { classicSide, type OrderState, sideTaken, tradeSideText } from './order-rows.ts';
import type { EmittedEvents } from './recorded-run.ts';
import { decimals, eventsOf, modeText, paid, type Row, wireId } from './row.ts';

export interface EmittedFill {
  readonly fill: FillRow;
  readonly at: number;
  /** Margin mode of its order; it does not change while a position is open. */
  readonly mode: string;
}

export const emittedFills = (
  emitted: readonly EmittedEvents[],
  orders: ReadonlyMap<number, OrderState>,
): readonly EmittedFill[] =>
  eventsOf(emitted, 'fillSettled').map(({ event: { fill }, at }) => ({
    fill,
    at,
    mode: orders.get(fill.orderId)!.order.positionMode,
  }));

const isFutures = (category: string): boolean => category.endsWith('FUTURES');

const unified = ({ fill, at }: EmittedFill) => {
  const futures = isFutures(fill.category);
  return {
    execId: wireId(fill.fillId),
    execLinkId: wireId(fill.tradeId),
    orderId: wireId(fill.orderId),
    clientOid: fill.clientOid,
    category: fill.category,
    symbol: fill.symbol,
    orderType: fill.orderType,
    side: fill.side,
    posSide: futures ? sideTaken(fill) : '',
    execPrice: decimals(fill.price),
    execQty: decimals(fill.size),
    execValue: decimals(fill.value),
    tradeScope: fill.role,
    tradeSide: futures ? fill.intent : '',
    feeDetail: [{ feeCoin: fill.feeCoin, fee: decimals(fill.fee) }],
    execPnl: decimals(fill.profit),
    isRPI: 'NO',
    createdTime: String(at),
    updatedTime: String(at),
  };
};

const feeDetail = ({ feeCoin, fee }: FillRow) => ({
  deduction: 'no',
  feeCoin,
  totalDeductionFee: '0',
  totalFee: paid(fee),
});

const futures = ({ fill, at, mode }: EmittedFill) => ({
  tradeId: wireId(fill.fillId),
  symbol: fill.symbol,
  orderId: wireId(fill.orderId),
  price: decimals(fill.price),
  baseVolume: decimals(fill.size),
  quoteVolume: decimals(fill.value),
  side: classicSide(fill, mode),
  profit: decimals(fill.profit),
  tradeSide: tradeSideText(fill, mode),
  posMode: modeText(mode),
  tradeScope: fill.role,
  enterPointSource: fill.executionKind === 'normal' ? 'API' : 'SYS',
  feeDetail: [feeDetail(fill)],
  cTime: String(at),
});

const isolated = ({ fill, at }: EmittedFill) => ({
  orderId: wireId(fill.orderId),
  tradeId: wireId(fill.fillId),
  orderType: fill.orderType,
  side: fill.side,
  size: decimals(fill.size),
  priceAvg: decimals(fill.price),
  amount: decimals(fill.value),
  tradeScope: fill.role,
  feeDetail: feeDetail(fill),
  cTime: String(at),
  uTime: String(at),
});

const spot = (emitted: EmittedFill) => ({
  ...isolated(emitted),
  userId: String(emitted.fill.uid),
  symbol: emitted.fill.symbol,
});

export const fillTexts = { unified, futures, isolated, spot };

export const fillRows = (
  fills: readonly EmittedFill[],
  shownAs: (fill: EmittedFill) => Row['shown'],
): readonly Row[] =>
  fills.map((emitted) => {
    const { fill, at } = emitted;
    const { category, symbol } = fill;
    const is = { category, productType: category, symbol, orderId: wireId(fill.orderId) };
    return {
      id: fill.fillId,
      time: at,
      is,
      get shown() {
        return shownAs(emitted);
      },
    };
  });

interface Opened {
  size: bigint;
  value: bigint;
}

/** Opened amounts of a side, and when it was last closed completely. */
const sideOf = ({ uid, category, symbol }: FillRow, side: string): string =>
  `${uid}:${category}:${symbol}:${side}`;

/** For a fill that closes one side and opens the other, the part that opens. */
function countOpened(opened: Map<string, Opened>, fill: FillRow): void {
  const flipped = fill.intent === 'close' && fill.openedSize !== undefined;
  if (fill.intent !== 'open' && !flipped) return;
  const side = flipped ? (fill.positionSide === 'long' ? 'short' : 'long') : fill.positionSide!;
  const size = flipped ? fill.openedSize! : fill.size;
  const key = sideOf(fill, side);
  const { size: known, value } = opened.get(key) ?? { size: 0n, value: 0n };
  opened.set(key, { size: known + size, value: value + size * fill.price });
}

export interface ClosedPosition {
  readonly uid: number;
  readonly category: string;
  readonly symbol: string;
  readonly row: Row;
}

/** The close of a position is emitted before its fill. */
export function closedPositions(emitted: readonly EmittedEvents[]): readonly ClosedPosition[] {
  const opened = new Map<string, Opened>();
  const closed: ClosedPosition[] = [];
  for (const { event, at } of emitted) {
    if (event.type === 'fillSettled' && isFutures(event.fill.category))
      countOpened(opened, event.fill);
    if (event.type !== 'positionClosed') continue;
    const { position } = event;
    const { uid, category, symbol, side } = position;
    const key = `${uid}:${category}:${symbol}:${side}`;
    const { size, value } = opened.get(key) ?? { size: 0n, value: 0n };
    opened.delete(key);
    const { realisedProfit, funding = 0n, openFees, closeFees } = position;
    const shown = {
      positionId: wireId(position.positionId),
      symbol,
      marginCoin: position.marginCoin,
      marginMode: position.marginMode,
      openTotalPos: decimals(size),
      closeTotalPos: decimals(position.closed.size),
      netProfit: decimals(realisedProfit + funding - openFees - closeFees),
      totalFunding: decimals(funding),
      opened: decimals(size === 0n ? 0n : (2n * value + size) / (2n * size)),
      closed: decimals(
        (2n * position.closed.cost + position.closed.size) / (2n * position.closed.size),
      ),
      side,
      mode: modeText(position.positionMode),
      profit: decimals(realisedProfit),
      openFee: paid(openFees),
      closeFee: paid(closeFees),
      createdAt: String(position.createdAt),
      closedAt: String(at),
    };
    closed.push({
      uid,
      category,
      symbol,
      row: {
        id: position.positionId,
        time: at,
        is: { category, productType: category, symbol },
        shown,
      },
    });
  }
  return closed;
}

type Shown = Readonly<Record<string, unknown>>;
const renamed = (shown: Shown, names: Readonly<Record<string, string>>): Shown =>
  Object.fromEntries(Object.entries(shown).map(([name, value]) => [names[name] ?? name, value]));

const CLASSIC = {
  opened: 'openAvgPrice',
  closed: 'closeAvgPrice',
  side: 'holdSide',
  mode: 'posMode',
  profit: 'pnl',
  createdAt: 'ctime',
  closedAt: 'utime',
};
export const classicPosition = ({ row }: ClosedPosition): Row => {
  const { createdAt: cTime, closedAt: uTime } = row.shown;
  return { ...row, shown: { ...renamed(row.shown, CLASSIC), cTime, uTime } };
};

const UNIFIED = {
  opened: 'openPriceAvg',
  closed: 'closePriceAvg',
  side: 'posSide',
  mode: 'holdMode',
  profit: 'cumRealisedPnl',
  openFee: 'openFeeTotal',
  closeFee: 'closeFeeTotal',
  createdAt: 'createdTime',
  closedAt: 'updatedTime',
};
export const unifiedPosition = ({ row, category }: ClosedPosition): Row => ({
  ...row,
  shown: { ...renamed(row.shown, UNIFIED), category },
});

export interface BookTrade {
  readonly book: string;
  readonly symbol: string;
  readonly side: string;
  readonly row: Row;
}

/** SPOT and MARGIN share one book. */
export const bookTrades = (emitted: readonly EmittedEvents[]): readonly BookTrade[] =>
  eventsOf(emitted, 'tradeExecuted').map(
    ({ event: { tradeId, category, symbol, takerSide, price, size }, at }) => {
      const shown = {
        tradeId: wireId(tradeId),
        price: decimals(price),
        size: decimals(size),
        ts: String(at),
      };
      const book = category === 'MARGIN' ? 'SPOT' : category;
      return {
        book,
        symbol,
        side: takerSide,
        row: { id: tradeId, time: at, is: { symbol, productType: category }, shown },
      };
    },
  );
