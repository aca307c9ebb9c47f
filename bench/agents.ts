/**
 * Measures agents: a page of customers and of commissions with many against few, and the settling
 * of a large day.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyWorkerUrl } from '../src/app/workers.ts';
import { createEngine, type Engine } from '../src/core/engine.ts';
import type { DecimalText } from '../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../src/kernel/ids.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../src/kernel/time.ts';
import { DEFAULT_COINS } from '../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../src/listings/default-instruments.ts';
import type { Command } from '../src/messages/commands.ts';
import type { HistoryStore } from '../src/views/history/history.ts';
import { openSqliteHistory } from '../src/views/history/sqlite-history.ts';
import { createViews, type Views } from '../src/views/views.ts';
import { compared, type Measured, median } from './rows.ts';

export interface AgentsOptions {
  readonly repetitions: number;
  /** Of the larger agent; the smaller one has a thousand. */
  readonly customers: number;
  readonly pages: number;
}

const START = 1_789_000_000_000 as Timestamp;
const PAGE = 100;
const FEW = 1_000;
const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * Two agents in one exchange, one with few customers and one with many, each of whom has bought
 * once today.
 */
class Crowd {
  readonly engine: Engine = createEngine();
  readonly views: Views;
  readonly #history: HistoryStore;
  readonly #folder: string;
  at = START;

  private constructor(folder: string, history: HistoryStore) {
    this.#folder = folder;
    this.#history = history;
    this.views = createViews(history);
    for (const coin of DEFAULT_COINS) this.submit({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS)
      this.submit({ type: 'listInstrument', instrument });
    const index = {
      category: 'SPOT',
      symbol: 'BTCUSDT',
      index: decimal('60000'),
      releaseMark: false,
      force: true,
    } as const;
    this.submit({ type: 'setPrices', prices: [index] });
  }

  static async open(): Promise<Crowd> {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
    return new Crowd(
      folder,
      await openSqliteHistory({ path: join(folder, 'history.db'), workerUrl: historyWorkerUrl }),
    );
  }

  async remove(): Promise<void> {
    await this.#history.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  submit(command: Command): unknown {
    const executed = this.engine.execute(command, this.at);
    this.views.apply(executed);
    return executed.outcome.ok ? executed.outcome.value : undefined;
  }

  #joins(referralCode?: string): Uid {
    return (
      this.submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay', referralCode }) as {
        uid: Uid;
      }
    ).uid;
  }

  async agentWith(customers: number): Promise<Uid> {
    const agent = this.#joins();
    const spec = {
      affiliation: 'affiliate',
      spotRatio: decimal('0.2'),
      futuresRatio: decimal('0.3'),
    } as const;
    const { referralCode } = this.submit({ type: 'makeAgent', uid: agent, ...spec }) as {
      referralCode: string;
    };
    const maker = this.#joins();
    this.submit({ type: 'deposit', uid: maker, coin: 'BTC', size: decimal('1000') });
    for (let number = 0; number < customers; number++) {
      if (number % 1_000 === 0) await this.#history.room();
      if (number % 1_000 === 0) this.#places(maker, 'sell', '0.1');
      const uid = this.#joins(referralCode);
      this.submit({ type: 'deposit', uid, coin: 'USDT', size: decimal('10') });
      this.#places(uid, 'buy', '0.0001');
    }
    await this.#history.sync();
    return agent;
  }

  #places(uid: Uid, side: 'buy' | 'sell', size: string): void {
    const order = {
      symbol: 'BTCUSDT',
      side,
      orderType: 'limit',
      size: decimal(size),
      price: decimal('60000'),
    } as const;
    this.submit({
      type: 'placeOrders',
      uid,
      category: 'SPOT',
      orders: [{ ...order, timeInForce: 'gtc', reduceOnly: false }],
    });
  }

  /**
   * Ends the day; resolves to the processor time of each work portion in µs, with the storing
   * meanwhile.
   */
  async settle(): Promise<readonly number[]> {
    this.at = (startOfSettlementDay(this.at) + DAY) as Timestamp;
    const portions: number[] = [];
    const { state } = this.engine;
    do {
      // Not while the store still writes earlier rows: its thread would be counted.
      await this.#history.sync();
      const before = process.cpuUsage();
      const executed = this.engine.execute({ type: 'tick' }, this.at);
      const spent = process.cpuUsage(before);
      portions.push(spent.user + spent.system);
      this.views.apply(executed);
    } while (state.agentBooks.endedDays.length > 0 || state.levels.round !== undefined);
    await this.#history.sync();
    return portions;
  }

  /**
   * Processor time of a deposit in µs: a command with one entry, as a baseline for settling a
   * customer.
   */
  depositCost(uid: Uid, count: number): number {
    const before = process.cpuUsage();
    for (let number = 0; number < count; number++)
      this.engine.execute({ type: 'deposit', uid, coin: 'USDT', size: decimal('1') }, this.at);
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / count;
  }
}

