/** Backups of a running exchange and of a stopped one, and exchanges that start from them. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { CHAIN_FILE } from '../../src/app/chains/chain-file.ts';
import { SECTOR_BYTES } from '../../src/journal/record.ts';
import {
  endAll,
  launchVerb,
  runVerb,
  type Server,
  startServer,
  stoppedFolder,
  temporaryFolder,
} from './server.ts';

afterAll(endAll);

const ORDER = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  price: '60000',
  qty: '0.001',
};

interface Placed {
  readonly name: string;
  readonly clientOid: string;
}

/**
 * Places sells of carol and buys of dave that match one after another; reports each acknowledged
 * one.
 */
async function trade(
  server: Server,
  length: number,
  onPlaced: (placed: Placed) => void,
  isOver = (): boolean => false,
): Promise<void> {
  for (let at = 0; at < length && !isOver(); at++) {
    const isSell = at % 2 === 0;
    const placed = { name: isSell ? 'carol' : 'dave', clientOid: `backup-${at}` };
    const order = { ...ORDER, side: isSell ? 'sell' : 'buy', clientOid: placed.clientOid };
    const { code } = await server.call(
      server.user(placed.name),
      'POST',
      '/api/v3/trade/place-order',
      order,
    );
    if (code === '00000') onPlaced(placed);
  }
}

/** Also removes snapshots, because a start would continue from them. */
function emptyJournal(folder: string): void {
  for (const name of readdirSync(join(folder, 'journal'))) rmSync(join(folder, 'journal', name));
}

/** As if the second half of the journal had never reached the disk. */
function loseEnd(folder: string): void {
  const name = readdirSync(join(folder, 'journal')).find((each) => each.endsWith('.seg'))!;
  const bytes = readFileSync(join(folder, 'journal', name));
  const written = bytes.findLastIndex((byte) => byte !== 0);
  emptyJournal(folder);
  writeFileSync(
    join(folder, 'journal', name),
    bytes.fill(0, Math.floor(written / 2 / SECTOR_BYTES) * SECTOR_BYTES),
  );
}

const copyFolder = (): string => join(temporaryFolder(), 'kept', 'copy');
const backup = (data: string, to: string) => runVerb('backup', '--data', data, '--to', to);

test('[RUN-64][RUN-160] a backup under load has everything acknowledged before; an exchange starts', async () => {
  const [folder, to] = [temporaryFolder(), copyFolder()];
  const server = await startServer({ folder, flags: ['--limits', 'off'] });
  const acknowledged: Placed[] = [];
  let isOver = false;
  const trading = trade(
    server,
    Number.POSITIVE_INFINITY,
    (placed) => acknowledged.push(placed),
    () => isOver,
  );
  while (acknowledged.length < 20) await pause(10);
  await server.operate('POST', '/operator/v1/snapshot');
  const before = [...acknowledged];
  const { durable } = await server.health();
  const { code, output, errors } = await backup(folder, to);
  isOver = true;
  await trading;
  await server.end('SIGKILL');
  expect([code, errors]).toEqual([0, '']);
  const sequence = Number(
    /^backup of sequence (\d+) in \S+\/kept\/copy, checked and complete\n$/.exec(output)?.[1],
  );
  expect(sequence).toBeGreaterThanOrEqual(durable);
  expect(acknowledged.length).toBeGreaterThan(before.length);

  const copy = await startServer({ folder: to, flags: ['--limits', 'off'] });
  expect(copy.errors).toBe('');
  expect((await copy.health()).sequence).toBeGreaterThanOrEqual(sequence);
  for (const { name, clientOid } of before) {
    const { code: found } = await copy.call(
      copy.user(name),
      'GET',
      `/api/v3/trade/order-info?clientOid=${clientOid}`,
    );
    expect([clientOid, found]).toEqual([clientOid, '00000']);
  }
  expect(await copy.operate('GET', '/operator/v1/audit')).toMatchObject({
    ok: true,
    violations: [],
  });
  await copy.end('SIGTERM');
});

