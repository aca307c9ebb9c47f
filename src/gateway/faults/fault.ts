/**
 * One fault that is set: which calls it is meant for, how many of them it has met, and whether it
 * strikes the next.
 */
import type { CallKind, EffectKind, FaultEffect, FaultMatch } from '../../contract/fault-fields.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';

/** A call as faults look at it. */
export interface SeenCall {
  /** Name of the endpoint's row. */
  readonly name: string;
  readonly uid: Uid;
  readonly clientOids: ReadonlySet<string>;
}

/** Calls that make something which could be made twice, by the names of their rows. */
export const placesSomething = (name: string): boolean =>
  name.startsWith('place') || name.startsWith('request');

/** The question what became of one order, as each door asks it. */
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

/** Whether the row of this name is a call of that kind, on whichever door (FLT-07). */
export const isOfKind = (name: string, kind: CallKind): boolean => KINDS[kind](name);

/**
 * These speak of an order: unless calls are chosen otherwise they are meant for those that place
 * one (FLT-03).
 */
const ABOUT_ORDERS: ReadonlySet<EffectKind> = new Set(['reply', 'cut', 'hide']);
const isAboutOrders = (effect: FaultEffect): boolean =>
  ABOUT_ORDERS.has(effect.kind) || (effect.kind === 'status' && effect.order === 'placed');

/** A call ends in one way only; waiting, hiding and dripping go along with any end. */
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
  /** Name of the row behind `match.endpoint`. */
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
   * Counts a call that matches, and tells whether it is one to strike. Asked once for each call, so
   * that chance and count go on evenly.
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
