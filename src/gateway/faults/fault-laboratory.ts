/**
 * The unknown-result laboratory: applies faults to public calls, and records the true outcome of
 * every affected intent. It exists only in the gateway's memory, so a restart removes all faults.
 */

import type { Access, Endpoint, ResponseOf } from '../../contract/endpoint.ts';
import { publicEndpoints } from '../../contract/endpoints.ts';
import type { FaultEffect, FaultMatch } from '../../contract/fault-fields.ts';
import type { operatorFaultRows } from '../../contract/operator-faults.ts';
import type { Raw } from '../../contract/raw.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { given } from '../../kernel/given.ts';
import { type ClientOid, idFromText, idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Reply } from '../handlers/handler.ts';
import { findOrder } from '../handlers/order-lists.ts';
import type { ExchangeNow } from '../submit.ts';
import { askedItems, asksForList, type Made, madeIn, outcomesOf } from './call-content.ts';
import {
  Fault,
  type FaultRequest,
  isOfKind,
  partOf,
  placesSomething,
  type SeenCall,
} from './fault.ts';
import { HiddenOrders } from './hidden-orders.ts';
import { Intents } from './intents.ts';
import { findNamedFault } from './named-faults.ts';
import { type Verdict, verdictOn } from './verdicts.ts';
import { type Surroundings, WatchedCall } from './watched-call.ts';

/** Limit of faults, because every call is matched against each of them. */
export const FAULTS_MAX = 1_000;

export interface LaboratoryParts {
  readonly views: ViewQueries;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  /** Called if work delayed until after its answer throws. */
  readonly onLateFailure: (error: unknown) => void;
}

/** A call whose fields have been parsed. */
export interface ArrivedRequest {
  readonly name: string;
  readonly access: Access;
  readonly uid: Uid;
  readonly raw: Raw;
}

/** A requested fault: a name from the table, or an effect. */
export interface AskedFault {
  readonly name?: string | undefined;
  readonly match?: FaultMatch | undefined;
  readonly effect?: FaultEffect | undefined;
}

/** Adds the order ID to a created object whose answer omits it. */
type WithOrderId = (made: Made) => Made;
type NoteOutcomes = (value: unknown, withOrderId: WithOrderId) => void;

export type FaultRow = ResponseOf<typeof operatorFaultRows.listFaults>[number];

const rowsByPath = new Map(
  Object.entries(publicEndpoints as Readonly<Record<string, Endpoint>>).flatMap(([name, row]) =>
    [row.path, ...(row.aliases ?? [])].map((path) => [path, name] as const),
  ),
);

const matchText = ({ uid, ...match }: FaultMatch, times: number) => ({
  ...given(match),
  ...(uid === undefined ? {} : { uid: String(uid) }),
  times,
});

export class FaultLaboratory {
  readonly #parts: LaboratoryParts;
  readonly #faults = new Map<string, Fault>();
  readonly #intents = new Intents();
  readonly #hidden = new HiddenOrders();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lastId = 0;

  constructor(parts: LaboratoryParts) {
    this.#parts = parts;
  }

  /**
   * False while no fault is set and nothing is recorded or hidden: calls then bypass the
   * laboratory.
   */
  get isAwake(): boolean {
    return this.#faults.size > 0 || this.#intents.size > 0 || this.#hidden.size > 0;
  }

  set(asked: AskedFault): Reply<{ readonly id: string }> {
    const request = requestOf(asked);
    if (!request.ok) return request;
    const { endpoint, call } = request.value.match;
    const row = endpoint === undefined ? undefined : rowsByPath.get(endpoint);
    if (endpoint !== undefined && row === undefined)
      return refuse(wireRejection('fieldInvalid', 'match.endpoint', endpoint));
    if (row !== undefined && call !== undefined && !isOfKind(row, call))
      return refuse(wireRejection('fieldInvalid', 'match.endpoint', `it is not a ${call} call`));
    if (this.#faults.size >= FAULTS_MAX)
      return refuse(wireRejection('tooManyItems', undefined, String(FAULTS_MAX)));

    const id = String(++this.#lastId);
    this.#faults.set(id, new Fault(id, request.value, row));
    return ok({ id });
  }

  list(): readonly FaultRow[] {
    return [...this.#faults.values()].map(({ id, name, match, effect, times, hits }) => ({
      id,
      name: name ?? null,
      match: matchText(match, times),
      effect: given(effect) as FaultRow['effect'],
      hits,
    }));
  }

