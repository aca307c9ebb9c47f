/**
 * The closed lists of words the exchange speaks. Their order is kept in the journal: append, never
 * reorder.
 */
export const CATEGORIES = [
  'SPOT',
  'MARGIN',
  'USDT-FUTURES',
  'COIN-FUTURES',
  'USDC-FUTURES',
] as const;
export type Category = (typeof CATEGORIES)[number];

export const FUTURES_CATEGORIES = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
export type FuturesCategory = (typeof FUTURES_CATEGORIES)[number];
/** Categories that have trigger orders. Commands hold the index: append, never reorder. */
export const TRIGGER_CATEGORIES = [...FUTURES_CATEGORIES, 'SPOT'] as const;
export type TriggerCategory = (typeof TRIGGER_CATEGORIES)[number];
export const hasTriggers = (category: Category): category is TriggerCategory =>
  category !== 'MARGIN';
export const isFutures = (category: Category): category is FuturesCategory =>
  category !== 'SPOT' && category !== 'MARGIN';

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
  'VIP0',
  'VIP1',
  'VIP2',
  'VIP3',
  'VIP4',
  'VIP5',
  'VIP6',
  'VIP7',
  'PRO1',
  'PRO2',
  'PRO3',
  'PRO4',
  'PRO5',
  'PRO6',
] as const;
export type Level = (typeof LEVELS)[number];

/** Through which channel an agent brings customers: an application of his own, or the web site. */
export const AFFILIATIONS = ['affiliate', 'official'] as const;
export type Affiliation = (typeof AFFILIATIONS)[number];

/**
 * What the operator may give a user to pay fees with. Each kind has a column of its own in the rows
 * of commissions.
 */
export const FEE_CREDIT_KINDS = [
  'feeDeduction',
  'experienceFund',
  'spotCoupon',
  'futuresCoupon',
  'spotDiscount',
  'negativeMakerFee',
] as const;
export type FeeCreditKind = (typeof FEE_CREDIT_KINDS)[number];

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

/**
 * The accounts of the ledger. A user has the first group in each coin; the house has the second.
 * `withdrawals` is what withdrawals have earned.
 */
export const USER_ACCOUNTS = [
  'available',
  'locked',
  'margin',
  'isolated',
  'isolatedLocked',
] as const;
export const HOUSE_ACCOUNTS = [
  'outside',
  'fees',
  'insurance',
  'borrowPool',
  'rebates',
  'withdrawals',
  'clearing',
  'rounding',
  'interest',
  'exchanging',
] as const;
export type UserAccount = (typeof USER_ACCOUNTS)[number];
/**
 * Money set apart for pairs of isolated spot margin: free, and held by orders. Every line on these
 * names its pair.
 */
export type IsolatedAccount = 'isolated' | 'isolatedLocked';
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];
export type LedgerAccount = UserAccount | HouseAccount;

/** Why a ledger entry was posted. */
export const ENTRY_REASONS = [
  'deposit',
  'hold',
  'release',
  'trade',
  'openPosition',
  'closePosition',
  'borrow',
  'repay',
  'addMargin',
  'removeMargin',
  'funding',
  'takeover',
  'insurance',
  'isolatedTransfer',
  'profitShare',
  'rebate',
  'feeRefund',
  'withdrawalHold',
  'withdrawalSent',
  'withdrawalReturn',
  'internalTransfer',
] as const;
export type EntryReason = (typeof ENTRY_REASONS)[number];

/** The direction of an order in the book: always that, whatever a request calls it. */
export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];
export const otherSide = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

