/** History of bills: every change of a user's balances, with its reason. */
import type { Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import {
  BILL_BOOKS,
  BILL_KINDS,
  type Bill,
  type BillBook,
  type BillKind,
} from '../../messages/bills.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import {
  asRow,
  type BlockTable,
  type Condition,
  equalTo,
  type HistoryRow,
  type RowBytes,
} from './table.ts';

/** Reasons of bills without a trade. */
export type BillArea = Category | 'OTHER';

export interface BillRow extends HistoryRow {
  readonly uid: Uid;
  readonly coin: string;
  readonly book: BillBook;
  readonly kind: BillKind;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly balance: Amount;
  readonly category: Category | undefined;
  readonly area: BillArea;
  /** Empty if there is none. */
  readonly market: string;
}

export interface BillQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly book: BillBook;
  readonly coin?: string | undefined;
  readonly market?: string | undefined;
  readonly areas?: readonly BillArea[] | undefined;
  readonly kinds?: readonly BillKind[] | undefined;
}

const areaOf = (category: Category | undefined): BillArea => category ?? 'OTHER';

/** Stored in blocks of one coin, so the market is a part of the row. */
const bytes: RowBytes<BillRow> = {
  wordsFirst: [
    { column: 'book', words: BILL_BOOKS },
    { column: 'kind', words: BILL_KINDS },
  ],
  writesOf: {
    billRecorded: ({ bill }, { at, sequence }, writeKey) => {
      const to = writeKey(bill.billId, at, sequence, bill.uid, bill.category, bill.coin);
      to.word(BILL_BOOKS, bill.book);
      to.word(BILL_KINDS, bill.kind);
      to.text(bill.market ?? '');
      to.money(bill.amount);
      to.money(bill.fee);
      to.money(bill.balance);
    },
  },
  read: (from, { id, time, sequence, uid, category, symbol }) =>
    asRow<BillRow>({
      id,
      time,
      sequence,
      uid: uid!,
      coin: symbol,
      book: from.word(BILL_BOOKS),
      kind: from.word(BILL_KINDS),
      market: from.text(),
      amount: from.money(),
      fee: from.money(),
      balance: from.money(),
      category,
      area: areaOf(category),
    }),
};

const rowOf = ({
  billId: id,
  uid,
  coin,
  book,
  kind,
  amount,
  fee,
  balance,
  category,
  market = '',
}: Bill) => ({
  id,
  uid,
  coin,
  book,
  kind,
  amount,
  fee,
  balance,
  category,
  area: areaOf(category),
  market,
});

/** A block has bills of one category, so that a query for one category skips the other blocks. */
function areaConditions(areas: readonly BillArea[] | undefined): readonly Condition[] {
  if (areas === undefined) return [];
  const [only] = areas;
  if (areas.length === 1 && only !== 'OTHER') return equalTo({ category: only });
  return [{ column: 'area', operator: 'in', value: areas }];
}

export const bills: BlockTable<BillRow, BillQuery> = {
  rowsOf: {
    billRecorded: ({ bill }, { at, sequence }) => [{ ...rowOf(bill), time: at, sequence }],
  },
  bytes,
  conditions: ({ uid, book, coin, market, areas, kinds, start, end }) => [
    ...equalTo({ uid, coin, book, market }),
    ...areaConditions(areas),
    ...(kinds === undefined ? [] : [{ column: 'kind', operator: 'in' as const, value: kinds }]),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
