/** Lists of bills over HTTP: pages, filters, windows and restarts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../src/kernel/time.ts';
import { BILLS, startBilledRun } from './billed-run.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let alice: Trader;
/** Ids of all bills, oldest first. */
let ids: string[];
let now: number;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  ({ alice } = await startBilledRun(exchange));
  ids = (await records()).map(({ id }) => id!).reverse();
  now = Number(((await exchange.operate('GET', '/operator/v1/clock')).data as { now: string }).now);
});

afterAll(() => exchange.stop());

const recordPage = (values: Row = {}) =>
  exchange.data<{ list: Row[]; cursor: string }>(alice, 'listFinancialRecords', values);

const records = async (values: Row = {}) => (await recordPage(values)).list;

const futuresPage = (values: Row = {}) =>
  exchange.data<{ bills: Row[]; endId: string }>(alice, 'listFuturesBills', {
    productType: 'USDT-FUTURES',
    ...values,
  });

const futuresBills = async (values: Row = {}) => (await futuresPage(values)).bills;
const spotBills = (values: Row = {}) => exchange.data<Row[]>(alice, 'listSpotBills', values);

const pairPage = (values: Row = {}) =>
  exchange.data<{ resultList: Row[]; maxId: string; minId: string }>(alice, 'listIsolatedRecords', {
    symbol: 'BTCUSDT',
    startTime: String(now - DAY),
    ...values,
  });

const placed = (...places: readonly number[]) => places.map((place) => ids[place]).reverse();

describe('pages, filters and windows', () => {
  test('[BILL-06][LIST-05] following the cursor visits every bill once, in each list', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await recordPage({ limit: '4', ...(cursor === '' ? {} : { cursor }) });
      if (page.list.length === 0) {
        expect(page.cursor).toBe('');
        break;
      }
      seen.push(...page.list.map(({ id }) => id!));
      cursor = page.cursor;
    }
    expect(seen).toEqual(ids.toReversed());
    const first = await futuresPage({ limit: '2' });
    expect(first.endId).toBe(ids[3]);
    expect(
      (await futuresPage({ limit: '2', idLessThan: first.endId })).bills.map(
        ({ billId }) => billId,
      ),
    ).toEqual([ids[2]]);
    const [last] = (await spotBills({ limit: '1' })).slice(-1);
    expect(
      (await spotBills({ limit: '2', idLessThan: last!.billId! })).map(({ billId }) => billId),
    ).toEqual(placed(8, 9));
  });

  test('[BILL-06] bills are filtered by coin, symbol, category and type, in upper or lower case', async () => {
    const found = async (values: Row) => (await records(values)).map(({ id }) => id);
    expect(await found({ coin: 'btc' })).toEqual(placed(1, 6));
    expect(await found({ category: 'spot' })).toEqual(placed(5, 6));
    expect(await found({ category: 'OTHER', coin: 'USDT' })).toEqual(placed(0, 7, 8, 9, 10));
    expect(await found({ symbol: 'ETHUSDT' })).toEqual([]);
    expect(await found({ type: 'transfer_out' })).toEqual(placed(8, 9));
    expect(await found({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', type: 'SELL_DEAL' })).toEqual(
      placed(4),
    );
    expect(await found({ category: 'COIN-FUTURES' })).toEqual([]);
    expect(
      (await futuresBills({ businessType: 'contract_settle_fee', symbol: 'BTCUSDT' })).map(
        ({ billId }) => billId,
      ),
    ).toEqual([ids[3]]);
    expect(await futuresBills({ businessType: 'trans_from_exchange' })).toEqual([]);
    expect(await futuresBills({ coin: 'BTC' })).toEqual([]);
    expect((await spotBills({ groupType: 'transfer' })).map(({ billId }) => billId)).toEqual(
      placed(8, 9, 10),
    );
    expect(
      (await spotBills({ businessType: 'DEPOSIT', coin: 'BTC' })).map(({ billId }) => billId),
    ).toEqual(placed(1));
    expect(await spotBills({ groupType: 'transfer', businessType: 'deposit' })).toEqual([]);
  });

  test('[BILL-06][LIST-08][LIST-10] the window is 30 days on v3 and futures, and 90 days on spot', async () => {
    const span = (days: number) => ({ startTime: String(now - days * DAY), endTime: String(now) });
    expect(await records(span(30))).toHaveLength(BILLS.length);
    expect(
      await exchange.code(alice, 'listFinancialRecords', {
        ...span(30),
        startTime: String(now - 30 * DAY - 1),
      }),
    ).toBe('40705');
    expect(
      await exchange.code(alice, 'listFuturesBills', { productType: 'USDT-FUTURES', ...span(31) }),
    ).toBe('40705');
    expect(await spotBills(span(90))).toHaveLength(8);
    expect(await exchange.code(alice, 'listSpotBills', span(91))).toBe('40705');
    expect(
      await exchange.code(alice, 'listSpotBills', {
        startTime: String(now),
        endTime: String(now - 1),
      }),
    ).toBe('40707');
    const [, funding] = await futuresBills();
    const at = funding!.cTime!;
    expect(
      (await futuresBills({ startTime: at, endTime: at })).map(({ billId }) => billId),
    ).toContain(ids[3]);
    expect((await records({ endTime: String(Number(at) - 1) })).map(({ id }) => id)).toEqual(
      placed(0, 1, 2),
    );
  });

  test('[BILL-06][BILL-154][LIST-07] a bad page size, cursor or kind is refused', async () => {
    expect(await exchange.code(alice, 'listFinancialRecords', { limit: '101' })).toBe('40053');
    expect(
      await exchange.code(alice, 'listFuturesBills', { productType: 'USDT-FUTURES', limit: '0' }),
    ).toBe('40053');
    expect(await exchange.code(alice, 'listSpotBills', { limit: '501' })).toBe('40053');
    expect(await exchange.code(alice, 'listFinancialRecords', { cursor: 'newest' })).toBe('40020');
    expect(await exchange.code(alice, 'listFinancialRecords', { type: 'NOTHING_KNOWN' })).toBe(
      '40020',
    );
    expect(await exchange.code(alice, 'listFuturesBills', {})).toBe('40019');
    expect(await exchange.code(alice, 'listIsolatedRecords', { symbol: 'BTCUSDT' })).toBe('40019');
  });

  test('[BILL-01] an account reads its own bills only', async () => {
    const carol = await exchange.trader();
    expect(await exchange.data(carol, 'listFinancialRecords')).toEqual({ list: [], cursor: '' });
  });

  test('[BILL-150][VIEW-32] bills are byte for byte the same after a restart', async () => {
    const all = async () => [
      await recordPage(),
      await futuresPage(),
      await spotBills(),
      await pairPage(),
    ];
    const before = await all();
    await exchange.restart();
    expect(await all()).toEqual(before);
  });
});
