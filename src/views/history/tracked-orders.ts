/**
 * History of tracked orders: each ended one, of a leader or a copy. The row's id is its tracking
 * number.
 */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { TrackedOrderRow } from '../../messages/copy-trading.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, type Condition, equalTo, type HistoryRow } from './table.ts';

export interface EndedTrackedOrder
  extends HistoryRow,
    Omit<TrackedOrderRow, 'trackingId' | 'shareDue' | 'takeProfit' | 'stopLoss'> {
  readonly role: 'leader' | 'follower';
  /** The profit share that the leader got from a copy. */
  readonly share: Amount;
}

export interface TrackedOrderQuery extends PageQuery {
  readonly uid: Uid;
  readonly role: EndedTrackedOrder['role'];
  readonly category?: FuturesCategory | undefined;
  readonly symbol?: string | undefined;
  readonly leader?: Uid | undefined;
  /** The window of the opening time, with both ends. */
  readonly start: Timestamp;
  readonly end: Timestamp;
}

const columns = rowColumns<EndedTrackedOrder>({
  uid: plain,
  role: plain,
  leader: plain,
  originalId: plain,
  category: plain,
  symbol: plain,
  marginCoin: plain,
  side: plain,
  marginMode: plain,
  leverage: plain,
  margin: moneyColumn,
  openOrderId: plain,
  closeOrderId: plain,
  closer: plain,
  openSize: moneyColumn,
  openPrice: moneyColumn,
  openFee: moneyColumn,
  openedAt: plain,
  closedSize: moneyColumn,
  closedPrice: moneyColumn,
  closeFee: moneyColumn,
  profit: moneyColumn,
  share: moneyColumn,
});

const opened = (start: Timestamp, end: Timestamp): readonly Condition[] => [
  { column: 'openedAt', operator: '>=', value: start },
  { column: 'openedAt', operator: '<=', value: end },
];

export const trackedOrders: ColumnTable<EndedTrackedOrder, TrackedOrderQuery> = {
  name: 'tracked_orders',
  rowsOf: {
    trackedOrderEnded: ({ order, share }, { at, sequence }) => {
      const {
        trackingId,
        shareDue: _shareDue,
        takeProfit: _takeProfit,
        stopLoss: _stopLoss,
        ...kept
      } = order;
      const role = order.originalId === undefined ? 'leader' : 'follower';
      return [{ ...kept, role, share, id: trackingId, time: at, sequence }];
    },
  },
  ...columns,
  conditions: ({ uid, role, category, symbol, leader, start, end }) => [
    ...equalTo({ uid, role, category, symbol, leader }),
    ...opened(start, end),
  ],
};
