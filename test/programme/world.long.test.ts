import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  credentialsIn,
  endAll,
  launchServer,
  runServer,
  type Server,
  startServer,
  temporaryFolder,
} from './server.ts';

afterEach(endAll);

interface ListedInstrument {
  readonly category: string;
  readonly symbol: string;
}
interface ListedCoin {
  readonly coin: string;
  readonly chains: readonly {
    readonly chain: string;
    readonly withdrawFee: string;
    readonly withdrawMin: string;
    readonly depositMin: string;
  }[];
}

const LISTED = {
  'USDT-FUTURES': ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'],
  'COIN-FUTURES': ['BTCUSD', 'ETHUSD'],
  'USDC-FUTURES': ['BTCPERP', 'ETHPERP'],
  SPOT: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ETHBTC'],
  MARGIN: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ETHBTC'],
};
const DECIMAL = /^\d+(\.\d+)?$/;

async function expectListings(server: Server): Promise<void> {
  const instruments = await server.operate<readonly ListedInstrument[]>(
    'GET',
    '/operator/v1/instruments',
  );
  const expected = Object.entries(LISTED).flatMap(([category, symbols]) =>
    symbols.map((symbol) => `${category} ${symbol}`),
  );
  expect(instruments.map(({ category, symbol }) => `${category} ${symbol}`).toSorted()).toEqual(
    expected.toSorted(),
  );

  const coins = await server.operate<readonly ListedCoin[]>('GET', '/operator/v1/coins');
  expect(coins.map(({ coin }) => coin).toSorted()).toEqual([
    'BTC',
    'ETH',
    'SOL',
    'USDC',
    'USDT',
    'XRP',
  ]);
  for (const { coin, chains } of coins) {
    expect(chains.length, coin).toBeGreaterThan(0);
    for (const { withdrawFee, withdrawMin, depositMin } of chains)
      for (const input of [withdrawFee, withdrawMin, depositMin]) expect(input).toMatch(DECIMAL);
  }
}

const balancesOf = async (server: Server, uid: string): Promise<string[]> => {
  const { balances } = await server.operate<{
    balances: readonly { coin: string; equity: string }[];
  }>('GET', `/operator/v1/users/${uid}`);
  return balances.map(({ coin, equity }) => `${equity} ${coin}`).toSorted();
};

/** Alice leads and bob follows her; carol is the agent who referred bob; dave has no agent. */
async function expectRoles(server: Server): Promise<void> {
  const [alice, bob, carol] = [server.user('alice'), server.user('bob'), server.user('carol')];
  const leaders = await server.call<readonly { traderId: string }[]>(
    bob,
    'GET',
    '/api/v2/copy/mix-follower/query-traders',
  );
  expect(JSON.stringify(leaders.data)).toContain(alice.uid);
  const [from, until] = [Date.now() - 86_400_000, Date.now() + 60_000].map(String);
  const customers = await server.call(carol, 'POST', '/api/broker/v1/agent/customerList', {
    startTime: from,
    endTime: until,
  });
  expect(customers.data).toMatchObject([{ uid: Number(bob.uid) }]);
  expect(
    await server.call(server.user('dave'), 'GET', `/api/v2/broker/rebate-info?uid=${bob.uid}`),
  ).toMatchObject({ code: '40029' });
}

const DEMO_PURSE = ['100000 USDT', '2 BTC', '30 ETH', '50000 USDC'];

