/** Public lists: trades of a book, and funding rates. */
import type { BookTrade } from './fill-rows.ts';
import type { List } from './list.ts';
import { type Objects, older, plain, shownOf } from './list-forms.ts';
import { decimals, eventsOf, type Row } from './row.ts';

/** The last 500 trades of a book are kept (VIEW-23), and the last 2,000 rates (POS-90). */
const newestOf = (rows: readonly Row[], count: number): readonly Row[] => {
  const books = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${String(row.is.productType)}:${String(row.is.symbol)}`;
    books.set(key, [...(books.get(key) ?? []).slice(1 - count), row]);
  }
  return [...books.values()].flat();
};

/** SPOT and MARGIN share one book. */
const trades =
  (isMeant: (book: string) => boolean, shownAs: (trade: BookTrade) => Row['shown']): List['rows'] =>
  (known) =>
    newestOf(
      known.trades
        .filter(({ book }) => isMeant(book))
        .map((trade) => {
          const category = trade.book === 'SPOT' ? ['SPOT', 'MARGIN'] : trade.book;
          return {
            ...trade.row,
            is: { symbol: trade.symbol, productType: trade.book, category },
            shown: shownAs(trade),
          };
        }),
      500,
    );
const classicTrade = ({ row, symbol, side }: BookTrade) => ({ ...row.shown, symbol, side });
const unifiedTrade = ({ row: { shown }, side }: BookTrade) => {
  const { tradeId, ...rest } = shown;
  return { ...rest, execId: tradeId, execLinkId: tradeId, side, isRPI: 'no' };
};

const rates =
  (timeName: string): List['rows'] =>
  ({ emitted }) =>
    newestOf(
      eventsOf(emitted, 'fundingSettled').map(({ event: { rate, at, symbol, category } }) => ({
        id: at,
        time: at,
        is: { symbol, productType: category, category },
        shown: { symbol, fundingRate: decimals(rate), [timeName]: String(at) },
      })),
      2_000,
    );

const latest = {
  ofAll: true,
  filters: [],
  size: ['limit', 100, 1_000],
  ...older,
  window: {},
  ...plain,
} as const;
export const marketLists: readonly List[] = [
  {
    name: 'listFuturesTrades',
    rows: trades(
      (book) => book.endsWith('FUTURES'),
      (trade) => ({ ...classicTrade(trade), side: trade.side === 'buy' ? 'Buy' : 'Sell' }),
    ),
    needed: ['productType', 'symbol'],
    ...latest,
  },
  {
    name: 'listSpotTrades',
    rows: trades((book) => book === 'SPOT', classicTrade),
    needed: ['symbol'],
    ...latest,
  },
  {
    name: 'listTrades',
    ofAll: true,
    rows: trades(() => true, unifiedTrade),
    needed: ['category', 'symbol'],
    filters: [],
    size: ['limit', 100, 100],
    ...plain,
  },
  {
    name: 'listFuturesFundingRates',
    ofAll: true,
    rows: rates('fundingTime'),
    needed: ['productType', 'symbol'],
    filters: [],
    size: ['pageSize', 20, 100],
    page: 'pageNo',
    ...plain,
  },
  {
    name: 'listFundingRates',
    ofAll: true,
    rows: rates('fundingRateTimestamp'),
    needed: ['category', 'symbol'],
    filters: [],
    size: ['limit', 100, 100],
    page: 'cursor',
    answer: (page) => ({ resultList: shownOf(page) }),
    listed: (data) => (data as { resultList: Objects }).resultList,
  },
];
