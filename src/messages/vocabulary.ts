/** The closed word lists of the exchange. The journal stores the index: append, never reorder. */
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
/** Categories with trigger orders. Commands store the index: append, never reorder. */
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
/** Whose money backs a position: its own margin, or all margin of the account. */
const MARGIN_OF: Readonly<Record<MarginMode, 'position' | 'account'>> = {
  crossed: 'account',
  isolated: 'position',
};
/** Spot orders have no margin mode. */
export const isIsolated = (mode: MarginMode | undefined): boolean =>
  mode !== undefined && MARGIN_OF[mode] === 'position';
export const isCrossed = (mode: MarginMode | undefined): boolean =>
  mode !== undefined && MARGIN_OF[mode] === 'account';

export const SELF_TRADE_MODES = ['none', 'cancelTaker', 'cancelMaker', 'cancelBoth'] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** `halted` takes orders and matches none; `cancelOnly` takes cancels only; `off` takes nothing. */
export const INSTRUMENT_STATUSES = ['normal', 'halted', 'cancelOnly', 'off'] as const;
export type InstrumentStatus = (typeof INSTRUMENT_STATUSES)[number];
/** What happens to orders of a symbol: a new status decides here. */
const ORDERS_AT: Readonly<
  Record<InstrumentStatus, 'matched' | 'waiting' | 'refused' | 'cancelled'>
> = { normal: 'matched', halted: 'waiting', cancelOnly: 'refused', off: 'cancelled' };
const ordersAt = (status: InstrumentStatus | undefined) =>
  status === undefined ? undefined : ORDERS_AT[status];
export const matchesOrders = (status: InstrumentStatus | undefined): boolean =>
  ordersAt(status) === 'matched';
export const keepsOrdersWaiting = (status: InstrumentStatus | undefined): boolean =>
  ordersAt(status) === 'waiting';
export const takesOrders = (status: InstrumentStatus | undefined): boolean =>
  matchesOrders(status) || keepsOrdersWaiting(status);
/** It cancels the orders that are open. */
export const isDelisted = (status: InstrumentStatus | undefined): boolean =>
  ordersAt(status) === 'cancelled';

/** VIP grows with volume and assets; PRO is for market makers and institutions. */
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

/** How an agent brings customers: through the agent's own application, or the web site. */
export const AFFILIATIONS = ['affiliate', 'official'] as const;
export type Affiliation = (typeof AFFILIATIONS)[number];

/** Credits for fees that the operator may grant. Commission rows have one column for each kind. */
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
 * `withdrawals` collects withdrawal fees.
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
 * Money of isolated spot margin pairs: free, and held by orders. Every line on these accounts names
 * its pair.
 */
export type IsolatedAccount = 'isolated' | 'isolatedLocked';
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];
export type LedgerAccount = UserAccount | HouseAccount;

/** The reason for a ledger entry. */
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

/** Always the direction of the order in the book, even if a request names it differently. */
export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];
export const otherSide = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

