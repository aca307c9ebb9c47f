import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, endAll, LARGE_PRICES, type Server, startServer } from './server.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const MEGABYTE = 1024 * 1024;
const SEGMENT = 16 * MEGABYTE;
/** Two segments exist from the start. A third one and the history need the rest. */
const DISK = 64 * MEGABYTE;
const FILLER = 24 * MEGABYTE;
/** The server retries a full disk every second. */
const RESUMES_MS_MAX = 10_000;

let disk: SmallDisk | undefined;
afterEach(() => {
  endAll();
  disk?.remove();
});

interface Credited {
  readonly sizes: string[];
  answer: Answer;
}

const deposit = (server: Server, uid: string, size: string): Promise<Answer> =>
  server.operator('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size });

/** Fills the journal, with small deposits in between, until a call is refused. */
async function fillUntilRefused(server: Server, uid: string): Promise<Credited> {
  const credited: Credited = { sizes: [], answer: { status: 0, code: '', msg: '', data: null } };
  const caller = async (): Promise<void> => {
    for (let n = 0; credited.answer.code === '' && n < 5_000; n++) {
      const size = String(credited.sizes.length + 1);
      if (n % 10 === 0) credited.sizes.push(size);
      const answer =
        n % 10 === 0
          ? await deposit(server, uid, size)
          : await server.operator('POST', '/operator/v1/prices', LARGE_PRICES);
      if (answer.code === '00000') continue;
      credited.answer = answer;
      if (n % 10 === 0) credited.sizes.splice(credited.sizes.indexOf(size), 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  return credited;
}

async function creditedSizes(server: Server, uid: string): Promise<string[]> {
  const lines = await server.operate<readonly { amount: string }[]>(
    'GET',
    `/operator/v1/ledger?uid=${uid}&coin=SOL&limit=1000`,
  );
  return lines.map(({ amount }) => amount).toSorted();
}

async function balance(server: Server, uid: string): Promise<number> {
  const { balances } = await server.operate<{
    balances: readonly { coin: string; equity: string }[];
  }>('GET', `/operator/v1/users/${uid}`);
  return Number(balances.find(({ coin }) => coin === 'SOL')?.equity ?? '0');
}

/** What `/metrics` reports about room for the journal and about history. */
async function diskFigures(
  server: Server,
): Promise<{ room: string | undefined; trouble: string | undefined }> {
  const input = await server.metrics();
  const [room, trouble] = ['disk_room', 'history_trouble'].map(
    (name) => input.match(new RegExp(`^rialto_${name} (.+)$`, 'm'))?.[1],
  );
  return { room, trouble };
}

/** The sizes are whole numbers and halves, which floating point adds exactly. */
const sum = (sizes: readonly string[]): number =>
  sizes.reduce((total, size) => total + Number(size), 0);

/**
 * The current segment takes commands until the server knows that it can prepare no other. Returns
 * the accepted sizes.
 */
async function depositUntilRefused(server: Server, uid: string): Promise<string[]> {
  const taken: string[] = [];
  for (let n = 0; n < 5_000; n++) {
    const size = `${8_000 + n}.5`;
    const { status, code } = await deposit(server, uid, size);
    if (code === '00000') taken.push(size);
    else {
      expect({ status, code }).toEqual({ status: 503, code: '40015' });
      return taken;
    }
  }
  throw new Error('a full disk refused nothing');
}

async function depositWhenThereIsRoom(server: Server, uid: string, size: string): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < RESUMES_MS_MAX) {
    if ((await deposit(server, uid, size)).code === '00000') return performance.now() - begun;
    await pause(50);
  }
  throw new Error(`every deposit was refused for ${RESUMES_MS_MAX} ms after there was room`);
}

/**
 * Waits until the server has prepared its next segment. If the disk fills up earlier, the server
 * removes the unfinished segment once a second to retry, which would leave room for a moment.
 */
async function segmentPrepared(folderFromOutside: string): Promise<void> {
  const prepared = join(folderFromOutside, 'journal', 'journal-next.prepared');
  while ((statSync(prepared, { throwIfNoEntry: false })?.size ?? 0) < SEGMENT) await pause(20);
}

describe('a full disk', () => {
  test('[JRN-06][VIEW-19][OPR-13] refuses work with 503, answers reads, resumes, and loses nothing', async () => {
    disk = await mountSmallDisk(DISK);
    const { through } = disk;
    const folder = join(disk.folder, 'exchange');
    const server = await startServer({
      folder,
      through,
      flags: ['--limits', 'off'],
      read: disk.seenFromOutside,
    });
    const { uid } = server.user('alice');
    const dave = server.user('dave');
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '40000',
      qty: '0.01',
    };
    const { orderId } = (await server.call(dave, 'POST', '/api/v3/trade/place-order', order))
      .data as { orderId: string };
    expect(await diskFigures(server)).toEqual({ room: '1', trouble: '0' });
    disk.occupy(FILLER);
    const { sizes, answer } = await fillUntilRefused(server, uid);
    expect(answer).toMatchObject({ status: 503, code: '40015' });
    expect(sizes.length).toBeGreaterThan(10);

    const { sequence, durable, stateHash } = await server.health();
    expect(durable).toBe(sequence);
    expect(await diskFigures(server)).toMatchObject({ room: '0' });
    for (let n = 0; n < 20; n++)
      expect(await deposit(server, uid, '5000')).toMatchObject({ status: 503, code: '40015' });
    expect(await server.health()).toMatchObject({ status: 'serving', sequence, stateHash });
    expect(await balance(server, uid)).toBe(sum(sizes));
    expect(await server.call(server.user('alice'), 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
    expect(await server.call(dave, 'POST', '/api/v3/trade/place-order', order)).toMatchObject({
      status: 503,
      code: '40015',
    });
    expect(
      await server.call(dave, 'POST', '/api/v3/trade/cancel-order', { orderId }),
    ).toMatchObject({ status: 200, data: { orderId } });

    disk.vacate();
    expect(await depositWhenThereIsRoom(server, uid, '7000')).toBeLessThan(RESUMES_MS_MAX);
    sizes.push('7000');
    expect(await balance(server, uid)).toBe(sum(sizes));
    expect(await creditedSizes(server, uid)).toEqual(sizes.toSorted());
    expect(await diskFigures(server)).toEqual({ room: '1', trouble: '0' });

    await server.end('SIGKILL');
    // A start without room for a segment has all data and accepts nothing new until there is room.
    rmSync(disk.seenFromOutside(join(folder, 'journal', 'journal-next.prepared')));
    disk.occupy(20 * MEGABYTE);
    const again = await startServer({ folder, through, read: disk.seenFromOutside });
    expect(await balance(again, uid)).toBe(sum(sizes));
    sizes.push(...(await depositUntilRefused(again, uid)));
    disk.vacate();
    await depositWhenThereIsRoom(again, uid, '7001');
    sizes.push('7001');
    expect(await balance(again, uid)).toBe(sum(sizes));
    expect(await creditedSizes(again, uid)).toEqual(sizes.toSorted());
    expect((await again.end('SIGTERM')).code).toBe(0);

    const last = await startServer({ folder, through, read: disk.seenFromOutside });
    expect(await creditedSizes(last, uid)).toEqual(sizes.toSorted());
    expect(await last.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
    await last.end('SIGTERM');
  });

  test('[RUN-61][VIEW-13][OPR-13] full to the last byte: a start serves cancels, and loses nothing', async () => {
    disk = await mountSmallDisk(DISK);
    const small = disk;
    const { through, seenFromOutside } = small;
    const folder = join(small.folder, 'exchange');
    const start = (): Promise<Server> =>
      startServer({ folder, through, flags: ['--limits', 'off'], read: seenFromOutside });
    const server = await start();
    const dave = server.user('dave');
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '40000',
      qty: '0.001',
    };
    const { orderId } = (await server.call(dave, 'POST', '/api/v3/trade/place-order', order))
      .data as { orderId: string };
    // Ten self-trades leave a hundred rows, and the bound is a hundred thousand.
    const trades = Array.from({ length: 20 }, (_, at) => ({
      ...order,
      side: at % 2 === 0 ? 'buy' : 'sell',
      price: '60000',
    }));
    expect(() => small.occupy(DISK)).toThrow('ENOSPC');
    const trade = async (): Promise<Answer> => {
      for (;;) {
        const answer = await server.call(dave, 'POST', '/api/v3/trade/place-batch', trades);
        if (answer.code !== '00000') return answer;
      }
    };
    for (const answer of await Promise.all([trade(), trade(), trade()]))
      expect(answer).toMatchObject({ status: 503, code: '40015' });
    expect(await diskFigures(server)).toMatchObject({ trouble: '1' });
    expect(server.errors.match(/history cannot be stored: trading continues/g)).toHaveLength(1);
    await server.end('SIGKILL');

    small.vacate();
    rmSync(seenFromOutside(join(folder, 'journal', 'journal-next.prepared')), { force: true });
    expect(() => small.occupy(DISK)).toThrow('ENOSPC');
    const again = await start();
    expect(again.errors).toContain('only cancels of orders');
    expect(await again.call(dave, 'POST', '/api/v3/trade/place-order', order)).toMatchObject({
      status: 503,
      code: '40015',
    });
    expect(await again.call(dave, 'POST', '/api/v3/trade/cancel-order', { orderId })).toMatchObject(
      { status: 200, data: { orderId } },
    );
    small.vacate();
    await depositWhenThereIsRoom(again, dave.uid, '7000');
    expect(again.errors).toContain('history can be stored again');
    expect(await again.operate('GET', '/operator/v1/audit')).toMatchObject({
      ok: true,
      violations: [],
    });
    expect((await again.end('SIGTERM')).code).toBe(0);
  }, 120_000);

  test('[OPR-12] refuses a snapshot with 503 and logs why; when there is room it makes one', async () => {
    disk = await mountSmallDisk(DISK);
    const small = disk;
    const { through, folder, seenFromOutside } = small;
    const server = await startServer({
      folder: join(folder, 'exchange'),
      through,
      read: seenFromOutside,
    });
    const snapshot = (): Promise<Answer> => server.operator('POST', '/operator/v1/snapshot', {});
    await segmentPrepared(seenFromOutside(join(folder, 'exchange')));
    expect(() => small.occupy(DISK)).toThrow('ENOSPC');
    expect(await snapshot()).toMatchObject({ status: 503, code: '40015' });
    expect(server.errors).toContain('a snapshot could not be made');
    expect(server.errors).toContain('ENOSPC');
    expect(await server.health()).toMatchObject({ status: 'serving' });
    small.vacate();
    expect(await snapshot()).toMatchObject({ status: 200, code: '00000' });
    expect((await server.end('SIGTERM')).code).toBe(0);
  });
});
