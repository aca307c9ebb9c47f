/** `bitget-api` reads the customers, commissions and rebates of an agent. */
import { RestClientV2 } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let exchange: TradingExchange;
let agent: Trader;
let customer: Trader;
let stranger: Trader;
/** The day of the customer's registration and trades. */
let day: number;

const moveTo = (at: number) => exchange.operate('POST', '/operator/v1/clock', { to: String(at) });

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  const { now } = (await exchange.operate('GET', '/operator/v1/clock')).data as { now: string };
  day = Number(now) - ((Number(now) + 8 * HOUR) % DAY) + DAY;
  await moveTo(day + HOUR);
  const maker = await exchange.trader({ deposits: { USDT: '20000', BTC: '0.1' } });
  agent = await exchange.trader();
  const spec = { uid: agent.uid, affiliationType: 'official', spotRatio: '0.2', futuresRatio: 0.3 };
  const made = await exchange.operate('POST', '/operator/v1/agents', spec);
  const { referralCode } = made.data as { referralCode: string };
  customer = await exchange.trader({ referralCode, deposits: { USDT: '20000' } });
  stranger = await exchange.trader();
  for (const category of ['USDT-FUTURES', 'SPOT', 'MARGIN']) {
    const limit = { orderType: 'limit', price: '60000', qty: '0.01', timeInForce: 'gtc' };
    const order = { category, symbol: 'BTCUSDT', ...limit };
    await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
    await exchange.data(customer, 'placeOrder', { ...order, side: 'buy' });
  }
  await moveTo(day + DAY + HOUR);
});
afterAll(() => exchange.stop());

test('[AGT-04][AGT-10][AGT-13][API-21] it reads customers, commissions and rebates', async () => {
  const { apiKey, secretKey: apiSecret, passphrase: apiPass } = agent;
  const client = new RestClientV2({ apiKey, apiSecret, apiPass, baseUrl: exchange.url });
  const listed = await client.getAgentCustomerList({ pageNo: '1', pageSize: '10' });
  expect(listed).toMatchObject({ code: '00000', data: [{ uid: Number(customer.uid) }] });
  const window = { startTime: String(day), endTime: String(day + DAY - 1), limit: '2' };
  const { data } = await client.getAgentCustomerCommissions(window);
  expect(data.commissionList).toMatchObject([
    { symbol: 'BTCUSDT_SPBL-MABL' },
    { symbol: 'BTCUSDT_SPBL', uid: customer.uid },
  ]);
  const next = await client.getAgentCustomerCommissions({ ...window, idLessThan: data.endId });
  expect(next.data.commissionList).toMatchObject([
    { symbol: 'BTCUSDT_UMCBL', feePaid: '0.36', rebateAmount: '0.108' },
  ]);
  const rebate = await client.getBrokerRebateInfo({ uid: customer.uid });
  expect(rebate.data).toMatchObject({ clientFuturesRebateRatio: '0.3' });
  const refused = client.getBrokerRebateInfo({ uid: stranger.uid });
  await expect(refused).rejects.toMatchObject({ body: { code: '70207' } });
});
