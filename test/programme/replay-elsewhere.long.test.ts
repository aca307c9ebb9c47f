import { afterEach, describe, expect, test } from 'vitest';
import { endAll, runVerbIn, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

/** Environments in which a program that read its surroundings would behave differently. */
const ELSEWHERE = [
  { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', NODE_OPTIONS: '--max-old-space-size=300' },
  { TZ: 'America/St_Johns', LC_ALL: 'ar_EG.UTF-8', NODE_OPTIONS: '--max-old-space-size=2000' },
  { TZ: 'Pacific/Apia', LANG: 'C', NODE_OPTIONS: '--max-http-header-size=8192' },
];

describe('a replay in another environment', () => {
  test('[CLK-11] in another process, time zone, language and heap it has the hash of the live server', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder, flags: ['--market', 'off', '--limits', 'off'] });
    const [alice, bob] = [server.user('alice'), server.user('bob')];
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'limit',
      price: '60000',
      qty: '0.01',
    };
    for (let at = 0; at < 20; at++) {
      const [buyer, seller] = at % 3 === 0 ? [bob, alice] : [alice, bob];
      const sides = [
        { ...order, side: 'buy', ...(buyer === alice ? { posSide: 'long' } : {}) },
        { ...order, side: 'sell', ...(seller === alice ? { posSide: 'short' } : {}) },
      ];
      await server.call(buyer, 'POST', '/api/v3/trade/place-order', sides[0]);
      await server.call(seller, 'POST', '/api/v3/trade/place-order', sides[1]);
    }
    await server.operate('POST', '/operator/v1/clock', { advanceMs: '90000000' });
    const { stateHashSequence: sequence, stateHash } = await server.health();
    expect(sequence).toBeGreaterThan(40);
    await server.end('SIGTERM');

    for (const surroundings of ELSEWHERE) {
      const { code, output } = await runVerbIn(surroundings, 'replay', '--data', folder);
      expect([code, output.trim().split('\n').at(-1)], surroundings.TZ).toEqual([
        0,
        `stateHash ${stateHash}`,
      ]);
    }
  });
});
