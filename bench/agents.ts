/** What agents cost: a page of customers and of commissions where there are many against where there are few, and the settling of a large day. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyWorkerUrl } from '../src/app/workers.ts';
import { DEFAULT_COINS } from '../src/app/world/coins.ts';
import { DEFAULT_INSTRUMENTS } from '../src/app/world/instruments.ts';
import { createEngine, type Engine } from '../src/core/engine.ts';
import type { DecimalText } from '../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../src/kernel/ids.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../src/kernel/time.ts';
import type { Command } from '../src/messages/commands.ts';
import { openSqliteHistory } from '../src/views/history/sqlite-history.ts';
import { createViews, type Views } from '../src/views/views.ts';
import { compared, type Measured, median } from './rows.ts';

export interface AgentsOptions {
  readonly repetitions: number;
  /** How many customers the large exchange has; the small one has a hundredth. */
  readonly customers: number;
  readonly pages: number;
}

const START = 1_789_000_000_000 as Timestamp;
const PAGE = 100;
const decimal = (text: string): DecimalText => text as DecimalText;

/** An agent with so many customers, each of whom has bought once today, and what it took to settle that. */
class Crowd {
  readonly engine: Engine = createEngine();
  readonly views: Views;
  readonly #history: Awaited<ReturnType<typeof openSqliteHistory>>;
  readonly #folder: string;
  at = START;
  agent = 0 as Uid;

  private constructor(folder: string, history: Awaited<ReturnType<typeof openSqliteHistory>>) {
    this.#folder = folder;
    this.#history = history;
    this.views = createViews(history);
  }

  static async build(customers: number): Promise<Crowd> {
    const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
    const crowd = new Crowd(folder, await openSqliteHistory({ path: join(folder, 'history.db'), workerUrl: historyWorkerUrl }));
    await crowd.#fill(customers);
    return crowd;
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
    return (this.submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay', referralCode }) as { uid: Uid }).uid;
  }

  async #fill(customers: number): Promise<void> {
    for (const coin of DEFAULT_COINS) this.submit({ type: 'listCoin', coin });
    for (const instrument of DEFAULT_INSTRUMENTS) this.submit({ type: 'listInstrument', instrument });
    const index = { category: 'SPOT', symbol: 'BTCUSDT', index: decimal('60000'), releaseMark: false, force: true } as const;
    this.submit({ type: 'setPrices', prices: [index] });
    this.agent = this.#joins();
    const terms = { affiliation: 'affiliate', spotRatio: decimal('0.2'), futuresRatio: decimal('0.3') } as const;
    const { referralCode } = this.submit({ type: 'makeAgent', uid: this.agent, ...terms }) as { referralCode: string };
    const maker = this.#joins();
    this.submit({ type: 'deposit', uid: maker, coin: 'BTC', size: decimal('1000') });
    for (let number = 0; number < customers; number++) {
      const uid = this.#joins(referralCode);
      this.submit({ type: 'deposit', uid, coin: 'USDT', size: decimal('10') });
      if (number % 1_000 === 0) await this.#offers(maker);
      this.#places(uid, 'buy', '0.0001');
    }
    await this.#history.sync();
  }

  async #offers(maker: Uid): Promise<void> {
    await this.#history.room();
    this.#places(maker, 'sell', '0.1');
  }

  #places(uid: Uid, side: 'buy' | 'sell', size: string): void {
    const order = { symbol: 'BTCUSDT', side, orderType: 'limit', size: decimal(size), price: decimal('60000') } as const;
    this.submit({ type: 'placeOrders', uid, category: 'SPOT', orders: [{ ...order, timeInForce: 'gtc', reduceOnly: false }] });
  }

  /** Lets the day end, slice by slice; answers the processor time of each slice in µs. */
  async settle(): Promise<readonly number[]> {
    this.at = (startOfSettlementDay(this.at) + DAY) as Timestamp;
    const slices: number[] = [];
    const { state } = this.engine;
    do {
      await this.#history.room();
      const before = process.cpuUsage();
      const executed = this.engine.execute({ type: 'tick' }, this.at);
      const spent = process.cpuUsage(before);
      slices.push(spent.user + spent.system);
      this.views.apply(executed);
    } while (state.agentBooks.endedDays.length > 0 || state.levels.next !== undefined);
    await this.#history.sync();
    return slices;
  }
}

/** Processor time of one call in µs, the history worker's included. */
async function costOf(times: number, call: (number: number) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let number = 0; number < times; number++) await call(number);
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / times;
}

function customersPage({ views, agent, at }: Crowd, number: number): number {
  const window = { start: START, end: at };
  const pageNumber = 1 + (number % 5);
  return views.agents.customers({ agentUid: agent, window, showSub: true, pageNumber, pageSize: PAGE }).length;
}

async function commissionsPage({ views, agent, at }: Crowd, number: number): Promise<void> {
  const ids = views.agents.commissionIds({ start: 0 as Timestamp, end: at })!;
  const middle = Math.floor((ids.first + ids.last) / 2 + number) as Id;
  const query = { agentUid: agent, direct: 1, firstId: ids.first, lastId: ids.last, limit: PAGE } as const;
  const rows = await views.history.commissions({ ...query, idLessThan: middle });
  if (rows.length !== PAGE) throw new Error(`a page of ${rows.length} rows`);
}

export async function benchAgents({ repetitions, customers, pages }: AgentsOptions): Promise<readonly Measured[]> {
  const few = await Crowd.build(customers / 100);
  const many = await Crowd.build(customers);
  const fewSlices = await few.settle();
  const manySlices = await many.settle();
  const costs = { listFew: [] as number[], listMany: [] as number[], pageFew: [] as number[], pageMany: [] as number[] };
  for (let turn = 0; turn < repetitions; turn++) {
    costs.listFew.push(await costOf(pages * 10, (number) => customersPage(few, number)));
    costs.listMany.push(await costOf(pages * 10, (number) => customersPage(many, number)));
    costs.pageFew.push(await costOf(pages, (number) => commissionsPage(few, number)));
    costs.pageMany.push(await costOf(pages, (number) => commissionsPage(many, number)));
  }
  await few.remove();
  await many.remove();

  const sum = (slices: readonly number[]): number => slices.reduce((total, each) => total + each, 0);
  const [small, large] = [customers / 100, customers].map((count) => `${count.toLocaleString('en-US')} customers`);
  const row = (name: string, value: number, unit: string): Measured => ({ name, value, unit, lessIsBetter: true });
  const listFew = row(`agents: page of customers, ${small}`, median(costs.listFew), 'µs CPU/page');
  const pageFew = row(`agents: page of commissions, ${small}`, median(costs.pageFew), 'µs CPU/page');
  const settleFew = row(`agents: settle a day, ${small}`, sum(fewSlices) / (customers / 100), 'µs CPU/customer');
  return [
    listFew,
    compared(row(`agents: page of customers, ${large}`, median(costs.listMany), 'µs CPU/page'), listFew),
    pageFew,
    compared(row(`agents: page of commissions, ${large}`, median(costs.pageMany), 'µs CPU/page'), pageFew),
    settleFew,
    compared(row(`agents: settle a day, ${large}`, sum(manySlices) / customers, 'µs CPU/customer'), settleFew),
    row(`agents: slice of settling, ${large}`, median(manySlices) / 1_000, 'ms CPU'),
    row(`agents: longest slice, ${large}`, Math.max(...manySlices) / 1_000, 'ms CPU'),
  ];
}
