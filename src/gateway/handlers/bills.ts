/** Bills (v2 and v3), and the transfers among them. */
import {
  type BillWords,
  futuresBillWords,
  kindsNamed,
  pairBillWords,
  spotBillGroups,
  spotBillWords,
  unifiedBillWords,
} from '../../contract/bill-words.ts';
import type { billRows } from '../../contract/bills.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import { moneyText, negate } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { DAY, type Timestamp } from '../../kernel/time.ts';
import type { BillKind } from '../../messages/bills.ts';
import type { BillQuery, BillRow } from '../../views/history/bills.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { endIdText } from './order-answers.ts';
import type { HandlerParts } from './parts.ts';

type BillHandlers = HandlersOf<typeof billRows>;

const MONTH = 30 * DAY;

/** The query of a list before its times are checked. */
type BillsAsked = Omit<BillQuery, 'start' | 'end'> & {
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
};

/** The wire word of a row. Every row of a list has one, because the query filters by kind. */
const wordFor = <Table extends BillWords>(table: Table, kind: BillKind) =>
  (table as BillWords)[kind] as NonNullable<Table[keyof Table]>;

const namedKinds = (
  table: BillWords,
  input: string | undefined,
): readonly BillKind[] | undefined => (input === undefined ? undefined : kindsNamed(table, input));

const both = (
  one: readonly BillKind[] | undefined,
  other: readonly BillKind[] | undefined,
): readonly BillKind[] | undefined =>
  one === undefined || other === undefined
    ? (one ?? other)
    : one.filter((kind) => other.includes(kind));

/** The id of a transfer directly precedes the id of its first line, which is the wallet's. */
const transferIdOf = ({ id }: BillRow): Id => (id - 1) as Id;
const billIdOf = (transferId: Id): Id => (transferId + 1) as Id;

function transferText(row: BillRow) {
  const toPair = row.kind === 'pairTransferOut';
  return {
    coin: row.coin,
    status: 'Successful' as const,
    toType: toPair ? ('isolated_margin' as const) : ('spot' as const),
    toSymbol: toPair ? row.market : '',
    fromType: toPair ? ('spot' as const) : ('isolated_margin' as const),
    fromSymbol: toPair ? '' : row.market,
    size: moneyText(toPair ? negate(row.amount) : row.amount),
    ts: String(row.time),
    clientOid: '',
    transferId: idText(transferIdOf(row)),
  };
}

const futuresBillText = (row: BillRow) => ({
  billId: idText(row.id),
  symbol: row.market,
  amount: moneyText(row.amount),
  fee: moneyText(row.fee),
  feeByCoupon: '',
  businessType: wordFor(futuresBillWords, row.kind),
  coin: row.coin,
  balance: moneyText(row.balance),
  cTime: String(row.time),
});

const spotBillText = (row: BillRow) => ({
  cTime: String(row.time),
  coin: row.coin,
  groupType: wordFor(spotBillGroups, row.kind),
  businessType: wordFor(spotBillWords, row.kind),
  size: moneyText(row.amount),
  balance: moneyText(row.balance),
  fees: moneyText(row.fee),
  billId: idText(row.id),
});

const unifiedBillText = (row: BillRow) => ({
  category: row.area,
  id: idText(row.id),
  symbol: row.market,
  coin: row.coin,
  type: unifiedBillWords[row.kind],
  amount: moneyText(row.amount),
  fee: moneyText(row.fee),
  balance: moneyText(row.balance),
  ts: String(row.time),
});

const pairBillText = (row: BillRow) => ({
  coin: row.coin,
  symbol: row.market,
  marginId: idText(row.id),
  amount: moneyText(row.amount),
  fee: moneyText(row.fee),
  balance: moneyText(row.balance),
  marginType: wordFor(pairBillWords, row.kind),
  cTime: String(row.time),
  uTime: String(row.time),
});

/**
 * The wallet rows for transfers from an account type. Other types share the wallet, so they have no
 * transfers.
 */
const transfersFrom = (fromType: string): readonly BillKind[] => {
  if (fromType === 'spot') return ['pairTransferOut'];
  return fromType === 'isolated_margin' ? ['pairTransferIn'] : [];
};

export function billHandlers({ views, exchangeNow }: HandlerParts): BillHandlers {
  const found = async (
    { startTime, endTime, ...asked }: BillsAsked,
    span: number,
  ): Promise<Reply<readonly BillRow[]>> => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), span);
    if (!window.ok) return window;
    return ok(
      asked.kinds?.length === 0 ? [] : await views.history.bills({ ...asked, ...window.value }),
    );
  };

  return {
    listFuturesBills: async ({ productType, symbol: market, businessType, ...asked }, { uid }) => {
      const kinds = namedKinds(futuresBillWords, businessType);
      const rows = await found(
        { ...asked, uid, book: 'wallet', areas: [productType], market, kinds },
        MONTH,
      );
      if (!rows.ok) return rows;
      return ok({ bills: rows.value.map(futuresBillText), endId: endIdText(rows.value) });
    },

    listSpotBills: async ({ groupType, businessType, ...asked }, { uid }) => {
      const kinds = both(
        namedKinds(spotBillGroups, groupType),
        namedKinds(spotBillWords, businessType),
      );
      const rows = await found(
        { ...asked, uid, book: 'wallet', areas: ['SPOT', 'MARGIN', 'OTHER'], kinds },
        THREE_MONTHS,
      );
      if (!rows.ok) return rows;
      return ok(rows.value.map(spotBillText));
    },

    listFinancialRecords: async ({ category, symbol: market, type, cursor, ...asked }, { uid }) => {
      const areas = category === undefined ? undefined : [category];
      const kinds = namedKinds(unifiedBillWords, type);
      const rows = await found(
        { ...asked, uid, book: 'wallet', areas, market, kinds, idLessThan: cursor },
        MONTH,
      );
      if (!rows.ok) return rows;
      return ok({ list: rows.value.map(unifiedBillText), cursor: endIdText(rows.value) });
    },

    listIsolatedRecords: async ({ symbol: market, marginType, ...asked }, { uid }) => {
      const kinds = namedKinds(pairBillWords, marginType);
      const rows = await found({ ...asked, uid, book: 'pair', market, kinds }, THREE_MONTHS);
      if (!rows.ok) return rows;
      const [newest] = rows.value;
      const maxId = newest === undefined ? '' : idText(newest.id);
      return ok({ resultList: rows.value.map(pairBillText), maxId, minId: endIdText(rows.value) });
    },

    listTransferRecords: async (
      { fromType, idLessThan, clientOid: _clientOid, ...asked },
      { uid },
    ) => {
      const older = idLessThan === undefined ? {} : { idLessThan: billIdOf(idLessThan) };
      const rows = await found(
        { ...asked, ...older, uid, book: 'wallet', kinds: transfersFrom(fromType) },
        THREE_MONTHS,
      );
      return rows.ok ? ok(rows.value.map(transferText)) : rows;
    },
  };
}
