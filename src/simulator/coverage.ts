/** Counts what a simulation has exercised, and compares the counts with what it should exercise. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../core/derived/instrument-spec.ts';
import type { Engine } from '../core/engine.ts';
import type { State } from '../core/state/state.ts';
import type { Executed } from '../journal/machine.ts';
import type { Id } from '../kernel/ids.ts';
import type { Result } from '../kernel/result.ts';
import type { Event } from '../messages/events.ts';
import type { Coin, Instrument } from '../messages/listings.ts';
import type { Rejection } from '../messages/rejections.ts';
import type { TriggerKind } from '../messages/vocabulary.ts';

/** Kinds of deferred work that one command may leave. */
export const WAITING_WORK = [
  'pendingCharges',
  'triggers',
  'copies',
  'settlements',
  'commissions',
  'levels',
] as const;

const isWaiting: Readonly<Record<(typeof WAITING_WORK)[number], (state: State) => boolean>> = {
  pendingCharges: ({ pendingCharges }) => pendingCharges !== undefined,
  triggers: ({ reachedTriggers }) => reachedTriggers.size > 0,
  copies: ({ copy }) => copy.jobs.length > 0,
  settlements: ({ copy }) => copy.ended.length > 0,
  commissions: ({ agentBooks }) => agentBooks.endedDays.length > 0,
  levels: ({ levels }) => levels.round !== undefined,
};

/** Number of resting orders that counts as a deep exchange. */
const DEEP_ORDERS = 200;

export class Coverage {
  readonly #counts = new Map<string, number>();
  /** Active triggers from events, to count fired ones by kind. */
  readonly #triggers = new Map<Id, TriggerKind>();
  /** The last listings from events, to count their changed fields. */
  readonly #listings = new Map<string, Listing>();

  count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** Sorted by name, for a report. */
  entries(): readonly (readonly [what: string, times: number])[] {
    return [...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1));
  }

  add(other: Coverage): void {
    for (const [what, times] of other.entries()) this.count(what, times);
  }

  /** The items of a list that were never counted. */
  missing(expected: readonly string[]): readonly string[] {
    return expected.filter((what) => this.of(what) === 0);
  }

  observe({ events, outcome }: Executed, engine: Engine): void {
    this.count('commands');
    for (const refusal of refusalsIn(outcome)) this.count(`refused ${refusal.reason}`);
    for (const event of events) {
      this.count(event.type);
      const detail = detailOf(event) ?? this.#triggerDetail(event);
      if (detail !== undefined) this.count(detail);
      if (event.type === 'coinListed') this.#countChanges('coin', event.coin.coin, event.coin);
      if (event.type === 'instrumentListed')
        this.#countChanges('instrument', keyOf(event.instrument), event.instrument);
    }
    if (engine.state.orders.size >= DEEP_ORDERS) this.count('deep books');
    for (const what of WAITING_WORK)
      if (isWaiting[what](engine.state)) this.count(`${what} waiting`);
  }

  #countChanges(what: 'coin' | 'instrument', name: string, listing: Listing): void {
    const before = this.#listings.get(`${what} ${name}`);
    this.#listings.set(`${what} ${name}`, listing);
    if (before === undefined) return;
    for (const field of changedFields(before, listing)) this.count(`relisted ${what} ${field}`);
  }

  #triggerDetail(event: Event): string | undefined {
    switch (event.type) {
      case 'triggerPlaced':
        this.#triggers.set(event.trigger.triggerId, event.trigger.kind);
        return `placed ${event.trigger.kind}`;
      case 'triggerFired':
        return `fired ${this.#triggers.get(event.triggerId)}`;
      case 'triggerCancelled':
        return `trigger cancelled ${event.reason}`;
      default:
        return undefined;
    }
  }
}

type Listing = Coin | Instrument;

function changedFields(before: Listing, after: Listing): readonly string[] {
  const fields = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual(fields.get(field), value) ? [] : [field],
  );
}

/** The command's own, or those of the items of a batch. */
function refusalsIn(outcome: Result<unknown, Rejection>): readonly Rejection[] {
  if (!outcome.ok) return [outcome.refusal];
  if (!Array.isArray(outcome.value)) return [];
  return (outcome.value as readonly Partial<Result<unknown, Rejection>>[]).flatMap((item) =>
    item?.ok === false && item.refusal !== undefined ? [item.refusal] : [],
  );
}

function detailOf(event: Event): string | undefined {
  switch (event.type) {
    case 'orderEnded':
      return event.end.cancelReason === undefined
        ? undefined
        : `cancelled ${event.end.cancelReason}`;
    case 'fillSettled':
      return `filled ${event.fill.category} ${event.fill.executionKind}`;
    case 'entryPosted':
      return `posted ${event.reason}`;
    default:
      return undefined;
  }
}
