/**
 * History of commissions: the commission on each customer's fees of a day. The agent who earned it
 * has one row, and the agent above has another.
 */
import type { Id, Uid } from '../../kernel/ids.ts';
import { type Amount, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Commission, FeeDeductions } from '../../messages/agents.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

/** Listed under the day of its fees. `agentUid` is the agent who sees the row. */
export interface CommissionRow
  extends HistoryRow,
    FeeDeductions,
    Omit<Commission, 'commissionId' | 'day' | 'deductions'> {
  /** One for the agent who earned it, zero for the agent above. */
  readonly direct: 0 | 1;
}

/**
 * Ids grow with the days, so a range of ids is a range of days. A page of a busy month is therefore
 * as fast as one of a quiet day.
 */
export interface CommissionQuery extends PageQuery {
  readonly agentUid: Uid;
  readonly direct: 0 | 1;
  readonly firstId: Id;
  readonly lastId: Id;
  readonly uid?: Uid | undefined;
  readonly coin?: string | undefined;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
}

const columns = rowColumns<CommissionRow>({
  agentUid: plain,
  direct: plain,
  uid: plain,
  coin: plain,
  category: plain,
  symbol: plain,
  dealAmount: moneyColumn,
  fee: moneyColumn,
  feeDeduction: moneyColumn,
  experienceFund: moneyColumn,
  spotCoupon: moneyColumn,
  futuresCoupon: moneyColumn,
  spotDiscount: moneyColumn,
  negativeMakerFee: moneyColumn,
  feePaid: moneyColumn,
  rebate: moneyColumn,
  customerShare: moneyColumn,
  dayTotal: moneyColumn,
  total: moneyColumn,
});

/** The earnings of an agent are private. The agent above sees the fees, and zero earnings. */
const NOTHING_EARNED: Readonly<Record<'rebate' | 'customerShare' | 'dayTotal' | 'total', Amount>> =
  {
    rebate: ZERO_AMOUNT,
    customerShare: ZERO_AMOUNT,
    dayTotal: ZERO_AMOUNT,
    total: ZERO_AMOUNT,
  };

export const commissions: ColumnTable<CommissionRow, CommissionQuery> = {
  name: 'commissions',
  rowsOf: {
    commissionPaid: ({ commission, upper }, { sequence }) => {
      const { commissionId, day, deductions, ...kept } = commission;
      const row: CommissionRow = {
        ...kept,
        ...deductions,
        direct: 1,
        id: commissionId,
        time: day,
        sequence,
      };
      if (upper === undefined) return [row];
      return [
        row,
        { ...row, ...NOTHING_EARNED, agentUid: upper.agentUid, direct: 0, id: upper.commissionId },
      ];
    },
  },
  ...columns,
  conditions: ({ agentUid, direct, uid, coin, category, symbol, firstId, lastId }) => [
    ...equalTo({ agentUid, direct, uid, coin, category, symbol }),
    { column: 'id', operator: '>=', value: firstId },
    { column: 'id', operator: '<=', value: lastId },
  ],
};
