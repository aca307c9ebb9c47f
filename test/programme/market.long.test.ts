import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, launchServer, type Server, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

interface Depth {
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
}

const depthOf = async (server: Server, symbol = 'BTCUSDT'): Promise<Depth> => {
  const answer = await fetch(
    `${server.url}/api/v2/mix/market/merge-depth?productType=USDT-FUTURES&symbol=${symbol}`,
  );
  return ((await answer.json()) as { data: Depth }).data;
};

const indexOf = async (server: Server): Promise<string> => {
  const query = '?category=USDT-FUTURES&symbol=BTCUSDT';
  const [row] = await server.operate<readonly { indexPrice: string }[]>(
    'GET',
    `/operator/v1/instruments${query}`,
  );
  return row!.indexPrice;
};

const ORDER = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'market',
  qty: '0.5',
};

describe('the simulated market of the demo world', () => {
  test('[RUN-154] a market that cannot start as requested ends the start in one line', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder });
    await server.operate('POST', '/operator/v1/reserves', {
      coin: 'USDT',
      amount: '1000000',
      operator: 'olga',
    });
    await server.end('SIGTERM');
    const { code, errors } = await launchServer({ folder, flags: ['--market', 'on'] }).ended;
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^rialto: the .*simulated market cannot be .*: .+\n$/),
    });
  });

  test('[RUN-20][MKT-01][MKT-07] it starts on, fills a market order, and can be switched off', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder, flags: ['--market', 'on'] });
    const dave = server.user('dave');
    const placed = await server.call<{ orderId: string }>(
      dave,
      'POST',
      '/api/v3/trade/place-order',
      ORDER,
    );
    expect(placed.code).toBe('00000');
    const order = await server.call(
      dave,
      'GET',
      `/api/v3/trade/order-info?orderId=${placed.data.orderId}`,
    );
    expect(order.data).toMatchObject({ orderStatus: 'filled', cumExecQty: '0.5' });

    const first = await indexOf(server);
    for (let look = 0; look < 100 && (await indexOf(server)) === first; look++) await pause(100);
    expect(await indexOf(server)).not.toBe(first);

    await server.operate('POST', '/operator/v1/market', { state: 'off' });
    const left = await indexOf(server);
    expect(await depthOf(server)).toMatchObject({ asks: [], bids: [] });
    expect(await indexOf(server)).toBe(left);
    expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('[MKT-06][MKT-10][MKT-14] it continues after a kill with the same price path', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder, flags: ['--market', 'on'] });
    await first.operate('POST', '/operator/v1/clock', { frozen: true });
    const scene = {
      scene: 'mark-index-split',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      percent: '-4',
      durationMs: '3600000',
    };
    await first.operate('POST', '/operator/v1/market', scene);
    await first.operate('POST', '/operator/v1/clock', { advanceMs: '30000' });
    await first.end('SIGKILL');

    // The options of the first start are not repeated: the market continues as it was.
    const second = await startServer({ folder, flags: ['--market', 'on'] });
    expect(await second.operate('GET', '/operator/v1/market')).toMatchObject({
      state: 'on',
      scenes: [{ scene: 'mark-index-split', symbol: 'BTCUSDT', percent: '-4' }],
    });
    await second.operate('POST', '/operator/v1/clock', { advanceMs: '30000' });
    const [row] = await second.operate<readonly { indexPrice: string; markPrice: string }[]>(
      'GET',
      '/operator/v1/instruments?category=USDT-FUTURES&symbol=BTCUSDT',
    );
    expect(Number(row!.markPrice) / Number(row!.indexPrice)).toBeCloseTo(0.96, 4);
    expect((await depthOf(second)).bids.length).toBeGreaterThan(5);
    const refused = await second.operator('POST', '/operator/v1/market', {
      scene: 'halt',
      category: 'SPOT',
      symbol: 'NONE',
    });
    expect(refused.code).not.toBe('00000');
    await second.operate('POST', '/operator/v1/market', { state: 'off' });
    expect((await second.operator('POST', '/operator/v1/market', scene)).msg).toContain(
      'market is off',
    );
    await second.end('SIGTERM');
  });

  test('[MKT-16] a price file drives a symbol, and a bad file is refused with its line', async () => {
    const server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
    await server.operate('POST', '/operator/v1/clock', { frozen: true });
    const feed = { scene: 'feed', category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    await server.operate('POST', '/operator/v1/market', {
      ...feed,
      csv: 'time,price\n1600000000,61000\n1600000010,62000\n1600000060,63000',
    });
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '5000' });
    expect(await indexOf(server)).toBe('61000');
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '20000' });
    expect(await indexOf(server)).toBe('62000');
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '35000' });
    expect(await indexOf(server)).toBe('63000');
    const bad = await server.operator('POST', '/operator/v1/market', {
      ...feed,
      csv: 'time,price\n1600000000,none',
    });
    expect(bad).toMatchObject({ code: '40020' });
    expect(bad.msg).toContain('line 2: the price is a number from 0.0000000001');
    await server.end('SIGTERM');
  });
});
