/** The closed lists of words the exchange speaks. Their order is kept in the journal: append, never reorder. */
export const CATEGORIES = ['SPOT', 'MARGIN', 'USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
export type Category = (typeof CATEGORIES)[number];

export const FUTURES_CATEGORIES = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
export type FuturesCategory = (typeof FUTURES_CATEGORIES)[number];
export const isFutures = (category: Category): category is FuturesCategory => category !== 'SPOT' && category !== 'MARGIN';

export const POSITION_MODES = ['oneWay', 'hedge'] as const;
export type PositionMode = (typeof POSITION_MODES)[number];

export const POSITION_SIDES = ['long', 'short'] as const;
export type PositionSide = (typeof POSITION_SIDES)[number];

export const MARGIN_MODES = ['crossed', 'isolated'] as const;
export type MarginMode = (typeof MARGIN_MODES)[number];

export const SELF_TRADE_MODES = ['none', 'cancelTaker', 'cancelMaker', 'cancelBoth'] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** `halted` takes orders and matches none; `cancelOnly` takes cancels only; `off` takes nothing. */
export const INSTRUMENT_STATUSES = ['normal', 'halted', 'cancelOnly', 'off'] as const;
export type InstrumentStatus = (typeof INSTRUMENT_STATUSES)[number];

/** VIP grows with volume and assets; PRO is the ladder of makers and institutions. */
export const LEVELS = [
  'VIP0', 'VIP1', 'VIP2', 'VIP3', 'VIP4', 'VIP5', 'VIP6', 'VIP7',
  'PRO1', 'PRO2', 'PRO3', 'PRO4', 'PRO5', 'PRO6',
] as const;
export type Level = (typeof LEVELS)[number];

/** What a key may do; `write` includes `read`. */
export const PERMISSIONS = [
  'uta_trade.read',
  'uta_trade.write',
  'uta_mgt.read',
  'uta_mgt.write',
  'futures.read',
  'futures.write',
  'margin.read',
  'margin.write',
  'copy.read',
  'copy.write',
  'broker.read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The accounts of the ledger. A user has the first group in each coin; the house has the second. */
export const USER_ACCOUNTS = ['available', 'locked', 'margin'] as const;
export const HOUSE_ACCOUNTS = ['outside', 'fees', 'insurance', 'borrowPool', 'rebates', 'withdrawals', 'clearing', 'rounding'] as const;
export type UserAccount = (typeof USER_ACCOUNTS)[number];
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];
export type LedgerAccount = UserAccount | HouseAccount;

/** Why a ledger entry was posted. */
export const ENTRY_REASONS = ['deposit'] as const;
export type EntryReason = (typeof ENTRY_REASONS)[number];
