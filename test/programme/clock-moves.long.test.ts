/**
 * Long clock moves, seen by clients: their progress, other calls meanwhile, and the state after a
 * kill.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, type Server, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

interface Clock {
  readonly now: string;
  readonly frozen: boolean;
  readonly movingFrom: string | null;
  readonly movingTo: string | null;
}

const MINUTE = 60_000;
const clockOf = (server: Server): Promise<Clock> =>
  server.operate<Clock>('GET', '/operator/v1/clock');

async function standing(): Promise<{ server: Server; folder: string; start: number }> {
  const folder = temporaryFolder();
  const server = await startServer({ folder, flags: ['--market', 'on'] });
  await server.operate('POST', '/operator/v1/clock', { frozen: true });
  const { now, movingFrom, movingTo } = await clockOf(server);
  expect([movingFrom, movingTo]).toEqual([null, null]);
  return { server, folder, start: Number(now) };
}

/** Requests a move and disconnects once it has begun. */
async function begin(server: Server, advanceMs: number): Promise<void> {
  const asking = new AbortController();
  const asked = fetch(`${server.operatorUrl}/operator/v1/clock`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.credentials.operatorToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ advanceMs: String(advanceMs) }),
    signal: asking.signal,
  });
  const gone = expect(asked).rejects.toThrow();
  await expect
    .poll(async () => (await clockOf(server)).movingTo, { timeout: 20_000 })
    .not.toBeNull();
  asking.abort();
  await gone;
}

describe('a clock move in progress', () => {
  test('[OPR-43][CLK-31][CLK-32] reports its progress, refuses another, and ends without its client', async () => {
    const { server, start } = await standing();
    const goal = start + 60 * MINUTE;
    await begin(server, 60 * MINUTE);
    const second = await server.operator('POST', '/operator/v1/clock', { advanceMs: '1000' });
    expect(second).toMatchObject({ code: '40057', msg: expect.stringContaining(String(goal)) });
    expect(await server.operator('POST', '/operator/v1/market', { state: 'off' })).toMatchObject({
      code: '40057',
    });
    const price = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '61000', force: true };
    expect(await server.operator('POST', '/operator/v1/prices', [price])).toMatchObject({
      code: '00000',
    });
    const [first, clock] = [await clockOf(server), await clockOf(server)];
    expect([clock.movingFrom, clock.movingTo]).toEqual([String(start), String(goal)]);
    expect(Number(clock.now)).toBeGreaterThanOrEqual(Number(first.now));
    expect(Number(clock.now)).toBeLessThan(goal);

    while ((await clockOf(server)).movingTo !== null) await pause(50);
    expect((await clockOf(server)).now).toBe(String(goal));
    expect(
      await server.operator('POST', '/operator/v1/clock', { advanceMs: '1000' }),
    ).toMatchObject({ code: '00000' });
    expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test('[CLK-32] ends with a kill: the clock stays at the time it had reached and can be moved again', async () => {
    const { server, folder, start } = await standing();
    await begin(server, 1_440 * MINUTE);
    while (Number((await clockOf(server)).now) < start + 10 * MINUTE) await pause(20);
    const seen = Number((await clockOf(server)).now);
    await server.end('SIGKILL');

    const second = await startServer({ folder, flags: ['--market', 'on'] });
    const { now, frozen, movingFrom, movingTo } = await clockOf(second);
    expect([frozen, movingFrom, movingTo]).toEqual([true, null, null]);
    expect(Number(now)).toBeGreaterThanOrEqual(seen);
    expect(Number(now)).toBeLessThan(start + 1_440 * MINUTE);
    const moved = await second.operate<{ now: string }>('POST', '/operator/v1/clock', {
      advanceMs: String(MINUTE),
    });
    expect(moved.now).toBe(String(Number(now) + MINUTE));
    expect(await second.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
  });
});
