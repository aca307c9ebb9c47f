/**
 * The audit trail: acts of operators, oldest first by id. Rows are never changed and never removed.
 */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { OperatorAct } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

export interface OperatorActRow extends HistoryRow {
  readonly operator: string;
  readonly act: OperatorAct;
  readonly orderId?: Id;
  readonly uid?: Uid;
  readonly coin?: string;
  readonly detail?: string;
}

export interface OperatorActQuery extends PageQuery {
  readonly operator?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly coin?: string | undefined;
}

export const operatorActs: ColumnTable<OperatorActRow, OperatorActQuery> = {
  name: 'operator_acts',
  rowsOf: {
    operatorActed: ({ type: _type, actId, ...act }, { at, sequence }) => [
      { ...act, id: actId, time: at, sequence },
    ],
  },
  ...rowColumns<OperatorActRow>({
    operator: plain,
    act: plain,
    orderId: plain,
    uid: plain,
    coin: plain,
    detail: plain,
  }),
  conditions: ({ operator, orderId, coin }) => equalTo({ operator, orderId, coin }),
};
