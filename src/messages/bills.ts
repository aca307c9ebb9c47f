/**
 * Bills: changes of a user's balance, with the reason. A movement inside the account, such as a
 * hold, is not a bill.
 */
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount } from '../kernel/money.ts';
import type { Category } from './vocabulary.ts';

/** Stored by index: append, never reorder. */
export const BILL_KINDS = [
  'deposit',
  'withdrawal',
  /** From and to another user. */
  'transferIn',
  'transferOut',
  /** Between the wallet and an isolated pair, one row for each side. */
  'pairTransferIn',
  'pairTransferOut',
  /** A buy adds the base coin and takes the quote coin; a sell does the opposite. */
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
  /** The exchange reduced a position or offset hedged sides. */
  'forcedBuy',
  'forcedSell',
  'forcedCloseLong',
  'forcedCloseShort',
  /** A position was liquidated. */
  'burstBuy',
  'burstSell',
  'burstCloseLong',
  'burstCloseShort',
  /** The difference between a position's closing price and its bankruptcy price. */
  'takeoverIn',
  'takeoverOut',
  'fundingIn',
  'fundingOut',
  'borrow',
  'repay',
  'interest',
  /** Coins taken for a loan, and their repayment. */
  'liquidationIn',
  'liquidationOut',
  'profitShareIn',
  'profitShareOut',
  'rebate',
  'feeRefund',
  'other',
] as const;
export type BillKind = (typeof BILL_KINDS)[number];

/**
 * The balance that a bill belongs to: the wallet's, or that of one isolated pair. Stored by index.
 */
export const BILL_BOOKS = ['wallet', 'pair'] as const;
export type BillBook = (typeof BILL_BOOKS)[number];

export interface Bill {
  /** The id of its ledger line. */
  readonly billId: Id;
  readonly uid: Uid;
  readonly coin: string;
  readonly book: BillBook;
  readonly kind: BillKind;
  /** Without the fee. */
  readonly amount: Amount;
  /** Negative when paid: the balance changes by amount plus fee. */
  readonly fee: Amount;
  /** The book's total of the coin afterwards, including held amounts. */
  readonly balance: Amount;
  /** The market of the trade; undefined without one. */
  readonly category: Category | undefined;
  /** The symbol, or the pair; undefined without one. */
  readonly market: string | undefined;
}
