/** Closed positions in v2 and v3 form. */
import type { positionHistoryRows } from '../../contract/position-history.ts';
import { positionModeWords, wireWord } from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import { type Amount, minus, moneyText, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { DAY } from '../../kernel/time.ts';
import type { ClosedPositionRow } from '../../views/history/closed-positions.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { HandlersOf } from './handler.ts';
import { endIdText } from './order-answers.ts';
import type { HandlerParts } from './parts.ts';

const THIRTY_DAYS = 30 * DAY;

const netProfitOf = ({
  realisedProfit,
  funding = ZERO_AMOUNT,
  openFees,
  closeFees,
}: ClosedPositionRow): Amount => minus(plus(realisedProfit, funding), plus(openFees, closeFees));

const totalsText = (row: ClosedPositionRow) => ({
  openTotalPos: moneyText(row.openedSize),
  closeTotalPos: moneyText(row.closedSize),
  netProfit: moneyText(netProfitOf(row)),
  totalFunding: moneyText(row.funding ?? ZERO_AMOUNT),
});

const classicText = (row: ClosedPositionRow) => ({
  positionId: idText(row.id),
  symbol: row.symbol,
  marginCoin: row.marginCoin,
  holdSide: row.side,
  posMode: wireWord(positionModeWords, row.positionMode),
  openAvgPrice: moneyText(row.openedPrice),
  closeAvgPrice: moneyText(row.closedPrice),
  marginMode: row.marginMode,
  ...totalsText(row),
  pnl: moneyText(row.realisedProfit),
  openFee: moneyText(negate(row.openFees)),
  closeFee: moneyText(negate(row.closeFees)),
  ctime: String(row.createdAt),
  utime: String(row.updatedAt),
  cTime: String(row.createdAt),
  uTime: String(row.updatedAt),
});

const unifiedText = (row: ClosedPositionRow) => ({
  positionId: idText(row.id),
  category: row.category,
  symbol: row.symbol,
  marginCoin: row.marginCoin,
  holdMode: wireWord(positionModeWords, row.positionMode),
  posSide: row.side,
  marginMode: row.marginMode,
  openPriceAvg: moneyText(row.openedPrice),
  closePriceAvg: moneyText(row.closedPrice),
  ...totalsText(row),
  cumRealisedPnl: moneyText(row.realisedProfit),
  openFeeTotal: moneyText(negate(row.openFees)),
  closeFeeTotal: moneyText(negate(row.closeFees)),
  createdTime: String(row.createdAt),
  updatedTime: String(row.updatedAt),
});

export const positionHistoryHandlers = ({
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof positionHistoryRows> => ({
  listFuturesPositionHistory: async (
    { productType: category, startTime, endTime, ...query },
    { uid },
  ) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.closedPositions({ ...query, uid, category, ...window.value });
    return ok({ list: rows.map(classicText), endId: endIdText(rows) });
  },

  listPositionHistory: async ({ cursor, startTime, endTime, ...query }, { uid }) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THIRTY_DAYS);
    if (!window.ok) return window;
    const rows = await views.history.closedPositions({
      ...query,
      uid,
      idLessThan: cursor,
      ...window.value,
    });
    return ok({ list: rows.map(unifiedText), cursor: endIdText(rows) });
  },
});
