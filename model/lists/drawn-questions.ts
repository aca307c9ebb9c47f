/**
 * Draws questions about a list: filters from its rows, times at the edge of a row's time, and pages
 * of one row or of too many.
 */
import type { Random } from '../../src/kernel/random.ts';
import type { List } from './list.ts';
import type { Asked } from './program.ts';
import { type Row, wireId } from './row.ts';

const DAY = 86_400_000;

/** Values for filters that no row has. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  category: ['USDT-FUTURES', 'COIN-FUTURES', 'SPOT'],
  productType: ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'],
  symbol: ['BTCUSDT', 'ETHUSDT'],
  planType: ['normal_plan', 'track_plan', 'profit_loss'],
  coin: ['USDT', 'BTC'],
  fromType: ['spot', 'isolated_margin'],
};
/** Some lists exist only for futures. */
const FUTURES_ALONE = new Set(['listPositionHistory', 'listFundingRates']);
/** Names that no row has. */
const ANONYMOUS: Readonly<Record<string, string>> = {
  orderId: '1000000000009999999',
  clientOid: 'none',
  uid: '999',
  traderId: '999',
};
const SPOKEN_IN_ANY_CASE = new Set([
  'category',
  'productType',
  'planType',
  'type',
  'status',
  'orderSource',
  'coin',
]);

const filterValue = (random: Random, { is }: Row, filter: string): string | undefined => {
  const value = is[filter];
  return typeof value === 'string' || value === undefined ? value : random.pick(value);
};

function inSomeCase(random: Random, filter: string, value: string): string {
  return SPOKEN_IN_ANY_CASE.has(filter) && random.below(3) === 0 ? value.toLowerCase() : value;
}

function drawFilter(
  random: Random,
  list: List,
  rows: readonly Row[],
  row: Row | undefined,
  filter: string,
): string | undefined {
  if (random.below(12) === 0 && ANONYMOUS[filter] !== undefined) return ANONYMOUS[filter];
  const other = rows.length > 0 && random.below(5) === 0 ? random.pick(rows) : row;
  const value = other === undefined ? undefined : filterValue(random, other, filter);
  const usual =
    FUTURES_ALONE.has(list.name) && filter === 'category'
      ? USUAL.productType!
      : (USUAL[filter] ?? []);
  const input =
    value === undefined || value === ''
      ? usual.length === 0
        ? undefined
        : random.pick(usual)
      : value;
  return input === undefined ? undefined : inSomeCase(random, filter, input);
}

/** At a row's own time, one millisecond beside it, and at the ends of the window. */
function drawTime(
  random: Random,
  list: List,
  rows: readonly Row[],
  row: Row | undefined,
  now: number,
): string {
  const span = (list.window?.days ?? 30) * DAY + (list.window?.moreMs ?? 0);
  const own = row?.time ?? now;
  const other = rows.length > 0 ? random.pick(rows).time : now;
  return String(
    random.pick([
      own,
      own,
      own,
      own - 1,
      own + 1,
      other,
      other + 1,
      now,
      now - span,
      now - span - 1,
      own + span,
      own + span + 1,
      now + 5,
    ]),
  );
}

function drawTimes(
  random: Random,
  list: List,
  rows: readonly Row[],
  row: Row | undefined,
  now: number,
): Asked {
  const { window } = list;
  if (window === undefined) return {};
  // Lists of agents need both times or none.
  const odds = window.ofAgents === true ? random.pick([1, 1, 3]) : 3;
  const draw = (name: 'startTime' | 'endTime'): Asked =>
    (window.needs ?? []).includes(name) || random.below(odds) === 0
      ? { [name]: drawTime(random, list, rows, row, now) }
      : {};
  const times = { ...draw('startTime'), ...draw('endTime') };
  // Mostly in the right order.
  const { startTime, endTime } = times as { startTime?: string; endTime?: string };
  if (
    startTime === undefined ||
    endTime === undefined ||
    Number(startTime) <= Number(endTime) ||
    random.below(5) === 0
  )
    return times;
  return { startTime: endTime, endTime: startTime };
}

function drawSize(random: Random, [name, usual, most]: List['size']): Asked {
  if (random.below(3) === 0) return {};
  return { [name]: String(random.pick([1, 2, 3, 7, usual, most])) };
}

