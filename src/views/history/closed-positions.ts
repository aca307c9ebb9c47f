/**
 * History of positions: each closed position in its final state. The row's id is that of the
 * position.
 */
import { type Entry, entryPrice } from '../../formulas/entry.ts';
import { floorAmount, type Product } from '../../formulas/exact.ts';
import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Size } from '../../kernel/money.ts';
import type { PositionRow } from '../../messages/orders.ts';
import {
  type FuturesCategory,
  MARGIN_MODES,
  POSITION_MODES,
  POSITION_SIDES,
} from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { asRow, type BlockTable, equalTo, type HistoryRow, type RowBytes } from './table.ts';

/**
 * Listed under its closing time. A closed position has no size and no margin, so the row has the
 * opened and closed sizes instead.
 */
export interface ClosedPositionRow
  extends HistoryRow,
    Omit<PositionRow, 'positionId' | 'size' | 'lockedSize' | 'entry' | 'margin' | 'closed'> {
  readonly closedSize: Size;
  /** The average price and the value of its closing. */
  readonly closedPrice: Price;
  readonly closedValue: Amount;
  readonly openedSize: Size;
  /** The average price over everything that was opened. */
  readonly openedPrice: Price;
}

export interface ClosedPositionQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly category?: FuturesCategory | undefined;
  readonly symbol?: string | undefined;
}

const closedEntry = ({ closed }: PositionRow): Entry => ({
  size: closed.size,
  cost: closed.cost as Product,
});

const bytes: RowBytes<ClosedPositionRow> = {
  writesOf: {
    positionRecorded: ({ position, openedSize, openedPrice }, { at, sequence }, writeKey) => {
      const closed = closedEntry(position);
      const to = writeKey(
        position.positionId,
        at,
        sequence,
        position.uid,
        position.category,
        position.symbol,
      );
      to.text(position.marginCoin);
      to.word(POSITION_SIDES, position.side);
      to.word(POSITION_MODES, position.positionMode);
      to.word(MARGIN_MODES, position.marginMode);
      to.text(position.leverage);
      to.money(position.realisedProfit);
      to.money(position.funding);
      to.money(position.openFees);
      to.money(position.closeFees);
      to.money(closed.size);
      to.money(entryPrice(closed));
      to.money(floorAmount(closed.cost));
      to.money(openedSize);
      to.money(openedPrice);
      to.whole(position.createdAt);
      to.whole(position.updatedAt);
    },
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
      const closed = closedEntry(position);
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
