/**
 * The times in rows, with a clock that moves only in steps of a second: each is the time of its
 * step.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CopyExchange, productType, type Row, SYMBOL } from './copy-exchange.ts';
import type { TradingExchange } from './trading-exchange.ts';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let copying: CopyExchange;
let exchange: TradingExchange;

/**
 * The maker sells at 50,000 and buys at 49,999. The clock is at the beginning of a day: the next
 * funding is in eight hours.
 */
beforeAll(async () => {
  copying = await CopyExchange.start();
  ({ exchange } = copying);
  await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
  await copying.quote('50000');
});
afterAll(() => exchange.stop());

/** The exchange time after one more second. */
async function nextSecond(): Promise<string> {
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '1000' });
  return ((await exchange.operate('GET', '/operator/v1/clock')).data as { readonly now: string })
    .now;
}

const order = {
  category: productType,
  symbol: SYMBOL,
  side: 'buy',
  orderType: 'market',
  qty: '0.1',
};

test('[CLK-05][POS-150] a position shows the times of its opening and its last change', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  const opened = await nextSecond();
  await exchange.data(trader, 'placeOrder', order);
  const grown = await nextSecond();
  await exchange.data(trader, 'placeOrder', order);
  await nextSecond();
  const market = { productType, symbol: SYMBOL, marginCoin: 'USDT' };
  for (const name of ['getAllPositions', 'getSinglePosition'] as const)
    expect(await exchange.data(trader, name, market)).toMatchObject([
      { total: '0.2', cTime: opened, uTime: grown },
    ]);
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'getCurrentPositions', {
    category: productType,
  });
  expect(list).toMatchObject([{ total: '0.2', createdTime: opened, updatedTime: grown }]);
});

test('[ORD-63] an order shows the times of its placement and last change, also after it ended', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  const placed = await nextSecond();
  const { orderId } = await exchange.data<Row>(trader, 'placeOrder', {
    ...order,
    orderType: 'limit',
    price: '49999.5',
    qty: '0.2',
  });
  const shown = () => exchange.data<Row>(trader, 'getOrder', { orderId });
  await nextSecond();
  expect(await shown()).toMatchObject({
    orderStatus: 'new',
    createdTime: placed,
    updatedTime: placed,
  });
  const partly = await nextSecond();
  await exchange.data(copying.maker, 'placeOrder', { ...order, side: 'sell', qty: '0.05' });
  await nextSecond();
  expect(await shown()).toMatchObject({
    orderStatus: 'partially_filled',
    createdTime: placed,
    updatedTime: partly,
  });
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listFills', {
    category: productType,
  });
  expect(list).toMatchObject([
    { orderId, execQty: '0.05', createdTime: partly, updatedTime: partly },
  ]);
  const cancelled = await nextSecond();
  await exchange.data(trader, 'cancelOrder', { orderId });
  await nextSecond();
  expect(await shown()).toMatchObject({
    orderStatus: 'cancelled',
    createdTime: placed,
    updatedTime: cancelled,
  });
});

test('[TRG-59][TRG-62][TRG-70][TRG-74] a trigger shows when it was placed, changed and fired', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  const placed = await nextSecond();
  const plan = {
    planType: 'normal_plan',
    symbol: SYMBOL,
    productType,
    marginMode: 'crossed',
    marginCoin: 'USDT',
    side: 'buy',
  };
  const spec = {
    size: '0.01',
    triggerPrice: '50500',
    triggerType: 'mark_price',
    orderType: 'limit',
    price: '49000',
  };
  const { orderId } = await exchange.data<Row>(trader, 'placeTriggerOrder', {
    ...plan,
    ...spec,
    clientOid: 'half-past',
  });
  const input = { planType: 'normal_plan', productType };
  const rows = async (name: 'listPendingTriggerOrders' | 'listTriggerOrderHistory') =>
    (await exchange.data<{ entrustedList: readonly Row[] }>(trader, name, input)).entrustedList;
  expect(await rows('listPendingTriggerOrders')).toMatchObject([
    { orderId, cTime: placed, uTime: '' },
  ]);
  const changed = await nextSecond();
  await exchange.data(trader, 'changeTriggerOrder', {
    orderId,
    productType,
    symbol: SYMBOL,
    newTriggerPrice: '50600',
  });
  await nextSecond();
  expect(await rows('listPendingTriggerOrders')).toMatchObject([
    { triggerPrice: '50600', cTime: placed, uTime: changed },
  ]);
  const fired = await nextSecond();
  await exchange.setIndex(SYMBOL, '50000', '50600');
  await exchange.setIndex(SYMBOL, '50000', '50000');
  await nextSecond();
  const [ended] = await rows('listTriggerOrderHistory');
  expect(ended).toMatchObject({ orderId, planStatus: 'executed', cTime: placed, uTime: fired });
  expect((await exchange.operate('GET', `/operator/v1/triggers?uid=${trader.uid}`)).data).toEqual([
    {
      orderId,
      clientOid: 'half-past',
      uid: trader.uid,
      category: productType,
      symbol: SYMBOL,
      planType: 'normal_plan',
      triggerPrice: '50600',
      planStatus: 'executed',
      executeOrderId: ended!.executeOrderId,
      reason: null,
      code: null,
      msg: null,
      time: placed,
      endTime: fired,
    },
  ]);
});

