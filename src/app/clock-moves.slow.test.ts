import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../kernel/time.ts';
import type { CommandOf } from '../messages/commands.ts';
import { spacingOf } from './clock-moves.ts';
import { bitcoinAt, isPrice, openExchange, START } from './market-driver.test-support.ts';

describe('a clock move', () => {
  test('[MKT-05][CLK-07] a clock move runs market steps up to its target', async () => {
    const { driver, commands, updatedAt, engine } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 10 * SECOND })).toEqual({
      ok: true,
      value: { now: START + 10_000 },
    });
    expect(commands.slice(before).filter(isPrice)).toHaveLength(10);
    expect(updatedAt()).toBe(START + 10_000);
    expect(engine.audit().violations).toEqual([]);
    expect(await driver.moveClock({ to: START })).toMatchObject({
      ok: false,
      refusal: { reason: 'clockNotForward', field: 'to' },
    });
  });

  test('[CLK-26][CLK-29] without the market a year passes day by day; a refused day ends the move', async () => {
    const { driver, commands, intake, engine } = openExchange();
    await driver.moveClock({ frozen: true });
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 365 * DAY })).toEqual({
      ok: true,
      value: { now: START + 365 * DAY },
    });
    const days = Array.from({ length: 365 }, (_, n) => START + (n + 1) * DAY);
    const moves = commands.slice(before).map((command) => (command as CommandOf<'moveClock'>).to);
    expect(moves).toEqual(days);

    intake.isOpen = false;
    expect(await driver.moveClock({ advanceMs: 365 * DAY })).toMatchObject({
      ok: false,
      refusal: { reason: 'notServing' },
    });
    expect(commands).toHaveLength(before + 366);
    expect(engine.at).toBe(START + 365 * DAY);
  });

  test('[CLK-26] a year aborted with the market on ends month by month too', async () => {
    const { driver, commands, engine } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    driver.breakOff();
    const before = commands.length;
    await driver.moveClock({ advanceMs: 365 * DAY });
    expect(commands.slice(before).filter(({ type }) => type === 'moveClock')).toHaveLength(13);
    expect(engine.at).toBe(START + 365 * DAY);
  });

  test('[MKT-05] a move ends at a step that is refused twice, and its caller gets the refusal', async () => {
    const { driver, commands, intake, engine, wall } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    intake.isOpen = false;
    const before = commands.length;
    expect(await driver.moveClock({ advanceMs: 7 * DAY })).toMatchObject({
      ok: false,
      refusal: { reason: 'notServing' },
    });
    expect(commands.slice(before).filter(({ type }) => type === 'moveClock')).toHaveLength(3);
    expect(engine.exchangeTime(wall.now)).toBe(START);
  });

  test('[MKT-05] a move completes if its steps are refused only for a moment', async () => {
    const { driver, commands, intake } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    intake.isOpen = false;
    const before = commands.length;
    const moving = driver.moveClock({ advanceMs: 10 * SECOND });
    setTimeout(() => {
      intake.isOpen = true;
    }, 20);
    expect(await moving).toEqual({ ok: true, value: { now: START + 10_000 } });
    expect(commands.slice(before).filter(isPrice)).toHaveLength(10);
  });

  test('[CLK-07] a move is answered when history has room again, with a market and without one', async () => {
    const { driver, engine, room, turn } = openExchange();
    for (const begin of [() => driver.moveClock({ frozen: true }), () => driver.switchOn()]) {
      await begin();
      const from = engine.state.at;
      let store = (): void => {};
      room.kept = new Promise((resolve) => {
        store = resolve;
      });
      let answered: unknown;
      const moving = driver.moveClock({ advanceMs: SECOND }).then((reply) => {
        answered = reply;
      });
      for (let turns = 0; turns < 10; turns++) await turn();
      expect([engine.state.at, answered]).toEqual([from + SECOND, undefined]);
      store();
      await moving;
      expect(answered).toEqual({ ok: true, value: { now: from + SECOND } });
    }
  });

  test('[RUN-22] a move that waits for a full history does not delay the stop', async () => {
    const { driver, intake, room, turn } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    intake.isOpen = false;
    room.kept = new Promise(() => {});
    const moving = driver.moveClock({ advanceMs: DAY });
    await turn();
    await driver.settle();
    expect(await moving).toMatchObject({ ok: false, refusal: { reason: 'notServing' } });
  }, 5_000);

  test('[MKT-05] a longer move has wider steps, and never more than 2,016 of them beyond a day', () => {
    expect([SECOND, MINUTE, MINUTE + 1, HOUR, HOUR + 1, DAY].map(spacingOf)).toEqual([
      SECOND,
      SECOND,
      10 * SECOND,
      10 * SECOND,
      MINUTE,
      MINUTE,
    ]);
    expect(spacingOf(7 * DAY)).toBe(5 * MINUTE);
    expect((365 * DAY) / spacingOf(365 * DAY)).toBeLessThanOrEqual(2_016);
  });

  test('[CLK-19] the clock moves to the next funding and to the next day in UTC+8', async () => {
    const { driver } = openExchange();
    await driver.moveClock({ frozen: true });
    expect(await driver.moveClock({ to: 'nextFunding' })).toEqual({
      ok: true,
      value: { now: Date.UTC(2026, 0, 5, 8) },
    });
    expect(await driver.moveClock({ to: 'nextFunding' })).toEqual({
      ok: true,
      value: { now: Date.UTC(2026, 0, 5, 16) },
    });
    expect(await driver.moveClock({ to: 'nextDay' })).toEqual({
      ok: true,
      value: { now: Date.UTC(2026, 0, 6, 16) },
    });
  });

  test('[CLK-29] other calls run after each portion, with at most two portions in progress', async () => {
    const { driver, commands } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    const before = commands.length;
    let [seen, most, turns, done] = [before, 0, 0, false];
    const look = (): void => {
      most = Math.max(most, commands.length - seen);
      seen = commands.length;
      turns++;
      if (!done) setImmediate(look);
    };
    setImmediate(look);
    await driver.moveClock({ advanceMs: 10 * MINUTE });
    done = true;
    // 59 steps: one of the clock, one of prices with quotes, and at most four of takers in each.
    expect(turns).toBeGreaterThanOrEqual(59);
    expect(most).toBeLessThanOrEqual(12);
  });

  test('[CLK-29] a portion is executed while the previous one is written, and the next one waits', async () => {
    const { driver, engine, intake, turn } = openExchange();
    await driver.moveClock({ frozen: true });
    let write = (): void => {};
    intake.written = new Promise((resolve) => {
      write = resolve;
    });
    const moving = driver.moveClock({ advanceMs: 5 * DAY });
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(engine.at).toBe(START + 2 * DAY);
    write();
    await moving;
    expect(engine.at).toBe(START + 5 * DAY);
  });

  test('[OPR-43] a move in progress shows its start and target; before and after there is none', async () => {
    const { driver, engine, turn } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    expect(driver.clockWay()).toBeUndefined();
    const moving = driver.moveClock({ advanceMs: MINUTE });
    await turn();
    expect(driver.clockWay()).toEqual({ from: START, to: START + MINUTE });
    expect(engine.at).toBeLessThan(START + MINUTE);
    await moving;
    expect(driver.clockWay()).toBeUndefined();
  });

  test('[CLK-31] during a move a second one and a market switch are refused, a price is not', async () => {
    const { driver, submit, turn } = openExchange();
    await driver.switchOn();
    await driver.moveClock({ frozen: true });
    const moving = driver.moveClock({ advanceMs: MINUTE });
    await turn();
    const refusal = { reason: 'clockMoving', detail: `${START + MINUTE}` };
    const refused = { ok: false, refusal };
    expect(await driver.moveClock({ advanceMs: 1 })).toMatchObject(refused);
    expect(await driver.moveClock({ frozen: false })).toMatchObject(refused);
    expect(await driver.switchOff()).toMatchObject(refused);
    expect(await driver.switchOn()).toMatchObject(refused);
    expect(await submit(driver.withQuotes(bitcoinAt('61000')))).toMatchObject({ ok: true });
    expect(await moving).toEqual({ ok: true, value: { now: START + MINUTE } });
    expect(await driver.moveClock({ advanceMs: 1 })).toEqual({
      ok: true,
      value: { now: START + MINUTE + 1 },
    });
  });
});