test('[RUN-64][RUN-158] a backup of a stopped folder has its state, history, keys and secrets', async () => {
  const [folder, to] = [temporaryFolder(), copyFolder()];
  const server = await startServer({ folder, flags: ['--limits', 'off'] });
  await trade(server, 10, () => undefined);
  await server.end('SIGTERM');
  const names = readdirSync(folder, { recursive: true });
  const sizes = names.map((name) => statSync(join(folder, String(name))).size);
  expect((await backup(folder, to)).code).toBe(0);
  expect(readdirSync(folder, { recursive: true })).toEqual(names);
  expect(names.map((name) => statSync(join(folder, String(name))).size)).toEqual(sizes);
  expect(
    [to, join(to, 'journal'), join(to, 'credentials.json'), join(to, 'master.key')].map(
      (path) => statSync(path).mode & 0o777,
    ),
  ).toEqual([0o700, 0o700, 0o600, 0o600]);
  const hashOf = async (data: string): Promise<string | undefined> =>
    (await runVerb('replay', '--data', data)).output.split('\n')[1];
  expect(await hashOf(to)).toBe(await hashOf(folder));
  const pages: unknown[] = [];
  for (const data of [folder, to]) {
    const started = await startServer({ folder: data });
    const { data: orders } = await started.call(
      started.user('dave'),
      'GET',
      '/api/v3/trade/history-orders?category=USDT-FUTURES',
    );
    pages.push([
      orders,
      await started.operate('GET', '/operator/v1/ledger?limit=1000'),
      started.credentials,
    ]);
    await started.end('SIGTERM');
  }
  expect(pages[1]).toEqual(pages[0]);
  expect(JSON.stringify(pages[0])).toContain('backup-1');
});

test('[RUN-158][RUN-160] links are followed, and an exchange starts without the originals', async () => {
  const [folder, elsewhere, to] = [await stoppedFolder(), temporaryFolder(), copyFolder()];
  const linked = ['master.key', 'credentials.json'];
  for (const name of linked) {
    renameSync(join(folder, name), join(elsewhere, name));
    symlinkSync(join(elsewhere, name), join(folder, name));
  }
  expect(await backup(folder, to)).toMatchObject({ code: 0, errors: '' });
  expect(linked.filter((name) => lstatSync(join(to, name)).isSymbolicLink())).toEqual([]);
  rmSync(elsewhere, { recursive: true });
  const server = await startServer({ folder: to });
  expect(await server.call(server.user('dave'), 'GET', '/api/v3/account/assets')).toMatchObject({
    code: '00000',
  });
});

test('[RUN-64] a backup never writes into an existing folder', async () => {
  const [folder, to] = [await stoppedFolder(), copyFolder()];
  mkdirSync(to, { recursive: true });
  const { code, errors } = await backup(folder, to);
  expect([code, errors]).toEqual([
    1,
    `rialto: ${to} exists already; a backup needs a new folder\n`,
  ]);
  expect(readdirSync(to)).toEqual([]);
});

test('[RUN-159] damage in the journal is reported with its place and leaves no backup', async () => {
  const [folder, to] = [await stoppedFolder(), copyFolder()];
  const segment = join(
    folder,
    'journal',
    readdirSync(join(folder, 'journal')).find((name) => name.endsWith('.seg'))!,
  );
  const bytes = readFileSync(segment);
  bytes[5_000]! ^= 0x01;
  writeFileSync(segment, bytes);
  const { code, errors } = await backup(folder, to);
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(
      /^rialto: the copy is damaged: journal-\d{16}\.seg at byte \d+: [^\n]+\n$/,
    ),
  ]);
  expect([existsSync(to), existsSync(`${to}.unfinished`)]).toEqual([false, false]);
});

test('[RUN-160] a folder without a journal is refused', async () => {
  const folder = temporaryFolder();
  const { code, errors } = await backup(folder, copyFolder());
  expect([code, errors]).toEqual([1, `rialto: ${folder} holds no journal\n`]);
});

