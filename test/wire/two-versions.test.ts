/** v2 and v3 after a random run show the same orders, fills, positions, bills and triggers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicName } from '../../src/contract/endpoints.ts';
import { type Amount, money } from '../../src/kernel/money.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { isFutures, MARKETS, MarketRun, type Resident } from './market-run.ts';
import { type Row, TradingExchange } from './trading-exchange.ts';

type Values = Readonly<Record<string, string>>;
type Sheet = ReadonlyMap<string, readonly unknown[]>;

const SEED = 5;
const ACTS = 90;
const SHOCKS = [700, 1_250];
const FUTURES = MARKETS.filter(({ category }) => isFutures(category));
const COINS: Readonly<Record<string, string>> = { BTCUSDT: 'USDT', ETHPERP: 'USDC', ETHUSD: 'ETH' };

let exchange: TradingExchange;
let residents: readonly Resident[] = [];

const units = (text: string | undefined): bigint =>
  text === undefined || text === '' ? 0n : money<Amount>(text);
const feeOf = (row: Row): bigint => {
  const details = row.feeDetail as unknown as readonly Row[] | Row;
  return [details]
    .flat()
    .reduce(
      (sum, { fee, totalFee }) => sum + (fee === undefined ? -units(totalFee) : units(fee)),
      0n,
    );
};

/** All rows of a list: v3 pages by `cursor`, v2 by the smallest id of a page. */
async function walk(
  by: Resident,
  name: PublicName,
  values: Values,
  id: string,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let older = ''; ; ) {
    const from = older === '' ? {} : { cursor: older, idLessThan: older };
    const data = await exchange.data<Readonly<Record<string, unknown>>>(by, name, {
      limit: '100',
      ...values,
      ...from,
    });
    const page = (
      Array.isArray(data) ? data : Object.values(data).find(Array.isArray)
    ) as readonly Row[];
    if (page.length === 0) return rows;
    rows.push(...page);
    older = page.at(-1)![id]!;
  }
}

/** Values that v2 and v3 must share: texts as they are, numbers in any notation. */
const figures = (texts: string, numbers: string) => (row: Row) => [
  ...texts.split(' ').map((name) => row[name] ?? ''),
  ...numbers.split(' ').map((name) => units(row[name])),
];

/** The rows of several lists by their ids, with their shared values. */
async function sheet(
  by: Resident,
  lists: readonly (readonly [PublicName, Values])[],
  id: string,
  shown: (row: Row) => readonly unknown[],
): Promise<Sheet> {
  const found = (
    await Promise.all(lists.map(([name, values]) => walk(by, name, values, id)))
  ).flat();
  const made = new Map(found.map((row) => [row[id]!, shown(row)]));
  expect(made.size).toBe(found.length);
  return new Map([...made].sort(([one], [other]) => (BigInt(one) < BigInt(other) ? -1 : 1)));
}

const ofFutures = (
  name: PublicName,
  field: 'category' | 'productType',
  more: Values = {},
): readonly (readonly [PublicName, Values])[] =>
  FUTURES.map(({ category }) => [name, { [field]: category, ...more }]);

/**
 * Triggers above and below the price, with every price source, and TP/SL of open positions.
 * Refusals are allowed.
 */
async function placeTriggers(random: ReturnType<typeof seededRandom>): Promise<void> {
  const by = random.pick(residents);
  const { category: productType, symbol, price, decimals } = random.pick(FUTURES);
  const at = (price * (0.8 + 0.4 * random.fraction())).toFixed(decimals);
  const place = {
    productType,
    symbol,
    marginCoin: COINS[symbol]!,
    triggerType: random.pick(['fill_price', 'mark_price', 'index_price']),
  };
  const size = (300 / price).toFixed(2).replace('0.00', '0.01');
  if (random.below(2) === 0) {
    const tradeSide = by.hedge ? { tradeSide: random.pick(['open', 'close']) } : {};
    const order = {
      side: random.pick(['buy', 'sell']),
      orderType: 'market',
      marginMode: 'crossed',
      ...tradeSide,
    };
    const trail =
      random.below(4) === 0
        ? { planType: 'track_plan', callbackRatio: '1' }
        : { planType: 'normal_plan' };
    await exchange.call(by, 'placeTriggerOrder', {
      ...place,
      ...order,
      ...trail,
      size,
      triggerPrice: at,
    });
    return;
  }
  const planType = random.pick(['profit_plan', 'loss_plan', 'pos_profit', 'pos_loss']);
  const holdSide = random.pick(by.hedge ? ['long', 'short'] : ['buy', 'sell']);
  await exchange.call(by, 'placeTpslOrder', {
    ...place,
    planType,
    holdSide,
    size,
    triggerPrice: at,
  });
}

