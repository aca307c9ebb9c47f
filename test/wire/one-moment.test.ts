/** Answers of many rows, with a clock that advances on every read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { futuresMarketHandlers } from '../../src/gateway/handlers/futures-market.ts';
import { operatorMarketHandlers } from '../../src/gateway/handlers/operator-market.ts';
import type { HandlerParts } from '../../src/gateway/handlers/parts.ts';
import { spotMarketHandlers } from '../../src/gateway/handlers/spot-market.ts';
import { unifiedMarketHandlers } from '../../src/gateway/handlers/unified-market.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { startTestExchange, type TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange();
});
afterAll(() => exchange.close());

const [ANONYMOUS, NO_UPLOAD] = [{} as never, {} as never];
type Rows = readonly Readonly<Record<string, string>>[];
const rowsOf = (reply: unknown): Rows => (reply as { readonly value: Rows }).value;

/** Five hours pass between two reads of the clock. */
function hurried(): HandlerParts {
  let real = 0;
  const wall = (): number => (real += 5 * HOUR);
  return {
    views: exchange.views,
    clock: { wall },
    exchangeNow: (at = wall()) => at,
    controls: { clockWay: () => undefined },
  } as unknown as HandlerParts;
}

test.each([
  [
    'v2 futures tickers',
    'ts',
    () =>
      futuresMarketHandlers(hurried()).listFuturesTickers(
        { productType: 'USDT-FUTURES' },
        ANONYMOUS,
        NO_UPLOAD,
      ),
  ],
  [
    'v2 funding rates',
    'nextUpdate',
    () =>
      futuresMarketHandlers(hurried()).getFuturesFundingRate(
        { productType: 'USDT-FUTURES', symbol: undefined },
        ANONYMOUS,
        NO_UPLOAD,
      ),
  ],
  [
    'v2 spot tickers',
    'ts',
    () =>
      spotMarketHandlers(hurried()).listSpotTickers({ symbol: undefined }, ANONYMOUS, NO_UPLOAD),
  ],
  [
    'v3 tickers',
    'ts',
    () =>
      unifiedMarketHandlers(hurried()).listTickers(
        { category: 'USDT-FUTURES', symbol: undefined },
        ANONYMOUS,
        NO_UPLOAD,
      ),
  ],
])('[VIEW-31] the rows of one answer have one moment: %s', async (_name, field, ask) => {
  const rows = rowsOf(await ask());
  expect(rows.length).toBeGreaterThan(1);
  expect(new Set(rows.map((row) => row[field])).size).toBe(1);
});

test('[OPR-09] both times of the clock and their difference have one moment', async () => {
  const request = await operatorMarketHandlers(hurried()).getClock({}, ANONYMOUS, NO_UPLOAD);
  expect((request as { readonly value: unknown }).value).toMatchObject({
    now: String(5 * HOUR),
    wall: String(5 * HOUR),
    offsetMs: '0',
  });
});