test.each<[what: string, lose: (folder: string) => void, emitted: RegExp]>([
  ['all of its journal', emptyJournal, /\/journal holds no journal\n$/],
  [
    'the end of its journal',
    loseEnd,
    new RegExp(
      'the journal ends with sequence \\d+, ' +
        'and history\\.db has applied sequence \\d+: a start is refused\\n$',
    ),
  ],
  [
    'its master key',
    (folder) => rmSync(join(folder, 'master.key')),
    /\/master\.key is missing, and no exchange starts from a copy without it; put it back\n$/,
  ],
])(
  '[RUN-160] a folder that has lost %s is refused, because no exchange could start on its copy',
  async (_, lose, emitted) => {
    const [folder, to] = [await stoppedFolder(), copyFolder()];
    lose(folder);
    const { code, output, errors } = await backup(folder, to);
    expect([code, output, errors]).toEqual([1, '', expect.stringMatching(emitted)]);
    expect([existsSync(to), existsSync(`${to}.unfinished`)]).toEqual([false, false]);
  },
);

test('[RUN-64] an empty folder name is refused', async () => {
  const { code, errors } = await backup(await stoppedFolder(), '');
  expect([code, errors]).toEqual([1, 'rialto: --to is a folder, not empty\n']);
});

/** The fates in the chain file of a folder. */
const fatesIn = (folder: string): readonly string[] =>
  readFileSync(join(folder, CHAIN_FILE), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly fate: string }).fate);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(1);
}

test('[RUN-158] a copied chain knows only the requests in the copied journal, and sends each once', async () => {
  const [folder, to] = [temporaryFolder(), copyFolder()];
  const server = await startServer({ folder });
  const carol = server.user('carol');
  // An amount that needs approval (WDR-12).
  const way = {
    coin: 'USDT',
    transferType: 'on_chain',
    chain: 'TRC20',
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    size: '20000',
  };
  const { data } = await server.call<{ orderId: string }>(
    carol,
    'POST',
    '/api/v3/account/withdrawal',
    way,
  );
  const approve = (exchange: Server) =>
    exchange.operate('POST', `/operator/v1/withdrawals/${data.orderId}/approve`, {
      operator: 'olga',
    });
  const { child, ended } = launchVerb('backup', '--data', folder, '--to', to);
  // The backup fixes the end of the journal copy before it creates the folder.
  await until(() => existsSync(join(`${to}.unfinished`, 'journal')));
  child.kill('SIGSTOP');
  await approve(server);
  await until(() => fatesIn(folder).includes('sent'));
  child.kill('SIGCONT');
  expect(await ended).toMatchObject({ code: 0, errors: '' });
  await server.end('SIGKILL');

  const copy = await startServer({ folder: to });
  expect(fatesIn(to)).toEqual([]);
  expect(await approve(copy)).toMatchObject({ status: 'pending', waitingFor: 'confirmations' });
  expect(fatesIn(to)).toEqual(['sent']);
  await copy.end('SIGTERM');
});

test('[RUN-159] an interrupted backup keeps another name and is never mistaken for a backup', async () => {
  const [folder, to] = [await stoppedFolder(), copyFolder()];
  const { child, ended } = launchVerb('backup', '--data', folder, '--to', to);
  await until(() => existsSync(`${to}.unfinished`));
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(to)).toBe(false);
  const { code, errors } = await backup(folder, to);
  const emitted =
    `rialto: ${to}.unfinished exists already: ` +
    'another backup is running, or one was interrupted; then remove it\n';
  expect([code, errors]).toEqual([1, emitted]);
});

test('[RUN-64] a folder is never copied into itself, under any name', async () => {
  const folder = await stoppedFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  for (const to of [
    join(folder, 'copy'),
    join(folder, 'journal', 'copy'),
    join(link, 'not', 'there'),
  ]) {
    const { code, errors } = await backup(folder, to);
    expect([code, errors]).toEqual([
      1,
      `rialto: ${to} is inside ${folder}, and would be lost with it\n`,
    ]);
  }
  expect(readdirSync(folder)).not.toContain('copy');
  expect(readdirSync(folder)).not.toContain('not');
});

test('[RUN-159] a damaged history is reported in one line and leaves no backup', async () => {
  const [folder, to] = [await stoppedFolder(), copyFolder()];
  writeFileSync(join(folder, 'history.db'), 'no history '.repeat(1_000));
  const { code, errors } = await backup(folder, to);
  const emitted =
    `rialto: ${join(folder, 'history.db')} could not be copied to ` +
    `${to}.unfinished/history.db: file is not a database\n`;
  expect([code, errors]).toEqual([1, emitted]);
  expect([existsSync(to), existsSync(`${to}.unfinished`)]).toEqual([false, false]);
});