/** Only one field is wrong, because the order of checks is not promised. */
function drawMistake(random: Random, { size: [name, , most], older }: List): Asked {
  if (older !== undefined && random.below(3) === 0)
    return { [older]: random.pick(['abc', '1x', '-5', '100000000000000000001']) };
  return { [name]: random.pick(['0', String(most + 1), '-1', 'x', '1.5']) };
}

/** At a row, just above it, or at no row. */
function drawCursor(
  random: Random,
  name: string | undefined,
  rows: readonly Row[],
  row: Row | undefined,
  odds: number,
): Asked {
  if (name === undefined || random.below(odds) !== 0) return {};
  if (random.below(20) === 0) return { [name]: random.pick(['1', '99999999999999999999']) };
  const at = random.below(2) === 0 || rows.length === 0 ? row : random.pick(rows);
  return { [name]: at === undefined ? '1000000000000000001' : wireId(at.id + random.below(2)) };
}

export function drawQuestion(random: Random, list: List, rows: readonly Row[], now: number): Asked {
  const row = rows.length === 0 ? undefined : random.pick(rows);
  const input: Record<string, string> = {};
  const say = (filter: string): void => {
    const value = drawFilter(random, list, rows, row, filter);
    if (value !== undefined) input[filter] = value;
  };
  for (const filter of list.needed ?? []) {
    input[filter] =
      (row === undefined ? undefined : filterValue(random, row, filter)) ??
      random.pick(USUAL[filter]!);
    if (FUTURES_ALONE.has(list.name) && input[filter] === 'SPOT') input[filter] = 'USDT-FUTURES';
    input[filter] = inSomeCase(random, filter, input[filter]);
  }
  for (const filter of list.filters) if (random.below(4) === 0) say(filter);
  for (const [name, words] of Object.entries(list.switches ?? {}))
    if (random.below(2) === 0) input[name] = random.pick(words);
  const pageNumber =
    list.page !== undefined && random.below(3) === 0
      ? { [list.page]: String(1 + random.below(4)) }
      : {};
  const size = drawSize(random, list.size);
  const mistake = random.below(15) === 0 ? drawMistake(random, list) : {};
  const cursors = {
    ...drawCursor(random, list.older, rows, row, 3),
    ...drawCursor(random, list.newer, rows, row, 4),
  };
  return {
    ...input,
    ...drawTimes(random, list, rows, row, now),
    ...size,
    ...cursors,
    ...pageNumber,
    ...mistake,
  };
}

/** All fields that a list can be queried by. */
export const namesOf = ({
  filters,
  window,
  older,
  newer,
  page,
  size: [size],
}: List): readonly string[] =>
  [
    ...filters,
    ...(window === undefined ? [] : ['startTime', 'endTime']),
    older,
    newer,
    page,
    size,
  ].filter((name) => name !== undefined);

/** A question by one field only, about one of the newest rows. */
export function plainQuestion(
  random: Random,
  list: List,
  rows: readonly Row[],
  name: string,
): Asked {
  const fitting = rows.filter(({ is }) => !list.filters.includes(name) || (is[name] ?? '') !== '');
  const row = random.pick(
    (fitting.length === 0 ? rows : fitting).toSorted((one, other) => other.id - one.id).slice(0, 3),
  );
  const value = filterValue(random, row, name);
  const needed = (list.needed ?? []).map((each) => [each, filterValue(random, row, each) ?? '']);
  const places: Readonly<Record<string, string>> = {
    [list.older ?? '']: wireId(row.id + 1),
    [list.newer ?? '']: wireId(Math.max(0, row.id - 1)),
    [list.page ?? '']: '1',
    [list.size[0]]: '1',
  };
  const times = { startTime: String(row.time), endTime: String(row.time) };
  const isTime = name === 'startTime' || name === 'endTime';
  const needsTimes = list.window?.ofAgents === true || list.window?.needs !== undefined;
  const input = isTime ? times[name] : (places[name] ?? value);
  const asked = input === undefined || input === '' ? {} : { [name]: input };
  return { ...Object.fromEntries(needed), ...(needsTimes ? times : {}), ...asked } as Asked;
}
