import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExchange, type TestExchange } from 'rialto/testing';
import { afterEach, describe, expect, test } from 'vitest';

const started: TestExchange[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((exchange) => exchange.stop()));
});

const open = async (...options: Parameters<typeof startExchange>): Promise<TestExchange> => {
  const exchange = await startExchange(...options);
  started.push(exchange);
  return exchange;
};

describe('an exchange from code', () => {
  test('[RUN-53] several side by side in one process, each with its own users and clock', async () => {
    const [one, other] = await Promise.all([open({ startTime: 1_700_000_000_000 }), open()]);
    expect(one!.url).not.toBe(other!.url);
    expect(one!.user('dave').apiKey).not.toBe(other!.user('dave').apiKey);
    expect(await one!.clock.now()).toBe(1_700_000_000_000);
    await one!.clock.freeze();
    await one!.clock.advance(5_000);
    expect(await one!.clock.now()).toBe(1_700_000_005_000);
    await one!.clock.to('nextFunding');
    // 14 November 2023, 22:13:20 UTC: the next funding is at midnight.
    expect(await one!.clock.now()).toBe(Date.UTC(2023, 10, 15));
    expect(await other!.clock.now()).toBeGreaterThan(1_700_000_005_000);
    expect(() => one!.user('nobody')).toThrow('nobody is called nobody; there are alice, bob, carol, dave');
  });

  test('[RUN-53] of a start that is refused nothing is left', async () => {
    const homes = ['/dev/shm', tmpdir()].filter((home) => existsSync(home));
    const folders = (): string[] =>
      homes.flatMap((home) => readdirSync(home).map((name) => join(home, name))).filter((path) => path.includes('rialto-test-'));
    const before = new Set(folders());
    await expect(startExchange({ world: '/no/such/world' })).rejects.toThrow('--world is demo, empty or the file of a world');
    // Exchanges of other tests come and go beside it, and have something in their folders.
    const left = (): string[] => folders().filter((path) => !before.has(path) && existsSync(path) && readdirSync(path).length === 0);
    await expect.poll(left).toEqual([]);
  });

  test('[RUN-53] it starts over, and its operator calls are typed', async () => {
    const exchange = await open({ market: 'on' });
    const { uid } = exchange.user('dave');
    await exchange.operator.call('deposit', { uid, coin: 'SOL', size: '3' });
    expect((await exchange.operator.call('getUser', { uid })).balances.map(({ coin }) => coin)).toContain('SOL');
    await exchange.reset();
    expect((await exchange.operator.call('getUser', { uid })).balances.map(({ coin }) => coin)).not.toContain('SOL');
    expect((await exchange.operator.call('getMarket', {})).state).toBe('on');
    expect(await exchange.operator.call('audit', {})).toMatchObject({ ok: true });
  });
});
