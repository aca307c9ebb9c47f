import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Id } from '../kernel/ids.ts';
import { ok, refuse } from '../kernel/result.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import { rejection } from '../messages/rejections.ts';
import { endIdOf, isWithin, type PageQuery, pageOf, THREE_MONTHS, timeWindow } from './pages.ts';

const rowsWith = (...ids: readonly number[]) => ids.map((id) => ({ id: id as Id }));
const idsOf = (rows: readonly { readonly id: Id }[]): readonly number[] =>
  rows.map((row) => row.id);
const id = (value: number): Id => value as Id;
const at = (value: number): Timestamp => value as Timestamp;

describe('pages', () => {
  const rows = rowsWith(3, 9, 5, 7, 1);

  test('[LIST-01] rows are listed newest first, in any storage order', () => {
    expect(idsOf(pageOf(rows, { limit: 10 }))).toEqual([9, 7, 5, 3, 1]);
    expect(idsOf(pageOf(rows, { limit: 2 }))).toEqual([9, 7]);
  });

  test('[LIST-02] the page just older and the page just newer, both newest first', () => {
    expect(idsOf(pageOf(rows, { limit: 2, idLessThan: id(7) }))).toEqual([5, 3]);
    expect(idsOf(pageOf(rows, { limit: 2, idLessThan: id(6) }))).toEqual([5, 3]);
    expect(idsOf(pageOf(rows, { limit: 2, idGreaterThan: id(3) }))).toEqual([7, 5]);
    expect(idsOf(pageOf(rows, { limit: 2, idGreaterThan: id(7) }))).toEqual([9]);
  });

  test('[LIST-03] endId is the smallest id going older and the largest going newer', () => {
    const older: PageQuery = { limit: 2, idLessThan: id(9) };
    expect(endIdOf(pageOf(rows, older), older)).toBe(5);
    const newer: PageQuery = { limit: 2, idGreaterThan: id(1) };
    expect(endIdOf(pageOf(rows, newer), newer)).toBe(5);
    const first: PageQuery = { limit: 2 };
    expect(endIdOf(pageOf(rows, first), first)).toBe(7);
  });

  test('[LIST-04] an empty page has no endId', () => {
    for (const page of [
      { limit: 2, idLessThan: id(1) },
      { limit: 2, idGreaterThan: id(9) },
    ]) {
      expect(pageOf(rows, page)).toEqual([]);
      expect(endIdOf([], page)).toBeUndefined();
    }
  });

  test('[LIST-06] with both ids, the newest rows between them', () => {
    const page: PageQuery = { limit: 2, idLessThan: id(9), idGreaterThan: id(1) };
    expect(idsOf(pageOf(rows, page))).toEqual([7, 5]);
    expect(endIdOf(pageOf(rows, page), page)).toBe(5);
  });

  test('[LIST-02] a page equals filter, sort and slice written out', () => {
    const cursor = fc.option(fc.nat({ max: 60 }), { nil: undefined });
    const limits = fc.integer({ min: 1, max: 8 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 50 })),
        limits,
        cursor,
        cursor,
        (ids, limit, less, greater) => {
          const page: PageQuery = {
            limit,
            ...(less === undefined ? {} : { idLessThan: id(less) }),
            ...(greater === undefined ? {} : { idGreaterThan: id(greater) }),
          };
          const ascending = ids
            .filter((one) => one < (less ?? 99) && one > (greater ?? -1))
            .sort((left, right) => left - right);
          const newer = greater !== undefined && less === undefined;
          const expected = newer
            ? ascending.slice(0, limit).reverse()
            : ascending.reverse().slice(0, limit);
          expect(idsOf(pageOf(rowsWith(...ids), page))).toEqual(expected);
        },
      ),
    );
  });

  test('[LIST-05] paging neither skips nor repeats while rows are added at the head', () => {
    const additions = fc.array(fc.nat({ max: 3 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.nat({ max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        additions,
        fc.boolean(),
        (count, limit, added, goNewer) => {
          const list = rowsWith(...Array.from({ length: count }, (_, index) => index + 1));
          const seen: number[] = [];
          let page: PageQuery = goNewer ? { limit, idGreaterThan: id(0) } : { limit };
          for (let turn = 0; ; turn++) {
            const shown = pageOf(list, page);
            seen.push(...(goNewer ? idsOf(shown).toReversed() : idsOf(shown)));
            const end = endIdOf(shown, page);
            if (end === undefined) break;
            page = goNewer ? { limit, idGreaterThan: end } : { limit, idLessThan: end };
            for (let more = added[turn] ?? 0; more > 0; more--)
              list.push({ id: id(list.length + 1) });
          }
          // Towards older rows, rows added at the head do not appear; towards newer rows, all of
          // them do.
          const last = goNewer ? list.length : count;
          const expected = Array.from({ length: last }, (_, index) => index + 1);
          expect(seen).toEqual(goNewer ? expected : expected.reverse());
        },
      ),
    );
  });
});

describe('time windows', () => {
  const now = at(1_789_000_000_000);
  const span = THREE_MONTHS;

  test('[LIST-08] three months are 90 days, and both ends are inside', () => {
    expect(span).toBe(7_776_000_000);
    const window = { start: at(100), end: at(200) };
    expect([99, 100, 200, 201].map((moment) => isWithin(window, at(moment)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('[LIST-09] missing ends are filled in', () => {
    expect(timeWindow({}, now, span)).toEqual(ok({ start: now - span, end: now }));
    expect(timeWindow({ end: at(now - DAY) }, now, span)).toEqual(
      ok({ start: now - DAY - span, end: now - DAY }),
    );
    expect(timeWindow({ start: at(now - DAY) }, now, span)).toEqual(
      ok({ start: now - DAY, end: now }),
    );
    expect(timeWindow({ start: at(now - span - DAY) }, now, span)).toEqual(
      ok({ start: now - span - DAY, end: now - DAY }),
    );
    expect(timeWindow({ end: at(1_000) }, now, span)).toEqual(ok({ start: 0, end: 1_000 }));
  });

  test('[LIST-09] a start exactly one span before now reaches to now', () => {
    expect(timeWindow({ start: at(now - span) }, now, span)).toEqual(
      ok({ start: now - span, end: now }),
    );
  });

  test('[LIST-10] a start after the end is refused, a start at the end is not', () => {
    expect(timeWindow({ start: at(500), end: at(500) }, now, span)).toEqual(
      ok({ start: 500, end: 500 }),
    );
    expect(timeWindow({ start: at(501), end: at(500) }, now, span)).toEqual(
      refuse(rejection('startAfterEnd')),
    );
    expect(timeWindow({ start: at(now + 1) }, now, span)).toEqual(
      refuse(rejection('startAfterEnd')),
    );
  });

  test('[LIST-10][API-33] one span is allowed, a millisecond more is refused with the allowed days', () => {
    expect(timeWindow({ start: at(now - span), end: now }, now, span)).toEqual(
      ok({ start: now - span, end: now }),
    );
    expect(timeWindow({ start: at(now - span - 1), end: now }, now, span)).toEqual(
      refuse(rejection('spanTooLong', undefined, '90')),
    );
  });

  test('[LIST-10] an accepted window is never longer than its span and never reversed', () => {
    const moment = fc.option(fc.nat({ max: 400 }), { nil: undefined });
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.nat({ max: 400 }),
        fc.integer({ min: 1, max: 100 }),
        (start, end, present, longest) => {
          const window = timeWindow(
            {
              ...(start === undefined ? {} : { start: at(start) }),
              ...(end === undefined ? {} : { end: at(end) }),
            },
            at(present),
            longest,
          );
          // Only a given start can be wrong.
          if (!window.ok) {
            expect(start).toBeDefined();
            return;
          }
          expect(window.value.end - window.value.start).toBeLessThanOrEqual(longest);
          expect(window.value.start).toBeLessThanOrEqual(window.value.end);
          if (start !== undefined) expect(window.value.start).toBe(start);
          if (end !== undefined) expect(window.value.end).toBe(end);
        },
      ),
    );
  });
});
