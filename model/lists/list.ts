/** A list by the rules, and the obvious answer to a question about it: filter, sort, slice. */
import type { Known } from './known.ts';
import type { Answered, Asked, EndpointName } from './program.ts';
import { type Row, wireId } from './row.ts';

const DAY = 86_400_000;

/** The time bounds of a list. */
export interface Window {
  /** The longest window, and the default; without it, only given times bound the list. */
  readonly days?: number;
  readonly moreMs?: number;
  /** Rows never expire: without times there is no window (LIST-12). */
  readonly onlyGiven?: boolean;
  /** Rounded down to the minute (CPY-35). */
  readonly byMinute?: boolean;
  readonly needs?: readonly ('startTime' | 'endTime')[];
  /** Both times or none; the default is yesterday in UTC+8 (AGT-05, AGT-06). */
  readonly ofAgents?: boolean;
}

export interface List {
  readonly name: EndpointName;
  readonly rows: (known: Known, caller: number, asked: Asked) => readonly Row[];
  /** The same for all callers. */
  readonly ofAll?: boolean;
  /** Fields of a question on which the rows depend. */
  readonly dependsOn?: readonly string[];
  readonly filters: readonly string[];
  /** Fields that every question has. */
  readonly needed?: readonly string[];
  /** Fields other than filters, with their values. */
  readonly switches?: Readonly<Record<string, readonly string[]>>;
  readonly size: readonly [name: string, usual: number, most: number];
  readonly older?: string;
  readonly newer?: string;
  /** Field of the page number. */
  readonly page?: string;
  readonly window?: Window;
  /** With one of these fields, old rows are found too (LIST-21). */
  readonly names?: readonly string[];
  /** Refusal code of a caller without access. */
  readonly refusal?: (known: Known, caller: number) => string | undefined;
  readonly answer: (page: readonly Row[], asked: Asked, end: Row | undefined) => unknown;
  /** The list inside an answer. */
  readonly listed: (data: unknown) => readonly Readonly<Record<string, unknown>>[];
}

/** Words are compared without case; names given by users with case. */
const EXACT = new Set(['orderId', 'clientOid', 'referralCode', 'operator', 'symbolAsGiven']);

function isFound({ is }: Row, filter: string, input: string): boolean {
  const value = is[filter];
  if (value === undefined) return false;
  const values = typeof value === 'string' ? [value] : value;
  return values.some((each) =>
    EXACT.has(filter) ? each === input : each.toUpperCase() === input.toUpperCase(),
  );
}

interface Bounds {
  readonly start: number;
  readonly end: number;
}
const ALWAYS: Bounds = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** Last midnight in UTC+8. */
const startOfDay = (at: number): number =>
  Math.floor((at + 8 * 3_600_000) / DAY) * DAY - 8 * 3_600_000;

function agentBounds(
  start: number | undefined,
  end: number | undefined,
  now: number,
): Bounds | string {
  if (start === undefined && end === undefined)
    return { start: startOfDay(now) - DAY, end: startOfDay(now) - 1 };
  if (start === undefined || end === undefined) return '40913';
  if (start > end) return '40707';
  if (end - start > 30 * DAY) return '70008';
  const askedAt = end < now && end >= now - 30_000 ? end : now;
  return start < askedAt - 30 * DAY ? '70008' : { start, end };
}

function spanBounds(
  start: number | undefined,
  end: number | undefined,
  now: number,
  span: number,
): Bounds | string {
  const to = end ?? (start === undefined ? now : Math.min(now, start + span));
  const from = start ?? Math.max(0, to - span);
  if (from > to) return '40707';
  return to - from > span ? '40705' : { start: from, end: to };
}

function boundsOf(list: List, asked: Asked, now: number): Bounds | string {
  const { window } = list;
  if (window === undefined) return ALWAYS;
  const [start, end] = [asked.startTime, asked.endTime].map((text) =>
    text === undefined ? undefined : Number.parseInt(text, 10),
  );
  const isGiven = start !== undefined || end !== undefined;
  const isNamed = (list.names ?? []).some((name) => asked[name] !== undefined);
  if (isNamed && !isGiven) return ALWAYS;
  if (window.ofAgents === true) return agentBounds(start, end, now);
  if (window.days !== undefined) {
    if (window.onlyGiven === true && !isGiven) return ALWAYS;
    return spanBounds(start, end, now, window.days * DAY + (window.moreMs ?? 0));
  }
  if (start !== undefined && end !== undefined && start > end) return '40707';
  const whole = (at: number): number => (window.byMinute === true ? at - (at % 60_000) : at);
  return {
    start: start === undefined ? 0 : whole(start),
    end: end === undefined ? Number.MAX_SAFE_INTEGER : whole(end),
  };
}