/** Processor time of one call in µs, including the history worker's. */
async function costOf(times: number, call: (number: number) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let number = 0; number < times; number++) await call(number);
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / times;
}

function customersPage({ views, at }: Crowd, agentUid: Uid, number: number): void {
  const window = { start: START, end: at };
  const page = views.agents.customers({
    agentUid,
    window,
    showSub: true,
    pageNumber: 1 + (number % 5),
    pageSize: PAGE,
  });
  if (page.length !== PAGE) throw new Error(`a page of ${page.length} customers`);
}

/** A page from the newest rows, and the page after it. */
async function commissionsPage({ views, at }: Crowd, agentUid: Uid, number: number): Promise<void> {
  const ids = views.agents.commissionIds({ start: 0 as Timestamp, end: at })!;
  const query = { agentUid, direct: 1, firstId: ids.first, lastId: ids.last, limit: PAGE } as const;
  const newest = number % 2 === 0 ? undefined : next.get(agentUid);
  const rows = await views.history.commissions({ ...query, idLessThan: newest });
  if (rows.length !== PAGE) throw new Error(`a page of ${rows.length} rows`);
  next.set(agentUid, rows.at(-1)!.id);
}
const next = new Map<Uid, Id>();

export async function benchAgents({
  repetitions,
  customers,
  pages,
}: AgentsOptions): Promise<readonly Measured[]> {
  const crowd = await Crowd.open();
  const few = await crowd.agentWith(FEW);
  const many = await crowd.agentWith(customers);
  const deposit = crowd.depositCost(many, 20_000);
  const portions = await crowd.settle();
  const costs = {
    listFew: [] as number[],
    listMany: [] as number[],
    pageFew: [] as number[],
    pageMany: [] as number[],
  };
  for (let turn = 0; turn < repetitions; turn++) {
    costs.listFew.push(await costOf(pages * 10, (number) => customersPage(crowd, few, number)));
    costs.listMany.push(await costOf(pages * 10, (number) => customersPage(crowd, many, number)));
    costs.pageFew.push(await costOf(pages, (number) => commissionsPage(crowd, few, number)));
    costs.pageMany.push(await costOf(pages, (number) => commissionsPage(crowd, many, number)));
  }
  await crowd.remove();

  const settled = portions.reduce((total, each) => total + each, 0) / (customers + FEW);
  const [small, large] = [FEW, customers].map(
    (count) => `${count.toLocaleString('en-US')} customers`,
  );
  const row = (name: string, value: number, unit: string): Measured => ({
    name,
    value,
    unit,
    lessIsBetter: true,
  });
  const listFew = row(`agents: page of customers, ${small}`, median(costs.listFew), 'µs CPU/page');
  const pageFew = row(
    `agents: page of commissions, ${small}`,
    median(costs.pageFew),
    'µs CPU/page',
  );
  const posted = row('agents: a deposit, to compare with', deposit, 'µs CPU');
  return [
    listFew,
    compared(
      row(`agents: page of customers, ${large}`, median(costs.listMany), 'µs CPU/page'),
      listFew,
    ),
    pageFew,
    compared(
      row(`agents: page of commissions, ${large}`, median(costs.pageMany), 'µs CPU/page'),
      pageFew,
    ),
    posted,
    compared(
      row(`agents: settle a day and compute levels, ${large}`, settled, 'µs CPU/customer'),
      posted,
    ),
    row(`agents: work portion of settling, ${large}`, median(portions) / 1_000, 'ms CPU'),
  ];
}
