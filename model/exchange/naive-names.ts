/**
 * Client ids of orders and triggers in the naive exchange. An id names its first request for six
 * hours.
 */

import { tpslText } from './naive-attached-tpsl.ts';
import type { NaiveDraft } from './naive-placing.ts';
import type { NaiveInstrument, NaiveUser } from './naive-state.ts';
import { isOfMargin } from './naive-statuses.ts';
import type { NaivePlan } from './naive-trigger-calls.ts';
import { shown, units } from './whole-units.ts';

const SIX_HOURS = 6 * 3_600_000;

export interface NaiveName {
  readonly user: NaiveUser;
  readonly name: string;
  readonly at: number;
  readonly instrument: NaiveInstrument;
  readonly draft?: NaiveDraft;
  /** For a trigger. */
  readonly plan?: NaivePlan;
  /** The whole request, without fields that do not apply. */
  readonly content: string;
  /** The answer when it was placed. */
  emitted?: string;
}

interface Registry {
  readonly now: number;
  readonly names: NaiveName[];
}

const plain = (text: string | undefined): string =>
  text === undefined ? 'none' : shown(units(text));

export function contentOf(
  user: NaiveUser,
  { category, symbol }: NaiveInstrument,
  draft: NaiveDraft,
): string {
  const isFuture = category !== 'SPOT';
  return [
    isOfMargin(draft) && !isFuture ? 'MARGIN' : category,
    draft.loanType,
    symbol,
    draft.side,
    plain(draft.size),
    draft.market ? 'market' : `${plain(draft.price)} ${draft.timeInForce}`,
    isFuture && user.hedge ? draft.positionSide : '',
    isFuture && !user.hedge && draft.reduceOnly,
    draft.stp ?? 'none',
    isFuture ? draft.marginMode : '',
    draft.asksTpsl
      ? `${tpslText(draft.attached?.takeProfit)} ${tpslText(draft.attached?.stopLoss)}`
      : 'none none',
  ].join();
}

/** The request that used the id in the last six hours. */
export const takenName = (
  { names, now }: Registry,
  user: NaiveUser,
  name: string | undefined,
): NaiveName | undefined =>
  names.findLast((each) => each.user === user && each.name === name && now - each.at < SIX_HOURS);

/** Undefined if the id is free; otherwise the answer. */
export function answerByName(
  books: Registry,
  user: NaiveUser,
  name: string | undefined,
  content: string,
): string | undefined {
  const taken = takenName(books, user, name);
  if (taken === undefined) return undefined;
  return taken.content === content ? 'accepted' : 'duplicateClientOid';
}

export function takeName(
  books: Registry,
  user: NaiveUser,
  name: string | undefined,
  asked: Omit<NaiveName, 'user' | 'name' | 'at'>,
): void {
  if (name !== undefined) books.names.push({ user, name, at: books.now, ...asked });
}
