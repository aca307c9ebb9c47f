/**
 * What the status of a symbol says in the naive exchange: whether it takes orders, and whether they
 * are matched.
 */
import { isFrozen } from './naive-freshness.ts';
import type { NaiveInstrument, NaiveStatus } from './naive-state.ts';

interface Listed {
  /** By category and symbol; `normal` where nothing was set. */
  readonly statuses: Record<string, NaiveStatus>;
}

/** Spot and margin are listed each for itself and share a book. */
export const keyOf = ({ category, symbol }: NaiveInstrument, onMargin: boolean): string =>
  `${onMargin ? 'MARGIN' : category}:${symbol}`;

export const statusOf = (
  books: Listed,
  instrument: NaiveInstrument,
  onMargin: boolean,
): NaiveStatus => books.statuses[keyOf(instrument, onMargin)] ?? 'normal';

/** Those of a pair are orders on margin too. */
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

/**
 * Whether orders that come are matched: nothing is in a book that two share while either of them is
 * halted.
 */
export const isTrading = (books: Listed, instrument: NaiveInstrument): boolean =>
  [false, instrument.category === 'SPOT'].every(
    (onMargin) => statusOf(books, instrument, onMargin) !== 'halted',
  );

/**
 * Whether positions can be liquidated: something is matched, and the mark says something about now.
 */
export const canLiquidate = (
  books: Listed & Parameters<typeof isFrozen>[0],
  instrument: NaiveInstrument,
): boolean => statusOf(books, instrument, false) === 'normal' && !isFrozen(books, instrument);
