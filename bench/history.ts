/**
 * Measures a page of history for an account with many rows against one with few. Every row was
 * stored by itself, as for a bot that trades once a second: such lists have the most to search.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id, Sequence, Uid } from '../src/kernel/ids.ts';
import { type Amount, ZERO_AMOUNT } from '../src/kernel/money.ts';
import { MINUTE, SECOND, type Timestamp } from '../src/kernel/time.ts';
import type { Bill } from '../src/messages/bills.ts';
import type { BillQuery } from '../src/views/history/bills.ts';
import {
  type HistoryDatabase,
  openHistoryDatabase,
} from '../src/views/history/history-database.ts';
import { PendingRows } from '../src/views/history/pending-rows.ts';
import { compared, type Measured, median } from './rows.ts';

export interface HistoryOptions {
  readonly repetitions: number;
  /** Of the larger account; the smaller one has a thousand. */
  readonly rows: number;
  readonly pages: number;
}

const START = 1_789_000_000_000;
const FEW = 1_000;
const PAGE = 20;

/** An account with one bill per second. */
class Billed {
  readonly #uid: Uid;
  readonly #firstId: number;
  readonly count: number;

  constructor(uid: number, firstId: number, count: number) {
    this.#uid = uid as Uid;
    this.#firstId = firstId;
    this.count = count;
  }

  async store(database: HistoryDatabase): Promise<void> {
    for (let number = 0; number < this.count; number++) {
      const sequence = (this.#firstId + number) as Sequence;
      const pending = new PendingRows();
      pending.add({
        sequence,
        at: at(number),
        events: [],
        recorded: [{ type: 'billRecorded', bill: this.#bill(sequence) }],
      });
      await database.store(sequence, pending.take()!.packed());
    }
  }

  #bill(id: number): Bill {
    const money = { amount: 1n as Amount, fee: ZERO_AMOUNT, balance: BigInt(id) as Amount };
    const market = { category: 'USDT-FUTURES', market: 'BTCUSDT' } as const;
    return {
      billId: id as Id,
      uid: this.#uid,
      coin: 'USDT',
      book: 'wallet',
      kind: 'closeLong',
      ...money,
      ...market,
    };
  }

  newest(): BillQuery {
    return { uid: this.#uid, book: 'wallet', start: at(0), end: at(this.count), limit: PAGE };
  }

  minute(): BillQuery {
    const middle = at(this.count / 2);
    return { ...this.newest(), start: middle, end: (middle + MINUTE) as Timestamp };
  }

  elsewhere(): BillQuery {
    return { ...this.newest(), areas: ['SPOT', 'OTHER'] };
  }
}

const at = (number: number): Timestamp => (START + number * SECOND) as Timestamp;

const LISTS: readonly (readonly [
  name: string,
  queryOf: (whose: Billed) => BillQuery,
  rows: number,
])[] = [
  ['the newest rows', (whose) => whose.newest(), PAGE],
  ['a minute of long ago', (whose) => whose.minute(), PAGE],
  ['another market, without any', (whose) => whose.elsewhere(), 0],
];

/** Processor time of a page in µs. */
async function costOf(
  database: HistoryDatabase,
  query: BillQuery,
  rows: number,
  pages: number,
): Promise<number> {
  const before = process.cpuUsage();
  for (let page = 0; page < pages; page++) {
    const found = await database.page('bills', query);
    if (found.length !== rows) throw new Error(`a page of ${found.length} bills`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / pages;
}

export async function benchHistory({
  repetitions,
  rows,
  pages,
}: HistoryOptions): Promise<readonly Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const database = await openHistoryDatabase(join(folder, 'history.db'));
  const [few, many] = [new Billed(1, 1, FEW), new Billed(2, 1 + FEW, rows)];
  await few.store(database);
  await many.store(database);
  const measured: Measured[] = [];
  for (const [name, queryOf, found] of LISTS) {
    const costs = new Map<Billed, number[]>([
      [few, []],
      [many, []],
    ]);
    for (let turn = 0; turn < repetitions; turn++)
      for (const [whose, spent] of costs)
        spent.push(await costOf(database, queryOf(whose), found, pages));
    const row = (whose: Billed): Measured => ({
      name: `history: ${name}, of ${whose.count.toLocaleString('en-US')}`,
      value: median(costs.get(whose)!),
      unit: 'µs CPU/page',
      lessIsBetter: true,
    });
    measured.push(row(few), compared(row(many), row(few)));
  }
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  return measured;
}
