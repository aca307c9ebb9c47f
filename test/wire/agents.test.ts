/** Agents over HTTP: customers, ratios and commissions, by the calls of the contract. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/kernel/time.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const startOfDay = (at: number): number => at - ((at + 8 * HOUR) % DAY);

interface Commissions {
  readonly commissionList: readonly Row[];
  readonly endId: string;
}

let exchange: TradingExchange;
let maker: Trader;
/** An agent with two customers; one of them is an agent with one customer of its own. */
let agent: Trader;
let customer: Trader;
let below: Trader;
let customerBelow: Trader;
let stranger: Trader;
/** The day of the customers' trades. */
let day: number;

const now = async (): Promise<number> =>
  Number(((await exchange.operate('GET', '/operator/v1/clock')).data as { now: string }).now);
const customers = (caller: Trader, values: object = {}) =>
  exchange.data<readonly { uid: number; registerTime: string }[]>(caller, 'listAgentCustomers', {
    ...values,
  });
const uids = async (caller: Trader, values: object = {}): Promise<readonly string[]> =>
  (await customers(caller, values)).map(({ uid }) => String(uid));
const commissions = (caller: Trader, values: object = {}) =>
  exchange.data<Commissions>(caller, 'listAgentCommissions', { ...values });
const anAgent = async (uid: string, spec: object = {}): Promise<string> => {
  const input = { uid, affiliationType: 'official', spotRatio: '0.2', futuresRatio: 0.3, ...spec };
  return (
    (await exchange.operate('POST', '/operator/v1/agents', input)).data as { referralCode: string }
  ).referralCode;
};
const buys = async (trader: Trader, category: string, qty: string): Promise<void> => {
  const order = {
    category,
    symbol: 'BTCUSDT',
    orderType: 'limit',
    price: '60000',
    qty,
    timeInForce: 'gtc',
  };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy' });
};
const referralCodes = async (): Promise<readonly string[]> =>
  ((await exchange.operate('GET', '/operator/v1/agents')).data as readonly Row[]).map(
    (row) => row.referralCode!,
  );
const moveTo = (at: number) => exchange.operate('POST', '/operator/v1/clock', { to: String(at) });

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  const nextDay = startOfDay(await now()) + DAY;
  await moveTo(nextDay + HOUR);
  day = nextDay;
  maker = await exchange.trader({ deposits: { USDT: '20000', BTC: '0.1' } });
  agent = await exchange.trader();
  const referralCode = await anAgent(agent.uid);
  customer = await exchange.trader({ referralCode, deposits: { USDT: '20000' } });
  below = await exchange.trader({ referralCode });
  customerBelow = await exchange.trader({
    referralCode: await anAgent(below.uid, { spotRatio: '0.5', futuresRatio: '0.5' }),
    deposits: { USDT: '20000' },
  });
  stranger = await exchange.trader({ deposits: { USDT: '20000' } });
  await anAgent(stranger.uid);
  for (const category of ['USDT-FUTURES', 'SPOT', 'MARGIN']) await buys(customer, category, '0.01');
  await buys(customerBelow, 'USDT-FUTURES', '0.02');
  await buys(stranger, 'USDT-FUTURES', '0.02');
  await moveTo(day + DAY + HOUR);
});
afterAll(() => exchange.stop());

