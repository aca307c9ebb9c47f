/** Bills over HTTP: what each list shows of one run, and that the bills add up to the balances. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../src/kernel/time.ts';
import { BILLS, startBilledRun } from './billed-run.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let alice: Trader;
let transferIds: readonly string[];
/** Ids of all bills, oldest first. */
let ids: string[];
let now: number;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  ({ alice, transferIds } = await startBilledRun(exchange));
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

const transfers = (values: Row) =>
  exchange.data<Row[]>(alice, 'listTransferRecords', { coin: 'USDT', ...values });

const placed = (...places: readonly number[]) => places.map((place) => ids[place]).reverse();

describe('content', () => {
  test('[BILL-01][BILL-02][BILL-04][BILL-151][BILL-152] v3 shows every bill, newest first', async () => {
    const rows = (await records()).map((row) => [
      row.category,
      row.symbol,
      row.coin,
      row.type,
      row.amount,
      row.fee,
      row.balance,
    ]);
    expect(rows.reverse()).toEqual(BILLS);
  });

  test('[BILL-152] v2 shows futures bills in one list and all others in the other', async () => {
    expect((await futuresBills()).map(({ billId }) => billId)).toEqual(placed(2, 3, 4));
    expect((await spotBills()).map(({ billId }) => billId)).toEqual(
      placed(0, 1, 5, 6, 7, 8, 9, 10),
    );
    const [, funding] = await futuresBills();
    expect(funding).toEqual({
      billId: ids[3],
      symbol: 'BTCUSDT',
      amount: '-6',
      fee: '0',
      feeByCoupon: '',
      businessType: 'contract_settle_fee',
      coin: 'USDT',
      balance: '9958',
      cTime: expect.stringMatching(/^\d{13}$/),
    });
    expect(Number(funding!.cTime) % (DAY / 3)).toBe(0);
    const shown = (await spotBills()).map((row) =>
      [row.groupType, row.businessType, row.size, row.fees, row.balance].join(' '),
    );
    expect(shown.reverse()).toEqual([
      'deposit deposit 10000 0 10000',
      'deposit deposit 1 0 1',
      'transaction buy -6000 0 4021.94',
      'transaction buy 0.1 -0.0001 1.0999',
      'withdraw withdraw -99 -1 3921.94',
      'transfer transfer_out -50 0 3871.94',
      'transfer transfer_out -500 0 3371.94',
      'transfer transfer_in 100 0 3471.94',
    ]);
  });

  test('[BILL-05] a pair has its own bills', async () => {
    const { resultList, maxId, minId } = await pairPage();
    expect(
      resultList
        .map((row) => [row.marginType, row.coin, row.amount, row.fee, row.balance].join(' '))
        .reverse(),
    ).toEqual([
      'transfer_in USDT 500 0 500',
      'transfer_out USDT -100 0 400',
      'borrow USDT 70 0 470',
      'repay USDT -70 0 400',
    ]);
    expect([maxId, minId]).toEqual([resultList[0]!.marginId, resultList.at(-1)!.marginId]);
    expect((await pairPage({ marginType: 'borrow' })).resultList).toHaveLength(1);
    expect(await pairPage({ symbol: 'ETHUSDT' })).toEqual({ resultList: [], maxId: '', minId: '' });
    const older = await pairPage({ limit: '2', idLessThan: maxId });
    expect(older.resultList).toEqual(resultList.slice(1, 3));
  });

  test('[BILL-04][BILL-152] fills are named by what they open or close in hedge mode, liquidations by theirs', async () => {
    const maker = await exchange.trader({ deposits: { USDT: '10000000' } });
    const dora = await exchange.trader({ deposits: { USDT: '100' }, holdMode: 'hedge_mode' });
    const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', orderType: 'limit' };
    const trade = async (side: string, price: string, qty: string) => {
      const other = side === 'buy' ? 'sell' : 'buy';
      await exchange.data(maker, 'placeOrder', { ...futures, side: other, price, qty });
      await exchange.data(dora, 'placeOrder', { ...futures, side, price, qty, posSide: 'long' });
    };
    await trade('buy', '60000', '0.01');
    await trade('sell', '60000', '0.004');
    await exchange.data(maker, 'placeOrder', {
      ...futures,
      side: 'buy',
      price: '50000',
      qty: '0.006',
    });
    // 0.006 × 16,400 = 98.4 of the 99.496 left: equity 1.096. Maintenance is 261.6 × 0.0046 =
    // 1.20336.
    await exchange.setIndex('BTCUSDT', '43600', '43600');
    const shown = async (name: 'listFuturesBills' | 'listFinancialRecords', values: Row) => {
      const { bills, list } = await exchange.data<{ bills?: Row[]; list?: Row[] }>(
        dora,
        name,
        values,
      );
      return (bills ?? list)!
        .map(({ businessType, type, amount, fee }) => [businessType ?? type, amount, fee].join(' '))
        .reverse();
    };
    // Fees of 600, 240 and 300 × 0.0006. Closed at 50,000, 0.006 loses 60; the fund receives what
    // is left down to bankruptcy.
    const left = '-39.316';
    expect(await shown('listFuturesBills', { productType: 'USDT-FUTURES' })).toEqual([
      'open_long 0 -0.36',
      'close_long 0 -0.144',
      'burst_long_loss_query -60 -0.18',
      `risk_captital_user_transfer ${left} 0`,
    ]);
    expect(await shown('listFinancialRecords', { category: 'USDT-FUTURES' })).toEqual([
      'OPEN_LONG 0 -0.36',
      'CLOSE_LONG 0 -0.144',
      'BURST_CLOSE_LONG -60 -0.18',
      `RISK_LIQ_USER_OUT ${left} 0`,
    ]);
    await exchange.setIndex('BTCUSDT', '60000', '60000');
  });

  test('[BILL-153] a self-trade has each bill under the order it belongs to', async () => {
    const eve = await exchange.trader({ deposits: { USDT: '20000', BTC: '1' } });
    const order = { symbol: 'BTCUSDT', orderType: 'limit', price: '60000' };
    const move = {
      fromType: 'spot',
      toType: 'isolated_margin',
      amount: '7000',
      coin: 'USDT',
      symbol: 'BTCUSDT',
    };
    await exchange.data(eve, 'transfer', move);
    const shown = async (name: 'listSpotBills' | 'listFinancialRecords', values: Row = {}) => {
      const data = await exchange.data<Row[] | { list: Row[] }>(eve, name, values);
      const rows = 'list' in data ? data.list : data;
      return rows
        .map((row) =>
          [
            row.businessType ?? row.type,
            row.coin,
            row.size ?? row.amount,
            row.fees ?? row.fee,
          ].join(' '),
        )
        .reverse();
    };

    // Alice's wallet sells 0.1 to Alice's pair, which is the taker: 0.001 of 6,000 and of 0.1.
    await exchange.data(eve, 'placeOrder', {
      ...order,
      category: 'SPOT',
      side: 'sell',
      qty: '0.1',
    });
    await exchange.data(eve, 'placeIsolatedOrder', {
      ...order,
      side: 'buy',
      baseSize: '0.1',
      loanType: 'normal',
    });
    const sold = ['ORDER_DEALT_IN USDT 6000 -6', 'ORDER_DEALT_FROZEN_OUT BTC -0.1 0'];
    expect(await shown('listFinancialRecords', { category: 'SPOT' })).toEqual(sold);
    expect((await shown('listSpotBills', { businessType: 'sell' })).length).toBe(2);

    // Alice's wallet trades with itself, so only the fees of the sale and of the purchase remain.
    await exchange.data(eve, 'placeOrder', {
      ...order,
      category: 'SPOT',
      side: 'sell',
      qty: '0.1',
    });
    await exchange.data(eve, 'placeOrder', {
      ...order,
      category: 'MARGIN',
      side: 'buy',
      qty: '0.1',
    });
    expect(await shown('listFinancialRecords', { category: 'SPOT' })).toEqual([
      ...sold,
      'ORDER_DEALT_IN USDT 0 -6',
    ]);
    expect(await shown('listFinancialRecords', { category: 'MARGIN' })).toEqual([
      'ORDER_DEALT_IN BTC 0 -0.0001',
    ]);
    expect(await shown('listSpotBills', { businessType: 'buy' })).toEqual(['buy BTC 0 -0.0001']);
  });

  test('[BILL-07] transfers have the ids of their answers', async () => {
    const [there] = await transfers({ fromType: 'spot' });
    const sent = { coin: 'USDT', status: 'Successful', clientOid: '', ts: expect.any(String) };
    const pair = {
      toType: 'isolated_margin',
      toSymbol: 'BTCUSDT',
      fromType: 'spot',
      fromSymbol: '',
    };
    expect(there).toEqual({ ...sent, ...pair, size: '500', transferId: transferIds[0] });
    const [back] = await transfers({ fromType: 'isolated_margin' });
    expect(back).toMatchObject({
      toType: 'spot',
      toSymbol: '',
      fromType: 'isolated_margin',
      fromSymbol: 'BTCUSDT',
      size: '100',
      transferId: transferIds[1],
    });
    expect(await transfers({ fromType: 'usdt_futures' })).toEqual([]);
    expect(await transfers({ fromType: 'spot', idLessThan: transferIds[0]! })).toEqual([]);
    expect(await transfers({ fromType: 'spot', idLessThan: transferIds[1]! })).toEqual([there]);
    expect(
      await exchange.code(alice, 'listTransferRecords', {
        coin: 'USDT',
        fromType: 'spot',
        clientOid: 'mine',
      }),
    ).toBe('25002');
  });
});

