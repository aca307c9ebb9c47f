import { expect, test } from 'vitest';
import { BEGIN, taken, units } from './recordings.test-support.ts';

const S = BEGIN / 1_000;
/** Three minutes. The price goes from 100 to 103. */
const CANDLES = [
  [0, 100, 101, 99, 100.5, 2],
  [60, 100.5, 102, 100, 101, 3],
  [120, 101, 103, 101, 103, 0],
];
const bare = (rows: readonly (readonly (number | string)[])[]): string =>
  rows.map((row) => row.join(',')).join('\n');
const stamped = (factor: number): string =>
  bare(CANDLES.map(([second, ...rest]) => [(S + second!) * factor, ...rest]));
const HEADER = 'time,open,high,low,close,volume\n';
const rowsFrom = (...rows: string[]): string => `${HEADER}${rows.join('\n')}\n`;

const read = [
  {
    at: BEGIN,
    open: units(100),
    high: units(101),
    low: units(99),
    close: units(100.5),
    size: units(2),
  },
  {
    at: BEGIN + 60_000,
    open: units(100.5),
    high: units(102),
    low: units(100),
    close: units(101),
    size: units(3),
  },
  {
    at: BEGIN + 120_000,
    open: units(101),
    high: units(103),
    low: units(101),
    close: units(103),
    size: 0n,
  },
];

test.each([
  ['seconds', 1],
  ['milliseconds', 1_000],
  ['microseconds', 1_000_000],
])(
  '[DATA-02][DATA-05] rows without a header are candles, with times as %s',
  async (_unit, factor) => {
    const { kind, intervalMs, candles } = await taken(stamped(factor));
    expect({ kind, intervalMs }).toEqual({ kind: 'candles', intervalMs: 60_000 });
    expect(candles).toEqual(read);
  },
);

test.each([
  ['a BOM and quoted cells', '\uFEFF"Unix","Open","High","Low","Close","Volume BTC"\r\n'],
  ['a line above the header', 'https://www.example.com\nunix,open,high,low,close,Volume BTC\n'],
  ['capitals', 'Timestamp,Open,High,Low,Close,Volume_(BTC)\n'],
])('[DATA-02] a header with %s is recognised', async (_what, header) => {
  expect((await taken(header + stamped(1))).candles).toEqual(read);
});

test('[DATA-01][DATA-05] semicolons may separate cells, and times may be dates in UTC', async () => {
  const { candles } = await taken(
    'Date;Open;High;Low;Close\n2024-01-01 00:00:00;1;1;1;1\n2024-01-01T00:01:00Z;1;1;1;1\n',
  );
  expect(candles.map(({ at }) => at)).toEqual([BEGIN, BEGIN + 60_000]);
});

test('[DATA-02] trades of Binance are recognised, and a maker that buys means a sale', async () => {
  const { kind, trades } = await taken(
    `1,100,2,200,${BEGIN},True,True\n2,101,1,101,${BEGIN + 5},False,True\n`,
  );
  expect(kind).toBe('trades');
  expect(trades).toEqual([
    { at: BEGIN, price: units(100), size: units(2), buys: false },
    { at: BEGIN + 5, price: units(101), size: units(1), buys: true },
  ]);
});

test('[DATA-02] aggregated trades of Binance have their time in the sixth column', async () => {
  const { trades } = await taken(`7,100,2,1,3,${BEGIN},true,true\n`);
  expect(trades).toEqual([{ at: BEGIN, price: units(100), size: units(2), buys: false }]);
});

test('[DATA-02] trades of Bybit have seconds with decimals and a side', async () => {
  const { trades } = await taken(
    `timestamp,symbol,side,size,price\n${S}.0547,BTCUSDT,Sell,0.5,100\n`,
  );
  expect(trades).toEqual([{ at: BEGIN + 55, price: units(100), size: units(0.5), buys: false }]);
});

test('[DATA-03] given columns take precedence over a header, and other names are not read', async () => {
  const { candles } = await taken(
    `a,b,c,d,e,f\n9,${S},1,3,1,2\n9,${S + 60},2,2,2,2\n`,
    '-,time,open,high,low,close',
  );
  expect(candles[0]).toMatchObject({ at: BEGIN, high: units(3), close: units(2) });
});

