/**
 * Bills: what came into a user's money or went out of it, and why. What only moves within it, such
 * as a hold, is no bill.
 */
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount } from '../kernel/money.ts';
import type { Category } from './vocabulary.ts';

/** Kept by their places: append, never reorder. */
export const BILL_KINDS = [
  'deposit',
  'withdrawal',
  /** From and to another user. */
  'transferIn',
  'transferOut',
  /** Between the wallet and an isolated pair, as each of them sees it. */
  'pairTransferIn',
  'pairTransferOut',
  /** A buy brings the base coin in and takes the quote coin out, a sell the other way round. */
  'buyIn',
  'buyOut',
  'sellIn',
  'sellOut',
  /** Futures in one-way mode, and in hedge mode. */
  'buy',
  'sell',
  'openLong',
  'openShort',
  'closeLong',
  'closeShort',
  /** The same when the exchange reduced a position or offset hedged sides. */
  'forcedBuy',
  'forcedSell',
  'forcedCloseLong',
  'forcedCloseShort',
  /** The same when a position was liquidated. */
  'burstBuy',
  'burstSell',
  'burstCloseLong',
  'burstCloseShort',
  /** What lies between where a position was closed and its bankruptcy price. */
  'takeoverIn',
  'takeoverOut',
  'fundingIn',
  'fundingOut',
  'borrow',
  'repay',
  'interest',
  /** Coins that were taken for a loan, and what they repaid. */
  'liquidationIn',
  'liquidationOut',
  'profitShareIn',
  'profitShareOut',
  'rebate',
  'feeRefund',
  'other',
] as const;
export type BillKind = (typeof BILL_KINDS)[number];

/** Whose balance it tells of: the wallet's, or that of one isolated pair. Kept by their places. */
export const BILL_BOOKS = ['wallet', 'pair'] as const;
export type BillBook = (typeof BILL_BOOKS)[number];

export interface Bill {
  /** That of the ledger line it is made of. */
  readonly billId: Id;
  readonly uid: Uid;
  readonly coin: string;
  readonly book: BillBook;
  readonly kind: BillKind;
  /** The fee aside. */
  readonly amount: Amount;
  /** Below zero when paid: the balance changes by both together. */
  readonly fee: Amount;
  /** All that the book holds of the coin afterwards, held or not. */
  readonly balance: Amount;
  /** Where it was traded; undefined for money that came or went without a trade. */
  readonly category: Category | undefined;
  /** The symbol, or the pair; undefined where there is none. */
  readonly market: string | undefined;
}
