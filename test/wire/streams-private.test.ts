/** Private channels of v2 and v3: their rows beside those of REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  channelOf,
  isPush,
  loggedIn,
  type PushedRow,
  rowsOf,
  subscribed,
  v2Arg,
  v3Arg,
} from './private-streams.ts';
import { type Frame, StreamClient } from './stream-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const MARKET = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const LIMIT = { ...MARKET, side: 'buy', orderType: 'limit', price: '59000', qty: '0.02' };
const TAKE = { ...MARKET, side: 'buy', orderType: 'market', qty: '0.02' };

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  const maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  const spot = { category: 'SPOT', symbol: 'BTCUSDT', qty: '10', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...spot, side: 'buy', price: '59990' },
    { ...spot, side: 'sell', price: '60010' },
  ]);
});
afterAll(() => exchange.stop());

const deposits = { USDT: '100000', BTC: '2' };
const newTrader = (): Promise<Trader> => exchange.trader({ deposits });
const place = (trader: Trader, order: object): Promise<Row> =>
  exchange.data<Row>(trader, 'placeOrder', { ...order });
const pushesOf = async (client: StreamClient, name: string): Promise<readonly Frame[]> =>
  (await client.during(200)).filter((frame) => isPush(frame) && channelOf(frame) === name);
const picked = (row: PushedRow, names: Readonly<Record<string, string>>): PushedRow =>
  Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, row[theirs]!]));

test('[STR-23] a private channel needs a login', async () => {
  const trader = await newTrader();
  const client = await loggedIn(exchange, trader);
  client.subscribe(v2Arg('orders'));
  expect(await client.frame()).toEqual({ event: 'subscribe', arg: v2Arg('orders') });
  client.close();
  for (const [path, arg] of [
    ['/v2/ws/private', v2Arg('account')],
    ['/v3/ws/private', v3Arg('order')],
  ] as const) {
    const stranger = await StreamClient.open(exchange, path);
    stranger.subscribe(arg);
    expect(await stranger.frame()).toMatchObject({ event: 'error', code: 30004, arg });
    stranger.close();
  }
});

test('[STR-23] a channel needs the permission of the REST call with the same rows', async () => {
  const trader = await newTrader();
  const arg = { ...v2Arg('orders') };
  const cases = [
    ['futures.read', arg, undefined],
    ['futures.read', v2Arg('orders', 'SPOT'), 'uta_trade.read'],
    ['uta_trade.read', v2Arg('orders', 'SPOT'), undefined],
    ['uta_trade.read', v2Arg('positions'), 'futures.read'],
    ['futures.read', v2Arg('account', 'SPOT'), 'uta_mgt.read'],
    ['uta_trade.read', v3Arg('position'), undefined],
    ['uta_trade.read', v3Arg('account'), 'uta_mgt.read'],
  ] as const;
  for (const [permission, asked, missing] of cases) {
    const { data } = await exchange.operate('POST', '/operator/v1/keys', {
      uid: trader.uid,
      permissions: [permission],
    });
    const limited = { ...trader, ...(data as object) };
    const client = await loggedIn(exchange, limited, 'topic' in asked ? 'v3' : 'v2');
    client.subscribe(asked);
    const answer = await client.frame();
    expect([asked, answer.code]).toEqual([asked, missing === undefined ? undefined : 30016]);
    if (missing !== undefined) expect(answer.msg).toContain(missing);
    client.close();
  }
});

test('[STR-49] `coin` may stand for `instId`, and `instId` for `coin`', async () => {
  const client = await loggedIn(exchange, await newTrader());
  const args = ['orders', 'fill', 'positions', 'account'].map((channel) => ({
    instType: 'usdt-futures',
    channel,
    coin: 'default',
  }));
  client.subscribe(...args);
  const frames = await client.during(200);
  expect(frames.filter(({ event }) => event === 'subscribe').map(({ arg }) => arg)).toEqual(args);
  expect(frames.filter(isPush).map(channelOf)).toEqual(['positions', 'account']);
  client.subscribe(v2Arg('account'));
  expect((await client.push()).arg).toEqual(v2Arg('account'));
  client.close();
});

test('[STR-49] a symbol or a coin limits the rows, and an unknown symbol is refused', async () => {
  const trader = await newTrader();
  const orders = { ...v2Arg('orders'), instId: 'ETHUSDT' };
  const account = { instType: 'SPOT', channel: 'account', coin: 'BTC' };
  const client = await loggedIn(exchange, trader);
  client.subscribe(orders, account, { ...orders, instId: 'NOTHING' });
  const frames = await client.during(150);
  expect(frames.find(({ event }) => event === 'error')).toMatchObject({ code: 30001 });
  expect(frames.filter(isPush).flatMap((frame) => rowsOf('v2Account', frame))).toMatchObject([
    { coin: 'BTC', available: '2' },
  ]);
  await place(trader, LIMIT);
  expect(await pushesOf(client, 'orders')).toEqual([]);
  client.close();
});

test('[STR-51] a futures order is pushed in each state, with the figures of REST', async () => {
  const trader = await newTrader();
  const v2 = await subscribed(exchange, trader, [v2Arg('orders')]);
  const v3 = await subscribed(exchange, trader, [v3Arg('order')]);
  const { orderId } = await place(trader, TAKE);
  const rows = (await pushesOf(v2, 'orders')).flatMap((frame) => rowsOf('v2Orders', frame));
  expect(rows.map(({ status }) => status)).toEqual(['live', 'partially_filled', 'filled']);
  expect(rows.map((row) => 'tradeId' in row)).toEqual([false, true, false]);
  const [fill] = (
    await exchange.data<{ fillList: readonly Row[] }>(trader, 'listFuturesFills', {
      productType: 'USDT-FUTURES',
    })
  ).fillList;
  expect(rows[1]).toMatchObject({
    tradeId: fill!.tradeId,
    baseVolume: fill!.baseVolume,
    fillPrice: fill!.price,
    fillTime: fill!.cTime,
    tradeScope: 'T',
    fillNotionalUsd: '1200.2',
    posMode: 'one_way_mode',
    posSide: 'net',
  });
  const order = await exchange.data<Row>(trader, 'getFuturesOrder', {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    orderId: orderId!,
  });
  const same = ['orderId', 'clientOid', 'size', 'side', 'force', 'orderType', 'leverage', 'uTime'];
  const last = rows.at(-1)!;
  for (const name of [...same, 'priceAvg', 'totalProfits', 'marginMode', 'tradeSide', 'cTime'])
    expect([name, last[name]]).toEqual([name, order[name]]);
  expect(last).toMatchObject({ accBaseVolume: order.baseVolume, status: order.state, price: '0' });
  expect(last.feeDetail).toEqual([{ feeCoin: 'USDT', fee: order.fee }]);

  const unified = (await pushesOf(v3, 'order')).flatMap((frame) => rowsOf('v3Order', frame));
  expect(unified.map(({ orderStatus }) => orderStatus)).toEqual([
    'new',
    'partially_filled',
    'filled',
  ]);
  const shown = await exchange.data<Row>(trader, 'getOrder', { orderId: orderId! });
  for (const name of ['cumExecQty', 'cumExecValue', 'avgPrice', 'feeDetail', 'updatedTime', 'qty'])
    expect([name, unified.at(-1)![name]]).toEqual([name, shown[name]]);
  expect(unified.at(-1)).toMatchObject({
    category: 'usdt-futures',
    posMode: 'one_way_mode',
    holdMode: 'one_way_mode',
    holdSide: shown.posSide,
    reduceOnly: 'no',
  });
  v2.close();
  v3.close();
});

test('[STR-51] a resting order is pushed when it is modified and cancelled', async () => {
  const trader = await newTrader();
  const client = await subscribed(exchange, trader, [v2Arg('orders')]);
  const { orderId } = await place(trader, LIMIT);
  await exchange.data(trader, 'changeOrder', { ...MARKET, orderId, price: '58000', qty: '0.03' });
  await exchange.data(trader, 'setLeverage', { ...MARKET, leverage: '7' });
  await exchange.data(trader, 'cancelOrder', { orderId });
  const rows = (await pushesOf(client, 'orders')).flatMap((frame) => rowsOf('v2Orders', frame));
  expect(rows.map(({ status, price, size, leverage }) => [status, price, size, leverage])).toEqual([
    ['live', '59000', '0.02', '10'],
    ['live', '58000', '0.03', '10'],
    ['live', '58000', '0.03', '7'],
    ['canceled', '58000', '0.03', '7'],
  ]);
  expect(rows.at(-1)!.cancelReason).toBe('normal_cancel');
  client.close();
});

test('[STR-51][STR-52] spot orders and fills have the figures of REST', async () => {
  const trader = await newTrader();
  const args = [v2Arg('orders', 'SPOT'), v2Arg('fill', 'SPOT'), v2Arg('orders'), v2Arg('fill')];
  const client = await subscribed(exchange, trader, args);
  const spot = { category: 'SPOT', symbol: 'BTCUSDT' };
  const { orderId } = await place(trader, {
    ...spot,
    side: 'buy',
    orderType: 'market',
    qty: '600',
  });
  await place(trader, { ...spot, side: 'sell', orderType: 'limit', price: '70000', qty: '0.5' });
  const frames = (await client.during(200)).filter(isPush);
  expect(new Set(frames.map(({ arg }) => arg!.instType))).toEqual(new Set(['SPOT']));
  const orders = frames
    .filter((frame) => channelOf(frame) === 'orders')
    .flatMap((frame) => rowsOf('v2Orders', frame));
  const [shown] = await exchange.data<readonly Row[]>(trader, 'getSpotOrder', {
    orderId: orderId!,
  });
  const bought = orders.filter((row) => row.orderId === orderId);
  expect(bought.at(-1)).toMatchObject({
    newSize: '600',
    notional: '600',
    accBaseVolume: shown!.baseVolume,
    priceAvg: shown!.priceAvg,
    uTime: shown!.uTime,
  });
  expect(orders.every((row) => !('posMode' in row))).toBe(true);
  expect(orders.at(-1)).toMatchObject({ newSize: '0.5', notional: '35000', status: 'live' });
  const fills = frames
    .filter((frame) => channelOf(frame) === 'fill')
    .flatMap((frame) => rowsOf('v2Fill', frame));
  const listed = await exchange.data<readonly Row[]>(trader, 'listSpotFills', {
    symbol: 'BTCUSDT',
  });
  expect(fills).toEqual(
    listed.map((shownFill) => {
      const { userId: _, feeDetail, ...row } = shownFill;
      return expect.objectContaining({ ...row, feeDetail: [feeDetail] });
    }),
  );
  client.close();
});

test('[STR-52] futures fills have the rows of REST on v2 and v3', async () => {
  const trader = await newTrader();
  const v2 = await subscribed(exchange, trader, [v2Arg('fill')]);
  const v3 = await subscribed(exchange, trader, [v3Arg('fill')]);
  for (const side of ['buy', 'sell', 'sell']) await place(trader, { ...TAKE, side });
  const rows = (await pushesOf(v2, 'fill')).flatMap((frame) => rowsOf('v2Fill', frame));
  const { fillList } = await exchange.data<{ fillList: readonly Row[] }>(
    trader,
    'listFuturesFills',
    { productType: 'USDT-FUTURES' },
  );
  expect(rows.toReversed()).toEqual(fillList.map((row) => expect.objectContaining(row)));
  const unified = (await pushesOf(v3, 'fill')).flatMap((frame) => rowsOf('v3Fill', frame));
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listFills', {});
  const names = { execId: 'execId', execPrice: 'execPrice', execQty: 'execQty', side: 'side' };
  const more = { ...names, execPnl: 'execPnl', feeDetail: 'feeDetail', execLinkId: 'execLinkId' };
  expect(unified.toReversed().map((row) => picked(row, more))).toEqual(
    list.map((row) => picked(row, more)),
  );
  v2.close();
  v3.close();
});

const V2_POSITION = {
  instId: 'symbol',
  total: 'total',
  available: 'available',
  frozen: 'locked',
  marginSize: 'marginSize',
  openPriceAvg: 'openPriceAvg',
  unrealizedPL: 'unrealizedPL',
  liquidationPrice: 'liquidationPrice',
  marginRate: 'marginRatio',
  uTime: 'uTime',
  deductedFee: 'deductedFee',
};
const V3_POSITION = {
  symbol: 'symbol',
  posSide: 'posSide',
  size: 'total',
  available: 'available',
  avgPrice: 'avgPrice',
  marginSize: 'positionBalance',
  liqPrice: 'liquidationPrice',
  unrealisedPnl: 'unrealisedPnl',
  mmr: 'mmr',
};
const same = (names: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, name]));

test('[STR-53] positions come whole, as REST shows them, and a closed one is absent on v2', async () => {
  const trader = await newTrader();
  const v2 = await subscribed(exchange, trader, [v2Arg('positions')]);
  const v3 = await subscribed(exchange, trader, [v3Arg('position')]);
  await place(trader, TAKE);
  await place(trader, { ...LIMIT, side: 'sell', price: '61000', qty: '0.005', reduceOnly: 'yes' });
  const [open] = (await pushesOf(v2, 'positions')).slice(-1);
  const listed = await exchange.data<readonly Row[]>(trader, 'getAllPositions', {
    productType: 'USDT-FUTURES',
  });
  expect(listed).toHaveLength(1);
  expect(rowsOf('v2Positions', open!).map((row) => picked(row, same(V2_POSITION)))).toEqual(
    listed.map((row) => picked(row, V2_POSITION)),
  );
  expect(open!.data![0]!.leverage).toBe(10);
  const [unified] = (await pushesOf(v3, 'position')).slice(-1);
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'getCurrentPositions', {
    category: 'USDT-FUTURES',
  });
  expect(rowsOf('v3Position', unified!).map((row) => picked(row, same(V3_POSITION)))).toEqual(
    list.map((row) => picked(row, V3_POSITION)),
  );
  expect(unified!.data![0]).toMatchObject({ positionStatus: 'opening', frozen: '0.005' });

  await place(trader, { ...TAKE, side: 'sell' });
  expect(rowsOf('v2Positions', (await pushesOf(v2, 'positions')).at(-1)!)).toEqual([]);
  const ended = (await pushesOf(v3, 'position')).flatMap((frame) => rowsOf('v3Position', frame));
  expect(ended.filter(({ positionStatus }) => positionStatus === 'ended')).toMatchObject([
    { symbol: 'BTCUSDT', size: '0', avgPrice: '' },
  ]);
  v2.close();
  v3.close();
});

test('[STR-53][STR-54] a subscription begins with the state, and subscribing again shows it', async () => {
  const trader = await newTrader();
  await place(trader, TAKE);
  const client = await loggedIn(exchange, trader);
  const args = [v2Arg('positions'), v2Arg('account'), v2Arg('account', 'SPOT')];
  for (let at = 0; at < 2; at++) {
    client.subscribe(...args);
    const frames = await client.during(150);
    expect(frames.filter(isPush).map(channelOf)).toEqual(['positions', 'account', 'account']);
    expect(rowsOf('v2Positions', frames.filter(isPush)[0]!)).toHaveLength(1);
  }
  client.subscribe(v2Arg('orders'), v2Arg('fill'));
  expect((await client.during(150)).filter(isPush)).toEqual([]);
  client.close();
});

test('[STR-54] the account has the figures of REST after each change', async () => {
  const trader = await newTrader();
  const v2 = await subscribed(exchange, trader, [v2Arg('account'), v2Arg('account', 'SPOT')]);
  const v3 = await subscribed(exchange, trader, [v3Arg('account')]);
  const acts = [
    () => place(trader, LIMIT),
    () => place(trader, TAKE),
    () =>
      place(trader, {
        category: 'SPOT',
        symbol: 'BTCUSDT',
        side: 'sell',
        orderType: 'limit',
        price: '70000',
        qty: '0.5',
      }),
    () =>
      exchange.operate('POST', '/operator/v1/deposits', {
        uid: trader.uid,
        coin: 'ETH',
        size: '3',
      }),
  ];
  for (const act of acts) {
    await act();
    const frames = (await v2.during(150)).filter(isPush);
    const lastOf = (instType: string): Frame =>
      frames.filter(({ arg }) => arg!.instType === instType).at(-1)!;
    const [futures] = await exchange.data<readonly Row[]>(trader, 'listFuturesAccounts', {
      productType: 'USDT-FUTURES',
    });
    expect(rowsOf('v2Account', lastOf('USDT-FUTURES'))).toMatchObject([
      {
        marginCoin: 'USDT',
        available: futures!.available,
        frozen: futures!.locked,
        equity: futures!.accountEquity,
        maxTransferOut: futures!.maxTransferOut,
        unionAvailable: futures!.unionAvailable,
      },
    ]);
    expect(rowsOf('v2Account', lastOf('SPOT'))).toEqual(
      await exchange.data(trader, 'listSpotAssets', {}),
    );
    const unified = rowsOf('v3Account', (await pushesOf(v3, 'account')).at(-1)!)[0]!;
    const assets = await exchange.data<Row>(trader, 'getAssets', {});
    expect(unified).toMatchObject({ totalEquity: assets.accountEquity, imr: assets.imr });
    expect(unified.coin).toMatchObject(
      (assets.assets as unknown as readonly Row[]).map(({ debt: debts, ...row }) => ({
        ...row,
        debts,
      })),
    );
  }
  v2.close();
  v3.close();
});