test.each([
  [
    'time,price',
    'columns name time, open, high, low and close, or time, price and size, not "time,price"',
  ],
  ['time,price,size,time', 'columns name time twice'],
])('[DATA-03] columns given as %s are refused', async (columns, reason) => {
  await expect(taken(stamped(1), columns)).rejects.toThrow(reason);
});

test('[DATA-03] a table of unknown format is refused', async () => {
  await expect(taken('5,6\n7,8\n')).rejects.toThrow('line 1: the columns are not known');
});

test('[DATA-04] JSON of ccxt is read from parts of any size', async () => {
  const text = JSON.stringify(CANDLES.map(([second, ...rest]) => [(S + second!) * 1_000, ...rest]));
  for (const part of [1, 5, 1_000])
    expect((await taken(text, undefined, part)).candles).toEqual(read);
});

/** Trades as ccxt writes them; `undefined` is not written. */
const ccxtTrades = (...trades: readonly object[]): string =>
  JSON.stringify(
    trades.map((trade, at) => ({
      info: { m: true, text: 'a "]" and a }', parts: [{ at }] },
      timestamp: BEGIN + at,
      datetime: new Date(BEGIN + at).toISOString(),
      symbol: 'BTC/USDT',
      amount: 0.5,
      fees: [],
      ...trade,
    })),
  );

test('[DATA-04] trades of ccxt are read from parts of any size', async () => {
  const text = ccxtTrades(
    { price: 100, amount: 1e-4, side: undefined },
    { id: '7', side: 'sell', price: 101.5 },
    { id: null, side: 'buy', price: 102 },
  );
  for (const part of [1, 5, 1_000]) {
    const { kind, trades } = await taken(text, undefined, part);
    expect(kind).toBe('trades');
    expect(trades).toEqual([
      { at: BEGIN, price: units(100), size: units(1e-4), buys: true },
      { at: BEGIN + 1, price: units(101.5), size: units(0.5), buys: false },
      { at: BEGIN + 2, price: units(102), size: units(0.5), buys: true },
    ]);
  }
});

test('[DATA-04][DATA-12] equal trades of ccxt with one id are one, and without ids two', async () => {
  const at = { timestamp: BEGIN, datetime: '', info: {}, price: 1 };
  expect((await taken(ccxtTrades({ ...at, id: '7' }, { ...at, id: '7' }))).trades).toHaveLength(1);
  expect((await taken(ccxtTrades(at, at))).trades).toHaveLength(2);
  expect((await taken(`time,price,size,id\n${S},1,1,\n${S},1,1,\n`)).trades).toHaveLength(2);
});

test('[DATA-03][DATA-04] columns name the cells of objects in the order of the first one', async () => {
  const text = `[{"T":${BEGIN},"p":"5","q":"2"},{"q":"3","p":"6","T":${BEGIN + 1}}]`;
  const { trades } = await taken(text, 'time,price,size');
  expect(trades.map(({ price, size }) => [price, size])).toEqual([
    [units(5), units(2)],
    [units(6), units(3)],
  ]);
});

test.each([
  ['unknown names', '[{"time":1}]', 'line 1, row 1: JSON holds [[time, open'],
  ['one object', '{"time":1}', 'line 1, row 1: JSON holds [[time, open'],
  ['lists and objects', `[[${BEGIN},1,1,1,1,1],{"time":1}]`, 'line 1, row 2: JSON holds'],
  ['a trade without a price', ccxtTrades({ price: 1 }, {}), 'row 2: the price is a number, not ""'],
  ['a trade that is cut', ccxtTrades({ price: 1 }).slice(0, -2), 'the file ends within a row'],
  ['no JSON', '[{"timestamp":1,]}]', 'line 1, row 1: JSON holds'],
  ['a cut', `[[${BEGIN},1,1,1,1,1],[${BEGIN}`, 'the file ends within a row'],
  [
    'a bad cell',
    `[[${BEGIN},1,1,1,1,1],\n[${BEGIN + 60_000},1,1,1,"x",1]]`,
    'line 2, row 2: the close is a number, not "x"',
  ],
])('[DATA-04][DATA-10] JSON with %s is refused', async (_what, text, reason) => {
  await expect(taken(text)).rejects.toThrow(reason);
});

