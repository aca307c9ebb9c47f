/**
 * Calls that come over a stream. They take the steps of an HTTP request after its authentication
 * (REQ-01), and share its limits, faults and counters.
 */
import type { PublicName } from '../contract/endpoints.ts';
import { type WireError, wireError } from '../contract/errors.ts';
import type { Raw } from '../contract/raw.ts';
import { type WireRejection, wireRejection } from '../contract/wire-rejections.ts';
import { refuse } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import { ANONYMOUS, type Caller } from './caller.ts';
import type { FaultLaboratory } from './faults/fault-laboratory.ts';
import type { Reply } from './handlers/handler.ts';
import { type ReceiveWindow, refuseLate } from './handlers/receive-window.ts';
import { SUCCESS_CODE } from './http/answers.ts';
import { type ConcurrencyLimiter, kindOf, type Slot } from './http/concurrency-limiter.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import type { Route, Routes } from './http/routes.ts';
import { noUpload } from './http/upload.ts';
import { REFUSED } from './limits/sliding-window.ts';
import type { Log } from './log.ts';
import type { GatewayCounters } from './metrics.ts';

export interface StreamCall {
  readonly name: PublicName;
  readonly raw: Raw;
  readonly caller: Caller;
  /** For calls whose fields have no receive window. */
  readonly window?: ReceiveWindow;
}

export type StreamCallEnd =
  | { readonly kind: 'answer'; readonly data: unknown }
  | { readonly kind: 'error'; readonly error: WireError }
  /** A fault ends the connection without an answer. */
  | { readonly kind: 'cut' };

export interface StreamCallParts {
  readonly routes: Routes;
  readonly concurrencyLimiter: ConcurrencyLimiter;
  readonly faults: FaultLaboratory;
  readonly clock: Clock;
  readonly limits: boolean;
  readonly counters: GatewayCounters;
  readonly refusals: RefusalLog;
  readonly log: Log;
  isServing(): boolean;
}

type Carried = Reply<unknown> | 'cut';

function countedAs(end: StreamCallEnd): string {
  if (end.kind === 'error') return end.error.code;
  return end.kind === 'cut' ? 'dropped' : SUCCESS_CODE;
}

export class StreamCalls {
  readonly #parts: StreamCallParts;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(parts: StreamCallParts) {
    this.#parts = parts;
    this.#routes = new Map(parts.routes.all.map((route) => [route.name, route]));
  }

  /** Resolves with the durable outcome. */
  async carryOut(call: StreamCall): Promise<StreamCallEnd> {
    const { clock } = this.#parts;
    const route = this.#routes.get(call.name)!;
    const since = clock.monotonic();
    const carried = await this.#within(route, call);
    const end: StreamCallEnd =
      carried === 'cut' ? { kind: 'cut' } : this.#endOf(route, call, carried);
    route.counters.count(countedAs(end), clock.monotonic() - since);
    return end;
  }

  #endOf(route: Route, { caller }: StreamCall, reply: Reply<unknown>): StreamCallEnd {
    if (reply.ok) return { kind: 'answer', data: reply.value };
    const error = wireError(reply.refusal, caller.language, route.dialect);
    this.#parts.refusals.note(() => ({
      method: 'STREAM',
      path: route.name,
      code: error.code,
      reason: error.msg,
      address: caller.ip,
      uid: caller.uid,
    }));
    return { kind: 'error', error };
  }

  /** Holds a place among the calls in flight. */
  async #within(route: Route, call: StreamCall): Promise<Carried> {
    const { concurrencyLimiter } = this.#parts;
    const { caller } = call;
    if (!this.#parts.isServing()) return refuse(wireRejection('notServing'));
    const slot: Slot = { kind: kindOf(route.method), uid: ANONYMOUS, waits: false, left: false };
    if (!concurrencyLimiter.admitsCall(slot.kind)) return refuse(wireRejection('tooManyRequests'));
    try {
      const refusal = this.#refusalOf(route, caller, slot);
      return refusal === undefined ? await this.#run(route, call, slot) : refuse(refusal);
    } catch (error) {
      this.#parts.counters.handlerFailures++;
      this.#parts.log.error({ endpoint: route.name, err: error }, 'a call failed');
      return refuse(wireRejection('outcomeUnknown'));
    } finally {
      concurrencyLimiter.leave(slot);
    }
  }

  #refusalOf(
    { access, window, countedBy }: Route,
    caller: Caller,
    { kind }: Slot,
  ): WireRejection | undefined {
    const { clock, counters, limits, concurrencyLimiter } = this.#parts;
    if (access === 'operator' || (access !== 'anybody' && !caller.permissions.has(access)))
      return wireRejection('permissionMissing', undefined, access);
    const counted = countedBy === 'uid' ? caller.uid : caller.ip;
    if (window !== undefined && window.take(counted, clock.monotonic()) === REFUSED) {
      counters.refusedByLimit++;
      return wireRejection('tooManyRequests', undefined, String(window.perSecond));
    }
    if (limits && concurrencyLimiter.isFullOf(kind, caller.uid)) {
      counters.refusedByLoad++;
      return wireRejection('tooManyRequests');
    }
    return undefined;
  }

  async #run(route: Route, { raw, caller, window }: StreamCall, slot: Slot): Promise<Carried> {
    const { clock, faults, concurrencyLimiter } = this.#parts;
    const decoded = route.request.decode(raw);
    if (!decoded.ok) return decoded;
    const late = window === undefined ? undefined : refuseLate(clock, window);
    if (late !== undefined) return late;
    const execute = () => route.handler(decoded.value, caller, noUpload());
    if (!faults.isAwake) {
      concurrencyLimiter.wait(slot, caller.uid);
      return execute();
    }
    concurrencyLimiter.wait(slot, ANONYMOUS);
    const { name, access } = route;
    const watched = faults.watch({ name, access, uid: caller.uid, raw });
    const conclusion = await watched.carryOut(execute);
    if (conclusion.kind === 'cut') return 'cut';
    watched.shown(conclusion.reply);
    return conclusion.reply;
  }
}