beforeAll(async () => {
  exchange = await TradingExchange.start();
  const run = new MarketRun(exchange, SEED);
  const random = seededRandom(SEED);
  await run.begin();
  residents = run.residents;
  await exchange.data(residents[1]!, 'setFuturesMarginMode', {
    productType: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    marginCoin: 'USDT',
    marginMode: 'isolated',
  });
  for (const level of SHOCKS) {
    for (let act = 0; act < ACTS; act++) {
      await run.act();
      await placeTriggers(random);
    }
    await run.shock(level);
  }
});
afterAll(() => exchange.stop());

/** Lists of v2 and of v3, for the same user. */
type Listing = readonly [
  lists: readonly (readonly [PublicName, Values])[],
  id: string,
  shown: (row: Row) => readonly unknown[],
];
async function expectSame(by: Resident, v2: Listing, v3: Listing): Promise<number> {
  const found = await sheet(by, ...v2);
  expect(found).toEqual(await sheet(by, ...v3));
  return found.size;
}

const STATUSES: Readonly<Record<string, string>> = { new: 'live', cancelled: 'canceled' };

test('[VIEW-36][POS-31] a futures order, open or ended, and each of its fills', async () => {
  const orders2 = figures(
    'symbol clientOid force orderType reduceOnly cancelReason cTime uTime',
    'price size baseVolume quoteVolume priceAvg',
  );
  const orders3 = figures(
    'symbol clientOid timeInForce orderType reduceOnly cancelReason createdTime updatedTime',
    'price qty cumExecQty cumExecValue avgPrice',
  );
  const fills2 = figures('orderId symbol tradeScope cTime', 'price baseVolume quoteVolume profit');
  const fills3 = figures(
    'orderId symbol tradeScope createdTime',
    'execPrice execQty execValue execPnl',
  );
  for (const by of residents) {
    const orders = await expectSame(
      by,
      [
        [
          ...ofFutures('listOpenFuturesOrders', 'productType'),
          ...ofFutures('listFuturesOrderHistory', 'productType'),
        ],
        'orderId',
        (row) => [...orders2(row), row.status, -units(row.fee)],
      ],
      [
        [...ofFutures('listOpenOrders', 'category'), ...ofFutures('listOrderHistory', 'category')],
        'orderId',
        (row) => [...orders3(row), STATUSES[row.orderStatus!] ?? row.orderStatus, feeOf(row)],
      ],
    );
    const fills = await expectSame(
      by,
      [
        ofFutures('listFuturesFills', 'productType'),
        'tradeId',
        (row) => [...fills2(row), feeOf(row)],
      ],
      [ofFutures('listFills', 'category'), 'execId', (row) => [...fills3(row), feeOf(row)]],
    );
    expect([orders > 30, fills > 10]).toEqual([true, true]);
  }
});

test('[VIEW-36][POS-31] a spot order, open or ended, and each of its fills', async () => {
  const orders2 = figures(
    'symbol side clientOid force cancelReason cTime uTime',
    'price baseVolume quoteVolume priceAvg',
  );
  const orders3 = figures(
    'symbol side clientOid timeInForce cancelReason createdTime updatedTime',
    'price cumExecQty cumExecValue avgPrice',
  );
  const fills2 = figures('orderId side tradeScope cTime', 'priceAvg size amount');
  const fills3 = figures('orderId side tradeScope createdTime', 'execPrice execQty execValue');
  const spot = { category: 'SPOT' };
  let seen = 0;
  for (const by of residents) {
    seen += await expectSame(
      by,
      [
        [
          ['listOpenSpotOrders', {}],
          ['listSpotOrderHistory', {}],
        ],
        'orderId',
        orders2,
      ],
      [
        [
          ['listOpenOrders', spot],
          ['listOrderHistory', spot],
        ],
        'orderId',
        orders3,
      ],
    );
    seen += await expectSame(
      by,
      [[['listSpotFills', {}]], 'tradeId', (row) => [...fills2(row), feeOf(row)]],
      [[['listFills', spot]], 'execId', (row) => [...fills3(row), feeOf(row)]],
    );
  }
  expect(seen).toBeGreaterThan(100);
});