test('[DATA-01] quotes around a cell are not part of it, and a long cell is read quickly', async () => {
  const junk = `${' '.repeat(60_000)}a"b"`;
  const row = (minute: number): string => `" ${S + minute * 60} ",1,1,"1",1,1,${junk}`;
  const text = rowsFrom(...Array.from({ length: 50 }, (_, minute) => row(minute)));
  const begin = performance.now();
  expect((await taken(text, undefined, 65_536)).candles).toHaveLength(50);
  expect(performance.now() - begin).toBeLessThan(3_000);
});

test('[DATA-10] a table that begins with 64 KiB of blanks is read, and with more refused', async () => {
  const text = (blanks: number): string => `${'\n'.repeat(blanks)}${stamped(1)}`;
  expect((await taken(text(65_536), undefined, 16_384)).candles).toHaveLength(3);
  await expect(taken(text(90_000), undefined, 16_384)).rejects.toThrow('characters are blank');
});

test('[DATA-10] a line that is too long is refused with its number', async () => {
  const line = '1'.repeat(70_000);
  await expect(taken(`${HEADER}${line}`, undefined, 80_000)).rejects.toThrow(
    'line 2: a line has at most 65536 characters',
  );
});

test('[DATA-11] a file with the newest row first is recognised', async () => {
  const { isReversed, candles } = await taken(rowsFrom(`${S + 60},1,1,1,1,1`, `${S},1,1,1,1,1`));
  expect({ isReversed, rows: candles.length }).toEqual({ isReversed: true, rows: 2 });
});

test('[DATA-12] a repeated candle is skipped and counted', async () => {
  const { candles, findings } = await taken(
    rowsFrom(`${S},1,1,1,1,1`, `${S},1,1,1,1,1`, `${S + 60},1,1,1,1,1`),
  );
  expect({ rows: candles.length, repeated: findings.repeated }).toEqual({ rows: 2, repeated: 1 });
});

test('[DATA-12] equal trades with one id are one, and without ids two', async () => {
  const trade = `${S},100,1`;
  expect((await taken(`time,price,size,id\n${trade},7\n${trade},7\n`)).trades).toHaveLength(1);
  expect((await taken(`time,price,size\n${trade}\n${trade}\n`)).trades).toHaveLength(2);
});

test('[DATA-13] missing candles and rows without prices are counted', async () => {
  const { candles, findings } = await taken(
    rowsFrom(
      `${S},1,1,1,1,1`,
      `${S + 60},NaN,NaN,NaN,NaN,NaN`,
      `${S + 120},,,,,`,
      `${S + 180},1,1,1,1,1`,
      `${S + 240},1,1,1,1,1`,
    ),
  );
  expect(candles).toHaveLength(3);
  expect(findings).toEqual({ missing: 2, longestGapMs: 120_000, repeated: 0, empty: 2 });
});

test('[DATA-13][DATA-16] a row without prices is on the grid and shows the interval of candles', async () => {
  const { intervalMs, findings } = await taken(
    rowsFrom(`${S},1,1,1,1,1`, `${S + 60},,,,,`, `${S + 180},1,1,1,1,1`),
  );
  expect(intervalMs).toBe(60_000);
  expect(findings).toMatchObject({ missing: 2, empty: 1 });
});

test('[DATA-14] a candle may have no volume', async () => {
  expect((await taken(rowsFrom(`${S},1,1,1,1,0`, `${S + 60},1,1,1,1,`))).candles).toHaveLength(2);
});

test('[DATA-15] a price of ten times the one before is accepted', async () => {
  expect((await taken(rowsFrom(`${S},1,1,1,1,1`, `${S + 60},10,10,10,10,1`))).candles).toHaveLength(
    2,
  );
});

test('[DATA-18] more than ten decimals are rounded, and an exponent is read', async () => {
  const { candles } = await taken(
    rowsFrom(`${S},1e-5,1e-5,1e-5,1e-5,1`, `${S + 60},0.00001000005,0.00002,0.00001,0.00002,1`),
  );
  expect(candles.map(({ open }) => open)).toEqual([100_000n, 100_001n]);
});

