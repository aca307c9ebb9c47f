/**
 * An outside audit of the answers of a random run: every list, balance, position and figure follows
 * from the others.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Amount, money } from '../../src/kernel/money.ts';
import { isFutures, MARKETS, MarketRun, type Resident } from './market-run.ts';
import { TradingExchange } from './trading-exchange.ts';

type Row = Readonly<Record<string, string>> & {
  readonly feeDetail: readonly { readonly feeCoin: string; readonly fee: string }[];
};
type ListName = 'listFinancialRecords' | 'listFills' | 'listOpenOrders' | 'listOrderHistory';

const SEED = 8;
const ACTS = 130;
/** Down and up by half, so that every position on a loan is liquidated on one of the moves. */
const SHOCKS = [650, 1_300, 800];
const FUTURES = ['USDT-FUTURES', 'USDC-FUTURES', 'COIN-FUTURES'];
const CATEGORIES = [...FUTURES, 'SPOT', 'MARGIN'];
const ONE = 10n ** 10n;

interface Books {
  readonly resident: Resident;
  readonly bills: readonly Row[];
  readonly fills: readonly Row[];
  readonly open: readonly Row[];
  readonly ended: readonly Row[];
  readonly positions: readonly Row[];
  readonly closed: readonly Row[];
}

let exchange: TradingExchange;
let books: readonly Books[] = [];

const units = (text: string | undefined): bigint => money<Amount>(text!);
const total = (rows: readonly Row[], ...names: readonly string[]): bigint =>
  rows.reduce((sum, row) => names.reduce((part, name) => part + units(row[name]), sum), 0n);
const feesOf = (rows: readonly Row[]): bigint =>
  rows.reduce(
    (sum, { feeDetail }) => feeDetail.reduce((part, { fee }) => part + units(fee), sum),
    0n,
  );
/** A quotient rounded to the smallest unit, up or down; partial closes may leave one more unit. */
const isAbout = (input: string | undefined, numerator: bigint, denominator: bigint): boolean => {
  const off = units(input) * denominator - numerator;
  return (off < 0n ? -off : off) <= 2n * denominator;
};

/** All rows of a list, page by page. */
async function walk(
  resident: Resident,
  name: ListName,
  more: Readonly<Record<string, string>> = { limit: '100' },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const page = await exchange.data<{ list: readonly Row[]; cursor: string }>(resident, name, {
      ...more,
      ...(cursor === '' ? {} : { cursor }),
    });
    if (page.list.length === 0) return rows;
    rows.push(...page.list);
    cursor = page.cursor;
  }
}

async function inFutures(
  resident: Resident,
  name: 'getCurrentPositions' | 'listPositionHistory',
): Promise<readonly Row[]> {
  const limit = name === 'listPositionHistory' ? { limit: '100' } : {};
  const answers = FUTURES.map((category) =>
    exchange.data<{ list: readonly Row[] }>(resident, name, { category, ...limit }),
  );
  return (await Promise.all(answers)).flatMap(({ list }) => list);
}

const booksOf = async (resident: Resident): Promise<Books> => ({
  resident,
  bills: await walk(resident, 'listFinancialRecords'),
  fills: await walk(resident, 'listFills'),
  open: await walk(resident, 'listOpenOrders'),
  ended: await walk(resident, 'listOrderHistory'),
  positions: await inFutures(resident, 'getCurrentPositions'),
  closed: await inFutures(resident, 'listPositionHistory'),
});

beforeAll(async () => {
  exchange = await TradingExchange.start();
  const run = new MarketRun(exchange, SEED);
  await run.begin();
  for (const level of SHOCKS) {
    for (let act = 0; act < ACTS; act++) await run.act();
    await run.shock(level);
  }
  books = await Promise.all(run.residents.map(booksOf));
  expect(books.every(({ fills }) => fills.length > 30)).toBe(true);
  expect(new Set(books.flatMap(({ ended }) => ended.map(({ execType }) => execType)))).toContain(
    'liquidation',
  );
});
afterAll(() => exchange.stop());

