/** Tables of wire words and our words, which are read in both directions. */
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

/** The wire word for one of ours: the first in the table. */
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

/** A response field with the wire words of a table. */
export const wordOf = <const Table extends Words>(
  table: Table,
  description: string,
): Shape<WireWordOf<Table>> => word(Object.keys(table) as WireWordOf<Table>[], description);

/** The same, or an empty text if the word does not apply. */
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
/** The automatic borrowing and repaying of an isolated margin order. */
export const loanTypeWords = same(LOAN_TYPES);
/** Sources and targets of isolated margin bills. */
/**
 * Account types of transfers. All except pairs are the one wallet. v3 calls it `uta`, and clients
 * send that on v2 too.
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

/** Kinds of triggers that are placed alone. */
export const triggerKindWords = { normal_plan: 'conditional', track_plan: 'trailing' } as const;
/** Kinds of triggers that close a position or a part of it. */
export const exitKindWords = {
  profit_plan: 'takeProfit',
  loss_plan: 'stopLoss',
  moving_plan: 'trailingExit',
  pos_profit: 'positionTakeProfit',
  pos_loss: 'positionStopLoss',
} as const;
export const anyTriggerKindWords = { ...triggerKindWords, ...exitKindWords } as const;
/** Filters of lists: a kind, or every kind that closes. */
export const triggerFilterWords = { ...triggerKindWords, profit_loss: 'tpsl' } as const;
export const triggerCancelWords = { ...anyTriggerKindWords, profit_loss: 'tpsl' } as const;

export const priceSourceWords = {
  fill_price: 'last',
  mark_price: 'mark',
  index_price: 'index',
} as const;

/** The same for an order of v3. */
export const triggerByWords = { market: 'last', mark: 'mark' } as const;

/** The final status of a trigger. Some clients know the failed status by its second word. */
export const triggerEndWords = {
  executed: 'fired',
  fail_execute: 'failed',
  cancelled: 'cancelled',
} as const;
/** The same, and the status before. */
export const triggerStatusWords = { live: 'live', ...triggerEndWords } as const;
/** The unit of the size of a spot trigger order. */
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
 * In v2, spot and futures orders have no status for an order that waits for its symbol. Futures
 * spell the last word with one l.
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

/** The origin of an order. A forced reduction for another account is also a reduction. */
export const executionTexts = {
  normal: 'normal',
  offset: 'offset',
  reduce: 'reduce',
  autoDeleverage: 'reduce',
  liquidation: 'liquidation',
  delivery: 'delivery',
} as const satisfies Record<ExecutionKind, string>;

/** The reason of a cancellation. Several of our reasons may share a wire word. */
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
 * The current step of a withdrawal. It does not show whether the chain was already called, because
 * only the exchange acts on that.
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

/** Some clients shorten the word for the crossed margin mode. */
export const copyMarginModeWords = {
  isolated: 'isolated',
  crossed: 'crossed',
  cross: 'crossed',
} as const satisfies Record<string, MarginMode>;
/** What closed the last part of a tracked order of a leader. */
export const copyCloserWords = {
  normal: 'follower',
  profit: 'takeProfit',
  loss: 'stopLoss',
  burst: 'liquidation',
} as const;

export const affiliationWords = same(AFFILIATIONS);
/** The credits that pay the fees of a user. */
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
