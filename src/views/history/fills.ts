/** History of fills: each order's part in each trade. */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { FillRow } from '../../messages/orders.ts';
import type { Category, PositionMode } from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { flagColumn, moneyColumn, plain, rowColumns } from './row-columns.ts';
import { equalTo, HAS_LOAN_TYPE, type HistoryRow, type HistoryTable, type WholeRow } from './table.ts';

/** Its id is the fill's own. */
export interface SettledFillRow extends HistoryRow, Omit<FillRow, 'fillId' | 'marginHold'> {
  readonly positionMode: PositionMode;
}

export interface FillQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  /** Only fills of isolated pairs. */
  readonly isolated?: boolean | undefined;
}

const columns = rowColumns<SettledFillRow>({
  tradeId: plain,
  orderId: plain,
  uid: plain,
  clientOid: plain,
  category: plain,
  symbol: plain,
  orderType: plain,
  side: plain,
  price: moneyColumn,
  size: moneyColumn,
  value: moneyColumn,
  role: plain,
  feeCoin: plain,
  fee: moneyColumn,
  positionMode: plain,
  positionSide: plain,
  intent: plain,
  profit: moneyColumn,
  executionKind: plain,
  loanType: plain,
  selfTrade: flagColumn,
});

export const fills: HistoryTable<SettledFillRow, FillQuery> = {
  name: 'fills',
  rowsOf: {
    fillRecorded: ({ fill, positionMode }, { at, sequence }) => {
      const row: WholeRow<SettledFillRow> = {
        id: fill.fillId,
        time: at,
        sequence,
        tradeId: fill.tradeId,
        orderId: fill.orderId,
        uid: fill.uid,
        clientOid: fill.clientOid,
        category: fill.category,
        symbol: fill.symbol,
        orderType: fill.orderType,
        side: fill.side,
        price: fill.price,
        size: fill.size,
        value: fill.value,
        role: fill.role,
        feeCoin: fill.feeCoin,
        fee: fill.fee,
        positionMode,
        positionSide: fill.positionSide,
        intent: fill.intent,
        profit: fill.profit,
        executionKind: fill.executionKind,
        loanType: fill.loanType,
        selfTrade: fill.selfTrade,
      };
      return [row as SettledFillRow];
    },
  },
  ...columns,
  conditions: ({ uid, category, symbol, orderId, isolated, start, end }) => [
    ...equalTo({ uid, category, symbol, orderId }),
    ...(isolated === true ? [HAS_LOAN_TYPE] : []),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
