import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { worldSchema } from '../../contract/world.ts';
import { createEngine } from '../../core/engine.ts';
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { DAY, HOUR, startOf, type Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import type { Command } from '../../messages/commands.ts';
import { createMemoryHistory } from '../../views/history/memory-history.ts';
import { createViews } from '../../views/views.ts';
import { importRecording } from '../recordings/import-recording.ts';
import { recordingsIn } from '../recordings/recordings.test-support.ts';
import { makeOwnWorld, type OwnWorldBuilder } from './own-world.ts';
import { readWorldFile } from './world-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-world-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(content: unknown): string {
  const path = join(folder, 'world.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const MAKER = { category: 'SPOT', symbol: 'BTCUSDT' };
const COIN = DEFAULT_COINS[0]!;
const CHAIN = COIN.chains[0]!;

const EXAMPLE = new URL('../../../examples/worlds/crash.json', import.meta.url).pathname;

/** Creates the world and crashes after this many commands; then creates it again. */
async function make(commandsMax = Number.POSITIVE_INFINITY, path = EXAMPLE, marketOn?: boolean) {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  const keys = new Map<string, Uid>();
  let commands = 0;
  const submit = async (command: Command): Promise<unknown> => {
    if (++commands > commandsMax) throw new Error('switched off');
    const executed = engine.execute(command, 1_700_000_000_000 as Timestamp);
    views.apply(executed);
    return executed.outcome;
  };
  const builder: OwnWorldBuilder = {
    submit: submit as OwnWorldBuilder['submit'],
    uidOf: (name) => views.accounts.findByName(name)?.uid,
    issueKeys: async (wanted) => {
      for (const { name, uid } of wanted) keys.set(name, uid);
    },
    openMarket: async () => void (await submit({ type: 'switchMarket', on: true })),
    marketOn,
    past: { seed: 1, spanMs: undefined },
    now: () => 1_700_000_000_000 as Timestamp,
    isMarketOn: () => engine.state.marketOn,
    scenesPlayed: () => views.clock.scenes().length,
    playScene: async ({ category, symbol, name, delayMs = 0 }) =>
      void (await submit({
        type: 'playScene',
        category,
        symbol,
        name,
        delayMs,
        durationMs: 1,
        percent: '1' as never,
        down: false,
      })),
    importRecording: (request) =>
      importRecording(
        { state: () => engine.state, submit: builder.submit, recordings: recordingsIn(folder) },
        request,
      ),
  };
  await makeOwnWorld(readWorldFile(path), builder).catch((error: Error) => {
    if (error.message !== 'switched off') throw error;
  });
  if (commands > commandsMax) {
    commandsMax = Number.POSITIVE_INFINITY;
    await makeOwnWorld(readWorldFile(path), builder);
  }
  const shown = {
    world: views.clock.world(),
    market: views.clock.marketOn(),
    scenes: views.clock
      .scenes()
      .map(({ name, startsAt }) => `${name} ${startsAt - 1_700_000_000_000}`),
    keys: [...keys],
    balances: [...keys.values()].map((uid) =>
      views.accounts.balances(uid).map(({ coin, equity }) => `${moneyText(equity)} ${coin}`),
    ),
    makings: [...engine.state.makings],
    bitcoin: views.prices.mark('USDT-FUTURES', 'BTCUSDT'),
    agents: views.agents.agents().map(({ uid }) => uid),
  };
  return { shown, commands, engine, views };
}

const AGENT = { user: 'b', spotRatio: '0.1', futuresRatio: '0.1' };
const KEY = { apiKey: 'key', secretKey: 'secret', passphrase: 'phrase' };

describe('a world from a file', () => {
  test('[RUN-51] it has the users, money, roles, makers and scenes of the file', async () => {
    const { shown, engine } = await make();
    expect(shown).toMatchObject({
      world: 'crash',
      market: true,
      scenes: ['trend 60000', 'crash 300000'],
      balances: [[], ['25000 USDT', '0.5 BTC'], ['50000 USDT'], ['5000 USDT']],
      makings: [
        ['USDT-FUTURES:BTCUSDT', { depth: '2', spread: '0.5' }],
        ['USDT-FUTURES:XRPUSDT', { depth: '0', spread: '1' }],
      ],
      bitcoin: 640_000_000_000_000n,
    });
    expect(shown.keys.map(([name]) => name)).toEqual(['house', 'bot', 'leader', 'copier']);
    expect(shown.agents).toEqual([shown.keys[0]![1]]);
    expect(engine.audit().violations).toEqual([]);
  });

  test('[RUN-151][MKT-10] with the market off the scenes of a world file are skipped', async () => {
    const { shown } = await make(undefined, EXAMPLE, false);
    expect(shown).toMatchObject({ market: false, scenes: [] });
  });

  test('[PAST-14] it has the market history of the file, before its first trade, or none', async () => {
    const path = fileOf({ past: '2d' });
    const { engine } = await make(undefined, path);
    expect(engine.state.past).toMatchObject({
      seed: 1,
      end: 1_700_000_000_000,
      begin: startOf(1_700_000_000_000 - 2 * DAY, HOUR),
    });
    expect((await make()).engine.state.past).toBeUndefined();
  });

  /** Four minutes of 2024-01-01; the price goes from 50000 to 50004. */
  const ROWS = [0, 1, 2, 3].map(
    (at) =>
      `${1_704_067_200 + at * 60},${50_000 + at},${50_001 + at},${50_000 + at},${50_001 + at},2`,
  );
  const recordedWorld = (rows: readonly string[], recording: object, more: object = {}): string => {
    writeFileSync(join(folder, 'rows.csv'), rows.join('\n'));
    const recordings = [{ file: 'rows.csv', symbol: 'BTCUSDT', ...recording }];
    return fileOf({ past: '2d', recordings, ...more });
  };
  const DIVIDED = { as: 'both', divide: '1704067320000' };

  test('[DATA-60] a recording beside the world is its past and its path from the first start on', async () => {
    const { engine, views, shown } = await make(undefined, recordedWorld(ROWS, DIVIDED));
    const [begin, end] = [1_704_067_200_000, 1_704_067_440_000];
    expect(engine.state.recordedPaths.get('BTC')).toMatchObject({ from: begin + 120_000, to: end });
    expect(engine.state.recordedPasts.get('SPOT:BTCUSDT')).toMatchObject({ to: begin + 120_000 });
    expect(shown).toMatchObject({ market: true, bitcoin: 500_020_000_000_000n });
    // The drawn history of other books ends at the price that the import has set.
    const drawn = engine.state.past!.books.find(({ symbol }) => symbol === 'BTCPERP');
    expect(drawn!.index).toBe(500_020_000_000_000n);
    expect(views.recordings.all()).toMatchObject([{ pasts: [{}], paths: [{}] }]);
  });

  test('[DATA-60] after a crash at any command, the next start has the same recordings', async () => {
    const path = recordedWorld(ROWS, DIVIDED);
    const whole = await make(undefined, path);
    const used = ({ engine }: typeof whole) => [
      engine.state.recordedPaths.get('BTC'),
      engine.state.recordings,
      engine.state.marketOn,
    ];
    for (let commandsMax = 1; commandsMax < whole.commands; commandsMax++)
      expect(used(await make(commandsMax, path)), `after ${commandsMax}`).toEqual(used(whole));
  });

  test('[RUN-151] with the market off a recording is only a past', async () => {
    const { engine } = await make(undefined, recordedWorld(ROWS, DIVIDED), false);
    expect([engine.state.recordedPasts.size, engine.state.recordedPaths.size]).toEqual([3, 0]);
    const path = recordedWorld(ROWS, { as: 'path' }, { market: 'off' });
    expect((await make(undefined, path)).engine.state.recordings.size).toBe(0);
  });

  test.each([
    [[...ROWS, '1704067500,0,1,1,1,1'], {}, 'file error: rows.csv: line 5: the open is zero'],
    [ROWS, { symbol: 'NOUSDT' }, 'The symbol NOUSDT does not exist'],
    [ROWS, { file: 'nowhere.csv' }, /file error: ENOENT: .*nowhere.csv/],
    [ROWS, { as: 'both', divide: '1704067200000' }, 'divide error: nothing is before it'],
  ])(
    '[DATA-60][RUN-52] a recording %# is refused with its place',
    async (rows, recording, reason) => {
      const made = make(undefined, recordedWorld(rows, recording));
      await expect(made).rejects.toThrow(/^the world could not be created: recordings\[0\]: /);
      await expect(made).rejects.toThrow(reason);
    },
  );

  test('[RUN-51] after a crash at any command, the next start completes the same world', async () => {
    const whole = await make();
    for (let commandsMax = 1; commandsMax < whole.commands; commandsMax += 3)
      expect((await make(commandsMax)).shown, `after ${commandsMax} commands`).toEqual(whole.shown);
  });

  test('[RUN-51] uids follow the order of the file, also with referrals and full groups', async () => {
    const users = Array.from({ length: 700 }, (_, at) => ({
      name: `u${at}`,
      balances: { USDT: '1' },
      ...(at % 100 === 50 ? { parent: 'u0' } : {}),
    }));
    const { shown } = await make(undefined, fileOf({ market: 'off', users }));
    expect(shown.keys.map(([name]) => name)).toEqual(users.map(({ name }) => name));
    expect(shown.keys.map(([, uid]) => uid)).toEqual(users.map((_, at) => UID_FIRST + at));
    expect(shown.balances.every((balances) => balances.join() === '1 USDT')).toBe(true);
  });

  test.each([
    ['{', 'it is not valid JSON'],
    ['[]', 'it is not valid JSON'],
    [{ user: [] }, 'Parameter user error: no field has this name'],
    [
      { users: [{ name: 'a', blances: {} }] },
      'Parameter users[0].blances error: no field has this name',
    ],
    [{ users: [{}] }, 'Parameter users[0].name'],
    [
      { users: [{ name: 'a', balances: { USDT: '-1' } }] },
      'Parameter users[0].balances.USDT error',
    ],
    [
      { users: [{ name: 'a', balances: { usdt: '1', USDT: '2' } }] },
      'Parameter users[0].balances.USDT error: USDT is named twice',
    ],
    [
      { users: [{ name: 'a' }], traders: [{ user: 'a' }, { user: 'a' }] },
      'traders[1].user: a is named twice',
    ],
    [
      { makers: [MAKER, { ...MAKER, symbol: 'ETHUSDT' }, MAKER] },
      'makers[2].symbol: SPOT BTCUSDT is named twice',
    ],
    [
      { scenes: [{ atMs: '1', scene: 'flood', category: 'SPOT', symbol: 'BTCUSDT' }] },
      'Parameter scenes[0].scene error',
    ],
    [{ users: [{ name: 'a' }, { name: 'a' }] }, 'users[1].name: a is named twice'],
    [{ users: [{ name: 'a', agent: 'b' }] }, 'users[0].agent: b is not among the agents'],
    [{ users: [{ name: 'a', parent: 'b' }] }, 'users[0].parent: no user is called b'],
    [{ users: [{ name: 'a', parent: 'a' }] }, 'users[0].parent: a refers to itself'],
    [
      { users: [{ name: 'a' }, { name: 'b', parent: 'c' }, { name: 'c', parent: 'b' }] },
      'users[1].parent: b refers to itself',
    ],
    [
      {
        users: [
          { name: 'a', agent: 'b' },
          { name: 'b', parent: 'a' },
        ],
        agents: [AGENT],
      },
      'users[0].agent: a refers to itself',
    ],
    [
      {
        users: [
          { name: 'a', key: KEY },
          { name: 'b', key: KEY },
        ],
      },
      'users[1].key.apiKey: another user has it',
    ],
    [
      { users: [{ name: 'a' }], traders: [{ user: 'a', symbols: [] }] },
      'Parameter traders[0].symbols cannot be empty',
    ],
    [
      { recordings: [{ file: 'a', symbol: 'BTCUSDT', as: 'both' }] },
      'recordings[0].divide: a recording used as both needs it',
    ],
    [{ traders: [{ user: 'x' }] }, 'traders[0].user: no user is called x'],
    [
      { users: [{ name: 'a' }], followers: [{ user: 'a', trader: 'b' }] },
      'followers[0].trader: b is not among the traders',
    ],
  ])('[RUN-52] %j is refused with its place', (content, message) => {
    const path = fileOf(content);
    expect(() => readWorldFile(path)).toThrow(`${path} is not a world: `);
    expect(() => readWorldFile(path)).toThrow(message);
  });

  test.each([
    [
      {
        users: [
          { name: 'a', email: 'x@y.zz' },
          { name: 'b', email: 'x@y.zz' },
        ],
      },
      'users[1]: Parameter email is in use by another user',
    ],
    [
      { users: [{ name: 'a', balances: { DOGE: '5' } }] },
      'users[0].balances.DOGE: The coin DOGE does not exist',
    ],
    [
      { users: [{ name: 'a' }], agents: [{ user: 'a', spotRatio: '5', futuresRatio: '0' }] },
      'agents[0]: Parameter spotRatio is out of range',
    ],
    [
      { makers: [{ category: 'SPOT', symbol: 'DOGEUSDT' }] },
      'makers[0]: The symbol DOGEUSDT does not exist',
    ],
    [
      { makers: [MAKER, { ...MAKER, symbol: 'ETHUSDT', spread: '0' }] },
      'makers[1]: Parameter spread is out of range',
    ],
    [
      {
        coins: [
          { ...COIN, coin: 'AAA' },
          { ...COIN, chains: [CHAIN, { ...CHAIN, chain: 'B', withdrawStep: '0' }] },
        ],
      },
      'coins[1]: Parameter chains[1].withdrawStep is out of range: above 0',
    ],
    [
      { users: [{ name: 'a' }, { name: 'b', parent: 'a' }, { name: 'c', parent: 'b' }] },
      'users[2]: Parameter parent error: a sub-account',
    ],
    [
      {
        users: [{ name: 'a' }, { name: 'b' }],
        traders: [{ user: 'a' }],
        followers: [{ user: 'b', trader: 'a', multiple: '0' }],
      },
      'followers[0]: Parameter multiple must be greater than 0',
    ],
    [
      {
        users: [{ name: 'a' }, { name: 'b' }],
        traders: [{ user: 'a' }],
        followers: [{ user: 'b', trader: 'a', symbols: ['BTCUSDT', 'ETHUSDT', 'BTCUSDT'] }],
      },
      'followers[0]: Parameter symbols[2] error: given twice',
    ],
    [
      { prices: { DOGE: '1' } },
      'prices.DOGE: no instrument has DOGE as its base and a dollar coin as its quote',
    ],
  ])(
    '[RUN-52] %j is refused by the exchange with its place in the world',
    async (content, message) => {
      await expect(make(undefined, fileOf(content))).rejects.toThrow(
        `the world could not be created: ${message}`,
      );
    },
  );

  test('[RUN-152] a follower without symbols copies those that its trader leads', async () => {
    const users = [{ name: 'a' }, { name: 'b' }];
    const traders = [{ user: 'a', symbols: ['BTCUSDT', 'BTCUSD'] }];
    const { views, shown } = await make(
      undefined,
      fileOf({ market: 'off', users, traders, followers: [{ user: 'b', trader: 'a' }] }),
    );
    const [leader, follower] = shown.keys.map(([, uid]) => uid);
    expect(
      views.copyTrading.following(follower!, leader!)!.settings.map(({ symbol }) => symbol),
    ).toEqual(['BTCUSDT']);
  });

  test('[RUN-52] the published schema has every field and allows no other', () => {
    const { properties = {}, additionalProperties } = worldSchema();
    expect(Object.keys(properties)).toEqual([
      'name',
      'market',
      'defaults',
      'past',
      'coins',
      'instruments',
      'prices',
      'users',
      'traders',
      'followers',
      'agents',
      'makers',
      'recordings',
      'scenes',
    ]);
    expect(additionalProperties).toBe(false);
    expect(properties.users!.items!.additionalProperties).toBe(false);
  });
});