export const ORDER_TYPES = ['limit', 'market'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok', 'postOnly'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** `live` while its symbol is halted, `new` in the book; the last two are ends. */
export const ORDER_STATUSES = ['live', 'new', 'partiallyFilled', 'filled', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Whether an order opens or closes a position. */
export const INTENTS = ['open', 'close'] as const;
export type Intent = (typeof INTENTS)[number];

/**
 * Who sent an order and why: its holder, or the engine on his behalf. History stores a place in
 * this list, so new ones come last.
 */
export const EXECUTION_KINDS = [
  'normal',
  'offset',
  'reduce',
  'liquidation',
  'delivery',
  'autoDeleverage',
] as const;
export type ExecutionKind = (typeof EXECUTION_KINDS)[number];

export const CANCEL_REASONS = [
  'byUser',
  'fokNotFull',
  'iocNotFull',
  'postOnlyWouldTake',
  'selfTrade',
  'slippage',
  'reduceOnlyReplaced',
  'nothingToReduce',
  'liquidation',
  'autoDeleverage',
  'delisted',
  'moneyGone',
  'tooManyTrades',
  'modified',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** What an isolated-margin order may do with loans of its pair. */
export const LOAN_TYPES = ['normal', 'autoLoan', 'autoRepay', 'autoLoanAndRepay'] as const;
export type LoanType = (typeof LOAN_TYPES)[number];

/** Which rules an address of a chain obeys. */
export const ADDRESS_KINDS = ['evm', 'bitcoin', 'tron', 'solana', 'xrp', 'lightning'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** How the recipient of an internal transfer is named. */
export const RECIPIENT_KINDS = ['uid', 'email', 'mobile'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/**
 * What a withdrawal that has not ended waits for: an operator, being sent, word from the chain,
 * confirmations.
 */
const WITHDRAWAL_STAGES = ['approval', 'released', 'asked', 'confirming'] as const;
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number];

const WITHDRAWAL_STATUSES = ['pending', 'completed', 'failed'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Why a withdrawal ended without money going out. */
const WITHDRAWAL_FAILURES = [
  'cancelled',
  'rejected',
  'failedOnChain',
  'refusedByChain',
  'neverSent',
] as const;
export type WithdrawalFailure = (typeof WITHDRAWAL_FAILURES)[number];

/** What an operator decides about a withdrawal. */
export const WITHDRAWAL_DECISIONS = ['approve', 'reject', 'confirm', 'fail'] as const;
export type WithdrawalDecision = (typeof WITHDRAWAL_DECISIONS)[number];

/** What a chain connector tells of an order it may have been asked to send. */
export const CHAIN_SIGHTINGS = ['sent', 'confirmed', 'failed', 'refused', 'never'] as const;
export type ChainSighting = (typeof CHAIN_SIGHTINGS)[number];

/** Acts of operators that the audit trail keeps. */
export const OPERATOR_ACTS = [
  'approveWithdrawal',
  'rejectWithdrawal',
  'confirmWithdrawal',
  'failWithdrawal',
  'haltWithdrawals',
  'resumeWithdrawals',
  'setReserve',
  'deposit',
  'listCoin',
] as const;
export type OperatorAct = (typeof OPERATOR_ACTS)[number];
/** Triggers that wait for a price by themselves. */
export const PLAN_KINDS = ['conditional', 'trailing'] as const;
/** Triggers that close a position or a part of it. */
export const EXIT_KINDS = [
  'takeProfit',
  'stopLoss',
  'trailingExit',
  'positionTakeProfit',
  'positionStopLoss',
] as const;
export type ExitKind = (typeof EXIT_KINDS)[number];
export const TRIGGER_KINDS = [...PLAN_KINDS, ...EXIT_KINDS] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];
/** What placed an order: a way out of a position that was reached, or anything else. */
export const ORDER_ORIGINS = ['placed', ...EXIT_KINDS] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];
export const isExit = (kind: TriggerKind): kind is ExitKind =>
  kind !== 'conditional' && kind !== 'trailing';
export const isTakeProfit = (kind: TriggerKind): boolean =>
  kind === 'takeProfit' || kind === 'positionTakeProfit';
export const isStopLoss = (kind: TriggerKind): boolean =>
  kind === 'stopLoss' || kind === 'positionStopLoss';
/** Closes the whole position, however large it is by then. */
export const isOfWhole = (kind: TriggerKind): boolean =>
  kind === 'positionTakeProfit' || kind === 'positionStopLoss';

/** Which price of its symbol a trigger looks at. */
export const PRICE_SOURCES = ['last', 'mark', 'index'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/**
 * Why a trigger was cancelled: by request, by its twin, with its position, or with the listing of
 * its spot symbol.
 */
export const TRIGGER_CANCEL_REASONS = [
  'byUser',
  'ocoSiblingFired',
  'positionClosed',
  'delisted',
] as const;
export type TriggerCancelReason = (typeof TRIGGER_CANCEL_REASONS)[number];
