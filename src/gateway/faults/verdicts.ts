/** Computes the true outcome of an intent, regardless of the answers its client got. */
import type { ResponseOf } from '../../contract/endpoint.ts';
import { type PublicName, publicEndpoints } from '../../contract/endpoints.ts';
import type { operatorFaultRows } from '../../contract/operator-faults.ts';
import { type ClientOid, idFromText, idText, type Uid } from '../../kernel/ids.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ViewQueries } from '../../views/views.ts';
import { findOrder } from '../handlers/order-lists.ts';
import type { Made } from './call-content.ts';
import { placesSomething } from './fault.ts';
import type { Intent } from './intents.ts';

export type Verdict = ResponseOf<typeof operatorFaultRows.listVerdicts>[number];

/** The current record of an order; undefined for a trigger, a transfer or a loan. */
const recordOf = (
  views: ViewQueries,
  uid: Uid,
  { id, clientOid }: Made,
): Promise<OrderRecord | undefined> =>
  findOrder(views, uid, {
    orderId: id === null ? undefined : idFromText(id),
    clientOid: id === null && clientOid !== '' ? (clientOid as ClientOid) : undefined,
  });

/** Cancelled with nothing filled, so that a client may take the order for never placed. */
const isCancelled = ({ status, filledSize }: OrderRecord): boolean =>
  status === 'cancelled' && filledSize === 0n;

function wordFor(
  intent: Intent,
  records: readonly (OrderRecord | undefined)[],
): Verdict['verdict'] {
  if (intent.effects.length === 0) return 'never';
  if (intent.effects.length > 1) return 'twice';
  const isLost = (record: OrderRecord | undefined): boolean =>
    record !== undefined && isCancelled(record) && !intent.seen.has(idText(record.order.orderId));
  // Only placements can lose an order; a cancel that succeeded is not a loss.
  return placesSomething(intent.name) && records.length > 0 && records.every(isLost)
    ? 'cancelledUnseen'
    : 'once';
}

export async function verdictOn(intent: Intent, views: ViewQueries): Promise<Verdict> {
  const made = intent.effects.flat();
  const records = await Promise.all(made.map((each) => recordOf(views, intent.uid, each)));
  const orders = made.flatMap(({ id }, at) => {
    const record = records[at];
    return id ?? (record === undefined ? [] : idText(record.order.orderId));
  });
  return {
    endpoint: publicEndpoints[intent.name as PublicName].path,
    clientOid: intent.clientOid,
    at: String(intent.at),
    faults: [...intent.faults],
    attempts: intent.attempts,
    orders: [...new Set(orders)],
    verdict: wordFor(intent, records),
  };
}
