import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient, createOperatorClient } from '../client/client.ts';
import { DRAIN_MS_MAX } from '../gateway/http/server.ts';
import { openLog } from '../gateway/log.ts';
import { LOCK_NAME } from '../journal/file-names.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { readCommands } from '../journal/reader.ts';
import { type Clock, DAY, HOUR, SECOND, type Timestamp } from '../kernel/time.ts';
import { CHAIN_FILE } from './chains/chain-file.ts';
import { type Exchange, startExchange } from './exchange.ts';
import { journalFolder } from './files.ts';
import { type GivenSettings, readSettings } from './settings.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'rialto-exchange-'));
  aheadMs = 0;
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** How far the system clock is ahead of the real one. */
let aheadMs = 0;
const clock: Clock = {
  wall: () => (Date.now() + aheadMs) as Timestamp,
  monotonic: () => performance.now(),
};

const start = (input: GivenSettings = {}): Promise<Exchange> =>
  startExchange({
    clock,
    settings: readSettings(
      {
        data,
        port: '0',
        operatorPort: '0',
        world: 'empty',
        market: 'off',
        log: 'silent',
        ...input,
      },
      {},
    ),
    log: openLog('silent'),
    historyIn: 'memory',
    onFatal: ({ reason }) => {
      throw new Error(reason);
    },
  });

test('[RUN-57] a start that fails after the journal is open closes it', async () => {
  mkdirSync(join(data, CHAIN_FILE));
  await expect(start()).rejects.toThrow('EISDIR');
  expect(readdirSync(data)).not.toContain(LOCK_NAME);
  expect(readdirSync(journalFolder(data))).not.toContain(LOCK_NAME);
  rmdirSync(join(data, CHAIN_FILE));
  const exchange = await start();
  await exchange.stop();
});

test('[RUN-53] a second stop does nothing, and touches no file opened since the first', async () => {
  const exchange = await start();
  await Promise.all([exchange.stop(), exchange.stop()]);
  const others = Array.from({ length: 20 }, () => openSync(data, 'r'));
  await exchange.stop();
  expect(others.map((other) => fstatSync(other).isDirectory())).not.toContain(false);
  for (const other of others) closeSync(other);
});

const START = 1_700_000_000_000;
const operatorOf = ({
  operatorUrl,
  credentials,
}: Exchange): ReturnType<typeof createOperatorClient> =>
  createOperatorClient({ baseUrl: operatorUrl, token: credentials.operatorToken });

test('[RUN-22] a long clock move with the market is answered when the exchange stops', async () => {
  const exchange = await start({ world: 'demo', market: 'on', startTime: String(START) });
  const operator = operatorOf(exchange);
  const moving = operator.call('moveClock', { to: String(START + 30 * DAY) });
  while (Number((await operator.call('getClock')).now) <= START + HOUR);
  const asked = performance.now();
  await exchange.stop();
  expect(await moving).toEqual({ now: expect.stringMatching(/^\d+$/) });
  expect(performance.now() - asked).toBeLessThan(DRAIN_MS_MAX - SECOND);
});

test('[MKT-150] a market whose makers exceed the reserve stays off, and the answer gives the reason', async () => {
  const exchange = await start({ world: 'demo' });
  const operator = operatorOf(exchange);
  await operator.call('setReserve', { coin: 'USDT', amount: '1000000', operator: 'olga' });
  await expect(operator.call('switchMarket', { state: 'on' })).rejects.toMatchObject({
    code: '40937',
  });
  expect((await operator.call('getMarket')).state).toBe('off');
  await operator.call('setReserve', { coin: 'USDT', amount: null, operator: 'olga' });
  await operator.call('switchMarket', { state: 'on' });
  expect((await operator.call('getMarket')).state).toBe('on');
  await exchange.stop();
});

test('[OPR-11] a refused scene changes nothing, and an accepted one plays from the first step', async () => {
  const exchange = await start({ world: 'demo', startTime: String(START) });
  const operator = operatorOf(exchange);
  await operator.call('moveClock', { frozen: true });
  const gap = {
    scene: 'gap',
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    percent: '-10',
  } as const;
  const state = async (): Promise<string> => (await operator.call('getMarket')).state;
  const wrongs = [
    [{ symbol: 'NONESUCH' }, '40034', 'NONESUCH'],
    [{ percent: '-95' }, '40053', 'percent'],
    [{ durationMs: '0' }, '40053', 'durationMs'],
    [{ csv: '1600000000,1' }, '40020', 'csv'],
    [{ scene: 'feed', percent: '0' }, '40913', 'csv, file'],
  ] as const;
  for (const [wrong, code, named] of wrongs)
    await expect(
      operator.call('switchMarket', { state: 'on', ...gap, ...wrong }),
    ).rejects.toMatchObject({
      code,
      message: expect.stringContaining(named),
    });
  expect(await state()).toBe('off');
  await operator.call('switchMarket', { state: 'on', ...gap });
  expect((await operator.call('getMarket')).scenes).toMatchObject([
    { scene: 'gap', percent: '-10' },
  ]);
  await operator.call('moveClock', { advanceMs: '2000' });
  const index = async (): Promise<number> =>
    Number(
      (await operator.call('listInstruments', { category: 'USDT-FUTURES', symbol: 'BTCUSDT' }))[0]!
        .indexPrice,
    );
  expect(Math.abs((await index()) / 54_000 - 1)).toBeLessThan(0.005);

  await operator.call('switchMarket', { ...gap, scene: 'one-sided', percent: '0' });
  expect((await operator.call('getMarket')).scenes).toMatchObject([
    { scene: 'one-sided', percent: '0' },
  ]);
  await expect(operator.call('switchMarket', { state: 'off', ...gap })).rejects.toMatchObject({
    code: '40057',
  });
  expect(await state()).toBe('on');
  await exchange.stop();
});

