/** A history file of another journal or of a newer program. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, test } from 'vitest';
import {
  endAll,
  runServer,
  runVerb,
  type Server,
  startServer,
  stoppedFolder,
  temporaryFolder,
} from './server.ts';

afterAll(endAll);

const refused = (folder: string) =>
  runServer({ flags: ['--data', folder, '--port', '0', '--operator-port', '0'] });

const credit = (server: Server, size: string): Promise<unknown> =>
  server.operate('POST', '/operator/v1/deposits', {
    uid: server.user('dave').uid,
    coin: 'SOL',
    size,
  });

describe('a history file of another folder', () => {
  test('[JRN-153] a history of another journal refuses the start; once removed, it is rebuilt', async () => {
    const other = await stoppedFolder();
    const folder = temporaryFolder();
    const server = await startServer({ folder });
    for (const size of ['1', '2', '3']) await credit(server, size);
    const before = await server.operate('GET', '/operator/v1/ledger?limit=1000');
    await server.end('SIGTERM');
    const path = join(folder, 'history.db');
    copyFileSync(join(other, 'history.db'), path);
    const foreign = readFileSync(path);

    const { code, errors } = await refused(folder);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /^rialto: \S+history\.db cannot be opened: it is the history of a journal[^\n]*\n$/,
      ),
    ]);
    expect(readFileSync(path)).toEqual(foreign);
    expect(existsSync(`${path}.damaged`)).toBe(false);

    rmSync(path);
    const again = await startServer({ folder });
    expect(await again.operate('GET', '/operator/v1/ledger?limit=1000')).toEqual(before);
    await again.end('SIGTERM');
    const later = await startServer({ folder });
    await later.end('SIGTERM');
  });

  test('[VIEW-14] that of a newer program refuses the start in one line and is not set aside', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'history.db');
    const database = new Database(path);
    database.exec("insert into kysely_migration values ('9999-later', '2030-01-01')");
    database.close();
    const { code, errors } = await refused(folder);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /^rialto: [^\n]*9999-later[^\n]*a newer program has written it[^\n]*\n$/,
      ),
    ]);
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  test('[RUN-35] a history without its journal refuses the start, and no new journal is announced', async () => {
    const folder = await stoppedFolder();
    rmSync(join(folder, 'journal'), { recursive: true });
    const { code, errors } = await refused(folder);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^rialto: [^\n]*restore the two that belong together[^\n]*\n$/),
    ]);
    expect(readdirSync(folder)).toContain('history.db');
  });
});

/** Removes the last batch and the empty closing batch, as if they had never been written. */
function shorten(folder: string): void {
  const journal = join(folder, 'journal');
  const path = join(journal, readdirSync(journal).find((name) => name.endsWith('.seg'))!);
  const bytes = readFileSync(path);
  let written = bytes.length;
  while (bytes[written - 1] === 0) written--;
  const SECTOR = 512;
  const LAST_TWO = 2 * SECTOR;
  bytes.fill(0, Math.ceil(written / SECTOR) * SECTOR - LAST_TWO);
  writeFileSync(path, bytes);
}

describe('a journal that is shorter than its history', () => {
  test('[RUN-157] verify reports it and changes nothing, and a start refuses it', async () => {
    const folder = temporaryFolder();
    const server = await startServer({ folder });
    await credit(server, '1');
    const { sequence } = await server.health();
    await server.end('SIGTERM');
    shorten(folder);
    const names = readdirSync(folder);

    const verified = await runVerb('verify', '--data', folder);
    expect(verified.code).toBe(1);
    expect(verified.output).toMatch(
      new RegExp(
        `^DAMAGE +the journal ends with sequence ${sequence - 1}, and history.db has applied sequence ${sequence}`,
        'm',
      ),
    );
    expect(verified.output).not.toContain('torn end');
    expect(readdirSync(folder)).toEqual(names);
    expect((await refused(folder)).errors).toContain(
      `has applied sequence ${sequence}, which the journal does not reach; restore`,
    );
  });
});

describe('a damaged history file', () => {
  test('[VIEW-14] is set aside again when a second one is damaged', async () => {
    const folder = await stoppedFolder();
    for (const text of ['one', 'two']) {
      writeFileSync(join(folder, 'history.db'), text.repeat(1_000));
      await (await startServer({ folder })).end('SIGTERM');
    }
    const aside = ['history.db.damaged', 'history.db.damaged-2'].map((name) =>
      readFileSync(join(folder, name), 'utf8').slice(0, 3),
    );
    expect(aside).toEqual(['one', 'two']);
  });

  test('[VIEW-14] a folder named history.db refuses the start and stays', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'history.db');
    rmSync(path);
    mkdirSync(path);
    const { code, errors } = await refused(folder);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^rialto: \S+history\.db cannot be opened: [^\n]+\n$/),
    ]);
    expect(existsSync(`${path}.damaged`)).toBe(false);
  });

  test('[RUN-34] a folder named like a file of secrets refuses the start and is named', async () => {
    for (const name of ['credentials.json', 'master.key']) {
      const folder = await stoppedFolder();
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
      const { code, errors } = await refused(folder);
      expect([code, errors]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^rialto: \\S+${name} cannot be read: [^\n]+\n$`)),
      ]);
    }
  });

  // Root may write everywhere unless this capability is dropped.
  const through =
    process.getuid?.() === 0
      ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override']
      : [];

  test.each(['500', '600'])(
    '[RUN-06] a data folder of mode %s, which is not writable, refuses the start by name and reason',
    async (mode) => {
      const folder = temporaryFolder();
      chmodSync(folder, mode);
      const { code, errors } = await runServer({
        through,
        flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
      });
      expect([code, errors]).toEqual([
        1,
        `rialto: --data ${folder} cannot be created or written: EACCES: permission denied, access '${folder}'\n`,
      ]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('[RUN-07] a read-only folder.lock refuses the start, because it cannot exclude a second program', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'folder.lock');
    chmodSync(path, 0o400);
    const { code, errors } = await runServer({
      through,
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect([code, errors]).toEqual([
      1,
      `rialto: --data ${folder} cannot be created or written: EACCES: permission denied, access '${path}'\n`,
    ]);
  });

  test('[RUN-57] a damaged folder.lock refuses the start and names the remedy, which works', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'folder.lock');
    writeFileSync(path, 'x'.repeat(5_000));
    const { code, errors } = await refused(folder);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /^rialto: \S+folder\.lock cannot be locked: [^\n]+; remove the file[^\n]*\n$/,
      ),
    ]);
    rmSync(path);
    expect((await (await startServer({ folder })).end('SIGTERM')).code).toBe(0);
  });
});
