/**
 * The wire words for the kinds of bills. Each generation of the API has its own, and so has each of
 * its lists.
 */
import type { BillKind } from '../messages/bills.ts';

/** Maps our words to wire words. Several of ours may share a wire word. */
export type BillWords = Readonly<Partial<Record<BillKind, string>>>;

/**
 * Words of v3. Deposits and withdrawals have the words of funding account records, because other
 * exchanges list them there.
 */
export const unifiedBillWords = {
  deposit: 'deposit',
  withdrawal: 'withdraw',
  transferIn: 'TRANSFER_IN',
  transferOut: 'TRANSFER_OUT',
  pairTransferIn: 'TRANSFER_IN',
  pairTransferOut: 'TRANSFER_OUT',
  buyIn: 'ORDER_DEALT_IN',
  buyOut: 'ORDER_DEALT_FROZEN_OUT',
  sellIn: 'ORDER_DEALT_IN',
  sellOut: 'ORDER_DEALT_FROZEN_OUT',
  buy: 'BUY_DEAL',
  sell: 'SELL_DEAL',
  openLong: 'OPEN_LONG',
  openShort: 'OPEN_SHORT',
  closeLong: 'CLOSE_LONG',
  closeShort: 'CLOSE_SHORT',
  forcedBuy: 'FORCE_BUY_SSM',
  forcedSell: 'FORCE_SELL_SSM',
  forcedCloseLong: 'FORCE_CLOSE_LONG',
  forcedCloseShort: 'FORCE_CLOSE_SHORT',
  burstBuy: 'BURST_BUY_SSM',
  burstSell: 'BURST_SELL_SSM',
  burstCloseLong: 'BURST_CLOSE_LONG',
  burstCloseShort: 'BURST_CLOSE_SHORT',
  takeoverIn: 'RISK_LIQ_USER_IN',
  takeoverOut: 'RISK_LIQ_USER_OUT',
  fundingIn: 'CONTRACT_MAIN_SETTLE_FEE_USER_IN',
  fundingOut: 'CONTRACT_MAIN_SETTLE_FEE_USER_OUT',
  borrow: 'BORROW',
  repay: 'REPAYMENT',
  interest: 'INTEREST_REPAYMENT',
  liquidationIn: 'LIQ_CONVERT_USER_IN',
  liquidationOut: 'LIQ_CONVERT_USER_OUT',
  profitShareIn: 'TRACE_SHARE_BENEFIT_USER_IN',
  profitShareOut: 'TRACE_SHARE_BENEFIT_USER_OUT',
  rebate: 'REBATE_REWARDS',
  feeRefund: 'DEDUCTION_HANDLING_FEE',
  other: 'OTHER',
} as const satisfies Readonly<Record<BillKind, string>>;

/** Words of v2 for futures. */
export const futuresBillWords = {
  buy: 'buy',
  sell: 'sell',
  openLong: 'open_long',
  openShort: 'open_short',
  closeLong: 'close_long',
  closeShort: 'close_short',
  forcedBuy: 'force_buy',
  forcedSell: 'force_sell',
  forcedCloseLong: 'force_close_long',
  forcedCloseShort: 'force_close_short',
  burstBuy: 'burst_buy',
  burstSell: 'burst_sell',
  burstCloseLong: 'burst_long_loss_query',
  burstCloseShort: 'burst_short_loss_query',
  /** The wire word is spelt like this. */
  takeoverIn: 'risk_captital_user_transfer',
  takeoverOut: 'risk_captital_user_transfer',
  fundingIn: 'contract_settle_fee',
  fundingOut: 'contract_settle_fee',
  profitShareIn: 'tracking_trader_income',
  profitShareOut: 'tracking_follow_pay',
} as const satisfies BillWords;

/** Words for separate futures accounts and for gifts. They are accepted and match no bill. */
export const unusedFuturesBillWords = [
  'trans_from_exchange',
  'trans_to_exchange',
  'trans_from_contract',
  'trans_to_contract',
  'trans_from_otc',
  'trans_to_otc',
  'trans_from_cross',
  'trans_to_cross',
  'trans_from_isolated',
  'trans_to_isolated',
  'append_margin',
  'adjust_down_lever_append_margin',
  'reduce_margin',
  'auto_append_margin',
  'cash_gift_issue',
  'cash_gift_recycle',
  'tracking_follow_back',
  'bonus_issue',
  'bonus_recycle',
  'bonus_expired',
  'delivery_long',
  'delivery_short',
  'settle_interest',
] as const;

/** Words of v2 for spot: everything except futures. */
export const spotBillWords = {
  deposit: 'deposit',
  withdrawal: 'withdraw',
  transferIn: 'transfer_in',
  transferOut: 'transfer_out',
  pairTransferIn: 'transfer_in',
  pairTransferOut: 'transfer_out',
  buyIn: 'buy',
  buyOut: 'buy',
  sellIn: 'sell',
  sellOut: 'sell',
  borrow: 'borrow',
  repay: 'repay',
  interest: 'interest',
  liquidationIn: 'liquidation_in',
  liquidationOut: 'liquidation_out',
  rebate: 'rebate_rewards',
  feeRefund: 'deduction_handling_fee',
  other: 'other',
} as const satisfies BillWords;

export const unusedSpotBillWords = [
  'airdrop_rewards',
  'usdt_contract_rewards',
  'mix_contract_rewards',
  'system_lock',
  'user_lock',
] as const;

export const spotBillGroups = {
  deposit: 'deposit',
  withdrawal: 'withdraw',
  transferIn: 'transfer',
  transferOut: 'transfer',
  pairTransferIn: 'transfer',
  pairTransferOut: 'transfer',
  buyIn: 'transaction',
  buyOut: 'transaction',
  sellIn: 'transaction',
  sellOut: 'transaction',
  borrow: 'loan',
  repay: 'loan',
  interest: 'loan',
  liquidationIn: 'loan',
  liquidationOut: 'loan',
  rebate: 'other',
  feeRefund: 'other',
  other: 'other',
} as const satisfies BillWords;

export const unusedSpotBillGroups = [
  'financial',
  'fait',
  'convert',
  'c2c',
  'pre_c2c',
  'on_chain',
  'strategy',
] as const;

/** Words of v2 for isolated pairs. */
export const pairBillWords = {
  pairTransferIn: 'transfer_in',
  pairTransferOut: 'transfer_out',
  borrow: 'borrow',
  repay: 'repay',
  interest: 'interest',
  buyIn: 'deal_in',
  sellIn: 'deal_in',
  buyOut: 'deal_out',
  sellOut: 'deal_out',
  liquidationIn: 'compensate',
  liquidationOut: 'confiscated',
  other: 'other',
} as const satisfies BillWords;

export const unusedPairBillWords = [
  'liquidation_fee',
  'exchange_in',
  'exchange_out',
  'sys_exchange_in',
  'sys_exchange_out',
] as const;

/** The distinct wire words of a table. */
export const wordsOf = <const Table extends BillWords>(
  table: Table,
): readonly NonNullable<Table[keyof Table]>[] => [
  ...new Set(Object.values(table) as NonNullable<Table[keyof Table]>[]),
];

/** Our kinds for a wire word: none for a word that matches no bill. */
export const kindsNamed = (table: BillWords, wire: string): readonly BillKind[] =>
  (Object.keys(table) as BillKind[]).filter((kind) => table[kind] === wire);
