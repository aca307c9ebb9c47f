/** Lists of deposits and withdrawals, of the ledger and of bills. */
import { billRows, type billTexts, transferRows } from './bill-rows.ts';
import type { List } from './list.ts';
import { cursor, desk, ending, older, pairPage, plain, ranged, span, v3 } from './list-forms.ts';
import {
  actRows,
  depositRows,
  interestRows,
  ledgerRows,
  withdrawalRows,
  withdrawalTexts,
} from './money-rows.ts';
import { having } from './row.ts';

const withdrawals =
  (shownAs: keyof typeof withdrawalTexts): List['rows'] =>
  (known, caller) =>
    withdrawalRows(
      known.withdrawals.filter(({ row }) => shownAs === 'desk' || row.uid === caller),
      withdrawalTexts[shownAs],
    );

const records = {
  filters: ['coin', 'orderId', 'clientOid'],
  size: ['limit', 20, 100],
  ...plain,
} as const;
const both = { needs: ['startTime', 'endTime'] } as const;

const recordLists: readonly List[] = [
  {
    name: 'listWithdrawalRecords',
    rows: withdrawals('unified'),
    ...records,
    ...cursor,
    ...span(90, both),
  },
  {
    name: 'listSpotWithdrawalRecords',
    rows: withdrawals('classic'),
    ...records,
    ...older,
    ...span(90, { ...both, moreMs: 1_000 }),
  },
  {
    name: 'listDepositRecords',
    rows: ({ emitted }, caller) => depositRows(emitted, caller, false),
    ...records,
    ...cursor,
    ...span(90),
  },
  {
    name: 'listSpotDepositRecords',
    rows: ({ emitted }, caller) => depositRows(emitted, caller, true),
    ...records,
    ...older,
    ...span(90, { moreMs: 1_000 }),
  },
  {
    name: 'listWithdrawals',
    rows: withdrawals('desk'),
    filters: ['status', 'uid', 'coin'],
    ...desk,
  },
  {
    name: 'listLedger',
    rows: ({ emitted }) => ledgerRows(emitted),
    filters: ['uid', 'coin'],
    ...desk,
  },
  {
    name: 'listOperatorActs',
    rows: ({ emitted }) => actRows(emitted),
    filters: ['operator', 'orderId', 'coin'],
    ...desk,
  },
];

const bills =
  (
    shownAs: keyof typeof billTexts,
    isMeant: (area: string, pair: string | undefined) => boolean,
  ): List['rows'] =>
  (known, caller) =>
    billRows(
      having(known.bills, ({ uid }) => uid, caller).filter(({ area, pair }) => isMeant(area, pair)),
      shownAs,
    );

const billLists: readonly List[] = [
  {
    name: 'listFuturesBills',
    rows: bills('futures', (area, pair) => pair === undefined && area.endsWith('FUTURES')),
    needed: ['productType'],
    filters: ['symbol', 'coin', 'businessType'],
    size: ['limit', 20, 100],
    ...older,
    ...span(30),
    ...ending('bills', 'endId'),
  },
  {
    name: 'listSpotBills',
    rows: bills('spot', (area, pair) => pair === undefined && !area.endsWith('FUTURES')),
    filters: ['coin', 'groupType', 'businessType'],
    ...pairPage,
    ...span(90),
    ...plain,
  },
  {
    name: 'listFinancialRecords',
    rows: bills('unified', (_area, pair) => pair === undefined),
    filters: ['category', 'symbol', 'coin', 'type'],
    ...v3,
    ...span(30),
    ...ending('list', 'cursor'),
  },
  {
    name: 'listIsolatedRecords',
    rows: bills('pairs', (_area, pair) => pair !== undefined),
    needed: ['symbol'],
    filters: ['marginType', 'coin'],
    ...pairPage,
    ...span(90, { needs: ['startTime'] }),
    ...ranged('resultList'),
  },
  {
    name: 'listTransferRecords',
    rows: ({ transfers }, caller) => transferRows(transfers, caller),
    needed: ['coin', 'fromType'],
    filters: [],
    ...pairPage,
    ...span(90),
    ...plain,
  },
];

const interest = {
  size: ['limit', 20, 100],
  ...older,
  ...span(90, { needs: ['startTime'], moreMs: 1_000 }),
  ...ranged('resultList', '0'),
} as const;

const interestLists: readonly List[] = [
  {
    name: 'listCrossedInterest',
    rows: ({ emitted }, caller) =>
      interestRows(emitted, caller).filter(({ is }) => is.symbol === undefined),
    filters: ['coin'],
    ...interest,
  },
  {
    name: 'listIsolatedInterest',
    rows: ({ emitted }, caller) =>
      interestRows(emitted, caller).filter(({ is }) => is.symbol !== undefined),
    needed: ['symbol'],
    filters: ['coin'],
    ...interest,
  },
];

export const moneyLists: readonly List[] = [...recordLists, ...billLists, ...interestLists];
