/**
 * Names that users of the naive exchange give their orders and those that wait for a price: for six
 * hours a name stands for what was asked for under it first.
 */
import type { NaiveDraft } from './naive-placing.ts';
import type { NaiveInstrument, NaiveUser } from './naive-state.ts';
import { isOfMargin } from './naive-statuses.ts';
import type { NaivePlan } from './naive-trigger-calls.ts';
import { wayOut } from './naive-ways-out.ts';
import { shown, units } from './whole-units.ts';

const SIX_HOURS = 6 * 3_600_000;

export interface NaiveName {
  readonly user: NaiveUser;
  readonly name: string;
  readonly at: number;
  readonly instrument: NaiveInstrument;
  readonly draft?: NaiveDraft;
  /** Of one that waits for a price. */
  readonly plan?: NaivePlan;
  /** All that was asked for, without what does not apply. */
  readonly content: string;
  /** What was answered when it was placed. */
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
    draft.asksWaysOut
      ? `${wayOut(draft.attached?.takeProfit)} ${wayOut(draft.attached?.stopLoss)}`
      : 'none none',
  ].join();
}

/** Who has taken a name in the last six hours, and for what. */
export const takenName = (
  { names, now }: Registry,
  user: NaiveUser,
  name: string | undefined,
): NaiveName | undefined =>
  names.findLast((each) => each.user === user && each.name === name && now - each.at < SIX_HOURS);

/** Undefined where the name is free; otherwise the answer. */
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
