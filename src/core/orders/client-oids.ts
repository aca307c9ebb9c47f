/** Client order ids: said again within six hours they mean the same order, whatever crashed in between. */
import { addText, addWords, closeDigest, nameWord, nameWordIfAny, newDigest, openDigest } from '../../kernel/digest.ts';
import { type ClientOid, clientOidOf, type Id, type Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import { type Category, isFutures, type PositionMode, type SelfTradeMode } from '../../messages/vocabulary.ts';
import type { State } from '../state.ts';
import type { Moment } from '../step.ts';
import { ClientOidIndex } from './client-oid-index.ts';

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;

/** What an id was used for. */
export interface ClientOidUse {
  readonly orderId: Id;
  /** Everything that makes two requests the same: as 53 bits of a digest, or as it is. */
  readonly content: number | string;
  readonly at: Timestamp;
  /** The first answer kept the order's id to itself, so every later one does. */
  readonly hidesOrderId: boolean;
}

/** Ids used from a moment on, oldest first, a column for each thing known of them. They are forgotten a generation at a time, which costs nothing however many they are. */
export interface ClientOidGeneration {
  readonly since: Timestamp;
  until: Timestamp;
  readonly uids: Uid[];
  readonly names: ClientOid[];
  readonly orderIds: Id[];
  readonly contents: (number | string)[];
  readonly ats: Timestamp[];
  /** Orders whose first answer kept the id to itself. */
  readonly untold: Set<Id>;
}

const GENERATION_MS_MAX = 2 * HOUR;
/** All generations together remember eight million, and beyond that the oldest are forgotten before their time. */
export const GENERATION_USES_MAX = 1_000_000;
export const GENERATIONS_MAX = 8;

/** The generations with an index over all of their rows. */
export class ClientOids {
  readonly #index: ClientOidIndex;
  readonly #generations: ClientOidGeneration[];
  /** The number of the first row of each generation. Rows are numbered through, from whatever the index has last been cleared up to. */
  readonly #firsts: number[] = [];
  /** The number of the next row. */
  #next = 0;

  constructor({ clientOids }: Pick<State, 'clientOids'>, salt: number) {
    this.#index = new ClientOidIndex(salt);
    this.#generations = clientOids;
    for (const { uids, names } of clientOids) {
      this.#firsts.push(this.#next);
      for (let at = 0; at < uids.length; at++) this.#number(uids[at]!, names[at]!);
    }
  }

  /** The latest use of an id, however old. */
  lastUse(uid: Uid, clientOid: ClientOid): ClientOidUse | undefined {
    const row = this.#index.find(uid, clientOid, this.#hasName);
    const place = row === undefined ? -1 : this.#generationOf(row);
    if (row === undefined || place < 0) return undefined;
    const { orderIds, contents, ats, untold } = this.#generations[place]!;
    const at = row - this.#firsts[place]!;
    const orderId = orderIds[at]!;
    return { orderId, content: contents[at]!, at: ats[at]!, hidesOrderId: untold.has(orderId) };
  }

  remember(uid: Uid, clientOid: ClientOid, { orderId, content, at, hidesOrderId }: ClientOidUse): void {
    const { uids, names, orderIds, contents, ats, untold } = this.#generationAt(at);
    uids.push(uid);
    names.push(clientOid);
    orderIds.push(orderId);
    contents.push(content);
    ats.push(at);
    if (hidesOrderId) untold.add(orderId);
    this.#number(uid, clientOid);
  }

  #number(uid: Uid, clientOid: ClientOid): void {
    if (this.#index.isFull) this.#makeRoom();
    this.#index.set(uid, clientOid, this.#next, this.#hasName);
    this.#next += 1;
  }

  #makeRoom(): void {
    const first = this.#firsts[0] ?? 0;
    this.#index.makeRoom(first);
    this.#next -= first;
    for (let place = 0; place < this.#firsts.length; place++) this.#firsts[place]! -= first;
  }

  readonly #hasName = (row: number, uid: Uid, clientOid: ClientOid): boolean => {
    const place = this.#generationOf(row);
    if (place < 0) return false;
    const at = row - this.#firsts[place]!;
    const { uids, names } = this.#generations[place]!;
    return uids[at] === uid && names[at] === clientOid;
  };

  /** Below zero for a row of a generation that is forgotten. */
  #generationOf(row: number): number {
    let place = this.#firsts.length - 1;
    while (place >= 0 && this.#firsts[place]! > row) place -= 1;
    return place;
  }

  /** The generation that ids are remembered in now; a new one begins when the last is old or full, and the oldest go. */
  #generationAt(at: Timestamp): ClientOidGeneration {
    const generations = this.#generations;
    const last = generations.at(-1);
    if (last !== undefined && at - last.since < GENERATION_MS_MAX && last.uids.length < GENERATION_USES_MAX) {
      last.until = at;
      return last;
    }
    while (generations.length > 0 && (at - generations[0]!.until >= CLIENT_OID_AGE_MS_MAX || generations.length >= GENERATIONS_MAX)) {
      generations.shift();
      this.#firsts.shift();
    }
    const generation: ClientOidGeneration = {
      since: at,
      until: at,
      uids: [],
      names: [],
      orderIds: [],
      contents: [],
      ats: [],
      untold: new Set(),
    };
    generations.push(generation);
    this.#firsts.push(this.#next);
    return generation;
  }
}

