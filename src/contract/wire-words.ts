/**
 * The wire's words and ours for the same things, in one table each, to be read in both directions.
 */
import type { SceneName } from '../messages/scenes.ts';
import {
  AFFILIATIONS,
  CATEGORIES,
  type CancelReason,
  type ExecutionKind,
  type FeeCreditKind,
  FUTURES_CATEGORIES,
  type InstrumentStatus,
  LEVELS,
  LOAN_TYPES,
  type MarginMode,
  type OrderStatus,
  PERMISSIONS,
  type PositionMode,
  type PositionSide,
  type SelfTradeMode,
  type TimeInForce,
  TRIGGER_CATEGORIES,
} from '../messages/vocabulary.ts';
import { type Shape, word } from './shapes.ts';

export type Words = Readonly<Record<string, string>>;
export type WireWordOf<Table> = keyof Table & string;

const reversed = new WeakMap<Words, ReadonlyMap<string, string>>();

/** The wire's word for one of ours; of several the one listed first. */
export function wireWord<const Table extends Words>(
  table: Table,
  ours: Table[keyof Table],
): WireWordOf<Table> {
  let byOurs = reversed.get(table);
  if (byOurs === undefined) {
    byOurs = new Map(
      Object.entries(table)
        .reverse()
        .map(([wire, meaning]) => [meaning, wire]),
    );
    reversed.set(table, byOurs);
  }
  return byOurs.get(ours) as WireWordOf<Table>;
}

/** A response field that holds one of a table's wire words. */
export const wordOf = <const Table extends Words>(
  table: Table,
  description: string,
): Shape<WireWordOf<Table>> => word(Object.keys(table) as WireWordOf<Table>[], description);

/** The same, or the empty text where the word does not apply. */
export const wordOrNoneOf = <const Table extends Words>(
  table: Table,
  description: string,
): Shape<WireWordOf<Table> | ''> =>
  word([...(Object.keys(table) as WireWordOf<Table>[]), ''], description);

const same = <const Values extends readonly string[]>(
  values: Values,
): { readonly [Word in Values[number]]: Word } =>
  Object.fromEntries(values.map((value) => [value, value])) as {
    readonly [Word in Values[number]]: Word;
  };

export const sceneWords = {
  calm: 'calm',
  trend: 'trend',
  wick: 'wick',
  gap: 'gap',
  crash: 'crash',
  cascade: 'cascade',
  'frozen-feed': 'frozenFeed',
  'one-sided': 'oneSided',
  'mark-index-split': 'markIndexSplit',
  halt: 'halt',
  feed: 'feed',
} as const satisfies Readonly<Record<string, SceneName>>;

export const categoryWords = same(CATEGORIES);
export const futuresCategoryWords = same(FUTURES_CATEGORIES);
export const triggerCategoryWords = same(TRIGGER_CATEGORIES);
export const levelWords = same(LEVELS);
export const permissionWords = same(PERMISSIONS);

export const positionModeWords = {
  one_way_mode: 'oneWay',
  hedge_mode: 'hedge',
} as const satisfies Record<string, PositionMode>;
export const positionSideWords = { long: 'long', short: 'short' } as const satisfies Record<
  string,
  PositionSide
>;
export const marginModeWords = {
  crossed: 'crossed',
  isolated: 'isolated',
} as const satisfies Record<string, MarginMode>;
export const sideWords = { buy: 'buy', sell: 'sell' } as const;
export const intentWords = { open: 'open', close: 'close' } as const;
/** What an order on isolated margin may borrow and repay. */
export const loanTypeWords = same(LOAN_TYPES);
/** Where money of isolated margin comes from and goes to. */
/**
 * Account types of transfers: all but pairs are the one wallet. `uta` is the name of it on v3,
 * which clients send on v2 too.
 */
export const WALLET_TYPES = [
  'spot',
  'usdt_futures',
  'coin_futures',
  'usdc_futures',
  'crossed_margin',
  'uta',
] as const;
export const PAIR_TYPE = 'isolated_margin';

export const pairAccountWords = { spot: 'wallet', isolated_margin: 'pair' } as const;
export const orderTypeWords = { limit: 'limit', market: 'market' } as const;

export const selfTradeModeWords = {
  none: 'none',
  cancel_taker: 'cancelTaker',
  cancel_maker: 'cancelMaker',
  cancel_both: 'cancelBoth',
} as const satisfies Record<string, SelfTradeMode>;

export const timeInForceWords = {
  gtc: 'gtc',
  ioc: 'ioc',
  fok: 'fok',
  post_only: 'postOnly',
} as const satisfies Record<string, TimeInForce>;

/** Of a trigger that is placed by itself. */
export const triggerKindWords = { normal_plan: 'conditional', track_plan: 'trailing' } as const;
/** Of a trigger that closes a position or a part of it. */
export const exitKindWords = {
  profit_plan: 'takeProfit',
  loss_plan: 'stopLoss',
  moving_plan: 'trailingExit',
  pos_profit: 'positionTakeProfit',
  pos_loss: 'positionStopLoss',
} as const;
export const anyTriggerKindWords = { ...triggerKindWords, ...exitKindWords } as const;
/** What lists are filtered by: a kind, or every kind that closes. */
export const triggerFilterWords = { ...triggerKindWords, profit_loss: 'tpsl' } as const;
export const triggerCancelWords = { ...anyTriggerKindWords, profit_loss: 'tpsl' } as const;

