/** History of orders that were not copied: the order of the leader, the follower and the reason. */
import type { Uid } from '../../kernel/ids.ts';
import type { NotCopiedRow } from '../../messages/copy-trading.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

export interface UncopiedOrder extends HistoryRow, Omit<NotCopiedRow, 'id'> {}

export interface UncopiedOrderQuery extends PageQuery, Partial<TimeWindow> {
  readonly follower?: Uid | undefined;
  readonly leader?: Uid | undefined;
  readonly category?: FuturesCategory | undefined;
  readonly symbol?: string | undefined;
}

export const uncopiedOrders: ColumnTable<UncopiedOrder, UncopiedOrderQuery> = {
  name: 'uncopied_orders',
  rowsOf: { orderNotCopied: ({ missed }, { at, sequence }) => [{ ...missed, time: at, sequence }] },
  ...rowColumns<UncopiedOrder>({
    leader: plain,
    follower: plain,
    openOrderId: plain,
    category: plain,
    symbol: plain,
    side: plain,
    size: moneyColumn,
    reason: plain,
  }),
  conditions: ({ follower, leader, category, symbol, start, end }) => [
    ...equalTo({ follower, leader, category, symbol }),
    ...(start === undefined ? [] : [{ column: 'time', operator: '>=', value: start } as const]),
    ...(end === undefined ? [] : [{ column: 'time', operator: '<=', value: end } as const]),
  ],
};
