/** History of positions: each one that has closed, as it was at its end. The row's id is the position's. */
import { entryPrice } from '../../formulas/entry.ts';
import { floorAmount, type Product } from '../../formulas/exact.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Size } from '../../kernel/money.ts';
import type { PositionRow } from '../../messages/orders.ts';
import { type FuturesCategory, MARGIN_MODES, POSITION_MODES, POSITION_SIDES } from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { asRow, type BlockTable, equalTo, type HistoryRow, type RowBytes } from './table.ts';

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

const bytes: RowBytes<ClosedPositionRow> = {
  write: (row, writeKey) => {
    const to = writeKey(row.id, row.time, row.sequence, row.uid, row.category, row.symbol);
    to.text(row.marginCoin);
    to.word(POSITION_SIDES, row.side);
    to.word(POSITION_MODES, row.positionMode);
    to.word(MARGIN_MODES, row.marginMode);
    to.text(row.leverage);
    to.money(row.realisedProfit);
    to.money(row.funding);
    to.money(row.openFees);
    to.money(row.closeFees);
    to.money(row.closedSize);
    to.money(row.closedPrice);
    to.money(row.closedValue);
    to.money(row.openedSize);
    to.money(row.openedPrice);
    to.whole(row.createdAt);
    to.whole(row.updatedAt);
  },
  read: (from, { id, time, sequence, uid, category, symbol }) =>
    asRow<ClosedPositionRow>({
      id,
      time,
      sequence,
      uid: uid!,
      category: category as FuturesCategory,
      symbol,
      marginCoin: from.text(),
      side: from.word(POSITION_SIDES),
      positionMode: from.word(POSITION_MODES),
      marginMode: from.word(MARGIN_MODES),
      leverage: from.text(),
      realisedProfit: from.money(),
      funding: from.optionalMoney(),
      openFees: from.money(),
      closeFees: from.money(),
      closedSize: from.money(),
      closedPrice: from.money(),
      closedValue: from.money(),
      openedSize: from.money(),
      openedPrice: from.money(),
      createdAt: from.whole(),
      updatedAt: from.whole(),
    }),
};

export const closedPositions: BlockTable<ClosedPositionRow, ClosedPositionQuery> = {
  rowsOf: {
    positionRecorded: ({ position, openedSize, openedPrice }, { at, sequence }) => {
      const closed = { size: position.closed.size, cost: position.closed.cost as Product };
      const row = asRow<ClosedPositionRow>({
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
      });
      return [row];
    },
  },
  bytes,
  conditions: ({ uid, category, symbol, start, end }) => [
    ...equalTo({ uid, category, symbol }),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