describe('worlds', () => {
  test('[RUN-09][RUN-10][RUN-11][RUN-13][RUN-14][RUN-15][RUN-16] a first start makes the demo world and keeps its credentials', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder });
    await expectListings(server);

    const path = join(folder, 'credentials.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { operatorToken, users, ...rest } = credentialsIn(folder);
    expect(rest).toEqual({});
    expect(operatorToken.length).toBeGreaterThanOrEqual(32);
    expect(users.map(({ name }) => name)).toEqual(['alice', 'bob', 'carol', 'dave']);
    for (const user of users) {
      expect(Object.keys(user)).toEqual(['name', 'uid', 'apiKey', 'secretKey', 'passphrase']);
      expect(await balancesOf(server, user.uid)).toEqual(DEMO_PURSE);
      // Every permission: to read the account and to change it.
      expect(await server.call(user, 'GET', '/api/v3/account/settings')).toMatchObject({
        code: '00000',
        data: { uid: user.uid },
      });
      const leverage = {
        symbol: 'BTCUSDT',
        productType: 'USDT-FUTURES',
        marginCoin: 'USDT',
        leverage: '7',
      };
      expect(
        await server.call(user, 'POST', '/api/v2/mix/account/set-leverage', leverage),
      ).toMatchObject({ code: '00000' });
      const block = server.output
        .slice(server.output.indexOf(`  ${user.name}  ${user.uid}`))
        .split('\n')
        .slice(0, 4)
        .join('\n');
      for (const shown of [user.apiKey, user.secretKey, user.passphrase])
        expect(block).toContain(shown);
    }
    await expectRoles(server);
    for (const shown of [server.url, server.operatorUrl, folder])
      expect(server.output).toContain(shown);
    expect(server.output).toContain(operatorToken);
    await server.end('SIGTERM');

    const again = await startServer({ folder });
    for (const { apiKey, secretKey, passphrase } of users) {
      expect(again.output).toContain(apiKey);
      for (const secret of [secretKey, passphrase, operatorToken])
        expect(again.output + again.errors).not.toContain(secret);
    }
    await again.end('SIGTERM');
  });

  test('[RUN-09][RUN-12][RUN-13][RUN-14] the empty world has the listings and nothing else', async () => {
    const server = await startServer({
      folder: temporaryFolder(),
      environment: { RIALTO_WORLD: 'empty' },
    });
    await expectListings(server);
    expect(server.credentials.users).toEqual([]);
    expect(await server.operate('GET', '/operator/v1/ledger')).toEqual([]);
    // Creates the first user of all.
    expect(await server.operate('POST', '/operator/v1/users', {})).toEqual({ uid: '1000000001' });
    await server.end('SIGTERM');
  });

  test('[RUN-17][RUN-18] a later start creates nothing and keeps token, keys and money', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const alice = first.user('alice');
    await first.operate('POST', '/operator/v1/deposits', {
      uid: alice.uid,
      coin: 'SOL',
      size: '12.5',
    });
    const before = {
      ...(await first.health()),
      ledger: await first.operate('GET', '/operator/v1/ledger?limit=1000'),
    };
    const credentials = readFileSync(join(folder, 'credentials.json'), 'utf8');
    await first.end('SIGTERM');

    const second = await startServer({ folder, flags: ['--world', 'empty'] });
    expect(await second.health()).toMatchObject({
      sequence: before.sequence,
      stateHash: before.stateHash,
    });
    expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(credentials);
    expect(await second.operate('GET', '/operator/v1/ledger?limit=1000')).toEqual(before.ledger);
    expect(await balancesOf(second, alice.uid)).toEqual([
      '100000 USDT',
      '12.5 SOL',
      '2 BTC',
      '30 ETH',
      '50000 USDC',
    ]);
    expect(await second.call(alice, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
    });
    expect(second.output).toContain(alice.apiKey);
    await second.end('SIGTERM');

    const third = await startServer({ folder, flags: ['--operator-token', 'given'] });
    expect(third.credentials.operatorToken).toBe('given');
    expect(
      (
        await third.operator(
          'GET',
          '/operator/v1/audit',
          undefined,
          first.credentials.operatorToken,
        )
      ).status,
    ).toBe(401);
    await third.end('SIGTERM');
    const fourth = await startServer({ folder });
    expect(fourth.credentials).toEqual({ ...first.credentials, operatorToken: 'given' });
    expect((await fourth.operator('GET', '/operator/v1/audit')).code).toBe('00000');
    await fourth.end('SIGTERM');
  });

  test('[RUN-19][RUN-153] limits apply unless they are switched off, with the values of a file', async () => {
    const folder = temporaryFolder();
    const burst = async (limits: string): Promise<string[]> => {
      const server = await startServer({ folder, flags: ['--limits', limits] });
      const alice = server.user('alice');
      const leverage = {
        symbol: 'BTCUSDT',
        productType: 'USDT-FUTURES',
        marginCoin: 'USDT',
        leverage: '7',
      };
      const answers = await Promise.all(
        Array.from({ length: 60 }, () =>
          server.call(alice, 'POST', '/api/v2/mix/account/set-leverage', leverage),
        ),
      );
      await server.end('SIGTERM');
      return [...new Set(answers.map(({ code }) => code))].toSorted();
    };
    expect(await burst('on')).toEqual(['00000', '429']);
    expect(await burst('off')).toEqual(['00000']);
    const file = join(folder, 'limits.json');
    writeFileSync(file, '{"/api/v2/mix/account/set-leverage": 60}');
    expect(await burst(file)).toEqual(['00000']);
    writeFileSync(file, '{"/api/v2/mix/account/set-leverage": 1}');
    expect(await burst(file)).toEqual(['00000', '429']);
    writeFileSync(file, '{"/api/v2/mix/account/set-leverage": -1}');
    const untouched = join(folder, 'untouched');
    const { code, errors } = await runServer({
      flags: ['--data', untouched, '--limits', file, '--port', '0', '--operator-port', '0'],
    });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^rialto: [^\n]*limits\.json: the limit of [^\n]+\n$/),
    ]);
    expect(existsSync(untouched)).toBe(false);
  });
});

