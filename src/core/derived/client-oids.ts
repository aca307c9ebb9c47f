/** Index of the client order ids of the last hours, by account and id. */

import type { ClientOid, Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import { ClientOidIndex } from './client-oid-index.ts';
import type { ClientOidGeneration, ClientOidUse } from '../state/order.ts';
import type { State } from '../state/state.ts';

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;

const GENERATION_MS_MAX = 2 * HOUR;

/**
 * All generations together remember eight million, and beyond that the oldest are forgotten before
 * their time.
 */
export const GENERATION_USES_MAX = 1_000_000;

export const GENERATIONS_MAX = 8;

/** The generations with an index over all of their rows. */
export class ClientOids {
  readonly #index: ClientOidIndex;
  readonly #generations: ClientOidGeneration[];
  /**
   * The number of the first row of each generation. Rows are numbered through, from whatever the
   * index has last been cleared up to.
   */
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

  remember(
    uid: Uid,
    clientOid: ClientOid,
    { orderId, content, at, hidesOrderId }: ClientOidUse,
  ): void {
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

  /**
   * The generation that ids are remembered in now; a new one begins when the last is old or full,
   * and the oldest go.
   */
  #generationAt(at: Timestamp): ClientOidGeneration {
    const generations = this.#generations;
    const last = generations.at(-1);
    if (
      last !== undefined &&
      at - last.since < GENERATION_MS_MAX &&
      last.uids.length < GENERATION_USES_MAX
    ) {
      last.until = at;
      return last;
    }
    while (
      generations.length > 0 &&
      (at - generations[0]!.until >= CLIENT_OID_AGE_MS_MAX || generations.length >= GENERATIONS_MAX)
    ) {
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