test('[MKT-21] on a clock of any rate, a request finds prices that are not stale', async () => {
  const exchange = await start({ world: 'demo', market: 'on', startTime: String(START) });
  const dave = exchange.credentials.users.find(({ name }) => name === 'dave')!;
  const client = createClient({ baseUrl: exchange.publicUrl, ...dave });
  const pair = { symbol: 'BTCUSDT', coin: 'USDT' };
  await client.call('transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
  });
  await operatorOf(exchange).call('moveClock', { rate: '100000' });
  for (let loan = 0; loan < 5; loan++) {
    // Over half an hour of exchange time; an index becomes stale within a tenth of a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await client.call('borrowIsolated', { ...pair, borrowAmount: '1' });
  }
  await exchange.stop();
});

test('[RUN-155] a refused move leaves the clock held at the start time', async () => {
  const exchange = await start({ startTime: String(START) });
  const operator = operatorOf(exchange);
  await expect(operator.call('moveClock', { to: String(START - 1) })).rejects.toThrow();
  expect((await operator.call('getClock', {})).now).toBe(String(START));
  await operator.call('moveClock', { frozen: true });
  expect((await operator.call('getClock', {})).now).toBe(String(START));
  await exchange.stop();
});

test('[CLK-25] a start far behind the last command continues from that command at once', async () => {
  const future = Date.now() + 400 * DAY;
  const first = await start({ startTime: String(future) });
  await first.stop();
  const exchange = await start();
  const now = async (): Promise<number> =>
    Number((await operatorOf(exchange).call('getClock', {})).now);
  const begun = await now();
  expect(begun).toBeGreaterThanOrEqual(future);
  expect(begun).toBeLessThan(future + DAY);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await now()).toBeGreaterThan(begun);
  await exchange.stop();
});

test.each([
  ['less than a minute behind the last command is waited for, without a command', 50, 0],
  ['more than a minute behind it is not waited for', 70, 1],
])('[CLK-25] a system clock that is %s', async (_, behindSeconds, moves) => {
  const first = await start();
  await first.stop();
  aheadMs = -behindSeconds * SECOND;
  const exchange = await start();
  await exchange.stop();
  let moved = 0;
  for await (const { command } of readCommands(nodeDisk, journalFolder(data)))
    if (command.type === 'moveClock') moved++;
  expect(moved).toBe(moves);
});

test('[CLK-25] a frozen clock keeps its time across a restart', async () => {
  const future = Date.now() + 400 * DAY;
  const first = await start({ startTime: String(future) });
  await operatorOf(first).call('moveClock', { frozen: true });
  await first.stop();
  const exchange = await start();
  expect(await operatorOf(exchange).call('getClock', {})).toMatchObject({
    now: String(future),
    frozen: true,
  });
  await exchange.stop();
});

/** The longest time between two commands of the journal. */
async function longestPause(): Promise<number> {
  let longest = 0;
  let before: number | undefined;
  for await (const { at } of readCommands(nodeDisk, journalFolder(data))) {
    longest = Math.max(longest, at - (before ?? at));
    before = at;
  }
  return longest;
}

test('[CLK-26][CLK-150] a start after months catches up before it serves, 30 days per command', async () => {
  const first = await start();
  await first.stop();
  aheadMs = 100 * DAY;
  const exchange = await start();
  const { now, wall } = await operatorOf(exchange).call('getClock');
  expect(now).toBe(wall);
  await exchange.stop();
  expect(await longestPause()).toBe(30 * DAY);
});

test('[CLK-150] a fast clock that ran overnight does not delay the service', async () => {
  const first = await start();
  await operatorOf(first).call('moveClock', { rate: '100000' });
  await first.stop();
  aheadMs = 12 * HOUR;
  const exchange = await start();
  const now = async (): Promise<number> =>
    Number((await operatorOf(exchange).call('getClock')).now);
  const begun = await now();
  while ((await now()) < begun + 90 * DAY);
  await exchange.stop();
  expect(await longestPause()).toBe(30 * DAY);
});

