import { describe, expect, test } from 'vitest';
import { BadFeed, feedPriceAfter, readFeed } from './price-feed.ts';

describe('a file of prices', () => {
  test('[MKT-154] without column names: time, price, size', () => {
    expect(readFeed('1600000000,100.5,2\n1600000001000,101\n')).toEqual([
      { at: 1_600_000_000_000, price: 100.5, size: 2 },
      { at: 1_600_000_001_000, price: 101 },
    ]);
  });

  test('[MKT-154] the price of candles is their close, with columns in any order', () => {
    expect(
      readFeed(
        '"timestamp";"open";"high";"low";"close";"volume"\r\n"1600000000000";"1";"3";"1";"2";"10"\r\n',
      ),
    ).toEqual([{ at: 1_600_000_000_000, price: 2, size: 10 }]);
  });

  test.each([
    ['', 'line 1: no column is called time, timestamp, ts'],
    ['time,price\n', 'line 1: there is no row of prices'],
    ['time,size\n1600000000,1\n', 'line 1: no column is called price or close'],
    [
      'time,price\n1600000000,0\n',
      'line 2: the price is a number from 0.0000000001 to 922337203, not "0"',
    ],
    [
      'time,price\n1600000000,-5\n',
      'line 2: the price is a number from 0.0000000001 to 922337203, not "-5"',
    ],
    [
      'time,price\n1600000000,0.00000000001\n',
      'line 2: the price is a number from 0.0000000001 to 922337203, not "0.00000000001"',
    ],
    [
      'time,price\n1600000000,5\n1600000001,922337204\n',
      'line 3: the price is a number from 0.0000000001 to 922337203, not "922337204"',
    ],
    [
      'time,price\n2020-01-01,5\n',
      'line 2: the time is whole seconds or milliseconds since 1970, not "2020-01-01"',
    ],
    ['time,price,size\n1600000000,5,x\n', 'line 2: the size is a number, not "x"'],
    ['time,price\n1600000001,5\n1600000000,5\n', 'line 3: the time is before the line above'],
  ])('[MKT-16] %j is refused: %s', (text, message) => {
    expect(() => readFeed(text)).toThrow(new BadFeed(message));
  });

  test('[MKT-16] the price is that of the last row so far', () => {
    const rows = readFeed('1600000000,1\n1600000010,2\n1600000010,3\n1600000030,4\n');
    expect(
      [0, 9_999, 10_000, 29_999, 30_000, 99_999].map((passed) => feedPriceAfter(rows, passed)),
    ).toEqual([1, 1, 3, 3, 4, 4]);
  });
});
