import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import { DAY, HOUR, TIME_MAX, type Timestamp } from '../../src/kernel/time.ts';
import { createWorld, STORY_START, scenario } from './scenario.ts';

describe('the clock', () => {
  test('[CLK-01] follows the wall clock and never goes back with it', () => {
    scenario(`
      wall  passes      10s   | clock shows start plus 10s
      wall  falls back  5s    | clock shows start plus 10s
      wall  passes      4s    | clock shows start plus 10s
      wall  passes      2s    | clock shows start plus 11s
    `);
  });

  test('[CLK-02] takes one request at a time', () => {
    const world = scenario('clock moves | refused fieldInvalid at advanceMs');
    const wall = world.wall;
    for (const asked of [
      { advanceMs: 1, frozen: true },
      { advanceMs: 1, to: (wall + 1) as Timestamp },
      { to: (wall + 1) as Timestamp, frozen: false },
    ]) {
      expect(world.submit({ type: 'moveClock', wall, ...asked }).outcome).toMatchObject({
        refusal: { reason: 'fieldInvalid' },
      });
    }
    scenario('alice joins | clock shows start plus 0s', world);
  });

  test('[CLK-03] moves to now or later, never back', () => {
    scenario(`
      clock  advances          1h           | clock shows start plus 1h
      clock  to start plus     3600000ms    | clock shows start plus 1h
      clock  to start plus     3599999ms    | refused clockNotForward at to
      clock  advances          0s           | clock shows start plus 1h
      wall   passes            1s           | clock shows start plus 3601s
      clock  to start plus     2h           | clock shows start plus 2h
      wall   passes            1s           | clock shows start plus 7201s
    `);
  });

  test('[CLK-04] limits one move, and has a last time', () => {
    scenario(`
      clock  advances       3652d 1ms   | refused fieldOutOfRange at advanceMs
      clock  to start plus  3652d 1ms   | refused fieldOutOfRange at to
      clock  advances       3652d       | clock shows start plus 3652d, 3652 settlementDayEnded
    `);
    const engine = createEngine();
    const near = (TIME_MAX - 1) as Timestamp;
    engine.execute({ type: 'tick' }, near);
    const advance = (advanceMs: number) =>
      engine.execute({ type: 'moveClock', wall: near, advanceMs }, near).outcome;
    expect(advance(2)).toMatchObject({
      refusal: { reason: 'fieldOutOfRange', detail: 'the clock ends with the year 9999' },
    });
    expect(
      createEngine().execute(
        { type: 'moveClock', wall: STORY_START, advanceMs: 3_652 * DAY + 1 },
        STORY_START,
      ).outcome,
    ).toMatchObject({
      refusal: { reason: 'fieldOutOfRange', detail: 'at most 3652 days ahead' },
    });
    expect(advance(1)).toEqual({ ok: true, value: { now: TIME_MAX } });
  });

  test('[CLK-04] a running clock stops at its last time, and can be frozen there', () => {
    const engine = createEngine();
    const wall = (TIME_MAX - DAY) as Timestamp;
    engine.execute({ type: 'tick' }, wall);
    engine.execute({ type: 'moveClock', wall, rate: 1_000 }, wall);
    const later = (wall + HOUR) as Timestamp;
    expect(engine.exchangeTime(later)).toBe(TIME_MAX);
    engine.execute({ type: 'tick' }, engine.exchangeTime(later));
    const frozen = engine.execute(
      { type: 'moveClock', wall: later, frozen: true },
      engine.exchangeTime(later),
    );
    expect(frozen.outcome).toMatchObject({ ok: true });
    expect(createEngine().exchangeTime((TIME_MAX + 1) as Timestamp)).toBe(TIME_MAX);
  });

  test('[CLK-05] a frozen clock stays, a moved one stays at the new time, a released one goes on', () => {
    scenario(`
      wall   passes    1s
      clock  freezes         | clock shows start plus 1s
      wall   passes    1h    | clock shows start plus 1s
      clock  advances  10s   | clock shows start plus 11s
      wall   passes    1h    | clock shows start plus 11s
      clock  runs         | clock shows start plus 11s
      wall   passes    5s    | clock shows start plus 16s
    `);
  });

  test('[CLK-20] a pace stays until it is changed, also across a freeze and a move', () => {
    const world = createWorld();
    const shows = (): number => world.engine.exchangeTime(world.wall) - STORY_START;
    const pass = (ms: number): void => {
      world.wall = (world.wall + ms) as Timestamp;
    };
    const move = (asked: { rate?: number; frozen?: boolean; advanceMs?: number }) =>
      world.submit({ type: 'moveClock', wall: world.wall, ...asked }).outcome;
    world.submit({ type: 'tick' });
    expect(move({ rate: 60 })).toMatchObject({ ok: true });
    pass(1_000);
    expect(shows()).toBe(60_000);
    move({ frozen: true });
    pass(5_000);
    expect(shows()).toBe(60_000);
    move({ frozen: false });
    pass(1_000);
    expect(shows()).toBe(120_000);
    move({ advanceMs: HOUR });
    pass(1_000);
    expect(shows()).toBe(HOUR + 180_000);
    move({ rate: 1 });
    pass(1_000);
    expect(shows()).toBe(HOUR + 181_000);
    expect(move({ rate: 0 })).toMatchObject({
      refusal: { reason: 'fieldOutOfRange', field: 'rate', detail: '1 to 100000' },
    });
    expect(move({ rate: 100_001 })).toMatchObject({
      refusal: { reason: 'fieldOutOfRange', field: 'rate' },
    });
    expect(move({ rate: 100_000 })).toMatchObject({ ok: true });
  });

  test('[CLK-26] one command passes at most thirty days', () => {
    scenario(`
      wall  passes  30d         | 30 settlementDayEnded, clock shows start plus 30d
      wall  passes  30d 1ms     | 30 settlementDayEnded, clock shows start plus 60d 1ms
      wall  passes  75d         | 30 settlementDayEnded, clock shows start plus 120d
      alice joins               | 30 settlementDayEnded, clock shows start plus 135d 1ms
      bob   joins               | 15 settlementDayEnded, clock shows start plus 135d 1ms
    `);
  });

  test('[CLK-21] two runs frozen at the same time are equal, whatever the real time', () => {
    const runs = [17, 4_711].map((late) => {
      const world = createWorld();
      world.submit({ type: 'createUser', name: 'alice', level: 'VIP0', positionMode: 'oneWay' });
      world.wall = (world.wall + late) as Timestamp;
      world.submit({ type: 'moveClock', wall: world.wall, frozen: true });
      world.submit({ type: 'moveClock', wall: world.wall, to: (STORY_START + HOUR) as Timestamp });
      world.submit({ type: 'createUser', name: 'bob', level: 'VIP0', positionMode: 'oneWay' });
      return world.engine.stateHash();
    });
    expect(runs[1]).toBe(runs[0]);
  });

  test('[CLK-06] freezing a frozen clock and releasing a running one change nothing', () => {
    scenario(`
      clock  runs        | nothing
      clock  freezes        | 1 clockMoved
      wall   passes   7s
      clock  freezes        | nothing, clock shows start plus 0s
    `);
  });

  test('[CLK-07] a move returns the time it reached, with the timers run on the way', () => {
    const world = createWorld();
    const { outcome, at, events } = world.submit({
      type: 'moveClock',
      wall: world.wall,
      advanceMs: 2 * DAY,
    });
    expect(outcome).toEqual({ ok: true, value: { now: STORY_START + 2 * DAY } });
    expect(at).toBe(STORY_START);
    expect(world.engine.at).toBe(STORY_START + 2 * DAY);
    expect(events).toEqual([
      { type: 'clockMoved', clock: { offsetMs: 2 * DAY } },
      { type: 'settlementDayEnded', day: STORY_START - 8 * HOUR },
      { type: 'settlementDayEnded', day: STORY_START + 16 * HOUR },
    ]);
  });
});

