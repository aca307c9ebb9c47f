/**
 * Live triggers, and fired ones with an open order. Ended triggers are passed to history with the
 * filled size of their order.
 */
import { getOrMake } from '../kernel/get-or-make.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Amount, plus, type Size, ZERO_AMOUNT, ZERO_SIZE } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Writable } from '../kernel/writable.ts';
import type { EventBatch } from '../messages/events.ts';
import type { TriggerRow } from '../messages/triggers.ts';
import {
  type Category,
  closesWholePosition,
  isExit,
  isStopLoss,
  isTakeProfit,
  type PositionSide,
} from '../messages/vocabulary.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import type { TriggerRecord } from './records.ts';
import { sideKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface TriggerQueries {
  find(uid: Uid, triggerId: Id): TriggerRecord | undefined;
  /** A user's live triggers, oldest first. */
  live(uid: Uid): readonly TriggerRecord[];
  /** Fired triggers with an open order, of one user or of all. */
  working(uid: Uid | undefined): readonly TriggerRecord[];
  /**
   * The take-profit and stop-loss to show with a position: those of the whole position before
   * partial ones, then the oldest.
   */
  tpsl(uid: Uid): TpslOf;
}

/** Built once, for any number of a user's positions. */
export type TpslOf = (position: {
  readonly category: Category;
  readonly symbol: string;
  readonly side: PositionSide;
}) => PositionTpsl;

export interface PositionTpsl {
  readonly takeProfit?: TriggerRow;
  readonly stopLoss?: TriggerRow;
}

/** Prefers the whole position, then the oldest; rows arrive oldest first. */
const shownOf = (known: TriggerRow | undefined, row: TriggerRow): TriggerRow =>
  known === undefined || (closesWholePosition(row.kind) && !closesWholePosition(known.kind))
    ? row
    : known;

const NO_TPSL: PositionTpsl = {};

const newRecord = (trigger: TriggerRow): TriggerRecord => ({
  trigger,
  status: 'live',
  filledSize: ZERO_SIZE,
  filledValue: ZERO_AMOUNT,
});

export class TriggersView implements View<'triggers'>, TriggerQueries {
  readonly name = 'triggers';
  #records = new Map<Id, TriggerRecord>();
  #byUser = new Map<Uid, Set<Id>>();
  /** Trigger by open order, for triggers that have not ended. */
  #orders = new Map<Id, Id>();
  /** Orders of triggers that ended in this batch. */
  #done = new Set<Id>();
  readonly #record: (ended: RecordedEvent) => void;

  /** `record` receives every ended trigger. */
  constructor(record: (ended: RecordedEvent) => void) {
    this.#record = record;
  }

  /**
   * Links orders to triggers before the batch: `triggerFired` comes after the events of its order.
   */
  begin({ events }: EventBatch): void {
    if (this.#done.size > 0) this.#done = new Set();
    for (const event of events)
      if (event.type === 'triggerFired') this.#orders.set(event.orderId, event.triggerId);
  }

  readonly on: Listeners<'triggers'> = {
    triggerPlaced: ({ trigger }) => this.#add(newRecord(trigger)),
    triggerChanged: ({ trigger }) => this.#change(trigger.triggerId, { trigger }),
    triggerCancelled: ({ triggerId, reason }, at) =>
      this.#end(triggerId, { status: 'cancelled', cancelReason: reason, endedAt: at }),
    triggerFailed: ({ triggerId, refusal }, at) =>
      this.#end(triggerId, { status: 'failed', refusal, endedAt: at }),
    triggerFired: ({ triggerId, orderId }, at) => this.#fire(triggerId, orderId, at),
    fillSettled: ({ fill }) => {
      if (this.#orders.size > 0) this.#fill(fill.orderId, fill.size, fill.value);
    },
    orderEnded: ({ end }) => {
      if (this.#orders.size > 0) this.#endOrder(end.orderId);
    },
  };

  save(): unknown {
    return new Map(this.#records);
  }

  restore(saved: unknown): void {
    this.#records = new Map();
    this.#byUser = new Map();
    this.#orders = new Map();
    for (const record of (saved as Map<Id, TriggerRecord>).values()) {
      this.#add(record);
      if (record.orderId !== undefined) this.#orders.set(record.orderId, record.trigger.triggerId);
    }
  }

  find(uid: Uid, triggerId: Id): TriggerRecord | undefined {
    const record = this.#records.get(triggerId);
    return record?.trigger.uid === uid ? record : undefined;
  }

  live(uid: Uid): readonly TriggerRecord[] {
    return this.#of(uid).filter(({ status }) => status === 'live');
  }

  working(uid: Uid | undefined): readonly TriggerRecord[] {
    const records = uid === undefined ? [...this.#records.values()] : this.#of(uid);
    return records.filter(({ status }) => status === 'fired');
  }

  tpsl(uid: Uid): TpslOf {
    const found = new Map<string, Writable<PositionTpsl>>();
    for (const { trigger, status } of this.#of(uid)) {
      const { category, symbol, positionSide } = trigger;
      if (status !== 'live' || positionSide === undefined || !isExit(trigger.kind)) continue;
      const tpsl = getOrMake(
        found,
        sideKey(category, symbol, positionSide),
        (): Writable<PositionTpsl> => ({}),
      );
      if (isTakeProfit(trigger.kind)) tpsl.takeProfit = shownOf(tpsl.takeProfit, trigger);
      if (isStopLoss(trigger.kind)) tpsl.stopLoss = shownOf(tpsl.stopLoss, trigger);
    }
    return ({ category, symbol, side }) => found.get(sideKey(category, symbol, side)) ?? NO_TPSL;
  }

  #of(uid: Uid): readonly TriggerRecord[] {
    return [...(this.#byUser.get(uid) ?? [])].map((id) => this.#records.get(id)!);
  }

  #add(record: TriggerRecord): void {
    const { triggerId, uid } = record.trigger;
    this.#records.set(triggerId, record);
    const own = this.#byUser.get(uid);
    if (own === undefined) this.#byUser.set(uid, new Set([triggerId]));
    else own.add(triggerId);
  }

  #change(triggerId: Id, by: Partial<TriggerRecord>): void {
    const before = this.#records.get(triggerId);
    invariant(before !== undefined, 'a changed trigger exists');
    this.#records.set(triggerId, { ...before, ...by });
  }

  #fill(orderId: Id, size: Size, value: Amount): void {
    const triggerId = this.#orders.get(orderId);
    const before = triggerId === undefined ? undefined : this.#records.get(triggerId);
    if (before === undefined) return;
    this.#change(before.trigger.triggerId, {
      filledSize: plus(before.filledSize, size),
      filledValue: plus(before.filledValue, value),
    });
  }

  /** Its order may have ended in the same batch; otherwise the trigger ends with its order. */
  #fire(triggerId: Id, orderId: Id, at: Timestamp): void {
    this.#change(triggerId, { status: 'fired', orderId, endedAt: at });
    if (this.#done.has(orderId)) this.#complete(triggerId, orderId);
  }

  #endOrder(orderId: Id): void {
    const triggerId = this.#orders.get(orderId);
    if (triggerId === undefined) return;
    this.#done.add(orderId);
    if (this.#records.get(triggerId)?.status === 'fired') this.#complete(triggerId, orderId);
  }

  #complete(triggerId: Id, orderId: Id): void {
    this.#orders.delete(orderId);
    this.#end(triggerId, {});
  }

  #end(triggerId: Id, by: Partial<TriggerRecord>): void {
    this.#change(triggerId, by);
    const record = this.#records.get(triggerId)!;
    this.#records.delete(triggerId);
    const own = this.#byUser.get(record.trigger.uid)!;
    own.delete(triggerId);
    if (own.size === 0) this.#byUser.delete(record.trigger.uid);
    this.#record({ type: 'triggerRecorded', record });
  }
}

/** Whether a live trigger has this client order id; the newest wins if several have it. */
export const isNamed = (
  { trigger }: TriggerRecord,
  triggerId: Id | undefined,
  clientOid: ClientOid | undefined,
): boolean => {
  if (triggerId !== undefined) return trigger.triggerId === triggerId;
  return clientOid === undefined || trigger.clientOid === clientOid;
};
