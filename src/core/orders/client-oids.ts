/** Client order ids: said again within six hours they mean the same order, whatever crashed in between. */
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { State } from '../state.ts';

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;
/** A Map holds sixteen million; beyond this the oldest is forgotten before its time, so that memory has an end. */
export const CLIENT_OIDS_MAX = 8_000_000;

/** What an id was used for. */
export interface ClientOidUse {
  readonly orderId: Id;
  /** Everything that makes two requests the same. */
  readonly content: string;
  readonly at: Timestamp;
  /** The first answer kept the order's id to itself, so every later one does. */
  readonly idUntold: boolean;
}

const useKey = (uid: Uid, clientOid: ClientOid): string => `${uid}:${clientOid}`;

export function clientOidUse(state: State, uid: Uid, clientOid: ClientOid, at: Timestamp): ClientOidUse | undefined {
  const use = state.clientOids.get(useKey(uid, clientOid));
  return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use : undefined;
}

/** The text of an order's id names it when its holder did not. Should he have used that very text before, it grows until it is new. */
export function ownClientOid(state: State, uid: Uid, id: Id): ClientOid {
  let clientOid = idText(id) as ClientOid;
  while (state.clientOids.has(useKey(uid, clientOid))) clientOid = `${clientOid}_` as ClientOid;
  return clientOid;
}

/** Decimals are compared by value: `1.0` is `1`. */
function plain(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

const flags = (draft: OrderDraft): string =>
  `${draft.positionSide ?? ''}|${draft.selfTradeMode ?? ''}|${draft.reduceOnly}|${draft.marginMode ?? ''}|${draft.loanType ?? ''}`;

/** Everything that makes two requests the same order. */
export const contentOf = (category: Category, draft: OrderDraft): string =>
  `${category}|${draft.symbol}|${draft.side}|${draft.orderType}|${plain(draft.size)}|${plain(draft.price ?? '')}|${draft.timeInForce}|${flags(draft)}`;

/** Each order forgets at most two, so the memory shrinks after a burst without ever costing one order much. */
const FORGOTTEN_PER_ORDER_MAX = 2;

/** Remembers an id and forgets a few that are too old: uses are kept in the order of their time, so the oldest come first. */
export function rememberClientOid(state: State, uid: Uid, clientOid: ClientOid, use: ClientOidUse): void {
  const { clientOids } = state;
  const key = useKey(uid, clientOid);
  clientOids.delete(key);
  clientOids.set(key, use);
  let looked = 0;
  for (const [oldest, { at }] of clientOids) {
    const isOld = use.at - at >= CLIENT_OID_AGE_MS_MAX || clientOids.size > CLIENT_OIDS_MAX;
    if (!isOld || ++looked > FORGOTTEN_PER_ORDER_MAX) return;
    clientOids.delete(oldest);
  }
}
