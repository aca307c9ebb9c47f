/** What `rialto watch` writes. */
import { expect, test } from 'vitest';
import { bookLine, screenText, tradeLine } from './market-screen.ts';

const trade = { at: Date.UTC(2026, 0, 5, 12, 30), side: 'buy', size: '0.01', price: '60010' };
const book = {
  bids: [
    ['59990', '2'],
    ['59980', '3'],
  ],
  asks: [['60010', '1.5']],
} as const;

test('[RUN-170] a line has a trade, or the best bid and ask', () => {
  expect(tradeLine(trade)).toBe('2026-01-05T12:30:00.000Z buy 0.01 at 60010');
  const at = Date.UTC(2026, 0, 5, 12, 30, 1);
  expect(bookLine(book, at)).toBe('2026-01-05T12:30:01.000Z bid 2 at 59990, ask 1.5 at 60010');
  expect(bookLine({ ...book, asks: [] }, at)).toMatch(/ask none$/);
});

test('[RUN-170] a screen has the best levels and the latest trades, and fits the terminal', () => {
  const trades = Array.from({ length: 50 }, (_, at) => ({ ...trade, price: String(61_000 - at) }));
  const market = { title: 'BTCUSDT', book, trades };
  const lines = screenText(market, { rows: 12, columns: 40 }).split('\n');
  expect(lines.length).toBeLessThanOrEqual(12);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  const wide = screenText(market, { rows: 12, columns: 100 });
  expect(wide).toContain('             2         59990         60010           1.5\n');
  expect(wide).toContain('             3         59980');
  expect(wide).toContain('  12:30:00.000           buy          0.01         61000\n');
  expect(wide).not.toContain('60950');
});
