import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, type Server, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

const START = 1_700_000_000_000;
const ORDER = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'market',
  qty: '0.01',
};

interface ClockNow {
  readonly now: string;
  readonly frozen: boolean;
}
const clockOf = (server: Server): Promise<ClockNow> => server.operate('GET', '/operator/v1/clock');

describe('a reset', () => {
  test('[OPR-30] keeps world, keys and token, and nothing else', async () => {
    const folder = temporaryFolder();
    const server = await startServer({
      folder,
      flags: ['--start-time', String(START), '--market', 'on'],
    });
    const credentials = readFileSync(join(folder, 'credentials.json'), 'utf8');
    const first = await server.health();
    const dave = server.user('dave');
    await server.operate('POST', '/operator/v1/clock', { frozen: true });
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '5000' });
    await server.operate('POST', '/operator/v1/deposits', {
      uid: dave.uid,
      coin: 'SOL',
      size: '7',
    });
    await server.operate('POST', '/operator/v1/users', { name: 'eve' });
    expect((await server.call(dave, 'POST', '/api/v3/trade/place-order', ORDER)).code).toBe(
      '00000',
    );

    expect(await server.operate('POST', '/operator/v1/reset', {})).toBeNull();
    expect(await server.health()).toMatchObject({
      status: 'serving',
      sequence: first.sequence,
      stateHash: first.stateHash,
    });
    expect(await clockOf(server)).toMatchObject({ now: String(START), frozen: false });
    expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(credentials);
    expect(await server.call(dave, 'GET', '/api/v3/trade/unfilled-orders')).toMatchObject({
      code: '00000',
    });
    const { balances } = await server.operate<{ balances: readonly { coin: string }[] }>(
      'GET',
      `/operator/v1/users/${dave.uid}`,
    );
    expect(balances.map(({ coin }) => coin).toSorted()).toEqual(['BTC', 'ETH', 'USDC', 'USDT']);
    expect((await server.call(dave, 'POST', '/api/v3/trade/place-order', ORDER)).code).toBe(
      '00000',
    );
    expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
    const health = await server.health();
    await server.operate('POST', '/operator/v1/clock', { frozen: true });
    await server.end('SIGTERM');

    const again = await startServer({ folder, flags: ['--market', 'on'] });
    expect((await again.health()).sequence).toBeGreaterThanOrEqual(health.sequence);
    expect(existsSync(join(folder, 'resetting'))).toBe(false);
    await again.end('SIGTERM');
  });

  test('[OPR-151] interrupted by a crash is finished by the next start', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const dave = first.user('dave');
    await first.operate('POST', '/operator/v1/deposits', { uid: dave.uid, coin: 'SOL', size: '7' });
    await first.end('SIGKILL');
    // The reset mark exists, and all data of the old world still does.
    writeFileSync(join(folder, 'resetting'), '');
    const second = await startServer({ folder });
    expect(await second.call(dave, 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
    expect(await second.operate('GET', `/operator/v1/ledger?uid=${dave.uid}&coin=SOL`)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('resetting');
    await second.end('SIGTERM');
  });
});

describe('a start time', () => {
  test('[RUN-50][RUN-155] the clock stays at it until the first request, and then runs', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder, flags: ['--start-time', String(START)] });
    expect((await clockOf(server)).now).toBe(String(START));
    const dave = server.user('dave');
    await server.call(dave, 'GET', '/api/v3/account/assets');
    let now = START;
    for (let look = 0; look < 1_000 && now === START; look++)
      now = Number((await clockOf(server)).now);
    expect(now).toBeGreaterThan(START);
    expect(now).toBeLessThan(START + 60_000);
    await server.end('SIGTERM');
    // The start time of the first start no longer applies; the clock continues with its offset.
    const again = await startServer({ folder, flags: ['--start-time', '1'] });
    const later = Number((await clockOf(again)).now);
    expect(later).toBeGreaterThanOrEqual(now);
    expect(later).toBeLessThan(START + 120_000);
    await again.end('SIGTERM');
  });

  test('[CLK-21][MKT-04][RUN-21] same seed, start, frozen clock and calls: same trades, same hash', async () => {
    const live = async (
      seed: string,
    ): Promise<{ readonly hash: string; readonly trades: unknown }> => {
      const flags = ['--seed', seed, '--start-time', String(START), '--market', 'on'];
      const server = await startServer({ folder: temporaryFolder(), flags });
      await server.operate('POST', '/operator/v1/clock', { frozen: true });
      const dave = server.user('dave');
      for (const advanceMs of ['20000', '600000', '1']) {
        await server.call(dave, 'POST', '/api/v3/trade/place-order', ORDER);
        await server.operate('POST', '/operator/v1/clock', { advanceMs });
      }
      const trades = await (
        await fetch(
          `${server.url}/api/v2/mix/market/fills?productType=USDT-FUTURES&symbol=BTCUSDT&limit=100`,
        )
      ).json();
      const { stateHash } = await server.health();
      await server.end('SIGTERM');
      return { hash: stateHash, trades: (trades as { data: unknown }).data };
    };
    const [first, second, other] = [await live('5'), await live('5'), await live('6')];
    expect((first.trades as unknown[]).length).toBeGreaterThan(20);
    expect(second).toEqual(first);
    expect(other.hash).not.toBe(first.hash);
  });
});
