/**
 * History of triggers: each ended trigger in its final state. The row's id is that of the trigger.
 */

import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { money, moneyText, type Price, type Rate } from '../../kernel/money.ts';
import type { CommandField } from '../../messages/command-fields.ts';
import type { Rejection, RejectionReason } from '../../messages/rejections.ts';
import type { AttachedTpsl, TriggerRow } from '../../messages/triggers.ts';
import {
  type Category,
  isExit,
  type PriceSource,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import type { PageQuery, TimeWindow } from '../pages.ts';
import type { TriggerRecord, TriggerStatus } from '../records.ts';
import { flagColumn, moneyColumn, plain, rowColumns } from './row-columns.ts';
import { type ColumnTable, type Condition, equalTo, type HistoryRow } from './table.ts';

/** The filters of lists: each plan alone, and all closing kinds together. */
export type TriggerFamily = 'conditional' | 'trailing' | 'tpsl';
export const familyOf = (kind: TriggerKind): TriggerFamily => (isExit(kind) ? 'tpsl' : kind);

type Placed = Omit<TriggerRow, 'triggerId' | 'createdAt' | 'updatedAt' | 'takeProfit' | 'stopLoss'>;
type Became = Pick<
  TriggerRecord,
  'status' | 'orderId' | 'filledSize' | 'filledValue' | 'cancelReason'
>;

/** Listed under its creation time. */
export interface EndedTriggerRow extends HistoryRow, Placed, Became {
  readonly family: TriggerFamily;
  readonly takeProfit?: string;
  readonly stopLoss?: string;
  readonly endedAt: number;
  readonly refusalReason?: string;
  readonly refusalField?: string;
  readonly refusalDetail?: string;
}

export interface EndedTriggerQuery extends PageQuery, Partial<TimeWindow> {
  /** Absent in queries of the operator, who sees the triggers of all users. */
  readonly uid?: Uid | undefined;
  readonly category?: Category | undefined;
  readonly symbol?: string | undefined;
  /** All when absent. */
  readonly families?: readonly TriggerFamily[] | undefined;
  readonly status?: TriggerStatus | undefined;
  readonly triggerId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
}

/** `price last 55000 54900` or `percent last 10`: one text, because no query filters by it. */
function attachedText(exit: AttachedTpsl): string {
  if (exit.kind === 'percent') return `percent ${exit.source} ${moneyText(exit.percent)}`;
  return [
    `price ${exit.source} ${moneyText(exit.triggerPrice)}`,
    ...(exit.price === undefined ? [] : [moneyText(exit.price)]),
  ].join(' ');
}

function attachedOf(text: string): AttachedTpsl {
  const [kind, source, at, price] = text.split(' ') as [
    string,
    PriceSource,
    string,
    string | undefined,
  ];
  if (kind === 'percent') return { kind: 'percent', source, percent: money<Rate>(at) };
  const exit = { kind: 'price', source, triggerPrice: money<Price>(at) } as const;
  return price === undefined ? exit : { ...exit, price: money<Price>(price) };
}

const columns = rowColumns<EndedTriggerRow>({
  uid: plain,
  clientOid: plain,
  kind: plain,
  family: plain,
  category: plain,
  symbol: plain,
  marginCoin: plain,
  marginMode: plain,
  positionMode: plain,
  positionSide: plain,
  intent: plain,
  side: plain,
  reduceOnly: flagColumn,
  size: moneyColumn,
  quoteAmount: moneyColumn,
  triggerPrice: moneyColumn,
  source: plain,
  price: moneyColumn,
  callbackRate: moneyColumn,
  takeProfit: plain,
  stopLoss: plain,
  selfTradeMode: plain,
  status: plain,
  orderId: plain,
  filledSize: moneyColumn,
  filledValue: moneyColumn,
  cancelReason: plain,
  refusalReason: plain,
  refusalField: plain,
  refusalDetail: plain,
  endedAt: plain,
});

const refusalColumns = (refusal: Rejection | undefined): Partial<EndedTriggerRow> => {
  if (refusal === undefined) return {};
  const { reason, field, detail } = refusal;
  return {
    refusalReason: reason,
    ...(field === undefined ? {} : { refusalField: field }),
    ...(detail === undefined ? {} : { refusalDetail: detail }),
  };
};

function endedRow({
  trigger,
  endedAt = trigger.createdAt,
  refusal,
  ...became
}: TriggerRecord): Omit<EndedTriggerRow, 'sequence'> {
  const { triggerId, createdAt, updatedAt: _updatedAt, takeProfit, stopLoss, ...placed } = trigger;
  return {
    ...placed,
    ...became,
    ...(takeProfit === undefined ? {} : { takeProfit: attachedText(takeProfit) }),
    ...(stopLoss === undefined ? {} : { stopLoss: attachedText(stopLoss) }),
    ...refusalColumns(refusal),
    family: familyOf(trigger.kind),
    endedAt,
    id: triggerId,
    time: createdAt,
  };
}

/** The trigger of a row, in the form of the live view. */
export function triggerOfRow(row: EndedTriggerRow): TriggerRecord {
  const {
    id,
    time,
    sequence: _sequence,
    family: _family,
    endedAt,
    status,
    orderId,
    filledSize,
    filledValue,
    cancelReason,
    ...rest
  } = row;
  const { refusalReason, refusalField, refusalDetail, takeProfit, stopLoss, ...placed } = rest;
  const at = endedAt as TriggerRow['createdAt'];
  return {
    trigger: {
      ...placed,
      ...(takeProfit === undefined ? {} : { takeProfit: attachedOf(takeProfit) }),
      ...(stopLoss === undefined ? {} : { stopLoss: attachedOf(stopLoss) }),
      triggerId: id,
      createdAt: time,
      updatedAt: at,
    },
    status,
    filledSize,
    filledValue,
    endedAt: at,
    ...(orderId === undefined ? {} : { orderId }),
    ...(cancelReason === undefined ? {} : { cancelReason }),
    ...(refusalReason === undefined
      ? {}
      : {
          refusal: {
            reason: refusalReason as RejectionReason,
            ...(refusalField === undefined ? {} : { field: refusalField as CommandField }),
            ...(refusalDetail === undefined ? {} : { detail: refusalDetail }),
          },
        }),
  };
}

const within = (operator: '>=' | '<=', value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ column: 'time', operator, value }];

export const endedTriggers: ColumnTable<EndedTriggerRow, EndedTriggerQuery> = {
  name: 'ended_triggers',
  rowsOf: { triggerRecorded: ({ record }, { sequence }) => [{ ...endedRow(record), sequence }] },
  ...columns,
  conditions: ({ uid, category, symbol, families, status, triggerId, clientOid, start, end }) => [
    ...equalTo({ uid, category, symbol, status, id: triggerId, clientOid }),
    ...(families === undefined
      ? []
      : [{ column: 'family', operator: 'in' as const, value: families }]),
    ...within('>=', start),
    ...within('<=', end),
  ],
};
