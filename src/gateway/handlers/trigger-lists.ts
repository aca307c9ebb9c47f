/** Lists of trigger orders, live and ended. */
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { ok } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { familyOf, type TriggerFamily, triggerOfRow } from '../../views/history/ended-triggers.ts';
import {
  givenWindow,
  isWithin,
  type PageQuery,
  pageOf,
  THREE_MONTHS,
  timeWindow,
} from '../../views/pages.ts';
import type { TriggerRecord, TriggerStatus } from '../../views/records.ts';
import { isNamed } from '../../views/triggers.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { Reply } from './handler.ts';

export interface TriggerListQuery extends PageQuery {
  readonly uid: Uid;
  /** Categories without triggers have empty lists. */
  readonly category: Category;
  /** Absent means every kind. */
  readonly families?: readonly TriggerFamily[] | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: Id | undefined;
  readonly clientOid?: ClientOid | undefined;
  readonly status?: TriggerStatus | undefined;
  readonly startTime?: Timestamp | undefined;
  readonly endTime?: Timestamp | undefined;
}

const isMeant = (
  record: TriggerRecord,
  { category, families, symbol, status, orderId, clientOid }: TriggerListQuery,
): boolean =>
  record.trigger.category === category &&
  (families === undefined || families.includes(familyOf(record.trigger.kind))) &&
  (symbol === undefined || record.trigger.symbol === symbol) &&
  (status === undefined || record.status === status) &&
  isNamed(record, orderId, clientOid);

const page = (records: readonly TriggerRecord[], query: PageQuery): readonly TriggerRecord[] =>
  pageOf(
    records.map((record) => ({ id: record.trigger.triggerId, record })),
    query,
  ).map(({ record }) => record);

/** Live triggers have no age limit: only given times bound the list (LIST-12). */
export function pendingTriggers(
  { triggers }: ViewQueries,
  query: TriggerListQuery,
  now: Timestamp,
): Reply<readonly TriggerRecord[]> {
  const { startTime: start, endTime: end } = query;
  const window = givenWindow({ start, end }, now, THREE_MONTHS);
  if (!window.ok) return window;
  const meant = triggers
    .live(query.uid)
    .filter((record) => isMeant(record, query) && isWithin(window.value, record.trigger.createdAt));
  return ok(page(meant, query));
}

/**
 * Merges stored triggers with fired ones whose order is still open. The open ones are read after
 * history has answered, so that a trigger that fires meanwhile is listed (VIEW-31).
 */
export function together(
  working: readonly TriggerRecord[],
  stored: readonly TriggerRecord[],
  query: PageQuery,
): readonly TriggerRecord[] {
  if (working.length === 0) return stored;
  const byId = new Map([...working, ...stored].map((record) => [record.trigger.triggerId, record]));
  return page([...byId.values()], query);
}

/** A trigger requested by id has no age limit (LIST-21). */
export async function endedTriggers(
  { triggers, history }: ViewQueries,
  query: TriggerListQuery,
  now: Timestamp,
): Promise<Reply<readonly TriggerRecord[]>> {
  const { startTime: start, endTime: end, orderId: triggerId, clientOid, ...asked } = query;
  const isOne = triggerId !== undefined || clientOid !== undefined;
  const window = (isOne ? givenWindow : timeWindow)({ start, end }, now, THREE_MONTHS);
  if (!window.ok) return window;
  const named = triggerId === undefined ? { clientOid } : { triggerId };
  const stored = (await history.endedTriggers({ ...asked, ...named, ...window.value })).map(
    triggerOfRow,
  );
  const working = triggers
    .working(query.uid)
    .filter((record) => isMeant(record, query) && isWithin(window.value, record.trigger.createdAt));
  return ok(together(working, stored, query));
}