export function clientOidUse({ derived, at }: Moment, uid: Uid, clientOid: ClientOid): ClientOidUse | undefined {
  const use = derived.clientOids.lastUse(uid, clientOid);
  return use !== undefined && at - use.at < CLIENT_OID_AGE_MS_MAX ? use : undefined;
}

/** Whether a use of that moment is surely still known: generations go when they are too old, and before that only when there are too many. */
export const isRemembered = ({ clientOids }: State, usedAt: Timestamp, at: Timestamp): boolean =>
  at - usedAt < CLIENT_OID_AGE_MS_MAX && (clientOids.length < GENERATIONS_MAX || usedAt > clientOids[0]!.since);

/**
 * The text of an order's id names it when its holder did not. Should he have used that very text before, it grows until it is new. What is called
 * so later, as the order of a trigger is (TRG-36), does not change it: whoever asks again is told the name of the first time.
 */
export function ownClientOid({ derived }: Moment, uid: Uid, id: Id): ClientOid {
  const isTaken = (name: ClientOid): boolean => (derived.clientOids.lastUse(uid, name)?.orderId ?? id) < id;
  let clientOid = clientOidOf(id);
  while (isTaken(clientOid)) clientOid = `${clientOid}_` as ClientOid;
  return clientOid;
}

const ZERO = 48;
const POINT = 46;

/** Decimals are compared by value: `1.0` and `01` are `1`. */
function plain(text: string): string {
  const point = text.indexOf('.');
  let end = text.length;
  if (point >= 0) {
    while (text.charCodeAt(end - 1) === ZERO) end--;
    if (text.charCodeAt(end - 1) === POINT) end--;
  }
  const wholeEnd = point < 0 ? end : point;
  let start = 0;
  while (start < wholeEnd - 1 && text.charCodeAt(start) === ZERO) start++;
  return text.slice(start, end);
}

const HIGH_BITS = 2 ** 21 - 1;
/** The same of a whole request: texts that are decimals in their shortest form, all else as it is. */
export function plainDecimals(input: unknown): unknown {
  if (typeof input === 'string') return DECIMAL.test(input) ? plain(input) : input;
  if (Array.isArray(input)) return input.map(plainDecimals);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, plainDecimals(value)]));
}
const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * A self-trade mode that is left out is the one that accounts have at first, and not the one that this account has by now: a request that comes
 * again is the same, and saying the default makes no other one (ORD-150).
 */
export const selfTradeModeGiven = (mode: SelfTradeMode | undefined): SelfTradeMode => mode ?? 'none';

type Applying = Pick<OrderDraft, 'price' | 'timeInForce' | 'positionSide' | 'reduceOnly'>;

/** What an order says of these, as far as it applies to it: the rest is ignored, and so makes no other order (ORD-18). */
export function applying(category: Category, positionMode: PositionMode, draft: OrderDraft): Applying {
  const isLimit = draft.orderType === 'limit';
  const futures = isFutures(category);
  return {
    price: isLimit ? draft.price : undefined,
    timeInForce: isLimit ? draft.timeInForce : 'gtc',
    positionSide: futures && positionMode === 'hedge' ? draft.positionSide : undefined,
    reduceOnly: futures && positionMode === 'oneWay' && draft.reduceOnly,
  };
}

/** Everything that makes two requests the same order, as a digest: a few bytes for each order of six hours. */
export function contentOfOrder(category: Category, positionMode: PositionMode, draft: OrderDraft): number {
  const { price, timeInForce, positionSide, reduceOnly } = applying(category, positionMode, draft);
  const digest = newDigest();
  openDigest(digest);
  addText(plain(draft.size));
  addText(price === undefined ? '' : plain(price));
  addWords(nameWord(category), nameWord(draft.symbol), nameWord(draft.side), nameWord(draft.orderType));
  addWords(nameWord(timeInForce), nameWordIfAny(positionSide), nameWord(selfTradeModeGiven(draft.selfTradeMode)), reduceOnly ? 1 : 0);
  addWords(nameWordIfAny(draft.marginMode), nameWordIfAny(draft.loanType), 0, 0);
  closeDigest(digest);
  return (digest.high & HIGH_BITS) * 2 ** 32 + (digest.low >>> 0);
}

export const rememberClientOid = ({ derived }: Moment, uid: Uid, clientOid: ClientOid, use: ClientOidUse): void =>
  derived.clientOids.remember(uid, clientOid, use);
