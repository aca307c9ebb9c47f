/** Orders whose answer is lost: the order has one result, which its clientOid finds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rehearsal, restingOrder } from './fault-rehearsal.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let one: Rehearsal;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  one = new Rehearsal(exchange, await exchange.trader({ deposits: { USDT: '100000' } }));
});
afterAll(() => exchange.stop());

const fateOf = async (clientOid: string): Promise<string> => {
  const { code, data } = await exchange.call(one.trader, 'getOrder', { clientOid });
  return code === '00000' ? (data as { orderStatus: string }).orderStatus : code;
};

describe.each([
  ['40010', /timed out/],
  ['40725', /service/],
  ['45001', /[Uu]nknown/],
])('an answer of %s', (code, words) => {
  test.each([
    ['placed', 'new'],
    ['notPlaced', '25204'],
  ])(
    '[ORD-68] it has no data, and the order is %s: a query by clientOid finds it %s',
    async (order, fate) => {
      const clientOid = `${order}-${code}`;
      await one.set({ effect: { kind: 'reply', code, order } });
      const answer = await exchange.call(one.trader, 'placeOrder', restingOrder(clientOid));
      expect([answer.code, answer.data]).toEqual([code, null]);
      expect(answer.msg).toMatch(words);
      expect(await fateOf(clientOid)).toBe(fate);
      // A repeated request gives the same order.
      expect(await one.place(restingOrder(clientOid))).toBe('00000');
      expect((await one.openOrders()).filter((each) => each === clientOid)).toHaveLength(1);
    },
  );
});

test.each([
  ['placed', ['new', 'new', 'new']],
  ['notPlaced', ['25204', '25204', '25204']],
])('[ORD-69] a batch without an answer in time was %s as a whole', async (order, fates) => {
  const names = [1, 2, 3].map((number) => `batch-${order}-${number}`);
  await one.set({ effect: { kind: 'reply', code: '40010', order } });
  const orders = names.map((name) => restingOrder(name));
  expect(await exchange.code(one.trader, 'placeBatch', orders)).toBe('40010');
  expect(await Promise.all(names.map(fateOf))).toEqual(fates);
});
