/** Emitted facts of each market in plain lists: listing, trades, prices, orders and positions. */
import type { Instrument } from '../../src/messages/listings.ts';
import type { OrderRow } from '../../src/messages/orders.ts';
import type { EmittedEvents, RecordedRun } from '../lists/recorded-run.ts';
import { eventsOf, nearest } from '../lists/row.ts';

export const UNIT = 10n ** 10n;

/** A price and the time from which it applies. */
export interface Print {
  readonly at: number;
  readonly price: bigint;
}

export interface Trade extends Print {
  readonly size: bigint;
}

export type Level = readonly [price: bigint, size: bigint];

export interface Market {
  readonly instrument: Instrument;
  readonly trades: readonly Trade[];
  readonly index: readonly Print[];
  /** Index of the quote coin. */
  readonly quoteIndex: bigint;
  readonly status: string;
  readonly mark: readonly Print[];
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly openInterest: bigint;
}

export const isFutures = ({ category }: Instrument): boolean => category.endsWith('FUTURES');
/** SPOT and MARGIN share one book. */
const bookOf = (category: string, symbol: string): string =>
  `${category === 'MARGIN' ? 'SPOT' : category}:${symbol}`;

const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);

/** A new ratio at each index update of either coin (PRC-03). */
function indexOf(
  emitted: readonly EmittedEvents[],
  { baseCoin, quoteCoin }: Instrument,
): readonly Print[] {
  const prints: Print[] = [];
  let base: bigint | undefined;
  let quote = DOLLARS.has(quoteCoin) ? UNIT : undefined;
  for (const { event, at } of eventsOf(emitted, 'indexPriceMoved')) {
    if (event.baseCoin === baseCoin) base = event.price;
    else if (event.baseCoin === quoteCoin) quote = event.price;
    else continue;
    if (base !== undefined && quote !== undefined)
      prints.push({ at, price: nearest(base * UNIT, quote) });
  }
  return prints;
}

const worthOf = (emitted: readonly EmittedEvents[], coin: string): bigint =>
  eventsOf(emitted, 'indexPriceMoved').findLast(({ event }) => event.baseCoin === coin)?.event
    .price ?? UNIT;

const statusOf = (emitted: readonly EmittedEvents[], { category, symbol }: Instrument): string =>
  eventsOf(emitted, 'instrumentStatusChanged').findLast(
    ({ event }) => event.category === category && event.symbol === symbol,
  )?.event.status ?? 'normal';

const markOf = (
  emitted: readonly EmittedEvents[],
  { category, symbol }: Instrument,
): readonly Print[] =>
  eventsOf(emitted, 'markPriceMoved')
    .filter(({ event }) => event.category === category && event.symbol === symbol)
    .map(({ event, at }) => ({ at, price: event.price }));

const tradesOf = (
  emitted: readonly EmittedEvents[],
  { category, symbol }: Instrument,
): readonly Trade[] =>
  eventsOf(emitted, 'tradeExecuted')
    .filter(({ event }) => bookOf(event.category, event.symbol) === bookOf(category, symbol))
    .map(({ event, at }) => ({ at, price: event.price, size: event.size }));

interface Resting {
  readonly order: OrderRow;
  /** Size left to trade. */
  left: bigint;
  inBook: boolean;
}

function restingOrders(emitted: readonly EmittedEvents[]): readonly Resting[] {
  const resting = new Map<number, Resting>();
  for (const { event } of emitted) {
    if (event.type === 'orderAccepted' || event.type === 'orderModified') {
      const { order } = event;
      const inBook =
        event.type === 'orderAccepted'
          ? order.status !== 'live'
          : resting.get(order.orderId)!.inBook;
      resting.set(order.orderId, { order, left: order.openSize ?? order.size, inBook });
    } else if (event.type === 'orderActivated') resting.get(event.orderId)!.inBook = true;
    else if (event.type === 'fillSettled') resting.get(event.fill.orderId)!.left -= event.fill.size;
    else if (event.type === 'orderEnded') resting.delete(event.end.orderId);
  }
  return [...resting.values()].filter(({ inBook }) => inBook);
}

/** Total size of the orders in the book at each price (VIEW-22). */
function levels(
  resting: readonly Resting[],
  { category, symbol }: Instrument,
  side: string,
): readonly Level[] {
  const sizes = new Map<bigint, bigint>();
  for (const { order, left } of resting) {
    const isThere =
      order.side === side && bookOf(order.category, order.symbol) === bookOf(category, symbol);
    if (isThere && order.price !== undefined)
      sizes.set(order.price, (sizes.get(order.price) ?? 0n) + left);
  }
  const better = side === 'buy' ? 1 : -1;
  return [...sizes].toSorted(([one], [other]) => (one < other ? better : -better));
}

/** Total size of all longs, which equals that of all shorts. */
function openInterestOf(
  emitted: readonly EmittedEvents[],
  { category, symbol }: Instrument,
): bigint {
  const held = { long: new Map<number, bigint>(), short: new Map<number, bigint>() };
  for (const { event } of emitted) {
    if (event.type !== 'positionChanged' && event.type !== 'positionClosed') continue;
    const { position } = event;
    if (position.category !== category || position.symbol !== symbol) continue;
    held[position.side].set(
      position.positionId,
      event.type === 'positionClosed' ? 0n : position.size,
    );
  }
  const [long, short] = [held.long, held.short].map((sizes) =>
    [...sizes.values()].reduce((sum, size) => sum + size, 0n),
  );
  if (long !== short) throw new Error(`${symbol}: longs hold ${long}, shorts ${short}`);
  return long!;
}

export function marketsOf(run: RecordedRun): readonly Market[] {
  const emitted = [...run.emitted];
  const resting = restingOrders(emitted);
  const listings = new Map<string, Instrument>();
  for (const { event } of eventsOf(emitted, 'instrumentListed')) {
    const { instrument } = event;
    listings.set(`${instrument.category}:${instrument.symbol}`, instrument);
  }
  return [...listings.values()].map((instrument) => ({
    instrument,
    trades: tradesOf(emitted, instrument),
    index: indexOf(emitted, instrument),
    quoteIndex: worthOf(emitted, instrument.quoteCoin),
    status: statusOf(emitted, instrument),
    mark: isFutures(instrument) ? markOf(emitted, instrument) : [],
    bids: levels(resting, instrument, 'buy'),
    asks: levels(resting, instrument, 'sell'),
    openInterest: isFutures(instrument) ? openInterestOf(emitted, instrument) : 0n,
  }));
}
