/** Lists of tracked orders, and answers that both sides of copy trading share. */

import { wireRejection } from '../../contract/wire-rejections.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { TrackedOrderRow } from '../../messages/copy-trading.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { endIdOf, isWithin, type PageQuery, pageOf } from '../../views/pages.ts';
import type { Reply } from './handler.ts';

/**
 * A valid request that cannot be carried out now is answered with `fail`, not refused (CPY-151).
 */
export function applied(outcome: Reply<unknown>): Reply<'success' | 'fail'> {
  if (outcome.ok) return ok('success');
  return outcome.refusal.reason === 'copyNotNow' ? ok('fail') : outcome;
}

export const notLeader = refuse(wireRejection('notLeader'));

/** The id from which the next page continues. */
export const pageEndText = (rows: readonly { readonly id: Id }[], page: PageQuery): string => {
  const id = endIdOf(rows, page);
  return id === undefined ? '' : idText(id);
};

/** Filters of open tracked orders; times bound the opening, and an absent time sets no bound. */
interface OpenQuery extends PageQuery {
  readonly category: FuturesCategory;
  readonly symbol?: string | undefined;
  readonly leader?: number | undefined;
  readonly start: Timestamp | undefined;
  readonly end: Timestamp | undefined;
}

export const FOR_EVER = Number.MAX_SAFE_INTEGER as Timestamp;

export function openPage(
  orders: readonly TrackedOrderRow[],
  { category, symbol, leader, start, end, ...page }: OpenQuery,
) {
  const window = { start: start ?? (0 as Timestamp), end: end ?? FOR_EVER };
  const meant = orders.filter(
    (order) =>
      order.category === category &&
      (symbol === undefined || order.symbol === symbol) &&
      (leader === undefined || order.leader === leader) &&
      isWithin(window, order.openedAt),
  );
  return pageOf(
    meant.map((order) => ({ id: order.trackingId, order })),
    page,
  );
}