test('[BILL-01] a bill has the time at which the money moved, in every list', async () => {
  const times = new Map((await records()).map(({ id, ts }) => [id, ts]));
  const [deposit] = (
    await exchange.data<Row[]>(alice, 'listDepositRecords', {
      startTime: String(now - DAY),
      endTime: String(now),
    })
  ).slice(-1);
  expect(times.get(ids[0]!)).toBe(deposit!.createdTime);
  for (const { billId, cTime } of [...(await futuresBills()), ...(await spotBills())])
    expect(cTime).toBe(times.get(billId));
  const [there] = await transfers({ fromType: 'spot' });
  const { resultList } = await pairPage();
  const arrived = resultList.find(({ amount }) => amount === '500');
  expect(arrived).toMatchObject({ symbol: 'BTCUSDT', cTime: there!.ts, uTime: there!.ts });
  expect([...times.values()]).toContain(there!.ts);
});

describe('sums', () => {
  const units = (text: string): bigint => {
    const [whole = '0', rest = ''] = text.replace('-', '').split('.');
    const size = BigInt(whole + rest.padEnd(10, '0'));
    return text.startsWith('-') ? -size : size;
  };

  test('[BILL-02][BILL-03] the bills of a coin add up to the wallet, and each balance is the running sum', async () => {
    const sums = new Map<string, bigint>();
    for (const { coin, amount, fee, balance } of (await records()).reverse()) {
      sums.set(coin!, (sums.get(coin!) ?? 0n) + units(amount!) + units(fee!));
      expect(sums.get(coin!)).toBe(units(balance!));
    }
    const { assets } = await exchange.data<{ assets: Row[] }>(alice, 'getAssets');
    expect(new Map(assets.map(({ coin, balance }) => [coin, units(balance!)]))).toEqual(sums);
  });

  test('[BILL-03] both lists of v2 together equal the list of v3', async () => {
    const both = [...(await futuresBills()), ...(await spotBills())].map(({ billId }) => billId!);
    expect(both.sort()).toEqual([...ids].sort());
  });
});