/**
 * Size opened and closed by fills, per category, symbol and side, and its cost at twice money's
 * decimals.
 */
function rebuilt({ fills, resident }: Books): ReadonlyMap<string, { size: bigint; cost: bigint }> {
  const held = new Map<string, { size: bigint; cost: bigint }>();
  for (const fill of fills.filter(({ category }) => isFutures(category!)).toReversed()) {
    const keyOf = (side: string) => `${fill.category} ${fill.symbol} ${side}`;
    const open = (side: string, size: bigint) => {
      const before = held.get(keyOf(side)) ?? { size: 0n, cost: 0n };
      held.set(keyOf(side), {
        size: before.size + size,
        cost: before.cost + size * units(fill.execPrice),
      });
    };
    const side = fill.posSide!;
    if (fill.tradeSide === 'open') {
      open(side, units(fill.execQty));
      continue;
    }
    const before = held.get(keyOf(side))!;
    const left = before.size - units(fill.execQty);
    held.delete(keyOf(side));
    if (left > 0n) held.set(keyOf(side), { size: left, cost: (before.cost * left) / before.size });
    // Only in one-way mode can one order close a position and open the other side.
    expect([fill, left >= 0n || !resident.hedge]).toEqual([fill, true]);
    if (left < 0n) open(side === 'long' ? 'short' : 'long', -left);
  }
  return held;
}