test('[VIEW-36][POS-13][POS-14] a position, open or closed', async () => {
  const common = 'available total leverage liquidationPrice markPrice breakEvenPrice';
  const open2 = figures(
    'symbol holdSide marginMode cTime uTime',
    `${common} marginSize locked achievedProfits openPriceAvg unrealizedPL keepMarginRate totalFee`,
  );
  const open3 = figures(
    'symbol posSide marginMode createdTime updatedTime',
    `${common} positionBalance frozen curRealisedPnl avgPrice unrealisedPnl mmr totalFunding`,
  );
  const sums = 'openTotalPos closeTotalPos netProfit totalFunding';
  const closed2 = figures(
    'symbol holdSide cTime uTime',
    `${sums} openAvgPrice closeAvgPrice pnl openFee closeFee`,
  );
  const closed3 = figures(
    'symbol posSide createdTime updatedTime',
    `${sums} openPriceAvg closePriceAvg cumRealisedPnl openFeeTotal closeFeeTotal`,
  );
  let seen = 0;
  for (const by of residents) {
    for (const { category } of FUTURES) {
      const v2 = await exchange.data<readonly Row[]>(by, 'getAllPositions', {
        productType: category,
      });
      const { list: v3 } = await exchange.data<{ list: readonly Row[] }>(
        by,
        'getCurrentPositions',
        { category },
      );
      expect(v2.map((row) => [...open2(row), units(row.deductedFee)])).toEqual(
        v3.map((row) => [...open3(row), units(row.openFeeTotal) + units(row.closeFeeTotal)]),
      );
      seen += v2.length;
    }
    seen += await expectSame(
      by,
      [ofFutures('listFuturesPositionHistory', 'productType'), 'positionId', closed2],
      [ofFutures('listPositionHistory', 'category'), 'positionId', closed3],
    );
  }
  expect(seen).toBeGreaterThan(20);
});

test('[VIEW-36][BILL-04] a bill', async () => {
  const shown = (row: Row) => [
    row.coin,
    ...[row.amount ?? row.size, row.fee ?? row.fees, row.balance].map(units),
    row.cTime ?? row.ts,
  ];
  for (const by of residents) {
    const bills = await expectSame(
      by,
      [[['listSpotBills', {}], ...ofFutures('listFuturesBills', 'productType')], 'billId', shown],
      [[['listFinancialRecords', {}]], 'id', shown],
    );
    expect(bills).toBeGreaterThan(30);
  }
});

const ENDS: Readonly<Record<string, string>> = {
  live: 'pending',
  executed: 'success',
  fail_execute: 'failed',
};

test('[VIEW-36][TRG-59] a trigger, waiting or ended, and its order', async () => {
  const lists = (['listPendingTriggerOrders', 'listTriggerOrderHistory'] as const).flatMap((name) =>
    ['normal_plan', 'track_plan', 'profit_loss'].flatMap((planType) =>
      ofFutures(name, 'productType', { planType }),
    ),
  );
  const shown2 = figures('symbol clientOid executeOrderId cTime', 'size triggerPrice');
  const shown3 = figures('symbol clientOid executeOrderId createdTime', 'qty');
  let executed = 0;
  for (const by of residents) {
    await expectSame(
      by,
      [lists, 'orderId', (row) => [...shown2(row), ENDS[row.planStatus!] ?? row.planStatus]],
      [
        [
          ...ofFutures('listOpenStrategyOrders', 'category'),
          ...ofFutures('listStrategyOrderHistory', 'category'),
        ],
        'orderId',
        (row) => [
          ...shown3(row),
          units(row.triggerPrice || row.takeProfit || row.stopLoss),
          row.status,
        ],
      ],
    );
    for (const row of (
      await Promise.all(lists.map(([name, values]) => walk(by, name, values, 'orderId')))
    ).flat()) {
      if (row.planStatus !== 'executed') continue;
      const child = await exchange.data<Row>(by, 'getOrder', { clientOid: row.orderId! });
      expect(figures('orderId symbol', 'avgPrice cumExecQty')(child)).toEqual(
        figures('executeOrderId symbol', 'priceAvg baseVolume')(row),
      );
      executed++;
    }
  }
  expect(executed).toBeGreaterThan(10);
});
