/** What is asked of trigger orders beside their prices: each word of a request has its effect, and is seen in what comes of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN, type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
beforeAll(async () => {
  on = await TriggerExchange.start();
});
afterAll(() => on.exchange.stop());

const byMark = { triggerType: 'mark_price' } as const;

test('[TRG-13] the self-trade prevention that a trigger was placed with is that of its order', async () => {
  const { exchange } = on;
  const alice = await on.longTrader();
  const plan = await on.place(alice, { triggerPrice: '62000', stpMode: 'cancel_taker' });
  const usual = await on.place(alice, { triggerPrice: '62000' });
  const part = { ...TPSL, ...byMark, planType: 'profit_plan', triggerPrice: '63000', size: '0.1', stpMode: 'cancel_maker' };
  const partial = await exchange.data<Row>(alice, 'placeTpslOrder', part);
  const whole = { ...TPSL, stopSurplusTriggerPrice: '64000', stopSurplusTriggerType: 'mark_price', stpMode: 'cancel_both' };
  const [position] = await exchange.data<Row[]>(alice, 'placePositionTpsl', whole);
  await on.mark('64000');
  await on.mark('60000');
  const modeOf = async (planType: string, { orderId }: Row) => {
    const { entrustedList } = await on.history(alice, planType, { orderId });
    return (await exchange.data<Row>(alice, 'getOrder', { orderId: entrustedList[0]!.executeOrderId as string })).stpMode;
  };
  expect([await modeOf('normal_plan', plan), await modeOf('normal_plan', usual)]).toEqual(['cancel_taker', 'none']);
  expect([await modeOf('profit_loss', partial), await modeOf('profit_loss', position!)]).toEqual(['cancel_maker', 'cancel_both']);
});

test('[TRG-34] each way out of a position looks at the price that is said for it', async () => {
  const sources = async (said: object) => {
    const alice = await on.longTrader();
    const prices = { stopSurplusTriggerPrice: '70000', stopLossTriggerPrice: '50000' };
    await on.exchange.data(alice, 'placePositionTpsl', { ...TPSL, ...prices, ...said });
    const { entrustedList } = await on.pending(alice, 'profit_loss');
    return Object.fromEntries(entrustedList.map(({ planType, triggerType }) => [planType, triggerType]));
  };
  expect(await sources({})).toEqual({ pos_profit: 'fill_price', pos_loss: 'fill_price' });
  expect(await sources({ stopSurplusTriggerType: 'mark_price' })).toEqual({ pos_profit: 'mark_price', pos_loss: 'fill_price' });
  expect(await sources({ stopLossTriggerType: 'mark_price' })).toEqual({ pos_profit: 'fill_price', pos_loss: 'mark_price' });
});

test('[TRG-58] live triggers are listed by symbol and by product type', async () => {
  await on.exchange.setIndex('ETHUSDT', '3000', '3000');
  const alice = await on.trader();
  const { orderId: btc } = await on.place(alice);
  const { orderId: eth } = await on.place(alice, { ...PLAN, symbol: 'ETHUSDT', triggerPrice: '3500', size: '1' });
  const ids = async (more = {}) => (await on.pending(alice, 'normal_plan', more)).entrustedList.map(({ orderId }) => orderId);
  expect(await ids()).toEqual([eth, btc]);
  expect([await ids({ symbol: 'BTCUSDT' }), await ids({ symbol: 'ETHUSDT' }), await ids({ symbol: 'XRPUSDT' })]).toEqual([
    [btc],
    [eth],
    [],
  ]);
  expect(await ids({ productType: 'COIN-FUTURES' })).toEqual([]);
});
