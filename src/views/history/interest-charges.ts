/**
 * History of interest: a row for each full hour in which a loan of a wallet or a pair was charged.
 */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount, Rate } from '../../kernel/money.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import { moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, equalTo, type HistoryRow } from './table.ts';

/**
 * Takes the place of a pair's symbol in rows of the wallet, because a condition cannot compare an
 * empty column.
 */
export const OF_WALLET = '';

export interface InterestChargeRow extends HistoryRow {
  readonly uid: Uid;
  readonly coin: string;
  readonly amount: Amount;
  /** The amount for the hour. */
  readonly rate: Rate;
  /** The pair, or `OF_WALLET`. */
  readonly symbol: string;
}

export interface InterestChargeQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly symbol: string;
  readonly coin?: string | undefined;
}

export const interestCharges: ColumnTable<InterestChargeRow, InterestChargeQuery> = {
  name: 'interest_charges',
  rowsOf: {
    interestCharged: (
      { chargeId, uid, coin, amount, rate, symbol = OF_WALLET },
      { at, sequence },
    ) => [{ id: chargeId, time: at, sequence, uid, coin, amount, rate, symbol }],
  },
  ...rowColumns<InterestChargeRow>({
    uid: plain,
    coin: plain,
    amount: moneyColumn,
    rate: moneyColumn,
    symbol: plain,
  }),
  conditions: ({ uid, symbol, coin, start, end }) => [
    ...equalTo({ uid, symbol, coin }),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
