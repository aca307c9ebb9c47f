/**
 * What history is told beside the events: things that only whoever watched a while knows whole,
 * such as an order from its start to its end.
 */
import type { Price, Size } from '../../kernel/money.ts';
import type { Bill } from '../../messages/bills.ts';
import type { EventBatch, Events } from '../../messages/events.ts';
import type { FillRow, PositionRow } from '../../messages/orders.ts';
import type { PositionMode } from '../../messages/vocabulary.ts';
import type { OrderRecord, TriggerRecord, WithdrawalRecord } from '../records.ts';

interface Recorded {
  orderRecorded: { readonly record: OrderRecord };
  fillRecorded: { readonly fill: FillRow; readonly positionMode: PositionMode };
  /** A position at its end, with all that was ever opened in it. */
  positionRecorded: {
    readonly position: PositionRow;
    readonly openedSize: Size;
    readonly openedPrice: Price;
  };
  /** A withdrawal from its request to its end. */
  withdrawalRecorded: { readonly record: WithdrawalRecord };
  triggerRecorded: { readonly record: TriggerRecord };
  /** A change of what a user holds, with what it was about. */
  billRecorded: { readonly bill: Bill };
}

type EmittedEvents = Events & Recorded;
export type EmittedType = keyof EmittedEvents;
export type EmittedOf<Type extends EmittedType> = { readonly type: Type } & EmittedEvents[Type];

export type RecordedEvent = { [Type in keyof Recorded]: EmittedOf<Type> }[keyof Recorded];
export type EmittedEvent = { [Type in EmittedType]: EmittedOf<Type> }[EmittedType];

/** A batch as history takes it in: its events, and what was recorded while they were fed. */
export interface HistoryBatch extends Omit<EventBatch, 'moments'> {
  readonly recorded?: readonly RecordedEvent[];
  /** Of a batch whose events happened at several times: all of it, time by time. */
  readonly parts?: readonly HistoryBatch[];
}
