import { expect, test } from 'vitest';
import { HiddenOrders } from './hidden-orders.ts';

const row = (orderId: string) => ({ orderId });

test('[FLT-13][FLT-152] the page boundaries never name an order that the page hides', () => {
  const hidden = new HiddenOrders();
  hidden.hide(['1', '4'], 10);
  const page = { orderList: ['4', '3', '2', '1'].map(row), maxId: '4', minId: '1' };
  expect(hidden.without(page, 0)).toEqual({
    orderList: ['3', '2'].map(row),
    maxId: '3',
    minId: '2',
  });
  expect(hidden.without({ list: [row('3'), row('1')], cursor: '1' }, 0)).toEqual({
    list: [row('3')],
    cursor: '3',
  });
  const spot = { nextFlag: false, idLessThan: '1', orderList: ['2', '1'].map(row) };
  expect(hidden.without(spot, 0)).toEqual({ ...spot, idLessThan: '2', orderList: [row('2')] });
  expect(hidden.without(page, 10)).toEqual(page);
});

test('[FLT-152] a page whose rows are all hidden still gives the start of the next page', () => {
  const hidden = new HiddenOrders();
  hidden.hide(['3', '4'], 10);
  const page = { orderList: ['4', '3'].map(row), maxId: '4', minId: '3' };
  expect(hidden.without(page, 0)).toEqual({ orderList: [], maxId: '4', minId: '3' });
  expect(hidden.without({ list: [row('3')], cursor: '3' }, 0)).toEqual({ list: [], cursor: '3' });
});