describe('settlement days', () => {
  test('[CLK-09] a day ends at midnight in UTC+8, once', () => {
    scenario(`
      wall  passes  15h 59m       | 0 settlementDayEnded
      wall  passes  59s 999ms     | 0 settlementDayEnded
      wall  passes  1ms           | 1 settlementDayEnded
      wall  passes  1ms           | nothing
      wall  passes  23h 59m       | nothing
      wall  passes  1m            | 1 settlementDayEnded
    `);
  });

  test('[CLK-09] several days that pass at once all end', () => {
    scenario(`
      wall   passes    5d         | 5 settlementDayEnded
      clock  advances  3d         | 3 settlementDayEnded
      alice  deposits  1 USDT     | 0 settlementDayEnded
    `);
  });

  test('[CLK-08] due timers run before a command, also before a refused one', () => {
    const world = createWorld();
    world.wall = (world.wall + DAY) as Timestamp;
    const { events, outcome } = world.submit({ type: 'revokeKey', apiKey: 'none' });
    expect(outcome.ok).toBe(false);
    expect(events).toEqual([{ type: 'settlementDayEnded', day: STORY_START - 8 * HOUR }]);
    scenario('alice joins', world);
  });
});

describe('the seed data', () => {
  test('[CLK-17] seed data is loaded once', () => {
    const world = createWorld();
    expect(world.submit({ type: 'openWorld', world: 'Demo!' }).outcome).toMatchObject({
      refusal: { reason: 'fieldInvalid', field: 'world' },
    });
    expect(world.submit({ type: 'openWorld', world: 'demo' }).events).toEqual([
      { type: 'worldOpened', world: 'demo' },
    ]);
    expect(world.submit({ type: 'openWorld', world: 'empty' }).outcome).toMatchObject({
      refusal: { reason: 'worldOpen' },
    });
    expect(world.engine.state.world).toBe('demo');
  });
});