export const priceSourceWords = {
  fill_price: 'last',
  mark_price: 'mark',
  index_price: 'index',
} as const;

/** The same to a v3 order. */
export const triggerByWords = { market: 'last', mark: 'mark' } as const;

/** How a trigger ended. Some clients know the failed state by its second name. */
export const triggerEndWords = {
  executed: 'fired',
  fail_execute: 'failed',
  cancelled: 'cancelled',
} as const;
/** The same, and the state before. */
export const triggerStatusWords = { live: 'live', ...triggerEndWords } as const;
/** The unit of a spot trigger order's size. */
export const spotPlanTypeWords = { amount: 'amount', total: 'total' } as const;
export const triggerEndFilterWords = { ...triggerEndWords, fail_trigger: 'failed' } as const;

export const orderStatusWords = {
  live: 'live',
  new: 'new',
  partially_filled: 'partiallyFilled',
  filled: 'filled',
  cancelled: 'cancelled',
} as const satisfies Record<string, OrderStatus>;

/**
 * Spot and futures orders of v2 know no order that waits for its symbol; futures spell the last
 * word with one l.
 */
export const spotOrderStatusWords = {
  live: 'new',
  partially_filled: 'partiallyFilled',
  filled: 'filled',
  cancelled: 'cancelled',
} as const satisfies Record<string, OrderStatus>;
export const futuresOrderStatusWords = {
  live: 'new',
  partially_filled: 'partiallyFilled',
  filled: 'filled',
  canceled: 'cancelled',
} as const satisfies Record<string, OrderStatus>;

/** What made an order. To be reduced for the sake of somebody else is a forced reduction too. */
export const executionTexts = {
  normal: 'normal',
  offset: 'offset',
  reduce: 'reduce',
  autoDeleverage: 'reduce',
  liquidation: 'liquidation',
  delivery: 'delivery',
} as const satisfies Record<ExecutionKind, string>;

/** Why an order was cancelled. Several of our reasons may share a word of the wire. */
export const cancelReasonTexts = {
  byUser: 'normal_cancel',
  fokNotFull: 'fok_not_full_cancel',
  iocNotFull: 'ioc_not_full_cancel',
  postOnlyWouldTake: 'post_only_fill_cancel',
  selfTrade: 'stp_cancel',
  slippage: 'slippage_cancel',
  reduceOnlyReplaced: 'normal_cancel',
  nothingToReduce: 'delegated_risk_order_cancel',
  liquidation: 'burst_cancel',
  autoDeleverage: 'adl_cancel',
  delisted: 'delivery_order_cancel',
  moneyGone: 'delegated_risk_order_cancel',
  tooManyTrades: 'trade_too_many_times_cancel',
  modified: 'modify_limit_order',
} as const satisfies Record<CancelReason, string>;

export const withdrawalRouteWords = { on_chain: 'onChain', internal_transfer: 'internal' } as const;
export const withdrawalStatusWords = {
  pending: 'pending',
  success: 'completed',
  fail: 'failed',
} as const;
/**
 * What a withdrawal that has not ended waits for. Whether the chain was asked yet is nothing that
 * anybody but us can act on.
 */
export const waitingWords = {
  approval: 'approval',
  broadcast: 'broadcast',
  confirmations: 'confirmations',
} as const;
export const recipientKindWords = { uid: 'uid', email: 'email', mobile: 'mobile' } as const;

export const copyModeWords = { basic: 'basic', advanced: 'advanced' } as const;
export const copyMarginWords = { trader: 'leader', specify: 'own' } as const;
export const copyLeverageWords = {
  position: 'position',
  specify: 'own',
  trader: 'leader',
} as const;
export const copySizingWords = { percent: 'multiple', amount: 'amount', count: 'size' } as const;

/** Some clients say the crossed margin mode without its ending. */
export const copyMarginModeWords = {
  isolated: 'isolated',
  crossed: 'crossed',
  cross: 'crossed',
} as const satisfies Record<string, MarginMode>;
/** What closed the last part of a leader's tracked order. */
export const copyCloserWords = {
  normal: 'follower',
  profit: 'takeProfit',
  loss: 'stopLoss',
  burst: 'liquidation',
} as const;

export const affiliationWords = same(AFFILIATIONS);
/** What a user can be given to pay fees with. */
export const feeCreditWords = {
  fee_deduction: 'feeDeduction',
  experience_fund: 'experienceFund',
  spot_coupon: 'spotCoupon',
  futures_coupon: 'futuresCoupon',
  spot_discount: 'spotDiscount',
  negative_maker_fee: 'negativeMakerFee',
} as const satisfies Record<string, FeeCreditKind>;

export const instrumentStatusWords = {
  normal: 'normal',
  halted: 'halted',
  cancel_only: 'cancelOnly',
  off: 'off',
} as const satisfies Record<string, InstrumentStatus>;
