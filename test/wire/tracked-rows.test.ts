/**
 * Rows of open tracked orders: TP/SL of a leader's order from every call, and the fields of a
 * follower's order.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const market = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' } as const;

let exchange: TradingExchange;
let alice: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

beforeEach(async () => {
  alice = await exchange.trader({ deposits: { USDT: '100000' } });
  await exchange.operate('POST', '/operator/v1/traders', { uid: alice.uid, profitShare: '0.1' });
});

interface Row {
  readonly trackingNo: string;
  readonly posSide: string;
  readonly presetStopSurplusPrice: string;
  readonly presetStopLossPrice: string;
}

async function tracked(): Promise<readonly Row[]> {
  const { productType } = market;
  return (
    await exchange.data<{ trackingList: readonly Row[] }>(alice, 'listLeaderTrackedOrders', {
      productType,
    })
  ).trackingList;
}

const prices = async () =>
  (await tracked()).map((row) => [
    row.posSide,
    row.presetStopSurplusPrice,
    row.presetStopLossPrice,
  ]);

const open = (posSide: 'long' | 'short', request: Readonly<Record<string, string>> = {}) =>
  exchange.data(alice, 'placeOrder', {
    category: market.productType,
    symbol: market.symbol,
    side: posSide === 'long' ? 'buy' : 'sell',
    posSide,
    orderType: 'market',
    qty: '0.1',
    ...request,
  });

describe("a leader's tracked order", () => {
  test('[CPY-67] it shows the take-profit and stop-loss attached to its order', async () => {
    await open('long', { takeProfit: '66000', stopLoss: '54000' });
    expect(await prices()).toEqual([['long', '66000', '54000']]);
  });

  test('[CPY-67] it shows those attached to its trigger', async () => {
    await exchange.data(alice, 'placeTriggerOrder', {
      ...market,
      planType: 'normal_plan',
      marginMode: 'crossed',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'market',
      size: '0.1',
      triggerPrice: '60000',
      triggerType: 'mark_price',
      stopLossTriggerPrice: '54000',
      stopLossTriggerType: 'mark_price',
    });
    expect(await prices()).toEqual([['long', '', '54000']]);
  });

  test('[CPY-67] it shows those of its position side until they are cancelled, and its own before them', async () => {
    await open('long');
    await open('short');
    const tpsl = {
      ...market,
      holdSide: 'long',
      stopSurplusTriggerPrice: '66000',
      stopLossTriggerPrice: '54000',
    };
    await exchange.data(alice, 'placePositionTpsl', tpsl);
    const of = (long: readonly string[]) => [
      ['short', '', ''],
      ['long', ...long],
    ];
    expect(await prices()).toEqual(of(['66000', '54000']));

    const { trackingNo } = (await tracked()).at(-1)!;
    const { productType } = market;
    await exchange.data(alice, 'setLeaderTrackedOrderTpsl', {
      trackingNo,
      productType,
      stopSurplusPrice: '63000',
    });
    expect(await prices()).toEqual(of(['63000', '54000']));

    await exchange.data(alice, 'cancelTriggerOrders', { ...market, planType: 'profit_loss' });
    expect(await prices()).toEqual(of(['63000', '']));
  });
});

test("[CPY-38] a follower's row has its entry price under both names, and its opening cost", async () => {
  const bob = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
  const { productType, symbol } = market;
  const setting = {
    symbol,
    productType,
    marginType: 'trader',
    leverType: 'trader',
    traceType: 'percent',
    traceValue: '0.5',
  };
  await exchange.data(bob, 'setCopySettings', { traderId: alice.uid, settings: [setting] });
  await open('long');
  const rows = await exchange.data<readonly unknown[]>(bob, 'listFollowerTrackedOrders', {
    productType,
  });
  // 0.05 at 60,010, and a fee of 0.06 % of 3,000.5.
  expect(rows).toMatchObject([
    { openAvgPrice: '60010', openPriceAvg: '60010', openSize: '0.05', openFee: '-1.8003' },
  ]);
});

test('[CPY-02][API-10][API-33] an unknown leader is unknown in any format, and has no copies', async () => {
  const bob = await exchange.trader({ holdMode: 'hedge_mode' });
  const { productType, symbol } = market;
  const setting = {
    symbol,
    productType,
    marginType: 'trader',
    leverType: 'trader',
    traceType: 'percent',
    traceValue: '1',
  };
  for (const traderId of ['1', '0', 'b0b5a5e1', '9'.repeat(19)]) {
    const { code, msg } = await exchange.call(bob, 'setCopySettings', {
      traderId,
      settings: [setting],
    });
    expect([traderId, code, msg]).toEqual([traderId, '40860', 'The trader does not exist']);
    expect(await exchange.data(bob, 'listFollowerHistory', { productType, traderId })).toEqual({
      trackingList: [],
      endId: '',
    });
  }
});
