import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REFUSED, SlidingWindow } from './sliding-window.ts';

describe('one caller', () => {
  test('[LIM-01] twenty are accepted and the twenty-first is refused', () => {
    const window = new SlidingWindow(20);
    for (let at = 0; at < 20; at++) expect(window.take(1, 100)).toBe(19 - at);
    expect(window.take(1, 100)).toBe(REFUSED);
  });

  test('[LIM-02] the window slides: calls at the end of one second leave no room in the next second', () => {
    const window = new SlidingWindow(20);
    for (let at = 0; at < 20; at++) window.take(1, 990);
    expect(window.take(1, 1_010)).toBe(REFUSED);
    expect(window.take(1, 1_989.9)).toBe(REFUSED);
    expect(window.take(1, 1_990)).toBe(19);
  });

  test('[LIM-02] each slot becomes free when its call is 1,000 ms old', () => {
    const window = new SlidingWindow(3);
    window.take(1, 0);
    window.take(1, 400);
    window.take(1, 800);
    expect(window.take(1, 999)).toBe(REFUSED);
    expect(window.take(1, 1_000)).toBe(0);
    expect(window.take(1, 1_399)).toBe(REFUSED);
    expect(window.take(1, 1_400)).toBe(0);
  });

  test('[LIM-03] refused calls do not count and do not lengthen the wait', () => {
    const window = new SlidingWindow(2);
    window.take(1, 0);
    window.take(1, 0);
    for (let now = 1; now < 1_000; now++) expect(window.take(1, now)).toBe(REFUSED);
    expect(window.take(1, 1_000)).toBe(1);
  });

  test('[LIM-04] the remaining count is the number of free slots', () => {
    const window = new SlidingWindow(5);
    expect([0, 100, 200].map((now) => window.take(1, now))).toEqual([4, 3, 2]);
    // At 1,150 the calls of 0 and 100 have expired; this one and that of 200 count.
    expect(window.take(1, 1_150)).toBe(3);
  });
});

test('[LIM-01] at most N calls are accepted in any 1,000 ms, and no call is refused without need', () => {
  const gaps = fc.array(
    fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 900, max: 2_100 })),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), gaps, (perSecond, steps) => {
      const window = new SlidingWindow(perSecond);
      const accepted: number[] = [];
      let now = 0;
      for (const step of steps) {
        now += step;
        // The model stores every accepted call and counts those younger than a second.
        const recent = accepted.filter((at) => now - at < 1_000).length;
        const left = window.take('caller', now);
        expect(left === REFUSED).toBe(recent >= perSecond);
        if (left === REFUSED) continue;
        accepted.push(now);
        expect(left).toBe(perSecond - recent - 1);
      }
    }),
  );
});

describe('many callers', () => {
  test('[LIM-05] a caller does not use another caller’s slots', () => {
    const window = new SlidingWindow(1);
    expect(window.take(1, 0)).toBe(0);
    expect(window.take(2, 0)).toBe(0);
    expect(window.take('2', 0)).toBe(0);
    expect(window.take(1, 0)).toBe(REFUSED);
  });

  test('[LIM-07] a caller idle for a whole window is forgotten, any other is remembered', () => {
    const window = new SlidingWindow(1);
    for (let caller = 0; caller < 1_000; caller++) window.take(caller, caller);
    window.take('late', 1_900);
    expect(window.take('late', 2_000)).toBe(REFUSED);
    expect(window.take('late', 2_899)).toBe(REFUSED);
    window.take('other', 5_000);
    window.take('other', 6_000);
    expect(window.size).toBeLessThanOrEqual(2);
  });

  test('[LIM-07] while the table is full, new callers are refused and no caller gains slots', () => {
    const window = new SlidingWindow(1);
    let taken = 0;
    for (let caller = 0; caller < 100_000; caller++) if (window.take(caller, 0) === 0) taken++;
    expect(taken).toBe(100_000);
    expect(window.take('newcomer', 1)).toBe(REFUSED);
    expect(window.take(0, 1)).toBe(REFUSED);
    expect(window.size).toBe(100_000);
    expect(window.take('newcomer', 1_000)).toBe(0);
  });
});