describe('an interrupted first start', () => {
  const usersKept = (folder: string): number => {
    try {
      return credentialsIn(folder).users.length;
    } catch {
      // The file does not exist yet.
      return -1;
    }
  };

  test.each([0, 1, 2, 3, 4])(
    '[RUN-09][RUN-23] killed when %d users have their keys, the next start finishes the demo world',
    async (users) => {
      const folder = temporaryFolder();
      const { child, ended } = launchServer({ folder });
      while (usersKept(folder) < users) await turn();
      child.kill('SIGKILL');
      await ended;

      const server = await startServer({ folder });
      await expectListings(server);
      expect(server.credentials.users.map(({ name, uid }) => `${name} ${uid}`)).toEqual([
        'alice 1000000001',
        // Carol referred bob, so she is created first.
        'bob 1000000003',
        'carol 1000000002',
        'dave 1000000004',
      ]);
      for (const user of server.credentials.users) {
        expect(await balancesOf(server, user.uid)).toEqual(DEMO_PURSE);
        expect(await server.call(user, 'GET', '/api/v3/account/settings')).toMatchObject({
          code: '00000',
        });
      }
      expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({
        ok: true,
        violations: [],
      });
      await server.end('SIGTERM');
    },
  );
});

test('[RUN-52] a world with a part that the exchange refuses is refused before the folder is created', async () => {
  const folder = temporaryFolder();
  const world = join(folder, 'world.json');
  const data = join(folder, 'data');
  writeFileSync(
    world,
    JSON.stringify({
      scenes: [{ atMs: '1', scene: 'halt', category: 'SPOT', symbol: 'NONESUCH' }],
    }),
  );
  const { code, errors } = await runServer({
    flags: ['--data', data, '--world', world, '--port', '0', '--operator-port', '0'],
  });
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/^rialto: .*world\.json: .*: scenes\[0\]: .*NONESUCH.*\n$/),
  });
  expect(existsSync(data)).toBe(false);
});

const MINUTE = 60_000;
const [BEGIN, END] = [1_704_067_200_000, 1_704_067_440_000];
/** Four minutes. The price rises from 50000 to 50004, a dollar per minute. */
const RECORDED = [0, 1, 2, 3].map((at) => {
  const open = 50_000 + at;
  return `${BEGIN + at * MINUTE},${open},${open + 1},${open},${open + 1},2`;
});

function recordedWorld(rows: readonly string[]): readonly [world: string, table: string] {
  const folder = temporaryFolder();
  const [world, table] = [join(folder, 'world.json'), join(folder, 'rows.csv')];
  const recording = { file: 'rows.csv', symbol: 'BTCUSDT', as: 'past', divide: String(END) };
  writeFileSync(table, rows.join('\n'));
  writeFileSync(world, JSON.stringify({ market: 'off', past: '1d', recordings: [recording] }));
  return [world, table];
}

test('[DATA-60] a world starts with its recording, a reset has it again, a restart keeps it', async () => {
  const folder = temporaryFolder();
  const [world, table] = recordedWorld(RECORDED);
  const server = await startServer({ folder, flags: ['--world', world] });
  const closes = async ({ url }: Server): Promise<string[]> => {
    const query = 'symbol=BTCUSDT&productType=usdt-futures&granularity=1m';
    const reply = await fetch(`${url}/api/v2/mix/market/candles?${query}`);
    const { data } = (await reply.json()) as { data: string[][] };
    return data.map((candle) => candle[4]!);
  };
  const expected = ['50001', '50002', '50003', '50004'];
  expect(await closes(server)).toEqual(expected);
  await server.operate('POST', '/operator/v1/reset');
  expect(await closes(server)).toEqual(expected);

  writeFileSync(table, `${RECORDED[0]}\n${BEGIN + MINUTE},0,1,1,1,1`);
  await expect(server.operate('POST', '/operator/v1/reset')).rejects.toThrow(
    'recordings[0]: Parameter file error: rows.csv: line 2: the open is zero',
  );
  expect(await closes(server)).toEqual(expected);
  await server.end('SIGTERM');
  expect(await closes(await startServer({ folder, flags: ['--world', world] }))).toEqual(expected);
});

test('[DATA-60][RUN-52] a bad recording refuses a first start and leaves nothing behind', async () => {
  const [world] = recordedWorld([...RECORDED, `${END},1,1,1,1,1`]);
  const data = join(temporaryFolder(), 'data');
  const { code, errors } = await runServer({
    flags: ['--data', data, '--world', world, '--port', '0', '--operator-port', '0'],
  });
  expect([code, existsSync(data)]).toEqual([1, false]);
  expect(errors).toContain('recordings[0]: Parameter file error: rows.csv: line 5: ');
});
