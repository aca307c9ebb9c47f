import { describe, expect, test } from 'vitest';
import { money, moneyText, type Price } from '../../kernel/money.ts';
import { markPriceOf } from './mark-prices.ts';

const mark = (index: string, premium: string): string => moneyText(markPriceOf(money<Price>(index), money<Price>(premium)));

describe('the premium of the book', () => {
  test.each([
    ['60000', '0', '60000'],
    ['60000', '12.5', '60012.5'],
    ['60000', '-12.5', '59987.5'],
    ['60000', '300', '60300'],
    ['60000', '300.0000000001', '60300'],
    ['60000', '-300', '59700'],
    ['60000', '-5000', '59700'],
    ['0.5', '0.1', '0.5025'],
  ])('[PRC-09] index %s and average premium %s make %s', (index, premium, expected) => expect(mark(index, premium)).toBe(expected));

  test('[PRC-09] the bound is rounded down, so the smallest price has no premium', () => {
    expect(mark('0.0000000001', '5')).toBe('0.0000000001');
    expect(mark('0.0000000399', '-5')).toBe('0.0000000398');
  });
});
