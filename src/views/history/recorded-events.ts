/**
 * Inputs of history beside the events. Only a view has them complete, such as an order from its
 * start to its end.
 */
import type { Price, Size } from '../../kernel/money.ts';
import type { Bill } from '../../messages/bills.ts';
import type { EventBatch, Events } from '../../messages/events.ts';
import type { FillRow, PositionRow } from '../../messages/orders.ts';
import type { PositionMode } from '../../messages/vocabulary.ts';
import type { OrderRecord, TriggerRecord, WithdrawalRecord } from '../records.ts';
import type { ShownBy } from '../shown-by.ts';

interface Recorded {
  orderRecorded: { readonly record: OrderRecord };
  fillRecorded: { readonly fill: FillRow; readonly positionMode: PositionMode };
  /** A closed position, with the total that was opened in it. */
  positionRecorded: {
    readonly position: PositionRow;
    readonly openedSize: Size;
    readonly openedPrice: Price;
  };
  /** A withdrawal from its request to its end. */
  withdrawalRecorded: { readonly record: WithdrawalRecord };
  triggerRecorded: { readonly record: TriggerRecord };
  /** A change of a user's balance, with its reason. */
  billRecorded: { readonly bill: Bill };
}

type EmittedEvents = Pick<Events, ShownBy<'history'>> & Recorded;
export type EmittedType = keyof EmittedEvents;
export type EmittedOf<Type extends EmittedType> = { readonly type: Type } & EmittedEvents[Type];

export type RecordedEvent = { [Type in keyof Recorded]: EmittedOf<Type> }[keyof Recorded];
export type EmittedEvent = { [Type in EmittedType]: EmittedOf<Type> }[EmittedType];

/** A batch for history: its events, and the records that views made of them. */
export interface HistoryBatch extends Omit<EventBatch, 'moments'> {
  readonly recorded?: readonly RecordedEvent[];
  /** The parts of a batch whose events happened at several times. */
  readonly parts?: readonly HistoryBatch[];
}
