/**
 * Commissions in history: SQLite gives the same pages as memory, and finds every page by an index.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import { type Amount, money } from '../../kernel/money.ts';
import { DAY, type Timestamp } from '../../kernel/time.ts';
import type { Commission } from '../../messages/agents.ts';
import type { EventOf } from '../../messages/events.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { type BundledWorker, bundleWorker } from './bundled-worker.test-support.ts';
import type { CommissionQuery } from './commissions.ts';
import type { HistoryStore } from './history.ts';
import { createMemoryHistory } from './memory-history.ts';
import { openSqliteHistory } from './sqlite-history.ts';

const AGENT = 1 as Uid;
const UPPER = 2 as Uid;
const ROWS = 60;
const MARKETS: readonly (readonly [Category, string])[] = [
  ['SPOT', 'BTCUSDT'],
  ['MARGIN', 'BTCUSDT'],
  ['USDT-FUTURES', 'ETHUSDT'],
];

function paid(number: number): EventOf<'commissionPaid'> {
  const [category, symbol] = MARKETS[number % MARKETS.length]!;
  const amount = (text: string): Amount => money<Amount>(text);
  const commission: Commission = {
    commissionId: (10 * number + 1) as Id,
    agentUid: number % 5 === 0 ? UPPER : AGENT,
    uid: (100 + (number % 7)) as Uid,
    day: (Math.floor(number / 20) * DAY) as Timestamp,
    coin: number % 2 === 0 ? 'USDT' : 'BTC',
    category,
    symbol,
    dealAmount: amount('1000'),
    fee: amount('12'),
    deductions: {
      feeDeduction: amount('0.1'),
      experienceFund: amount('0.2'),
      spotCoupon: amount('0.3'),
      futuresCoupon: amount('0.4'),
      spotDiscount: amount('0.5'),
      negativeMakerFee: amount('0.5'),
    },
    feePaid: amount('10'),
    rebate: amount('3'),
    customerShare: amount('1'),
    dayTotal: amount('6'),
    total: amount('12.0000000001'),
  };
  if (commission.agentUid === UPPER) return { type: 'commissionPaid', commission };
  return {
    type: 'commissionPaid',
    commission,
    upper: { agentUid: UPPER, commissionId: (10 * number + 2) as Id },
  };
}

let folder: string;
let worker: BundledWorker;
let memory: HistoryStore;
let sqlite: HistoryStore;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-history-'));
  worker = await bundleWorker('./history-worker.ts');
  memory = createMemoryHistory();
  sqlite = await openSqliteHistory({ path: join(folder, 'history.db'), workerUrl: worker.url });
  for (let number = 0; number < ROWS; number++) {
    const batch = {
      sequence: (number + 1) as Sequence,
      at: (ROWS * DAY) as Timestamp,
      events: [paid(number)],
    };
    memory.apply(batch);
    sqlite.apply(batch);
  }
});
afterAll(async () => {
  await sqlite.close();
  worker.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ALL = {
  agentUid: AGENT,
  direct: 1,
  firstId: 0 as Id,
  lastId: 1_000 as Id,
  limit: 100,
} as const;
const QUERIES: readonly CommissionQuery[] = [
  ALL,
  { ...ALL, agentUid: UPPER },
  { ...ALL, agentUid: UPPER, direct: 0 },
  { ...ALL, limit: 3, idLessThan: 151 as Id },
  { ...ALL, firstId: 200 as Id, lastId: 400 as Id },
  { ...ALL, coin: 'BTC', limit: 4 },
  { ...ALL, symbol: 'BTCUSDT' },
  { ...ALL, symbol: 'BTCUSDT', category: 'MARGIN' },
  { ...ALL, uid: 103 as Uid },
  { ...ALL, uid: 103 as Uid, coin: 'USDT' },
];

test.each(['pending', 'stored'] as const)(
  '[AGT-13][VIEW-10] the same pages while they are %s',
  async (state) => {
    if (state === 'stored') await sqlite.sync();
    for (const query of QUERIES) {
      const expected = await memory.commissions(query);
      expect(expected.length).toBeGreaterThan(0);
      expect(await sqlite.commissions(query)).toEqual(expected);
    }
  },
);

test('[AGT-22] an agent above sees the fees and no earnings', async () => {
  const [row] = await memory.commissions({ ...ALL, agentUid: UPPER, direct: 0, limit: 1 });
  expect(row).toMatchObject({
    id: 592,
    uid: 103,
    time: 2 * DAY,
    fee: money('12'),
    feePaid: money('10'),
  });
  expect([row!.rebate, row!.customerShare, row!.dayTotal, row!.total]).toEqual([0n, 0n, 0n, 0n]);
});

test('[AGT-13] a page is found by an index on the conditions, without a scan of the table', async () => {
  await sqlite.sync();
  const file = new Database(join(folder, 'history.db'), { readonly: true });
  const where = 'agent_uid = 1 and direct = 1 and id >= 0 and id <= 9 and id < 8';
  const plan = (more: string): string => {
    const page = `select * from commissions where ${where}${more} order by id desc limit 100`;
    const steps = file.prepare(`explain query plan ${page}`).all() as { detail: string }[];
    return steps.map(({ detail }) => detail).join('; ');
  };
  expect(plan('')).toBe(
    'SEARCH commissions USING INDEX commissions_of_agent ' +
      '(agent_uid=? AND direct=? AND id>? AND id<?)',
  );
  expect(plan(' and uid = 5')).toMatch(
    /^SEARCH commissions USING INDEX commissions_of_customer \([^)]*uid=\? AND id>\? AND id<\?\)$/,
  );
  expect(plan(" and coin = 'BTC'")).toMatch(
    /^SEARCH commissions USING INDEX commissions_of_coin \([^)]*coin=\? AND id>\? AND id<\?\)$/,
  );
  expect(plan(" and symbol = 'X' and category = 'SPOT'")).toMatch(
    /^SEARCH commissions USING INDEX commissions_of_symbol \([^)]*symbol=\? AND id>\? AND id<\?\)$/,
  );
  file.close();
});