  clear(id?: string): Reply<null> {
    if (id === undefined) this.#faults.clear();
    else if (!this.#faults.delete(id)) return refuse(wireRejection('unknownFault', 'id', id));
    return ok(null);
  }

  /** The verdicts on all intents that a fault has affected. */
  verdicts(uid?: Uid): Promise<readonly Verdict[]> {
    const asked = this.#intents.all().filter((intent) => uid === undefined || intent.uid === uid);
    return Promise.all(asked.map((intent) => verdictOn(intent, this.#parts.views)));
  }

  /** Removes all faults, intents, hidden orders and delayed placements. Ids continue. */
  reset(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#faults.clear();
    this.#intents.clear();
    this.#hidden.clear();
  }

  watch({ name, access, uid, raw }: ArrivedRequest): WatchedCall {
    const items = askedItems(raw, name);
    const clientOids = new Set(
      items.map(({ clientOid }) => clientOid).filter((input) => input !== ''),
    );
    const strikes = this.#strike({ name, uid, clientOids });
    if (!access.endsWith('.write')) return new WatchedCall(this.#aroundRead(uid), strikes);
    const faults = strikes.map(({ id }) => id);
    const intents = this.#intents.attempt(
      { uid, name, at: this.#parts.exchangeNow(), faults },
      items,
    );
    const note: NoteOutcomes = (value, withOrderId) =>
      outcomesOf(value, items, asksForList(raw)).forEach(({ made, happened }, at) => {
        const intent = intents[at];
        if (intent !== undefined)
          this.#intents.note(intent, { made: made.map(withOrderId), happened });
      });
    return new WatchedCall(this.#aroundWrite(name, uid, note), strikes);
  }

  /** Applies every fault that is due; at most one of them ends the call. */
  #strike(call: SeenCall): readonly Fault[] {
    const strikes: Fault[] = [];
    for (const fault of this.#faults.values()) {
      if (
        !fault.isDue(call) ||
        strikes.some(({ effect }) => partOf(effect) === partOf(fault.effect))
      )
        continue;
      fault.strike();
      strikes.push(fault);
    }
    return strikes;
  }

  #aroundWrite(name: string, uid: Uid, note: NoteOutcomes): Surroundings {
    let withOrderId: WithOrderId = (made) => made;
    return {
      ...this.#time,
      carriedOut: async (reply, hideMs) => {
        if (!reply.ok) return;
        withOrderId = await this.#orderIds(uid, madeIn(reply.value));
        note(reply.value, withOrderId);
        const ids = madeIn(reply.value).flatMap((made) => withOrderId(made).id ?? []);
        if (hideMs !== undefined) this.#hidden.hide(ids, this.#parts.clock.monotonic() + hideMs);
      },
      visible: (reply) => reply,
      // Only an answer to a placement shows the order. An answer to a cancel comes too late to
      // count.
      shown: (reply) => {
        if (!reply.ok || !placesSomething(name)) return;
        for (const { id } of madeIn(reply.value).map(withOrderId))
          if (id !== null) this.#intents.ofOrder(id)?.seen.add(id);
      },
    };
  }

  /**
   * Finds the ids of orders that an answer names only by client order ID. The laboratory stores
   * orders by id.
   */
  async #orderIds(uid: Uid, all: readonly Made[]): Promise<WithOrderId> {
    const ids = new Map<string, string>();
    for (const { clientOid } of all.filter(({ id }) => id === null)) {
      const found = await findOrder(this.#parts.views, uid, {
        orderId: undefined,
        clientOid: clientOid as ClientOid,
      });
      if (found !== undefined) ids.set(clientOid, idText(found.order.orderId));
    }
    return ({ id, clientOid }) => ({ id: id ?? ids.get(clientOid) ?? null, clientOid });
  }

  #aroundRead(uid: Uid): Surroundings {
    const { clock, views } = this.#parts;
    return {
      ...this.#time,
      carriedOut: async () => undefined,
      visible: (reply) => {
        if (!reply.ok || this.#hidden.size === 0) return reply;
        const value = this.#hidden.without(reply.value, clock.monotonic());
        return value === undefined ? refuse(wireRejection('orderNotFound')) : ok(value);
      },
      // A read counts only while the order is open; after its end it comes too late.
      shown: (reply) => {
        if (!reply.ok || this.#intents.size === 0) return;
        for (const { id } of madeIn(reply.value)) {
          const orderId = id === null ? undefined : idFromText(id);
          if (orderId !== undefined && views.orders.find(uid, orderId) !== undefined)
            this.#intents.ofOrder(id!)?.seen.add(id!);
        }
      },
    };
  }

  /** Timers that do not keep the process alive. */
  readonly #time = {
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => void setTimeout(resolve, ms).unref()),
    later: (ms: number, work: () => Promise<void>): void => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        work().catch(this.#parts.onLateFailure);
      }, ms).unref();
      this.#timers.add(timer);
    },
  };
}

/**
 * Resolves a requested fault. With an effect, the name is only a label. Without one, the name must
 * be in the table, and `match` narrows that entry.
 */
function requestOf({ name, match = {}, effect }: AskedFault): Reply<FaultRequest> {
  if (effect !== undefined) return ok({ name, match, effect });
  if (name === undefined) return refuse(wireRejection('fieldMissing', 'effect'));
  const named = findNamedFault(name);
  if (named === undefined) return refuse(wireRejection('fieldInvalid', 'name', name));
  return ok({ name, match: { ...named.match, ...given(match) }, effect: named.effect });
}
