/** History of fills: the part of each order in each trade. */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { FillRow } from '../../messages/orders.ts';
import {
  type Category,
  EXECUTION_KINDS,
  INTENTS,
  LOAN_TYPES,
  ORDER_TYPES,
  POSITION_MODES,
  POSITION_SIDES,
  type PositionMode,
  SIDES,
} from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import {
  asRow,
  type BlockTable,
  equalTo,
  HAS_LOAN_TYPE,
  type HistoryRow,
  type RowBytes,
} from './table.ts';

/** Stored by their index. Append to the list; never reorder it. */
const ROLES: readonly FillRow['role'][] = ['taker', 'maker'];

/** The row's id is that of the fill. */
export interface SettledFillRow
  extends HistoryRow,
    Omit<FillRow, 'fillId' | 'openedSize' | 'leftToClearing' | 'marginHold'> {
  readonly positionMode: PositionMode;
}

export interface FillQuery extends PageQuery, TimeWindow {
  readonly uid: Uid;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  /** Set only for fills of isolated pairs. */
  readonly isolated?: boolean | undefined;
}

const bytes: RowBytes<SettledFillRow> = {
  writesOf: {
    fillRecorded: ({ fill, positionMode }, { at, sequence }, writeKey) => {
      const to = writeKey(fill.fillId, at, sequence, fill.uid, fill.category, fill.symbol);
      to.whole(fill.tradeId);
      to.whole(fill.orderId);
      to.text(fill.clientOid);
      to.word(ORDER_TYPES, fill.orderType);
      to.word(SIDES, fill.side);
      to.money(fill.price);
      to.money(fill.size);
      to.money(fill.value);
      to.word(ROLES, fill.role);
      to.text(fill.feeCoin);
      to.money(fill.fee);
      to.word(POSITION_MODES, positionMode);
      to.word(POSITION_SIDES, fill.positionSide);
      to.word(INTENTS, fill.intent);
      to.money(fill.profit);
      to.word(EXECUTION_KINDS, fill.executionKind);
      to.word(LOAN_TYPES, fill.loanType);
      to.flag(fill.selfTrade);
    },
  },
  read: (from, { id, time, sequence, uid, category, symbol }) =>
    asRow<SettledFillRow>({
      id,
      time,
      sequence,
      uid: uid!,
      category: category!,
      symbol,
      tradeId: from.whole(),
      orderId: from.whole(),
      clientOid: from.text(),
      orderType: from.word(ORDER_TYPES),
      side: from.word(SIDES),
      price: from.money(),
      size: from.money(),
      value: from.money(),
      role: from.word(ROLES),
      feeCoin: from.text(),
      fee: from.money(),
      positionMode: from.word(POSITION_MODES),
      positionSide: from.optionalWord(POSITION_SIDES),
      intent: from.optionalWord(INTENTS),
      profit: from.money(),
      executionKind: from.word(EXECUTION_KINDS),
      loanType: from.optionalWord(LOAN_TYPES),
      selfTrade: from.flag(),
    }),
};

export const fills: BlockTable<SettledFillRow, FillQuery> = {
  rowsOf: {
    fillRecorded: ({ fill, positionMode }, { at, sequence }) => {
      const row = asRow<SettledFillRow>({
        id: fill.fillId,
        time: at,
        sequence,
        tradeId: fill.tradeId,
        orderId: fill.orderId,
        uid: fill.uid,
        clientOid: fill.clientOid,
        category: fill.category,
        symbol: fill.symbol,
        orderType: fill.orderType,
        side: fill.side,
        price: fill.price,
        size: fill.size,
        value: fill.value,
        role: fill.role,
        feeCoin: fill.feeCoin,
        fee: fill.fee,
        positionMode,
        positionSide: fill.positionSide,
        intent: fill.intent,
        profit: fill.profit,
        executionKind: fill.executionKind,
        loanType: fill.loanType,
        selfTrade: fill.selfTrade,
      });
      return [row];
    },
  },
  bytes,
  conditions: ({ uid, category, symbol, orderId, isolated, start, end }) => [
    ...equalTo({ uid, category, symbol, orderId }),
    ...(isolated === true ? [HAS_LOAN_TYPE] : []),
    { column: 'time', operator: '>=', value: start },
    { column: 'time', operator: '<=', value: end },
  ],
};