describe('customers', () => {
  test('[AGT-04][AGT-06][AGT-07][AGT-31] the default is yesterday, newest first, with uids as numbers', async () => {
    const rows = await customers(agent);
    expect(rows.map(({ uid }) => uid)).toEqual([Number(below.uid), Number(customer.uid)]);
    for (const { registerTime } of rows) expect(startOfDay(Number(registerTime))).toBe(day);
    expect(
      await uids(agent, { startTime: String(day + DAY), endTime: String(day + 2 * DAY) }),
    ).toEqual([]);
    expect(await uids(agent, { startTime: String(day), endTime: rows[1]!.registerTime })).toEqual([
      customer.uid,
    ]);
  });

  test('[AGT-08] showSub adds the customers of customers', async () => {
    expect(await uids(agent, { showSub: 'yes' })).toEqual([
      customerBelow.uid,
      below.uid,
      customer.uid,
    ]);
    expect(await uids(agent, { showSub: 'no' })).toEqual([below.uid, customer.uid]);
    expect(await uids(below)).toEqual([customerBelow.uid]);
  });

  test('[AGT-04][AGT-31] pages, and customers by referral code', async () => {
    expect(await uids(agent, { pageSize: '1' })).toEqual([below.uid]);
    expect(await uids(agent, { pageSize: '1', pageNo: '2' })).toEqual([customer.uid]);
    expect(await uids(agent, { pageSize: '1', pageNo: '3' })).toEqual([]);
    expect(await exchange.code(agent, 'listAgentCustomers', { pageSize: '1001' })).toBe('40053');
    expect(await exchange.code(agent, 'listAgentCustomers', { pageNo: 'two' })).toBe('40020');
    const codes = await referralCodes();
    expect(await uids(agent, { referralCode: codes[0] })).toEqual([below.uid, customer.uid]);
    expect(await uids(agent, { referralCode: codes[1] })).toEqual([]);
    expect(await uids(agent, { referralCode: codes[1], showSub: 'yes' })).toEqual([
      customerBelow.uid,
    ]);
    expect(await uids(agent, { referralCode: codes[2], showSub: 'yes' })).toEqual([]);
  });

  test("[AGT-04][AGT-08] a referral code filters the agent's own customers, and combines with uid", async () => {
    const [own, ofBelow] = await referralCodes();
    const other = await exchange.trader();
    const strange = await anAgent(other.uid);
    const times = { startTime: String(day), endTime: String((await now()) + HOUR) };
    expect(await uids(other, { ...times, referralCode: strange })).toEqual([]);
    const { uid } = await exchange.trader({ referralCode: strange });
    expect(await uids(other, { ...times, referralCode: strange })).toEqual([uid]);
    for (const showSub of ['yes', 'no'])
      expect(await uids(agent, { ...times, referralCode: strange, showSub })).toEqual([]);
    expect(await uids(agent, { ...times, referralCode: 'unknown' })).toEqual([]);
    expect(await uids(agent, { uid: customer.uid, referralCode: own })).toEqual([customer.uid]);
    expect(await uids(agent, { uid: customer.uid, referralCode: ofBelow })).toEqual([]);
    expect(
      await uids(agent, { uid: customerBelow.uid, referralCode: ofBelow, showSub: 'yes' }),
    ).toEqual([customerBelow.uid]);
  });

  test("[AGT-09][AGT-25] a uid is found at any registration time; another agent's customer is not", async () => {
    expect(await uids(agent, { uid: customer.uid })).toEqual([customer.uid]);
    const fresh = await exchange.trader({
      referralCode: (
        (await exchange.operate('GET', `/operator/v1/agents?uid=${agent.uid}`))
          .data as readonly Row[]
      )[0]!.referralCode!,
    });
    expect(await uids(agent)).not.toContain(fresh.uid);
    expect(await uids(agent, { uid: fresh.uid })).toEqual([fresh.uid]);
    expect(
      await uids(agent, { uid: fresh.uid, startTime: String(day), endTime: String(day + DAY) }),
    ).toEqual([]);
    for (const uid of [customerBelow.uid, stranger.uid, '1'])
      expect(await uids(agent, { uid })).toEqual([]);
    expect(await uids(agent, { uid: customerBelow.uid, showSub: 'yes' })).toEqual([
      customerBelow.uid,
    ]);
  });

  test.each(['listAgentCustomers', 'listAgentCommissions'] as const)(
    '[AGT-05] %s: both times or neither, at most thirty days',
    async (name) => {
      const at = await now();
      const code = (startTime: number | undefined, endTime: number | undefined) =>
        exchange.code(agent, name, {
          ...(startTime === undefined ? {} : { startTime: String(startTime) }),
          ...(endTime === undefined ? {} : { endTime: String(endTime) }),
        });
      expect(await code(at - DAY, undefined)).toBe('40913');
      expect(await code(undefined, at)).toBe('40913');
      expect(await code(at, at - 1)).toBe('40707');
      expect(await code(at - HOUR, at - HOUR + 30 * DAY)).toBe('00000');
      expect(await code(at - HOUR, at - HOUR + 30 * DAY + 1)).toBe('70008');
      expect(await code(at - 30 * DAY, at)).toBe('00000');
      expect(await code(at - 30 * DAY - 1, at)).toBe('70008');
      expect(await code(at - 30 * DAY - 1, at - DAY)).toBe('70008');
      // A clock 25 seconds behind may ask for its last thirty days; one a minute behind is refused.
      expect(await code(at - 30 * DAY - 25 * SECOND, at - 25 * SECOND)).toBe('00000');
      expect(await code(at - 30 * DAY - MINUTE, at - MINUTE)).toBe('70008');
      const emitted = async (startTime: number, endTime: number) =>
        (
          await exchange.call(agent, name, {
            startTime: String(startTime),
            endTime: String(endTime),
          })
        ).msg;
      for (const [input, missing] of [
        ['startTime', 'endTime'],
        ['endTime', 'startTime'],
      ] as const)
        expect((await exchange.call(agent, name, { [input]: String(at) })).msg).toContain(missing);
      expect(await emitted(at - 31 * DAY, at)).toBe('The time span is too long, at most 30 days');
      expect(await emitted(at - 31 * DAY, at - 30 * DAY)).toBe(
        'The start time is too long ago, at most 30 days',
      );
    },
  );

  test('[AGT-03] an account that is no agent is refused with 40029', async () => {
    expect(await exchange.code(customer, 'listAgentCustomers')).toBe('40029');
    expect(await exchange.code(customer, 'getRebateRatios', { uid: customer.uid })).toBe('40029');
    expect(await exchange.code(customer, 'listAgentCommissions')).toBe('40029');
  });
});