describe('reconciled from answers only', () => {
  test('[BILL-02][BILL-03] each bill follows from the one before it, and the last equals the balance', async () => {
    for (const { resident, bills } of books) {
      const balances = new Map<string, bigint>();
      for (const bill of bills.toReversed()) {
        balances.set(bill.coin!, (balances.get(bill.coin!) ?? 0n) + total([bill], 'amount', 'fee'));
        expect([bill, balances.get(bill.coin!)]).toEqual([bill, units(bill.balance)]);
      }
      const { assets } = await exchange.data<{ assets: readonly Row[] }>(resident, 'getAssets');
      expect(new Map(assets.map(({ coin, balance }) => [coin, units(balance)]))).toEqual(balances);
    }
  });

  test('[LIST-05][BILL-04] pages of any size give the whole list, and categories divide it', async () => {
    for (const { resident, bills, fills, open, ended } of books.slice(0, 2)) {
      const whole = {
        listFinancialRecords: bills,
        listFills: fills,
        listOpenOrders: open,
        listOrderHistory: ended,
      };
      for (const name of Object.keys(whole) as ListName[]) {
        expect(await walk(resident, name, { limit: '37' })).toEqual(whole[name]);
        const divided = name === 'listFinancialRecords' ? [...CATEGORIES, 'OTHER'] : CATEGORIES;
        const parts = await Promise.all(
          divided.map((category) => walk(resident, name, { category, limit: '100' })),
        );
        const idOf = (row: Row) => BigInt(row.id ?? row.execId ?? row.orderId!);
        expect(parts.flat().sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1))).toEqual(
          whole[name],
        );
      }
    }
  });

  test('[VIEW-20][ORD-63][ORD-65] an order equals the sum of its fills', () => {
    for (const { open, ended, fills } of books) {
      expect(new Set([...open, ...ended].map(({ orderId }) => orderId)).size).toBe(
        open.length + ended.length,
      );
      for (const order of [...open, ...ended]) {
        const own = fills.filter(({ orderId }) => orderId === order.orderId);
        const [size, value] = [total(own, 'execQty'), total(own, 'execValue')];
        const shown = [units(order.cumExecQty), units(order.cumExecValue), feesOf([order])];
        expect([order, shown]).toEqual([order, [size, value, feesOf(own)]]);
        expect([order, size === 0n || isAbout(order.avgPrice, value * ONE, size)]).toEqual([
          order,
          true,
        ]);
      }
    }
  });

  test('[BILL-04][POS-12][POS-13][POS-14] profit, fees and funding of positions equal those of bills and fills', () => {
    for (const { positions, closed, bills, fills } of books) {
      for (const { category, symbol } of MARKETS.filter((market) => isFutures(market.category))) {
        const isOf = (row: Row) => row.category === category && row.symbol === symbol;
        const [held, past, own] = [positions.filter(isOf), closed.filter(isOf), bills.filter(isOf)];
        const funding = own.filter(({ type }) => type!.startsWith('CONTRACT_MAIN_SETTLE_FEE'));
        const trades = own.filter((bill) => !funding.includes(bill));
        const fees = total([...held, ...past], 'openFeeTotal', 'closeFeeTotal');
        const profit = total(held, 'curRealisedPnl') + total(past, 'cumRealisedPnl');
        const shown = [symbol, profit, fees, total([...held, ...past], 'totalFunding')];
        expect(shown).toEqual([
          symbol,
          total(trades, 'amount'),
          total(trades, 'fee'),
          total(funding, 'amount'),
        ]);
        expect([symbol, fees]).toEqual([symbol, -feesOf(fills.filter(isOf))]);
      }
    }
  });

  test('[POS-17][POS-22] fills opened less closed equal the remaining position, at its average', () => {
    for (const own of books) {
      const held = rebuilt(own);
      const keyOf = ({ category, symbol, posSide }: Row) => `${category} ${symbol} ${posSide}`;
      expect(new Set(own.positions.map(keyOf))).toEqual(new Set(held.keys()));
      for (const row of own.positions) {
        const { size, cost } = held.get(keyOf(row))!;
        expect([row, units(row.total), isAbout(row.avgPrice, cost, size)]).toEqual([
          row,
          size,
          true,
        ]);
      }
    }
  });

  test('[VIEW-23][ORD-47] every trade has a buyer and a seller, and public figures match the fills', async () => {
    for (const { category, symbol } of MARKETS.slice(0, 4)) {
      const isHere = (row: Row) =>
        row.symbol === symbol &&
        (row.category === category || (category === 'SPOT' && row.category === 'MARGIN'));
      const sides = new Map<string, Row[]>();
      for (const fill of books.flatMap(({ fills }) => fills.filter(isHere)))
        sides.set(fill.execLinkId!, [...(sides.get(fill.execLinkId!) ?? []), fill]);
      for (const pair of sides.values()) {
        expect([pair.length, new Set(pair.map(({ side }) => side))]).toEqual([
          2,
          new Set(['buy', 'sell']),
        ]);
        expect(
          new Set(pair.map(({ execQty, execPrice }) => `${execQty} at ${execPrice}`)).size,
        ).toBe(1);
      }
      // A close outside the book has no maker and sets no last price (POS-77).
      const inBook = [...sides.values()]
        .filter((pair) => pair.some(({ tradeScope }) => tradeScope === 'maker'))
        .map(([fill]) => fill!);
      const newest = inBook.sort((one, other) =>
        BigInt(one.execLinkId!) < BigInt(other.execLinkId!) ? 1 : -1,
      );
      const shown = await exchange.ask<readonly Row[]>('listTrades', {
        category,
        symbol,
        limit: '100',
      });
      expect(shown.map(({ execId, price, size }) => [execId, price, size])).toEqual(
        newest
          .slice(0, 100)
          .map(({ execLinkId, execPrice, execQty }) => [execLinkId, execPrice, execQty]),
      );
      const [ticker] = await exchange.ask<readonly Row[]>('listTickers', { category, symbol });
      expect([symbol, ticker!.lastPrice]).toEqual([symbol, newest[0]!.execPrice]);
      if (!isFutures(category)) continue;
      const held = (side: string) =>
        books.flatMap(({ positions }) =>
          positions.filter((row) => isHere(row) && row.posSide === side),
        );
      const interest = units(ticker!.openInterest);
      expect([symbol, total(held('long'), 'total'), total(held('short'), 'total')]).toEqual([
        symbol,
        interest,
        interest,
      ]);
    }
  });
});
