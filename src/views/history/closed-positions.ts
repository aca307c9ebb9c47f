/** History of positions: each one that has closed, as it was at its end. The row's id is the position's. */
import { entryPrice } from '../../formulas/entry.ts';
import { floorAmount, type Product } from '../../formulas/exact.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Size } from '../../kernel/money.ts';
import type { PositionRow } from '../../messages/orders.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { equalTo, type HistoryRow, type HistoryTable, type WholeRow } from './table.ts';

/** Listed under the time it was closed. Nothing is left of it, so its size and margin are not kept; what was opened and closed is. */
export interface ClosedPositionRow
  extends HistoryRow,
    Omit<PositionRow, 'positionId' | 'size' | 'lockedSize' | 'entry' | 'margin' | 'closed'> {
  readonly closedSize: Size;
  /** Average price and value at which it was closed. */
  readonly closedPrice: Price;
  readonly closedValue: Amount;
  readonly openedSize: Size;
  /** The average over all that was ever opened. */
  readonly openedPrice: Price;
}

export interface ClosedPositionQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly category?: FuturesCategory | undefined;
  readonly symbol?: string | undefined;
}

const columns = rowColumns<ClosedPositionRow>({
  uid: plain,
  category: plain,
  symbol: plain,
  marginCoin: plain,
  side: plain,
  positionMode: plain,
  marginMode: plain,
  leverage: plain,
  realisedProfit: moneyColumn,
  funding: moneyColumn,
  openFees: moneyColumn,
  closeFees: moneyColumn,
  closedSize: moneyColumn,
  closedPrice: moneyColumn,
  closedValue: moneyColumn,
  openedSize: moneyColumn,
  openedPrice: moneyColumn,
  createdAt: plain,
  updatedAt: plain,
});

export const closedPositions: HistoryTable<ClosedPositionRow, ClosedPositionQuery> = {
  name: 'closed_positions',
  rowsOf: {
    positionRecorded: ({ position, openedSize, openedPrice }, { at, sequence }) => {
      const closed = { size: position.closed.size, cost: position.closed.cost as Product };
      const row: WholeRow<ClosedPositionRow> = {
        id: position.positionId,
        time: at,
        sequence,
        uid: position.uid,
        category: position.category,
        symbol: position.symbol,
        marginCoin: position.marginCoin,
        side: position.side,
        positionMode: position.positionMode,
        marginMode: position.marginMode,
        leverage: position.leverage,
        realisedProfit: position.realisedProfit,
        funding: position.funding,
        openFees: position.openFees,
        closeFees: position.closeFees,
        closedSize: closed.size,
        closedPrice: entryPrice(closed),
        closedValue: floorAmount(closed.cost),
        openedSize,
        openedPrice,
        createdAt: position.createdAt,
        updatedAt: position.updatedAt,
      };
      return [row as ClosedPositionRow];
    },
  },
  ...columns,
  conditions: ({ uid, category, symbol, start, end }) => [
    ...equalTo({ uid, category, symbol }),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