describe('rebate info', () => {
  test('[AGT-10][AGT-11] rebate info shows the affiliation, level and ratios of a customer', async () => {
    expect(await exchange.data(agent, 'getRebateRatios', { uid: customer.uid })).toEqual({
      affiliationType: 'official',
      userLevel: 'VIP0',
      clientSpotRebateRatio: '0.2',
      clientFuturesRebateRatio: '0.3',
    });
  });

  test("[AGT-12][API-10] rebate info covers the caller's own customers only", async () => {
    for (const uid of [
      customerBelow.uid,
      stranger.uid,
      agent.uid,
      '1',
      '0',
      'unknown',
      '9'.repeat(19),
    ])
      expect(await exchange.code(agent, 'getRebateRatios', { uid })).toBe('70207');
    expect(await exchange.code(agent, 'getRebateRatios')).toBe('40019');
  });
});

describe('commissions', () => {
  test('[AGT-13][AGT-14][AGT-16][AGT-17] the default is yesterday, with every field and the market in the symbol', async () => {
    const { commissionList, endId } = await commissions(agent);
    expect(
      commissionList.map(({ symbol, coin, productType }) => `${symbol} ${coin} ${productType}`),
    ).toEqual([
      'BTCUSDT_SPBL-MABL BTC MARGIN',
      'BTCUSDT_SPBL BTC SPOT',
      'BTCUSDT_UMCBL USDT USDT-FUTURES',
    ]);
    expect(commissionList[2]).toEqual({
      uid: customer.uid,
      date: String(day),
      coin: 'USDT',
      symbol: 'BTCUSDT_UMCBL',
      productType: 'USDT-FUTURES',
      dealAmount: '600',
      fee: '0.36',
      feeDeduction: '0',
      activityBonusDeduct: '0',
      spotCouponDeduct: '0',
      futuresCouponDeduct: '0',
      spotFeeDiscountDeduct: '0',
      negativeMakerFeeDeduct: '0',
      feePaid: '0.36',
      rebateAmount: '0.108',
      userTotalRebateAmount: '0',
      dayTotalRebateAmount: '0.108',
      totalRebateAmount: '0.108',
    });
    expect(commissionList[1]).toMatchObject({
      fee: '0.00001',
      rebateAmount: '0.000002',
      dayTotalRebateAmount: '0.000004',
    });
    expect(endId).toMatch(/^1\d{18}$/);
  });

  test('[AGT-13][AGT-14] commissions are filtered by market, coin and customer', async () => {
    const symbols = async (values: object) =>
      (await commissions(agent, values)).commissionList.map(({ symbol }) => symbol);
    expect(await symbols({ symbol: 'BTCUSDT_UMCBL' })).toEqual(['BTCUSDT_UMCBL']);
    expect(await symbols({ symbol: 'btcusdt_spbl' })).toEqual(['BTCUSDT_SPBL']);
    expect(await symbols({ symbol: 'BTCUSDT_SPBL-MABL' })).toEqual(['BTCUSDT_SPBL-MABL']);
    expect(await symbols({ symbol: 'BTCUSDT' })).toHaveLength(3);
    expect(await symbols({ symbol: 'BTCUSDT_CMCBL' })).toEqual([]);
    expect(await symbols({ coin: 'btc' })).toEqual(['BTCUSDT_SPBL-MABL', 'BTCUSDT_SPBL']);
    expect(await symbols({ uid: customer.uid, coin: 'USDT' })).toEqual(['BTCUSDT_UMCBL']);
    expect(await symbols({ uid: customerBelow.uid })).toEqual([]);
    expect(await symbols({ uid: stranger.uid, showSub: 'yes' })).toEqual([]);
  });

  test('[AGT-13] paging visits every commission once', async () => {
    const seen: string[] = [];
    let idLessThan: string | undefined;
    for (let page = 0; page < 4; page++) {
      const { commissionList, endId } = await commissions(agent, {
        limit: '1',
        ...(idLessThan === undefined ? {} : { idLessThan }),
      });
      seen.push(...commissionList.map((row) => row.symbol!));
      idLessThan = endId === '' ? idLessThan : endId;
    }
    expect(seen).toEqual(['BTCUSDT_SPBL-MABL', 'BTCUSDT_SPBL', 'BTCUSDT_UMCBL']);
    expect(await exchange.code(agent, 'listAgentCommissions', { limit: '1001' })).toBe('40053');
  });

  test('[AGT-22] showSub adds rows without a rebate, in order with the others', async () => {
    const { commissionList } = await commissions(agent, { showSub: 'yes' });
    expect(commissionList.map(({ uid }) => uid)).toEqual([
      customerBelow.uid,
      customer.uid,
      customer.uid,
      customer.uid,
    ]);
    expect(commissionList[0]).toMatchObject({
      fee: '0.72',
      feePaid: '0.72',
      rebateAmount: '0',
      dayTotalRebateAmount: '0',
      totalRebateAmount: '0',
    });
    expect((await commissions(below)).commissionList).toMatchObject([
      { uid: customerBelow.uid, rebateAmount: '0.36' },
    ]);
  });

  test('[AGT-20] commissions are credited to the wallet, and the audit finds no violation', async () => {
    const { balances } = (await exchange.operate('GET', `/operator/v1/users/${agent.uid}`))
      .data as { balances: readonly Row[] };
    expect(balances.map(({ coin, available }) => `${available} ${coin}`)).toEqual([
      '0.108 USDT',
      '0.000004 BTC',
    ]);
    expect((await exchange.operate('GET', '/operator/v1/audit')).data).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test('[AGT-30] commissions and customers are the same after a restart', async () => {
    const before = await commissions(agent, { showSub: 'yes' });
    await exchange.restart();
    expect(await commissions(agent, { showSub: 'yes' })).toEqual(before);
    expect(await uids(agent, { showSub: 'yes' })).toEqual([
      customerBelow.uid,
      below.uid,
      customer.uid,
    ]);
  });
});

describe('the operator', () => {
  test('[AGT-01][AGT-24][AGT-27] the operator makes and changes agents, and grants fee credits', async () => {
    const spec = {
      affiliationType: 'affiliate',
      spotRatio: '0.25',
      futuresRatio: '0.35',
      userShare: '0.1',
    };
    const code = await anAgent(stranger.uid, spec);
    expect((await exchange.operate('GET', `/operator/v1/agents?uid=${stranger.uid}`)).data).toEqual(
      [{ uid: stranger.uid, referralCode: code, ...spec, customers: 0 }],
    );
    const credit = { uid: customer.uid, coin: 'USDT', kind: 'futures_coupon', size: '0.06' };
    expect((await exchange.operate('POST', '/operator/v1/fee-credits', credit)).data).toEqual({
      creditId: expect.stringMatching(/^1\d{18}$/),
    });
    await buys(customer, 'USDT-FUTURES', '0.01');
    await moveTo(startOfDay(await now()) + DAY);
    expect((await commissions(agent)).commissionList).toMatchObject([
      {
        futuresCouponDeduct: '0.06',
        feePaid: '0.3',
        rebateAmount: '0.09',
        totalRebateAmount: '0.198',
      },
    ]);
  });
});

describe('days', () => {
  test('[AGT-13][AGT-17] commissions cover the days that begin within the times', async () => {
    const dates = async (start: number, end: number) => {
      const { commissionList } = await commissions(agent, {
        startTime: String(start),
        endTime: String(end),
      });
      return commissionList.map(({ date }) => (Number(date) - day) / DAY);
    };
    expect(await dates(day, day + DAY)).toEqual([1, 0, 0, 0]);
    expect(await dates(day, day + DAY - 1)).toEqual([0, 0, 0]);
    expect(await dates(day + 1, day + DAY)).toEqual([1]);
    expect(await dates(day + 1, day + DAY - 1)).toEqual([]);
  });

  test('[AGT-06] yesterday includes its last millisecond', async () => {
    const { referralCode } = (
      (await exchange.operate('GET', `/operator/v1/agents?uid=${agent.uid}`)).data as readonly [Row]
    )[0];
    await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
    const today = startOfDay(await now()) + DAY;
    await moveTo(today - 1);
    const late = await exchange.trader({ referralCode: referralCode! });
    await moveTo(today);
    const early = await exchange.trader({ referralCode: referralCode! });
    expect(await uids(agent)).toEqual([late.uid]);
    await moveTo(today + DAY);
    expect(await uids(agent)).toEqual([early.uid]);
  });
});
