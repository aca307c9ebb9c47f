/**
 * The unknown-result laboratory: faults that the operator sets strike public calls, and every
 * intent they strike is followed, so that its truth can be told afterwards. It lives in the gateway
 * and in memory: the exchange behind it never knows, and a restart begins without faults.
 */

import type { Access, Endpoint, ResponseOf } from '../../contract/endpoint.ts';
import { publicEndpoints } from '../../contract/endpoints.ts';
import type { FaultEffect, FaultMatch } from '../../contract/fault-fields.ts';
import type { operatorFaultRows } from '../../contract/operator-faults.ts';
import type { Raw } from '../../contract/raw.ts';
import { given } from '../../kernel/given.ts';
import { type ClientOid, idFromText, idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import { rejection } from '../../messages/rejections.ts';
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

/** Each is looked at for every call. */
export const FAULTS_MAX = 1_000;

export interface LaboratoryParts {
  readonly views: ViewQueries;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  /** Carrying out a call later than it was answered failed. */
  readonly onLateFailure: (error: unknown) => void;
}

/** What the pipeline knows of a call when its fields have been read. */
export interface ArrivedRequest {
  readonly name: string;
  readonly access: Access;
  readonly uid: Uid;
  readonly raw: Raw;
}

/** A fault as somebody asks for it: a name of the table alone, or an effect. */
export interface AskedFault {
  readonly name?: string | undefined;
  readonly match?: FaultMatch | undefined;
  readonly effect?: FaultEffect | undefined;
}

/** What was made with its id, also where the answer keeps that to itself. */
type EmittedMade = (made: Made) => Made;
type NoteOutcomes = (value: unknown, told: EmittedMade) => void;

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
   * Whether calls have to pass through here: nothing is set, struck or hidden on an exchange that
   * is merely used.
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
      return refuse(rejection('fieldInvalid', 'match.endpoint', endpoint));
    if (row !== undefined && call !== undefined && !isOfKind(row, call))
      return refuse(
        rejection('fieldInvalid', 'match.endpoint', `it is no call of the kind ${call}`),
      );
    if (this.#faults.size >= FAULTS_MAX)
      return refuse(rejection('tooManyItems', undefined, String(FAULTS_MAX)));

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
    else if (!this.#faults.delete(id)) return refuse(rejection('unknownFault', 'id', id));
    return ok(null);
  }

  /** What really became of each intent a fault has struck, so far. */
  verdicts(uid?: Uid): Promise<readonly Verdict[]> {
    const asked = this.#intents.all().filter((intent) => uid === undefined || intent.uid === uid);
    return Promise.all(asked.map((intent) => verdictOn(intent, this.#parts.views)));
  }

  /**
   * Forgets everything: faults, intents, what is hidden, what was to be placed later. Ids go on.
   */
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
    const note: NoteOutcomes = (value, told) =>
      outcomesOf(value, items, asksForList(raw)).forEach(({ made, happened }, at) => {
        const intent = intents[at];
        if (intent !== undefined) this.#intents.note(intent, { made: made.map(told), happened });
      });
    return new WatchedCall(this.#aroundWrite(name, uid, note), strikes);
  }

  /** Every fault that is due strikes, but only one of them can end the call. */
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
    let told: EmittedMade = (made) => made;
    return {
      ...this.#time,
      carriedOut: async (reply, hideMs) => {
        if (!reply.ok) return;
        told = await this.#whole(uid, madeIn(reply.value));
        note(reply.value, told);
        const ids = madeIn(reply.value).flatMap((made) => told(made).id ?? []);
        if (hideMs !== undefined) this.#hidden.hide(ids, this.#parts.clock.monotonic() + hideMs);
      },
      visible: (reply) => reply,
      // Placing tells of the order itself; what other writes tell, as a cancel does, comes too late
      // to count as seeing it.
      shown: (reply) => {
        if (!reply.ok || !placesSomething(name)) return;
        for (const { id } of madeIn(reply.value).map(told))
          if (id !== null) this.#intents.ofOrder(id)?.seen.add(id);
      },
    };
  }

  /**
   * Finds the orders that an answer tells by their client id alone; the laboratory knows every
   * order by its id.
   */
  async #whole(uid: Uid, all: readonly Made[]): Promise<EmittedMade> {
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
        return value === undefined ? refuse(rejection('orderNotFound')) : ok(value);
      },
      // A read that tells of an order which has ended shows it too late.
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

  /** Nobody's wait keeps the program from ending. */
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
 * A fault with an effect is what it says, whatever its name; without one its name must be in the
 * table, and what is matched narrows that.
 */
function requestOf({ name, match = {}, effect }: AskedFault): Reply<FaultRequest> {
  if (effect !== undefined) return ok({ name, match, effect });
  if (name === undefined) return refuse(rejection('fieldMissing', 'effect'));
  const named = findNamedFault(name);
  if (named === undefined) return refuse(rejection('fieldInvalid', 'name', name));
  return ok({ name, match: { ...named.match, ...given(match) }, effect: named.effect });
}