test('[WDR-26] a withdrawal shows the times of its request and its last change', async () => {
  const rich = await exchange.trader({ deposits: { USDT: '100000' } });
  const requested = await nextSecond();
  const request = {
    coin: 'USDT',
    chain: 'trc20',
    transferType: 'on_chain',
    address: TRON,
    size: '20000',
    remark: 'the rent',
  };
  const { orderId } = await exchange.data<Row>(rich, 'requestWithdrawal', request);
  const refused = await nextSecond();
  const desk = async () =>
    (await exchange.operate('GET', `/operator/v1/withdrawals?uid=${rich.uid}`)).data;
  expect(await desk()).toMatchObject([
    {
      orderId,
      remark: 'the rent',
      approvals: [],
      approvalsNeeded: 1,
      createdTime: requested,
      updatedTime: requested,
    },
  ]);
  await exchange.operate('POST', `/operator/v1/withdrawals/${orderId}/reject`, {});
  const later = await nextSecond();
  expect(
    await exchange.data(rich, 'listWithdrawalRecords', { startTime: requested, endTime: later }),
  ).toMatchObject([{ orderId, status: 'fail', createdTime: requested, updatedTime: refused }]);
});

test('[OPR-07] a deposit shows its time', async () => {
  const trader = await exchange.trader();
  const came = await nextSecond();
  await exchange.operate('POST', '/operator/v1/deposits', {
    uid: trader.uid,
    coin: 'USDT',
    size: '5',
  });
  await nextSecond();
  expect(await exchange.data(trader, 'listDepositRecords')).toMatchObject([
    { size: '5', createdTime: came, updatedTime: came },
  ]);
});

test('[ISO-04] fills of isolated pairs show their times', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '2000' } });
  const seller = await exchange.trader({ deposits: { BTC: '1' } });
  const spot = { symbol: SYMBOL, orderType: 'limit', force: 'gtc', price: '50000' };
  await exchange.data(seller, 'placeSpotOrder', { ...spot, side: 'sell', size: '0.01' });
  const pair = {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
    coin: 'USDT',
    symbol: SYMBOL,
  };
  await exchange.data(trader, 'transfer', pair);
  const filled = await nextSecond();
  await exchange.data(trader, 'placeIsolatedOrder', {
    ...spot,
    loanType: 'normal',
    side: 'buy',
    baseSize: '0.01',
  });
  await nextSecond();
  const { fills } = await exchange.data<{ fills: readonly Row[] }>(trader, 'listIsolatedFills', {
    symbol: SYMBOL,
    startTime: filled,
  });
  expect(fills).toMatchObject([{ size: '0.01', cTime: filled, uTime: filled }]);
});

test('[AGT-04] customers show their registration times', async () => {
  const agent = await exchange.trader();
  const spec = {
    uid: agent.uid,
    affiliationType: 'official',
    spotRatio: '0.2',
    futuresRatio: '0.3',
  };
  const { referralCode } = (await exchange.operate('POST', '/operator/v1/agents', spec)).data as {
    readonly referralCode: string;
  };
  const registered = await nextSecond();
  const { uid } = await exchange.trader({ referralCode });
  const endTime = await nextSecond();
  const rows = await exchange.data(agent, 'listAgentCustomers', { startTime: registered, endTime });
  expect(rows).toEqual([{ uid: Number(uid), registerTime: registered }]);
});
