/** State of every order of a scenario, computed from events alone as a view would. */
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { type Amount, plus, type Size, ZERO_AMOUNT, ZERO_SIZE } from '../../src/kernel/money.ts';
import type { Event } from '../../src/messages/events.ts';
import type { FillRow, OrderEnd, OrderRow } from '../../src/messages/orders.ts';

export interface OrderRecord {
  order: OrderRow;
  readonly fills: FillRow[];
  filled: Size;
  value: Amount;
  isWaiting: boolean;
  end: OrderEnd | undefined;
}

export class OrderRecords {
  readonly #records = new Map<Id, OrderRecord>();
  readonly #names = new Map<string, Id>();

  take(event: Event): void {
    switch (event.type) {
      case 'orderAccepted':
        this.#names.set(`${event.order.uid} ${event.order.clientOid}`, event.order.orderId);
        this.#records.set(event.order.orderId, newRecord(event.order));
        break;
      case 'orderActivated':
        this.of(event.orderId).isWaiting = false;
        break;
      case 'orderModified':
        this.of(event.order.orderId).order = event.order;
        break;
      case 'fillSettled':
        this.#fill(event.fill);
        break;
      case 'orderEnded':
        if (this.of(event.end.orderId).end !== undefined)
          throw new Error(`order ${event.end.orderId} ended twice`);
        this.of(event.end.orderId).end = event.end;
        break;
      default:
    }
  }

  of(id: Id): OrderRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new Error(`order ${id} was never accepted`);
    return record;
  }

  named(uid: Uid, clientOid: string): OrderRecord {
    const id = this.#names.get(`${uid} ${clientOid as ClientOid}`);
    if (id === undefined) throw new Error(`${clientOid} names no order`);
    return this.of(id);
  }

  #fill(fill: FillRow): void {
    const record = this.of(fill.orderId);
    if (record.end !== undefined) throw new Error(`order ${fill.orderId} traded after its end`);
    record.fills.push(fill);
    record.filled = plus(record.filled, fill.size);
    record.value = plus(record.value, fill.value);
  }
}

const newRecord = (order: OrderRow): OrderRecord => ({
  order,
  fills: [],
  filled: ZERO_SIZE,
  value: ZERO_AMOUNT,
  isWaiting: order.status === 'live',
  end: undefined,
});

/** `live`, `new`, `partiallyFilled`, `filled`, or `cancelled` with its reason. */
export function statusOf({ end, filled, isWaiting }: OrderRecord): string {
  if (end !== undefined)
    return end.cancelReason === undefined ? end.status : `${end.status} ${end.cancelReason}`;
  if (isWaiting) return 'live';
  return filled > 0n ? 'partiallyFilled' : 'new';
}
