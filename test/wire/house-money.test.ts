/** The house's accounts, as the operator sees them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';
import { ON_CHAIN } from './withdrawal-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
});
afterAll(() => exchange.stop());

const inverse = { category: 'COIN-FUTURES', symbol: 'BTCUSD', orderType: 'limit', qty: '1' };

async function trade(seller: Trader, buyer: Trader, price: string): Promise<void> {
  await exchange.data(seller, 'placeOrder', { ...inverse, side: 'sell', price });
  await exchange.data(buyer, 'placeOrder', { ...inverse, side: 'buy', price });
}

const audited = async (): Promise<Row | undefined> =>
  (
    (await exchange.operate('GET', '/operator/v1/audit')).data as { coins: readonly Row[] }
  ).coins.find(({ coin }) => coin === 'BTC');

async function metrics(): Promise<string> {
  const { operatorUrl, operatorToken } = exchange.addresses;
  return await (
    await fetch(`${operatorUrl}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  ).text();
}

/** A metric by its name and labels. */
async function figure(name: string): Promise<number> {
  const line = (await metrics()).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

const measured = (account: string): Promise<number> =>
  figure(`rialto_house_balance{coin="BTC",account="${account}"}`);

test('[POS-20][OPR-12][OPR-13] audit and metrics show the clearing balance and the insurance fund', async () => {
  await exchange.setIndex('BTCUSDT', '55000');
  const [maker, alice, bob] = [
    await exchange.trader({ deposits: { BTC: '10' } }),
    await exchange.trader({ deposits: { BTC: '10' } }),
    await exchange.trader({ deposits: { BTC: '10' } }),
  ];
  await trade(maker, alice, '50000');
  expect(await audited()).toMatchObject({ difference: '0', clearing: '0', insurance: '0' });
  await trade(alice, bob, '60000');
  await trade(bob, maker, '55000');
  // Alice made 1/6, Bob and the maker lost 1/11 each: the rest of their losses stays in clearing.
  expect(await audited()).toMatchObject({
    difference: '0',
    clearing: '0.0151515154',
    insurance: '0',
  });
  expect([await measured('clearing'), await measured('insurance')]).toEqual([0.0151515154, 0]);
});

test('[OPR-13] every metric has its own description', async () => {
  const helps = [...(await metrics()).matchAll(/^# HELP (rialto_\w+) (.+)$/gm)];
  const names = helps.map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'rialto_durable',
      'rialto_disk_room',
      'rialto_users',
      'rialto_house_balance',
    ]),
  );
  expect(new Set(helps.map(([, , help]) => help)).size).toBe(names.length);
});

test('[ISO-32][ISO-165][OPR-13] metrics count the pairs with a debt that cannot be liquidated', async () => {
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
  const alice = await exchange.trader({ deposits: { BTC: '1' } });
  const pair = { symbol: 'ETHBTC', coin: 'BTC' };
  await exchange.data(alice, 'transfer', {
    ...pair,
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1',
  });
  await exchange.data(alice, 'borrowIsolated', { ...pair, borrowAmount: '1' });
  const waiting = (): Promise<number> => figure('rialto_pairs_waiting');
  expect(await waiting()).toBe(0);
  // 0.0000000001 bitcoin is worth 0.000006, less than one price step of ether.
  await exchange.setIndex('ETHUSDT', '0.0000001');
  expect(await waiting()).toBe(1);
  await exchange.setIndex('ETHUSDT', '3000');
  expect(await waiting()).toBe(0);
  const halt = (status: string) =>
    exchange.operate('POST', '/operator/v1/instruments/status', {
      category: 'SPOT',
      symbol: 'ETHBTC',
      status,
    });
  await halt('halted');
  expect(await waiting()).toBe(1);
  await halt('normal');
  await exchange.data(alice, 'repayIsolated', { ...pair, repayAmount: '1' });
  expect(await waiting()).toBe(0);
});

test('[MNY-15][MNY-08] the sum of a coin may exceed 64 bits: it is exact, also after a restart', async () => {
  const most = '922337203.6854775807';
  const people = [];
  for (let n = 0; n < 3; n++) people.push(await exchange.trader({ deposits: { XRP: most } }));
  const credit = { uid: people[0]!.uid, coin: 'XRP' };
  for (const size of ['0.0000000001', '99999999999999999999.9999999999'])
    expect(await exchange.refusal('POST', '/operator/v1/deposits', { ...credit, size })).toMatch(
      /^40053 .*: size$/,
    );
  const seen = async () => {
    const audit = (await exchange.operate('GET', '/operator/v1/audit')).data as {
      ok: boolean;
      stateHash: string;
      coins: readonly Row[];
    };
    const ledger = (await exchange.operate('GET', '/operator/v1/ledger?coin=XRP&limit=6'))
      .data as readonly Row[];
    const outside = ledger
      .filter(({ account }) => account === 'outside')
      .map(({ balance }) => balance);
    return {
      ok: audit.ok,
      stateHash: audit.stateHash,
      xrp: audit.coins.find(({ coin }) => coin === 'XRP'),
      outside,
    };
  };
  const before = await seen();
  // Three times 2^63 − 1 units.
  expect(before).toMatchObject({
    ok: true,
    xrp: { difference: '0', held: '2767011611.0564327421', owed: '2767011611.0564327421' },
  });
  expect(before.outside).toEqual([
    '-2767011611.0564327421',
    '-1844674407.3709551614',
    '-922337203.6854775807',
  ]);
  await exchange.restart();
  expect(await seen()).toEqual(before);
});

test('[OPR-13][WDR-12] metrics count the withdrawals that wait for approval: those above 10,000 dollars', async () => {
  const withdraw = async (size: string): Promise<string> => {
    const alice = await exchange.trader({ deposits: { USDT: '30000' } });
    return (
      (await exchange.data(alice, 'requestWithdrawal', { ...ON_CHAIN, size })) as {
        orderId: string;
      }
    ).orderId;
  };
  const waiting = (): Promise<number> => figure('rialto_withdrawals_waiting');
  await withdraw('10000');
  expect(await waiting()).toBe(0);
  const orderId = await withdraw('10001');
  expect(await waiting()).toBe(1);
  await exchange.operate('POST', `/operator/v1/withdrawals/${orderId}/reject`, {});
  expect(await waiting()).toBe(0);
});

test('[OPR-40] health shows one moment, also on a busy exchange', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '1000' } });
  const order = {
    category: 'SPOT',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    qty: '0.001',
    price: '1000',
  };
  const busy = Array.from({ length: 200 }, () => exchange.call(trader, 'placeOrder', order));
  type Figures = {
    readonly sequence: number;
    readonly durable: number;
    readonly stateHashSequence: number;
  };
  for (let request = 0; request < 50; request++) {
    const { data } = await exchange.operate('GET', '/operator/v1/health');
    const { sequence, durable, stateHashSequence } = data as Figures;
    expect([sequence, durable <= sequence, stateHashSequence <= sequence]).toEqual([
      sequence,
      true,
      true,
    ]);
  }
  await Promise.all(busy);
});