test('[RUN-155] a clock released before any other request continues from the start time', async () => {
  const exchange = await start({ startTime: String(START) });
  const operator = operatorOf(exchange);
  await operator.call('moveClock', { frozen: false });
  const now = async (): Promise<number> => Number((await operator.call('getClock', {})).now);
  let shown = await now();
  for (let look = 0; look < 1_000 && shown === START; look++) shown = await now();
  expect(shown).toBeGreaterThan(START);
  expect(shown).toBeLessThan(START + 60_000);
  await exchange.stop();
});

test('[RUN-155] any other change by the operator releases the clock as well', async () => {
  const exchange = await start({ startTime: String(START) });
  const operator = operatorOf(exchange);
  await operator.call('createUser', {});
  const now = async (): Promise<number> => Number((await operator.call('getClock', {})).now);
  let shown = await now();
  for (let look = 0; look < 1_000 && shown === START; look++) shown = await now();
  expect(shown).toBeGreaterThan(START);
  await exchange.stop();
});

test.each([
  ['in the past', START],
  ['in the future', 4_000_000_000_000],
])(
  '[RUN-50] after a restart, a start time %s holds the clock until the first request',
  async (_, startTime) => {
    for (let time = 0; time < 2; time++) {
      const exchange = await start({ startTime: String(startTime) });
      expect(await operatorOf(exchange).call('getClock', {})).toMatchObject({
        now: String(startTime),
      });
      await exchange.stop();
    }
  },
);

test('[RUN-50][CLK-25] a clock frozen at the start time stays frozen after a restart, despite requests', async () => {
  const first = await start({ startTime: String(START) });
  await operatorOf(first).call('moveClock', { frozen: true });
  await first.stop();
  const second = await start({ startTime: String(START) });
  await operatorOf(second).call('createUser', {});
  expect(await operatorOf(second).call('getClock', {})).toMatchObject({
    now: String(START),
    frozen: true,
  });
  await second.stop();
});

test('[RUN-155] a call with an unknown key does not release the clock', async () => {
  const exchange = await start({ startTime: String(START) });
  const headers = {
    'ACCESS-KEY': 'none',
    'ACCESS-SIGN': 'x',
    'ACCESS-TIMESTAMP': String(START),
    'ACCESS-PASSPHRASE': 'x',
  };
  expect((await fetch(`${exchange.publicUrl}/api/v3/account/assets`, { headers })).status).toBe(
    400,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await operatorOf(exchange).call('getClock', {})).now).toBe(String(START));
  await exchange.stop();
});

test('[OPR-152] a world file that has become invalid refuses the reset, and nothing changes', async () => {
  const world = join(data, 'world.json');
  writeFileSync(world, '{"market":"off","users":[{"name":"ann"}]}');
  writeFileSync(join(data, 'wrong.csv'), '1600000000,none');
  // The seed file decides whether there is a market.
  const exchange = await start({ world, market: undefined } as unknown as GivenSettings);
  const operator = operatorOf(exchange);
  const { uid } = exchange.credentials.users[0]!;
  await operator.call('deposit', { uid, coin: 'SOL', size: '7' });
  const scene = (wrong: object): string =>
    JSON.stringify({
      market: 'on',
      scenes: [{ atMs: '1', scene: 'halt', category: 'SPOT', symbol: 'BTCUSDT', ...wrong }],
    });
  const refused = [
    '{"users":[{}]}',
    '{"market":"off","users":[{"name":"ann","balances":{"NONESUCH":"1"}}]}',
    scene({ symbol: 'NONESUCH' }),
    scene({ scene: 'feed', file: 'gone.csv' }),
    scene({ scene: 'feed', file: 'wrong.csv' }),
  ];
  for (const spoil of [
    ...refused.map((text) => () => writeFileSync(world, text)),
    () => rmSync(world),
  ]) {
    spoil();
    await expect(operator.call('reset', {})).rejects.toThrow('world.json');
    expect((await operator.call('getUser', { uid })).balances).toMatchObject([
      { coin: 'SOL', equity: '7' },
    ]);
  }
  writeFileSync(world, '{"market":"off","users":[{"name":"ann"}]}');
  await operator.call('reset', {});
  expect((await operator.call('getUser', { uid })).balances).toEqual([]);
  await exchange.stop();
});

test('[RUN-02] the printed URL of an IPv6 address has it in brackets', async () => {
  const exchange = await start({ host: '::' });
  for (const url of [exchange.publicUrl, exchange.operatorUrl])
    expect(url).toMatch(/^http:\/\/\[::\]:\d+$/);
  expect((await fetch(`${exchange.publicUrl}/api/v2/public/time`)).status).toBe(200);
  await exchange.stop();
});
