/** One fault: the calls it matches, how many it has seen, and whether it affects the next. */
import type { CallKind, EffectKind, FaultEffect, FaultMatch } from '../../contract/fault-fields.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';

/** A call in the form that faults match. */
export interface SeenCall {
  /** Name of the endpoint's row. */
  readonly name: string;
  readonly uid: Uid;
  readonly clientOids: ReadonlySet<string>;
}

/** True for calls that could create something twice, by the name of their row. */
export const placesSomething = (name: string): boolean =>
  name.startsWith('place') || name.startsWith('request');

/** The queries for one order, in each API version. */
const ORDER_QUESTIONS: ReadonlySet<string> = new Set([
  'getOrder',
  'getFuturesOrder',
  'getSpotOrder',
]);

const KINDS: Readonly<Record<CallKind, (name: string) => boolean>> = {
  place: placesSomething,
  cancel: (name) => name.startsWith('cancel') && !name.endsWith('Withdrawal'),
  ask: (name) => ORDER_QUESTIONS.has(name),
};

/** True if the row of this name is a call of that kind, in any API version (FLT-07). */
export const isOfKind = (name: string, kind: CallKind): boolean => KINDS[kind](name);

/**
 * Effects on orders: unless `match` chooses other calls, they affect calls that place an order
 * (FLT-03).
 */
const ABOUT_ORDERS: ReadonlySet<EffectKind> = new Set(['reply', 'cut', 'hide']);
const isAboutOrders = (effect: FaultEffect): boolean =>
  ABOUT_ORDERS.has(effect.kind) || (effect.kind === 'status' && effect.order === 'placed');

/**
 * Effects that end a call. A call has only one of them; delays, hiding and dripping combine with
 * it.
 */
export type EffectPart = 'end' | 'before' | 'after' | 'hide' | 'drip';
export function partOf(effect: FaultEffect): EffectPart {
  if (effect.kind === 'delay') return effect.when;
  if (effect.kind === 'hide' || effect.kind === 'drip') return effect.kind;
  return 'end';
}

export interface FaultRequest {
  readonly name: string | undefined;
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
}

export class Fault {
  readonly id: string;
  readonly name: string | undefined;
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
  readonly times: number;
  /** Row name for `match.endpoint`. */
  readonly #endpoint: string | undefined;
  readonly #kind: CallKind | undefined;
  readonly #chance: Random | undefined;
  #met = 0;
  #hits = 0;

  constructor(id: string, { name, match, effect }: FaultRequest, endpoint: string | undefined) {
    this.id = id;
    this.name = name;
    this.match = match;
    this.effect = effect;
    this.times = match.times ?? 1;
    this.#endpoint = endpoint;
    this.#kind =
      match.call ?? (endpoint === undefined && isAboutOrders(effect) ? 'place' : undefined);
    this.#chance = match.probability === undefined ? undefined : seededRandom(match.seed ?? 1);
  }

  get hits(): number {
    return this.#hits;
  }

  /**
   * Counts a matching call and returns whether the fault affects it. It runs once for each call, so
   * that count and random draws stay in step.
   */
  isDue(call: SeenCall): boolean {
    if (!this.#isMeant(call)) return false;
    this.#met++;
    const { nth = 1, probability = 1 } = this.match;
    if (this.#met < nth || this.#hits >= this.times) return false;
    return this.#chance === undefined || this.#chance.fraction() < probability;
  }

  strike(): void {
    this.#hits++;
  }

  #isMeant({ name, uid, clientOids }: SeenCall): boolean {
    const { match } = this;
    if (this.#endpoint !== undefined && this.#endpoint !== name) return false;
    if (this.#kind !== undefined && !isOfKind(name, this.#kind)) return false;
    if (match.uid !== undefined && match.uid !== uid) return false;
    return match.clientOid === undefined || clientOids.has(match.clientOid);
  }
}