export const ORDER_TYPES = ['limit', 'market'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
/** Which price an order names: the worst that it accepts, or none. */
const PRICE_NAMED: Readonly<Record<OrderType, 'limit' | 'none'>> = {
  limit: 'limit',
  market: 'none',
};
export const isLimit = (type: OrderType): boolean => PRICE_NAMED[type] === 'limit';
export const isMarket = (type: OrderType): boolean => PRICE_NAMED[type] === 'none';

export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok', 'postOnly'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

interface TimeInForceTraits {
  /** How much of it may trade on arrival; `whole` is all or nothing. */
  readonly takes: 'nothing' | 'any' | 'whole';
  /** What is left joins the book. */
  readonly rests: boolean;
}
const TIME_IN_FORCE_TRAITS: Readonly<Record<TimeInForce, TimeInForceTraits>> = {
  gtc: { takes: 'any', rests: true },
  ioc: { takes: 'any', rests: false },
  fok: { takes: 'whole', rests: false },
  postOnly: { takes: 'nothing', rests: true },
};
export const mayRest = (time: TimeInForce): boolean => TIME_IN_FORCE_TRAITS[time].rests;
export const mustNotTake = (time: TimeInForce): boolean =>
  TIME_IN_FORCE_TRAITS[time].takes === 'nothing';
export const mustFillWhole = (time: TimeInForce): boolean =>
  TIME_IN_FORCE_TRAITS[time].takes === 'whole';

/** `live` while its symbol is halted, `new` in the book; the last two are final. */
export const ORDER_STATUSES = ['live', 'new', 'partiallyFilled', 'filled', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Whether an order opens or closes a position. */
export const INTENTS = ['open', 'close'] as const;
export type Intent = (typeof INTENTS)[number];

/**
 * Why an order was sent, by its owner or by the engine. History stores the index: append new ones.
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

/** Address formats of chains. */
export const ADDRESS_KINDS = ['evm', 'bitcoin', 'tron', 'solana', 'xrp', 'lightning'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** How an internal transfer names its recipient. */
export const RECIPIENT_KINDS = ['uid', 'email', 'mobile'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/**
 * What an open withdrawal waits for: an operator, sending, a report of the chain, confirmations.
 */
const WITHDRAWAL_STAGES = ['approval', 'released', 'asked', 'confirming'] as const;
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number];

const WITHDRAWAL_STATUSES = ['pending', 'completed', 'failed'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Why a withdrawal ended without a payout. */
const WITHDRAWAL_FAILURES = [
  'cancelled',
  'rejected',
  'failedOnChain',
  'refusedByChain',
  'neverSent',
] as const;
export type WithdrawalFailure = (typeof WITHDRAWAL_FAILURES)[number];

/** An operator's decisions about a withdrawal. */
export const WITHDRAWAL_DECISIONS = ['approve', 'reject', 'confirm', 'fail'] as const;
export type WithdrawalDecision = (typeof WITHDRAWAL_DECISIONS)[number];

/** A chain connector's report on an order that it may have been asked to send. */
export const CHAIN_SIGHTINGS = ['sent', 'confirmed', 'failed', 'refused', 'never'] as const;
export type ChainSighting = (typeof CHAIN_SIGHTINGS)[number];

/** Operator actions in the audit trail. */
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
/** Triggers that wait for a price on their own. */
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

interface TriggerTraits {
  /** How much of a position its order closes. */
  readonly closes: 'nothing' | 'part' | 'whole';
  /** What it waits for: one price, a fall back from the best price, a gain, or a loss. */
  readonly waitsFor: 'price' | 'callback' | 'gain' | 'loss';
}
/** All that the code asks about a kind: a new kind decides here. */
const TRIGGER_TRAITS: Readonly<Record<TriggerKind, TriggerTraits>> = {
  conditional: { closes: 'nothing', waitsFor: 'price' },
  trailing: { closes: 'nothing', waitsFor: 'callback' },
  takeProfit: { closes: 'part', waitsFor: 'gain' },
  stopLoss: { closes: 'part', waitsFor: 'loss' },
  trailingExit: { closes: 'part', waitsFor: 'callback' },
  positionTakeProfit: { closes: 'whole', waitsFor: 'gain' },
  positionStopLoss: { closes: 'whole', waitsFor: 'loss' },
};
/** The source of an order: a take-profit or stop-loss that fired, or anything else. */
export const ORDER_ORIGINS = ['placed', ...EXIT_KINDS] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];
export const isExit = (kind: TriggerKind): kind is ExitKind =>
  TRIGGER_TRAITS[kind].closes !== 'nothing';
export const isTrailing = (kind: TriggerKind): boolean =>
  TRIGGER_TRAITS[kind].waitsFor === 'callback';
export const isTakeProfit = (kind: TriggerKind): boolean =>
  TRIGGER_TRAITS[kind].waitsFor === 'gain';
export const isStopLoss = (kind: TriggerKind): boolean => TRIGGER_TRAITS[kind].waitsFor === 'loss';
/** Closes the whole position, at any later size. */
export const closesWholePosition = (kind: TriggerKind): boolean =>
  TRIGGER_TRAITS[kind].closes === 'whole';

/** The price that a trigger watches. */
export const PRICE_SOURCES = ['last', 'mark', 'index'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/**
 * Why a trigger was cancelled: by request, by its OCO sibling, with its position, or with the
 * listing of its spot symbol.
 */
export const TRIGGER_CANCEL_REASONS = [
  'byUser',
  'ocoSiblingFired',
  'positionClosed',
  'delisted',
] as const;
export type TriggerCancelReason = (typeof TRIGGER_CANCEL_REASONS)[number];
