import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientOid, Id, Sequence } from '../../kernel/ids.ts';
import { type Amount, money } from '../../kernel/money.ts';
import { seededRandom } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { EventBatch } from '../../messages/events.ts';
import { COINS, EventStream, FIRST_AT, uidNumbered } from '../event-streams.test-support.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import type { DepositQuery } from './deposits.ts';
import type { HistoryStore } from './history.ts';
import type { LedgerQuery } from './ledger-lines.ts';
import { createMemoryHistory } from './memory-history.ts';
import { sampleBatches } from './sample-batches.test-support.ts';
import { openSqliteHistory } from './sqlite-history.ts';

const ALWAYS = { start: 0 as Timestamp, end: (FIRST_AT * 2) as Timestamp };
const EVERYTHING = 1_000_000;
const ann = uidNumbered(0);
const ben = uidNumbered(1);

let folder: string;
let worker: BundledWorker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  worker = await bundleWorker('./history-worker.ts');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  worker.remove();
});

let files = 0;
const openSqlite = (): Promise<HistoryStore> =>
  openSqliteHistory({ path: join(folder, `history-${files++}.db`), workerUrl: worker.url });

const idsOf = (rows: readonly { readonly id: Id }[]): readonly number[] =>
  rows.map((row) => row.id);

/**
 * Sends the same queries to both implementations. Memory, filled from the same batches, is the
 * model.
 */
async function expectSameRows(store: HistoryStore, batches: readonly EventBatch[]): Promise<void> {
  const model = createMemoryHistory();
  for (const batch of batches) model.apply(batch);
  const ledger: LedgerQuery = { limit: EVERYTHING };
  expect(await store.ledgerLines(ledger)).toEqual(await model.ledgerLines(ledger));
  for (const uid of [ann, ben, uidNumbered(2)]) {
    const query: DepositQuery = { uid, limit: EVERYTHING, ...ALWAYS };
    expect(await store.deposits(query)).toEqual(await model.deposits(query));
  }
}

