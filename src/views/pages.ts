/**
 * Lists as every endpoint shows them: newest first by id, cut into pages by id, and bounded by a
 * window of time.
 */
import type { Id } from '../kernel/ids.ts';
import { ok, type Result, refuse } from '../kernel/result.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import { type Rejection, rejection } from '../messages/rejections.ts';

/** What the rules call three months. */
export const THREE_MONTHS = 90 * DAY;

/**
 * Which part of a list is wanted. `idLessThan` is the page just older, `idGreaterThan` the page
 * just newer; with both, the newest between them.
 */
export interface PageQuery {
  readonly limit: number;
  readonly idLessThan?: Id | undefined;
  readonly idGreaterThan?: Id | undefined;
}

/** Both ends belong to the window. */
export interface TimeWindow {
  readonly start: Timestamp;
  readonly end: Timestamp;
}

export interface WindowAsked {
  readonly start?: Timestamp | undefined;
  readonly end?: Timestamp | undefined;
}

interface Numbered {
  readonly id: Id;
}

/**
 * A caller goes newer only by `idGreaterThan` alone; otherwise a list is read from its newest row
 * down.
 */
export const goesNewer = (page: PageQuery): boolean =>
  page.idGreaterThan !== undefined && page.idLessThan === undefined;

const isInside = (page: PageQuery, id: Id): boolean =>
  (page.idLessThan === undefined || id < page.idLessThan) &&
  (page.idGreaterThan === undefined || id > page.idGreaterThan);

const newestFirst = (left: Numbered, right: Numbered): number => right.id - left.id;

/** The page of a list whose rows come in any order. */
export function pageOf<Row extends Numbered>(rows: Iterable<Row>, page: PageQuery): readonly Row[] {
  const inside: Row[] = [];
  for (const row of rows) if (isInside(page, row.id)) inside.push(row);
  inside.sort(newestFirst);
  return goesNewer(page)
    ? inside.slice(Math.max(0, inside.length - page.limit))
    : inside.slice(0, page.limit);
}

/**
 * The id to pass back to go on the same way; undefined when the page is empty, which the wire shows
 * as an empty text.
 */
export function endIdOf(rows: readonly Numbered[], page: PageQuery): Id | undefined {
  return goesNewer(page) ? rows[0]?.id : rows.at(-1)?.id;
}

/** It names no field: both ends of a window are about it. */
type WindowFault = Omit<Rejection, 'field'>;

/**
 * The window a query is about, with what was left unsaid filled in; `span` is the longest window
 * allowed and the one meant by default.
 */
export function timeWindow(
  asked: WindowAsked,
  now: Timestamp,
  span: number,
): Result<TimeWindow, WindowFault> {
  const end = asked.end ?? endAfter(asked.start, now, span);
  const start = asked.start ?? (Math.max(0, end - span) as Timestamp);
  if (start > end) return refuse(rejection('startAfterEnd'));
  if (end - start > span)
    return refuse(rejection('spanTooLong', undefined, String(Math.floor(span / DAY))));
  return ok({ start, end });
}

/** For what never grows too old to be listed: only times that are said bound it. */
export const givenWindow = (
  asked: WindowAsked,
  now: Timestamp,
  span: number,
): Result<TimeWindow | undefined, WindowFault> =>
  asked.start === undefined && asked.end === undefined
    ? ok(undefined)
    : timeWindow(asked, now, span);

function endAfter(start: Timestamp | undefined, now: Timestamp, span: number): Timestamp {
  return start === undefined ? now : (Math.min(now, start + span) as Timestamp);
}

/** Of two ends that are said; what is left unsaid contradicts nothing. */
export const isReversed = (start: Timestamp | undefined, end: Timestamp | undefined): boolean =>
  start !== undefined && end !== undefined && start > end;

export const isWithin = (window: TimeWindow | undefined, at: Timestamp): boolean =>
  window === undefined || (at >= window.start && at <= window.end);
