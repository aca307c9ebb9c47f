/**
 * Lists of all endpoints: newest first by id, cut into pages by id, and limited to a time window.
 */
import type { Id } from '../kernel/ids.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import { type Rejection, rejection } from '../messages/rejections.ts';

/** Three months, as the rules define them. */
export const THREE_MONTHS = 90 * DAY;

/**
 * The requested part of a list. `idLessThan` gives the page just older, `idGreaterThan` the page
 * just newer; with both, the newest rows between them.
 */
export interface PageQuery {
  readonly limit: number;
  readonly idLessThan?: Id | undefined;
  readonly idGreaterThan?: Id | undefined;
}

/** Both ends are inclusive. */
export interface TimeWindow {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

export interface WindowRequest {
  readonly start?: Timestamp | undefined;
  readonly end?: Timestamp | undefined;
}

interface Numbered {
  readonly id: Id;
}

/** Only `idGreaterThan` alone reads towards newer rows; all other pages start at the newest. */
export const goesNewer = (page: PageQuery): boolean =>
  page.idGreaterThan !== undefined && page.idLessThan === undefined;

const isInside = (page: PageQuery, id: Id): boolean =>
  (page.idLessThan === undefined || id < page.idLessThan) &&
  (page.idGreaterThan === undefined || id > page.idGreaterThan);

const newestFirst = (left: Numbered, right: Numbered): number => right.id - left.id;

/** The page of a list whose rows are in any order. */
export function pageOf<Row extends Numbered>(rows: Iterable<Row>, page: PageQuery): readonly Row[] {
  const inside: Row[] = [];
  for (const row of rows) if (isInside(page, row.id)) inside.push(row);
  inside.sort(newestFirst);
  return goesNewer(page)
    ? inside.slice(Math.max(0, inside.length - page.limit))
    : inside.slice(0, page.limit);
}

/**
 * The id for the next page in the same direction; undefined for an empty page, which the wire shows
 * as an empty text.
 */
export function endIdOf(rows: readonly Numbered[], page: PageQuery): Id | undefined {
  return goesNewer(page) ? rows[0]?.id : rows.at(-1)?.id;
}

/** It names no field: both ends of a window are about it. */
type WindowFault = Omit<Rejection, 'field'>;

/**
 * The window of a query with missing ends filled in; `span` is both the longest window and the
 * default.
 */
export function timeWindow(
  request: WindowRequest,
  now: Timestamp,
  span: number,
): Result<TimeWindow, WindowFault> {
  const end = request.end ?? endAfter(request.start, now, span);
  const start = request.start ?? (Math.max(0, end - span) as Timestamp);
  if (start > end) return refuse(rejection('startAfterEnd'));
  if (end - start > span)
    return refuse(rejection('spanTooLong', undefined, String(Math.floor(span / DAY))));
  return ok({ start, end });
}

/** For lists without an age limit: only the given ends bound it. */
export const givenWindow = (
  request: WindowRequest,
  now: Timestamp,
  span: number,
): Result<TimeWindow | undefined, WindowFault> =>
  request.start === undefined && request.end === undefined
    ? ok(undefined)
    : timeWindow(request, now, span);

function endAfter(start: Timestamp | undefined, now: Timestamp, span: number): Timestamp {
  return start === undefined ? now : (Math.min(now, start + span) as Timestamp);
}

/** Whether two given ends are in the wrong order; a missing end is never wrong. */
export const isReversed = (start: Timestamp | undefined, end: Timestamp | undefined): boolean =>
  start !== undefined && end !== undefined && start > end;

export const isWithin = (window: TimeWindow | undefined, at: Timestamp): boolean =>
  window === undefined || (at >= window.start && at <= window.end);