describe.each([
  ['in memory', async () => createMemoryHistory()],
  ['in SQLite', openSqlite],
] as const)('history %s', (_, open) => {
  let store: HistoryStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  test('[VIEW-10] rows are shown at once, with all their values', async () => {
    const stream = new EventStream();
    store.apply(stream.next(stream.createUser('ann')));
    store.apply(stream.next(...stream.deposit(ann, 'USDT', money<Amount>('12.5'))));
    const common = { time: FIRST_AT + 2_000, sequence: 2, coin: 'USDT', reason: 'deposit' };
    expect(await store.ledgerLines({ limit: 10 })).toEqual([
      {
        ...common,
        id: 3,
        uid: ann,
        account: 'available',
        amount: 125_000_000_000n,
        balance: 125_000_000_000n,
      },
      {
        ...common,
        id: 2,
        account: 'outside',
        amount: -125_000_000_000n,
        balance: -125_000_000_000n,
      },
    ]);
    expect(await store.deposits({ uid: ann, limit: 10, ...ALWAYS })).toEqual([
      {
        id: 1,
        time: FIRST_AT + 2_000,
        sequence: 2,
        uid: ann,
        coin: 'USDT',
        amount: 125_000_000_000n,
        clientOid: 'd1',
      },
    ]);
  });

  test('[LIST-02] pages continue to older and newer ids, filtered by user and coin', async () => {
    const stream = new EventStream();
    store.apply(stream.next(stream.createUser(), stream.createUser()));
    // Order ids 1, 4, 7, …: each deposit takes three.
    for (const coin of ['USDT', 'BTC', 'USDT', 'USDT', 'BTC'])
      store.apply(stream.next(...stream.deposit(ann, coin, 5n as Amount)));
    store.apply(stream.next(...stream.deposit(ben, 'USDT', 5n as Amount)));
    const deposits = async (query: Partial<DepositQuery>) =>
      idsOf(await store.deposits({ uid: ann, limit: 2, ...ALWAYS, ...query }));

    for (const stored of [false, true]) {
      if (stored) await store.sync();
      expect(await deposits({})).toEqual([13, 10]);
      expect(await deposits({ idLessThan: 10 as Id })).toEqual([7, 4]);
      expect(await deposits({ idGreaterThan: 4 as Id })).toEqual([10, 7]);
      expect(await deposits({ coin: 'USDT' })).toEqual([10, 7]);
      expect(await deposits({ coin: 'USDT', idLessThan: 7 as Id })).toEqual([1]);
      expect(idsOf(await store.ledgerLines({ uid: ben, limit: 9 }))).toEqual([18]);
      expect(idsOf(await store.ledgerLines({ coin: 'BTC', limit: 3 }))).toEqual([15, 14, 6]);
    }
  });

  test('[LIST-11] a query for a missing row, or one of another user, gives an empty list', async () => {
    const stream = new EventStream();
    store.apply(stream.next(stream.createUser(), stream.createUser()));
    store.apply(stream.next(...stream.deposit(ann, 'USDT', 5n as Amount)));
    const find = (uid: typeof ann, orderId: number) =>
      store.deposits({ uid, orderId: orderId as Id, limit: 10, ...ALWAYS });
    expect(idsOf(await find(ann, 1))).toEqual([1]);
    expect(await find(ben, 1)).toEqual([]);
    expect(await find(ann, 2)).toEqual([]);
    expect(await find(ann, -1)).toEqual([]);
    const named = (uid: typeof ann, clientOid: string) =>
      store.deposits({ uid, clientOid: clientOid as ClientOid, limit: 10, ...ALWAYS });
    for (const stored of [false, true]) {
      if (stored) await store.sync();
      expect(idsOf(await named(ann, 'd1'))).toEqual([1]);
      expect(await named(ben, 'd1')).toEqual([]);
      expect(await named(ann, 'd2')).toEqual([]);
    }
  });

  test('[LIST-08] a time window includes both its ends', async () => {
    const stream = new EventStream();
    store.apply(stream.next(stream.createUser()));
    for (let count = 0; count < 3; count++)
      store.apply(stream.next(...stream.deposit(ann, 'USDT', 5n as Amount)));
    // The three deposits are at 2, 3 and 4 seconds, with ids 1, 4 and 7.
    const between = async (start: number, end: number) =>
      idsOf(
        await store.deposits({
          uid: ann,
          limit: 10,
          start: (FIRST_AT + start) as Timestamp,
          end: (FIRST_AT + end) as Timestamp,
        }),
      );
    expect(await between(2_000, 3_000)).toEqual([4, 1]);
    expect(await between(2_001, 3_999)).toEqual([4]);
    expect(await between(4_001, 9_000)).toEqual([]);
  });

  test('[VIEW-16] money is unchanged after a round trip', async () => {
    const stream = new EventStream();
    const amounts = [1n, 9_007_199_254_740_993n, 2n ** 63n - 1n, 10n ** 30n + 1n] as Amount[];
    store.apply(stream.next(stream.createUser()));
    for (const amount of amounts) store.apply(stream.next(...stream.deposit(ann, 'USDT', amount)));
    await store.sync();
    const rows = await store.deposits({ uid: ann, limit: 10, ...ALWAYS });
    expect(rows.map((row) => row.amount)).toEqual(amounts.toReversed());
    const lines = (await store.ledgerLines({ limit: 10 })).filter(
      (line) => line.account === 'outside',
    );
    expect(lines.map((line) => line.amount)).toEqual(
      amounts.map((amount) => -(amount as bigint)).toReversed(),
    );
  });

  test('[VIEW-12] batches that are fed again leave no second row', async () => {
    const batches = sampleBatches(60);
    for (const batch of batches.slice(0, 40)) store.apply(batch);
    expect(store.applied()).toBe(40);
    for (const batch of batches.slice(10)) store.apply(batch);
    expect(store.applied()).toBe(60);
    await store.sync();
    for (const batch of batches) store.apply(batch);
    await expectSameRows(store, batches);
  });

  test('[VIEW-17] after a sync all fed rows are stored', async () => {
    const batches = sampleBatches(30);
    for (const batch of batches) store.apply(batch);
    expect(await store.sync()).toBe(30);
    expect(store.stored()).toBe(30);
    expect(store.lag()).toEqual({ rows: 0, full: false });
  });

  test('[VIEW-14] a rebuilt store has applied nothing and takes the journal from its start', async () => {
    const batches = sampleBatches(50);
    for (const batch of batches) store.apply(batch);
    await store.sync();
    store.apply({ sequence: 51 as Sequence, at: FIRST_AT, events: [] });
    await store.rebuild();
    expect([store.applied(), store.stored()]).toEqual([0, 0]);
    expect(await store.ledgerLines({ limit: 10 })).toEqual([]);
    for (const batch of batches) store.apply(batch);
    await expectSameRows(store, batches);
  });

  test('[VIEW-10] at every moment a page equals that of the model, whatever part is stored', async () => {
    const random = seededRandom(11);
    const model = createMemoryHistory();
    const mayBe = <Value>(value: Value): Value | undefined =>
      random.below(2) === 0 ? value : undefined;
    for (const batch of sampleBatches(400)) {
      store.apply(batch);
      model.apply(batch);
      const cursors = {
        idLessThan: mayBe(random.below(batch.sequence * 5) as Id),
        idGreaterThan: mayBe(random.below(batch.sequence * 5) as Id),
      };
      const common = { limit: 1 + random.below(20), coin: mayBe(random.pick(COINS)), ...cursors };
      const ledger: LedgerQuery = { ...common, uid: mayBe(uidNumbered(random.below(4))) };
      const deposits: DepositQuery = {
        ...common,
        uid: uidNumbered(random.below(4)),
        ...ALWAYS,
        start: (FIRST_AT + random.below(400_000)) as Timestamp,
      };
      const shown = [store.ledgerLines(ledger), store.deposits(deposits)] as const;
      const expected = [await model.ledgerLines(ledger), await model.deposits(deposits)] as const;
      expect(await Promise.all(shown)).toEqual(expected);
    }
  });

  test('[VIEW-10][LIST-02] every page of a fully stored list equals that of the model', async () => {
    const random = seededRandom(23);
    const model = createMemoryHistory();
    for (const batch of sampleBatches(120)) {
      store.apply(batch);
      model.apply(batch);
    }
    await store.sync();
    const mayBe = <Value>(value: Value): Value | undefined =>
      random.below(2) === 0 ? value : undefined;
    for (let asked = 0; asked < 400; asked++) {
      const cursors = {
        idLessThan: mayBe(random.below(600) as Id),
        idGreaterThan: mayBe(random.below(600) as Id),
      };
      const whose = { uid: mayBe(uidNumbered(random.below(4))), coin: mayBe(random.pick(COINS)) };
      const query: LedgerQuery = { limit: 1 + random.below(12), ...cursors, ...whose };
      expect(await store.ledgerLines(query)).toEqual(await model.ledgerLines(query));
    }
  });

  test('[LIST-05] paging to the end visits every row once, while rows are fed and stored', async () => {
    const batches = sampleBatches(600);
    for (const batch of batches.slice(0, 300)) store.apply(batch);
    const first = await store.ledgerLines({ limit: EVERYTHING });
    const seen: number[] = [];
    let idLessThan = ((first[0]?.id ?? 0) + 1) as Id;
    for (let at = 300; ; at += 3) {
      for (const batch of batches.slice(at, at + 3)) store.apply(batch);
      const page = await store.ledgerLines({ limit: 7, idLessThan });
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...idsOf(page));
      idLessThan = last.id;
    }
    expect(seen).toEqual(idsOf(first));
  });
});
