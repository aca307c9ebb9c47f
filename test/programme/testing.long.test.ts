import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExchange, type TestExchange } from 'rialto/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { endAll, runVerb, temporaryFolder } from './server.ts';

const started: TestExchange[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((exchange) => exchange.stop()));
  endAll();
});

const open = async (...options: Parameters<typeof startExchange>): Promise<TestExchange> => {
  const exchange = await startExchange(...options);
  started.push(exchange);
  return exchange;
};

describe('an exchange from code', () => {
  test('[RUN-53] several run in one process, each with its own users and clock', async () => {
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
    expect(() => one!.user('none')).toThrow(
      'there is no user none; there are alice, bob, carol, dave',
    );
  });

  test('[PAST-15] it has a past only if requested', async () => {
    const [without, hours] = await Promise.all([open(), open({ past: '12h' })]);
    const opens = async ({ url }: TestExchange): Promise<number[]> => {
      const answer = await fetch(
        `${url}/api/v3/market/candles?category=USDT-FUTURES&symbol=BTCUSDT&interval=1m&limit=1000`,
      );
      return ((await answer.json()) as { data: string[][] }).data.map(([start]) => Number(start));
    };
    expect(await opens(without!)).toEqual([]);
    const minutes = await opens(hours!);
    // Twelve hours, and the rest of the full hour in which they begin.
    expect(minutes.length).toBeGreaterThan(720);
    expect(minutes.length).toBeLessThanOrEqual(780);
  });

  test('[RUN-53] a refused start leaves nothing behind', async () => {
    const homes = ['/dev/shm', tmpdir()].filter((home) => existsSync(home));
    const folders = (): string[] =>
      homes
        .flatMap((home) => readdirSync(home).map((name) => join(home, name)))
        .filter((path) => path.includes('rialto-test-'));
    const before = new Set(folders());
    await expect(startExchange({ world: '/no/such/world' })).rejects.toThrow(
      '--world is demo, empty or the file of a world',
    );
    // Other tests create and remove exchanges meanwhile; their folders are not empty.
    const left = (): string[] =>
      folders().filter(
        (path) => !before.has(path) && existsSync(path) && readdirSync(path).length === 0,
      );
    await expect.poll(left).toEqual([]);
  });

  test('[RUN-93] a folder that is given is kept, in use while it runs, and continued later', async () => {
    const data = temporaryFolder();
    const first = await open({ world: 'empty', data });
    await expect(startExchange({ data })).rejects.toThrow('is in use by');
    const { uid } = await first.operator.call('createUser', { name: 'erin' });
    const { sequence, stateHash } = await first.operator.call('getHealth');
    await first.stop();
    const { output } = await runVerb('replay', '--data', data);
    expect(output).toContain(`to sequence ${sequence} `);
    expect(output).toContain(`stateHash ${stateHash}`);
    const second = await open({ world: 'empty', data });
    expect((await second.operator.call('getUser', { uid })).name).toBe('erin');
  });

  test('[RUN-65] an invalid fault throws with its field, and a valid one applies and is reported', async () => {
    const exchange = await open();
    const { faults, operator, url: baseUrl } = exchange;
    const lost = { name: 'timeout-plcd' };
    await expect(faults.set(lost)).rejects.toThrow(
      new RegExp(
        '^name: there is no fault timeout-plcd; is it timeout-placed\\? ' +
          'There are timeout-placed, timeout-not-placed, .*one-answer-in-ten-lost$',
      ),
    );
    await expect(
      faults.set({ name: 'timeout-placed', match: { endpoint: '/api/v9' } }),
    ).rejects.toThrow('match.endpoint error: /api/v9');
    await expect(faults.set({ name: 'timeout-placed', match: { times: 0 } })).rejects.toThrow(
      'match.times error: 1 to 1000000',
    );
    await expect(
      faults.set({ effect: { kind: 'reply', code: '1' as '40010', order: 'placed' } }),
    ).rejects.toThrow('effect.code');
    await expect(faults.set({})).rejects.toThrow('effect cannot be empty');
    await expect(faults.clear('7')).rejects.toThrow('The fault 7 does not exist');
    expect(await faults.list()).toEqual([]);

    const { id } = await faults.set({
      name: 'timeout-placed',
      match: { uid: exchange.user('dave').uid },
    });
    const client = createClient({ baseUrl, ...exchange.user('dave') });
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '50000',
      qty: '0.01',
    } as const;
    await expect(client.call('placeOrder', { ...order, clientOid: 'mine' })).rejects.toMatchObject({
      code: '40010',
    });
    expect(await faults.list()).toMatchObject([{ id, name: 'timeout-placed', hits: 1 }]);
    expect(await faults.verdicts()).toMatchObject([
      { clientOid: 'mine', faults: [id], verdict: 'once' },
    ]);
    expect(await faults.verdicts(exchange.user('carol').uid)).toEqual([]);
    await faults.clear(id);
    expect(await operator.call('listFaults')).toEqual([]);
  });

  test('[RUN-65] an unknown option or call throws and lists the known ones', async () => {
    const mistyped = { starttime: 1 };
    await expect(startExchange(mistyped as object)).rejects.toThrow(
      'startExchange: there is no option starttime; is it startTime? There are world, market, seed, startTime, past, limits',
    );
    const { operator } = await open();
    await expect(operator.call('playScene' as 'getClock')).rejects.toThrow(
      /^there is no call playScene; there are getHealth, createUser, .*listVerdicts/,
    );
    await expect(operator.call('toString' as 'getClock')).rejects.toThrow(
      'there is no call toString',
    );
  });

  test('[RUN-53] a reset keeps its keys, and its operator calls are typed', async () => {
    const exchange = await open({ market: 'on' });
    const { uid } = exchange.user('dave');
    await exchange.operator.call('deposit', { uid, coin: 'SOL', size: '3' });
    expect(
      (await exchange.operator.call('getUser', { uid })).balances.map(({ coin }) => coin),
    ).toContain('SOL');
    await exchange.reset();
    expect(
      (await exchange.operator.call('getUser', { uid })).balances.map(({ coin }) => coin),
    ).not.toContain('SOL');
    expect((await exchange.operator.call('getMarket', {})).state).toBe('on');
    expect(await exchange.operator.call('audit', {})).toMatchObject({ ok: true });
  });
});