const SIZE = /^0*[1-9]\d{0,8}$/;
const PLACE = /^\d{1,20}$/;

/** Refusal of the page fields. */
function refusalOfPage(list: List, asked: Asked): string | undefined {
  const [sizeName, , most] = list.size;
  const input = asked[sizeName];
  if (input !== undefined && (!SIZE.test(input) || Number.parseInt(input, 10) > most))
    return '40053';
  const cursors = [list.older, list.newer].map((name) =>
    name === undefined ? undefined : asked[name],
  );
  return cursors.some((cursor) => cursor !== undefined && !PLACE.test(cursor))
    ? '40020'
    : undefined;
}

/** The order id wins over the client id. */
const filtersOf = (list: List, asked: Asked): readonly string[] =>
  [...list.filters, ...(list.needed ?? [])].filter(
    (filter) =>
      asked[filter] !== undefined && !(filter === 'clientOid' && asked.orderId !== undefined),
  );

const remembered = new WeakMap<Known, Map<string, readonly Row[]>>();

/** Rows of a list do not change until the next event. */
export function rowsOf(list: List, known: Known, caller: number, asked: Asked): readonly Row[] {
  const ofKnown = remembered.get(known) ?? new Map<string, readonly Row[]>();
  remembered.set(known, ofKnown);
  const key = [
    list.name,
    list.ofAll === true ? '' : caller,
    ...(list.dependsOn ?? []).map((name) => asked[name] ?? ''),
  ].join();
  const rows = ofKnown.get(key) ?? list.rows(known, caller, asked);
  ofKnown.set(key, rows);
  return rows;
}

/** All matching rows on all pages, newest first. */
export function meantRows(
  list: List,
  known: Known,
  caller: number,
  asked: Asked,
  bounds: Bounds,
): readonly Row[] {
  const filters = filtersOf(list, asked);
  return rowsOf(list, known, caller, asked)
    .filter((row) => filters.every((filter) => isFound(row, filter, asked[filter]!)))
    .filter(({ time }) => time >= bounds.start && time <= bounds.end)
    .toSorted((one, other) => other.id - one.id);
}

function pageOf(
  list: List,
  asked: Asked,
  rows: readonly Row[],
): { readonly page: readonly Row[]; readonly end: Row | undefined } {
  const [sizeName, usual] = list.size;
  const size = asked[sizeName] === undefined ? usual : Number.parseInt(asked[sizeName], 10);
  if (list.page !== undefined) {
    const first = (Number.parseInt(asked[list.page] ?? '1', 10) - 1) * size;
    return { page: rows.slice(first, first + size), end: undefined };
  }
  const [less, greater] = [list.older, list.newer].map((name) =>
    name === undefined ? undefined : asked[name],
  );
  const inside = rows.filter(({ id }) => {
    const place = BigInt(wireId(id));
    return (
      (less === undefined || place < BigInt(less)) &&
      (greater === undefined || place > BigInt(greater))
    );
  });
  const goesNewer = greater !== undefined && less === undefined;
  const page = goesNewer ? inside.slice(Math.max(0, inside.length - size)) : inside.slice(0, size);
  return { page, end: goesNewer ? page[0] : page.at(-1) };
}

export interface Expected {
  readonly answered: Answered;
  readonly page: readonly Row[];
}

export function expectedOf(
  list: List,
  known: Known,
  caller: number,
  asked: Asked,
  now: number,
): Expected {
  const refused = (code: string): Expected => ({ answered: { code }, page: [] });
  const wrong = refusalOfPage(list, asked) ?? list.refusal?.(known, caller);
  if (wrong !== undefined) return refused(wrong);
  const bounds = boundsOf(list, asked, now);
  if (typeof bounds === 'string') return refused(bounds);
  const { page, end } = pageOf(list, asked, meantRows(list, known, caller, asked, bounds));
  return { answered: { data: list.answer(page, asked, end) }, page };
}

/** The program's answer without the fields that events do not determine. */
export function comparable(list: List, answered: Answered, page: readonly Row[]): Answered {
  if (!('data' in answered)) return answered;
  const rows = list.listed(answered.data);
  const kept = rows.map((row, place) => {
    const names = page[place]?.shown;
    return names === undefined
      ? row
      : Object.fromEntries(Object.entries(row).filter(([name]) => name in names));
  });
  if (Array.isArray(answered.data)) return { data: kept };
  const data = answered.data as Readonly<Record<string, unknown>>;
  return {
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, value === rows ? kept : value]),
    ),
  };
}
