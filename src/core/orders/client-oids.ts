/** Client order ids: said again within six hours they mean the same order, whatever crashed in between. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { State } from '../state.ts';

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;

/** What an id was used for. `content` is everything that makes two requests the same. */
export interface ClientOidUse {
  readonly orderId: Id;
  readonly content: string;
  readonly at: Timestamp;
}

const useKey = (uid: Uid, clientOid: ClientOid): string => `${uid}:${clientOid}`;

export function clientOidUse(state: State, uid: Uid, clientOid: ClientOid, at: Timestamp): ClientOidUse | undefined {
  const use = state.clientOids.get(useKey(uid, clientOid));
  return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use : undefined;
}

/** Remembers an id and forgets a few that are too old: uses are kept in the order of their time, so the oldest come first. */
export function rememberClientOid(state: State, uid: Uid, clientOid: ClientOid, use: ClientOidUse): void {
  const { clientOids } = state;
  const key = useKey(uid, clientOid);
  clientOids.delete(key);
  clientOids.set(key, use);
  let looked = 0;
  for (const [oldest, { at }] of clientOids) {
    if (use.at - at < CLIENT_OID_AGE_MS_MAX || ++looked > FORGOTTEN_PER_ORDER_MAX) return;
    clientOids.delete(oldest);
  }
}

/** Each order forgets at most two, so the memory shrinks after a burst without ever costing one order much. */
const FORGOTTEN_PER_ORDER_MAX = 2;