const bad: [string, string][] = [
  ['out of order', `${S + 60},1,1,1,1,1|${S + 120},1,1,1,1,1|${S},1,1,1,1,1`],
  [
    'out of order by the shortest interval',
    `${S},1,1,1,1,1|${S + 180},1,1,1,1,1|${S + 60},1,1,1,1,1`,
  ],
  ['a repeated candle with other prices', `${S},1,1,1,1,1|${S},2,2,2,2,1|${S + 60},1,1,1,1,1`],
  ['a negative price', `${S},1,1,-1,1,1`],
  ['a price of zero', `${S},0,1,0,1,1`],
  ['a negative volume', `${S},1,1,1,1,-1`],
  ['a jump', `${S},1,1,1,1,1|${S + 60},10.1,10.1,10.1,10.1,1`],
  ['a wide candle', `${S},1,10.1,1,1,1|${S + 60},1,1,1,1,1`],
  ['a wrong high', `${S},1,1,1,2,1|${S + 60},1,1,1,1,1`],
  ['a wrong low', `${S},2,2,2,1,1|${S + 60},1,1,1,1,1`],
  ['a price that is too high', `${S},922337203,922337203,1,1,1`],
  ['a time far in the past', `900000000,1,1,1,1,1`],
  ['a missing price', `${S},1,,1,1,1|${S + 60},1,1,1,1,1`],
  ['a missing cell', `${S},1,1`],
];
const REASONS: Readonly<Record<string, string>> = {
  'out of order': 'line 4: the time 2024-01-01T00:00:00.000Z is out of order',
  'out of order by the shortest interval':
    'line 4: the time 2024-01-01T00:01:00.000Z is out of order',
  'a repeated candle with other prices': 'line 3: two candles of 2024-01-01T00:00:00.000Z differ',
  'a negative price': 'line 2: the low is negative: -1',
  'a price of zero': 'line 2: the open is zero',
  'a negative volume': 'line 2: the volume is negative: -1',
  'a jump': 'line 3: the price jumps by more than 10 times',
  'a wide candle': 'line 2: the price jumps by more than 10 times',
  'a wrong high': 'line 2: the high is not the highest price',
  'a wrong low': 'line 2: the low is not the lowest price',
  'a price that is too high': 'line 2: the open is below 922337203, not 922337203',
  'a time far in the past': 'line 2: the time is between 2001 and 2100',
  'a missing price': 'line 2: the high is a number, not ""',
  'a missing cell': 'line 2: there is no low: the row has 3 cells',
};

test.each(bad)(
  '[DATA-10][DATA-13][DATA-14][DATA-15][DATA-17] %s is refused with its line',
  async (what, rows) => {
    await expect(taken(rowsFrom(...rows.split('|')))).rejects.toThrow(REASONS[what]);
  },
);

test('[DATA-16] a row off the grid is refused after the first hundred', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => `${S + at * 60},1,1,1,1,1`);
  await expect(taken(rowsFrom(...rows, `${S + 6_001},1,1,1,1,1`))).rejects.toThrow(
    "line 102: the time 2024-01-01T01:40:01.000Z is off the candles' grid",
  );
});

test('[DATA-16] candles of an unknown interval are refused, and so is a single candle', async () => {
  await expect(taken(rowsFrom(`${S},1,1,1,1,1`, `${S + 61},1,1,1,1,1`))).rejects.toThrow(
    'candles are 61 s apart',
  );
  await expect(taken(rowsFrom(`${S},1,1,1,1,1`))).rejects.toThrow('a file needs at least two');
});

test('[DATA-10] a header without rows is refused', async () => {
  await expect(taken(HEADER)).rejects.toThrow('there is no row of prices');
});

test('[DATA-14] a trade with a size of zero is refused', async () => {
  await expect(taken(`time,price,size\n${S},1,0\n`)).rejects.toThrow('line 2: the size is zero');
});

test('[DATA-12] two trades with one id and other values are refused', async () => {
  await expect(taken(`time,price,size,id\n${S},1,1,7\n${S},1,2,7\n`)).rejects.toThrow(
    'line 3: two trades with the id 7 differ',
  );
});

test('[DATA-19] the first row of another symbol is refused', async () => {
  const text = `time,symbol,price,size\n${S},A,1,1\n${S},B,1,1\n`;
  await expect(taken(text)).rejects.toThrow('line 3: the row is of B, and those above are of A');
});
