/** Client order ids: said again within six hours they mean the same order, whatever crashed in between. */
import { addName, addNameIfAny, addText, addWord, closeDigest, newDigest, openDigest } from '../../kernel/digest.ts';
import { type ClientOid, type Id, idText, type Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { State } from '../state.ts';

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;

/** What an id was used for. */
export interface ClientOidUse {
  readonly orderId: Id;
  /** Everything that makes two requests the same: as 53 bits of a digest, or as it is. */
  readonly content: number | string;
  readonly at: Timestamp;
  /** The first answer kept the order's id to itself, so every later one does. */
  readonly idUntold: boolean;
}

/** Ids by user, used from a moment on. They are forgotten a generation at a time, which costs nothing however many they are. */
export interface ClientOidGeneration {
  readonly since: Timestamp;
  until: Timestamp;
  /** How many there are. */
  count: number;
  readonly uses: Map<Uid, Map<ClientOid, ClientOidUse>>;
}

const GENERATION_MS_MAX = 2 * HOUR;
/** A Map holds sixteen million; all generations together remember half as many, and beyond that the oldest are forgotten before their time. */
export const GENERATION_USES_MAX = 1_000_000;
export const GENERATIONS_MAX = 8;

/** The latest use of an id, however old. */
function lastUse({ clientOids }: State, uid: Uid, clientOid: ClientOid): ClientOidUse | undefined {
  for (let at = clientOids.length - 1; at >= 0; at--) {
    const use = clientOids[at]!.uses.get(uid)?.get(clientOid);
    if (use !== undefined) return use;
  }
  return undefined;
}

export function clientOidUse(state: State, uid: Uid, clientOid: ClientOid, at: Timestamp): ClientOidUse | undefined {
  const use = lastUse(state, uid, clientOid);
  return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use : undefined;
}

/** Whether a use of that moment is surely still known: generations go when they are too old, and before that only when there are too many. */
export const isRemembered = ({ clientOids }: State, usedAt: Timestamp, at: Timestamp): boolean =>
  at - usedAt < CLIENT_OID_AGE_MS_MAX && (clientOids.length < GENERATIONS_MAX || usedAt > clientOids[0]!.since);

/** The text of an order's id names it when its holder did not. Should he have used that very text before, it grows until it is new. */
export function ownClientOid(state: State, uid: Uid, id: Id): ClientOid {
  let clientOid = idText(id) as ClientOid;
  while (lastUse(state, uid, clientOid) !== undefined) clientOid = `${clientOid}_` as ClientOid;
  return clientOid;
}

/** Decimals are compared by value: `1.0` is `1`. */
function plain(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

const HIGH_BITS = 2 ** 21 - 1;
/** The same of a whole request: texts that are decimals in their shortest form, all else as it is. */
export function plainDecimals(said: unknown): unknown {
  if (typeof said === 'string') return DECIMAL.test(said) ? plain(said) : said;
  if (Array.isArray(said)) return said.map(plainDecimals);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, plainDecimals(value)]));
}
const DECIMAL = /^\d+\.\d+$/;

/** Everything that makes two requests the same order, as a digest: a few bytes for each order of six hours. */
export function contentOf(category: Category, draft: OrderDraft): number {
  const digest = newDigest();
  openDigest(digest);
  addName(category);
  addName(draft.symbol);
  addName(draft.side);
  addName(draft.orderType);
  addText(plain(draft.size));
  addText(draft.price === undefined ? '' : plain(draft.price));
  addName(draft.timeInForce);
  addNameIfAny(draft.positionSide);
  addNameIfAny(draft.selfTradeMode);
  addWord(draft.reduceOnly ? 1 : 0);
  addNameIfAny(draft.marginMode);
  addNameIfAny(draft.loanType);
  closeDigest(digest);
  return (digest.high & HIGH_BITS) * 2 ** 32 + (digest.low >>> 0);
}

export function rememberClientOid(state: State, uid: Uid, clientOid: ClientOid, use: ClientOidUse): void {
  const generation = generationAt(state, use.at);
  generation.until = use.at;
  const known = generation.uses.get(uid);
  const own = known ?? new Map<ClientOid, ClientOidUse>();
  if (known === undefined) generation.uses.set(uid, own);
  const before = own.size;
  own.set(clientOid, use);
  if (own.size > before) generation.count += 1;
}

/** The generation that ids are remembered in now; a new one begins when the last is old or full, and the oldest go. */
function generationAt({ clientOids }: State, at: Timestamp): ClientOidGeneration {
  const last = clientOids.at(-1);
  if (last !== undefined && at - last.since < GENERATION_MS_MAX && last.count < GENERATION_USES_MAX) return last;
  while (clientOids.length > 0 && (at - clientOids[0]!.until >= CLIENT_OID_AGE_MS_MAX || clientOids.length >= GENERATIONS_MAX))
    clientOids.shift();
  const generation: ClientOidGeneration = { since: at, until: at, count: 0, uses: new Map() };
  clientOids.push(generation);
  return generation;
}
