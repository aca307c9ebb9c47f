/** Effects of a symbol's status in the naive exchange: acceptance and matching of orders. */
import { isFrozen } from './naive-freshness.ts';
import type { NaiveInstrument, NaiveStatus } from './naive-state.ts';

interface Listed {
  /** By category and symbol; `normal` if not set. */
  readonly statuses: Record<string, NaiveStatus>;
}

/** Spot and margin have separate statuses and share a book. */
export const keyOf = ({ category, symbol }: NaiveInstrument, onMargin: boolean): string =>
  `${onMargin ? 'MARGIN' : category}:${symbol}`;

export const statusOf = (
  books: Listed,
  instrument: NaiveInstrument,
  onMargin: boolean,
): NaiveStatus => books.statuses[keyOf(instrument, onMargin)] ?? 'normal';

/** Orders of pairs are margin orders too. */
export const isOfMargin = ({
  onMargin,
  loanType,
}: {
  readonly onMargin: boolean;
  readonly loanType?: string | undefined;
}): boolean => onMargin || loanType !== undefined;

export const takesOrders = (
  books: Listed,
  instrument: NaiveInstrument,
  onMargin: boolean,
): boolean => ['normal', 'halted'].includes(statusOf(books, instrument, onMargin));

/** Orders match only while no category that shares the book is halted. */
export const isTrading = (books: Listed, instrument: NaiveInstrument): boolean =>
  [false, instrument.category === 'SPOT'].every(
    (onMargin) => statusOf(books, instrument, onMargin) !== 'halted',
  );

/** Liquidation needs matching and a fresh mark. */
export const canLiquidate = (
  books: Listed & Parameters<typeof isFrozen>[0],
  instrument: NaiveInstrument,
): boolean => statusOf(books, instrument, false) === 'normal' && !isFrozen(books, instrument);
