/**
 * Events: facts in the past tense, emitted by the core in order, consumed by reactions and views.
 */
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Sequence, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Agent, Commission } from './agents.ts';
import type { FollowingRow, LeaderRow, NotCopiedRow, TrackedOrderRow } from './copy-trading.ts';
import type { FeeMarket } from './fees.ts';
import type { Coin, Instrument } from './listings.ts';
import type { FillRow, OrderEnd, OrderRow, PositionRow } from './orders.ts';
import type { Past } from './past.ts';
import type { KnownRecording, RecordedPast, RecordedRange } from './recordings.ts';
import type { Rejection } from './rejections.ts';
import type { HeldScene, Making, Scene } from './scenes.ts';
import type { TriggerRow } from './triggers.ts';
import type {
  Category,
  EntryReason,
  FeeCreditKind,
  FuturesCategory,
  InstrumentStatus,
  LedgerAccount,
  Level,
  MarginMode,
  OperatorAct,
  Permission,
  PositionMode,
  PositionSide,
  SelfTradeMode,
  Side,
  TriggerCancelReason,
} from './vocabulary.ts';
import type { WithdrawalEnd, WithdrawalProgress, WithdrawalRow } from './withdrawals.ts';

/**
 * One line of a ledger entry. `uid` is undefined for a house account; `balance` is the account's
 * balance afterwards.
 */
export interface LedgerLine {
  readonly id: Id;
  readonly uid?: Uid | undefined;
  readonly coin: string;
  readonly account: LedgerAccount;
  readonly amount: Amount;
  readonly balance: Amount;
  /** The pair; only on accounts of isolated margin, where `balance` is the total over all pairs. */
  readonly symbol?: string | undefined;
}

export interface UserProfile {
  readonly uid: Uid;
  readonly name?: string;
  readonly email?: string;
  readonly areaCode?: string;
  readonly mobile?: string;
  readonly level: Level;
  readonly referralCode?: string;
  readonly parentUid?: Uid;
}

export interface ApiKey {
  readonly apiKey: string;
  readonly uid: Uid;
  readonly sealedSecret: string;
  readonly passphraseHash: string;
  readonly permissions: readonly Permission[];
  readonly addresses: readonly string[];
  readonly publicKey?: string;
}

/**
 * The exchange clock: `wall + offsetMs`, or `frozenAt` while frozen. A faster clock has gained
 * `rate - 1` times the time since `wall`.
 */
export interface ClockSetting {
  readonly offsetMs: number;
  readonly frozenAt?: Timestamp;
  readonly fast?: { readonly rate: number; readonly since: Timestamp };
}

export interface Events {
  coinListed: { readonly coin: Coin };
  instrumentListed: { readonly instrument: Instrument };
  instrumentStatusChanged: {
    readonly category: Category;
    readonly symbol: string;
    readonly status: InstrumentStatus;
  };
  userCreated: { readonly user: UserProfile; readonly positionMode: PositionMode };
  keyCreated: { readonly key: ApiKey };
  keyRevoked: { readonly apiKey: string; readonly uid: Uid };
  entryPosted: { readonly reason: EntryReason; readonly lines: readonly LedgerLine[] };
  depositCredited: {
    readonly orderId: Id;
    readonly uid: Uid;
    readonly coin: string;
    readonly amount: Amount;
    readonly clientOid: ClientOid;
    /** Only if another user sent it. */
    readonly transfer?: { readonly fromAddress: string; readonly toAddress: string };
    /** Only if a withdrawal of this exchange delivered it over a chain. */
    readonly arrival?: {
      readonly chain: string;
      readonly toAddress: string;
      readonly recordId: string;
    };
    /**
     * Only for money from outside: the coin's first chain at this moment, if it has one (WDR-52).
     */
    readonly origin?: { readonly chain: string };
  };
  indexPriceMoved: { readonly baseCoin: string; readonly price: Price };
  markPriceMoved: { readonly category: Category; readonly symbol: string; readonly price: Price };
  markPinned: { readonly category: Category; readonly symbol: string; readonly price?: Price };
  clockMoved: { readonly clock: ClockSetting };
  orderAccepted: { readonly order: OrderRow };
  /** A queued order has entered the book after its symbol was opened. */
  orderActivated: { readonly orderId: Id; readonly uid: Uid };
  tradeExecuted: {
    readonly tradeId: Id;
    /** SPOT also for a trade of two MARGIN orders: they share a book. */
    readonly category: Category;
    readonly symbol: string;
    readonly takerSide: Side;
    readonly price: Price;
    readonly size: Size;
  };
  fillSettled: { readonly fill: FillRow };
  orderEnded: { readonly end: OrderEnd };
  /** An open order has a new price, size, take-profit or stop-loss. */
  orderModified: { readonly order: OrderRow };
  /**
   * The margin of an open order has changed with the leverage of its symbol, or of the coin it
   * would borrow. `marginHold` is absent if it uses no crossed margin.
   */
  orderReleveraged: {
    readonly orderId: Id;
    readonly uid: Uid;
    readonly leverage?: DecimalText;
    readonly marginHold?: Amount;
  };
  positionChanged: { readonly position: PositionRow };
  positionClosed: { readonly position: PositionRow };
  /**
   * `exemptPrincipal` is the part of the loan without a maintenance requirement; missing if zero.
   */
  /** One hour's interest on a loan of the wallet or of a pair. The debt already includes it. */
  interestCharged: {
    readonly chargeId: Id;
    readonly uid: Uid;
    readonly coin: string;
    readonly amount: Amount;
    /** Per hour. */
    readonly rate: Rate;
    /** Only for a pair. */
    readonly symbol?: string;
  };
  debtChanged: {
    readonly uid: Uid;
    readonly coin: string;
    readonly borrowed: Amount;
    readonly interest: Amount;
    readonly exemptPrincipal?: Amount;
  };
  dailyOrdersSet: { readonly warn?: number; readonly restrict?: number };
  dailyOrdersReached: {
    readonly uid: Uid;
    readonly threshold: 'warn' | 'restrict';
    readonly count: number;
  };
  selfTradeModeChanged: { readonly uid: Uid; readonly selfTradeMode: SelfTradeMode };
  worldOpened: { readonly world: string };
  /** The new past; it replaces the previous one. */
  pastSet: { readonly past: Past };
  marketSwitched: { readonly on: boolean };
  scenePlayed: { readonly scene: Scene };
  /** Emitted for each mark that the scene sets, and once for a halt. */
  sceneHeld: HeldScene & { readonly id: Id; readonly again: boolean; readonly mark?: Price };
  /** `held` if it had halted its symbol or pinned its mark. */
  sceneEnded: { readonly id: Id; readonly held?: HeldScene };
  /** How it is used; `coin` is the one whose price follows the path. */
  recordingImported: {
    readonly hash: string;
    readonly known: KnownRecording;
    readonly past?: RecordedPast;
    readonly path?: RecordedRange;
    readonly coin?: string;
  };
  recordedPathEnded: { readonly coin: string };
  makingSet: { readonly category: Category; readonly symbol: string; readonly making: Making };
  leverageChanged: {
    readonly uid: Uid;
    readonly category: FuturesCategory;
    readonly symbol: string;
    readonly leverage: DecimalText;
    /** Only in isolated hedge mode, where each side has its own leverage. */
    readonly side?: PositionSide;
  };
  coinLeverageChanged: { readonly uid: Uid; readonly coin: string; readonly leverage: DecimalText };
  marginModeChanged: {
    readonly uid: Uid;
    readonly category: FuturesCategory;
    readonly symbol: string;
    readonly marginMode: MarginMode;
  };
  positionModeChanged: { readonly uid: Uid; readonly positionMode: PositionMode };
  /** One position's funding payment; `amount` is positive if it received. */
  fundingCharged: {
    readonly uid: Uid;
    readonly positionId: Id;
    readonly category: FuturesCategory;
    readonly symbol: string;
    readonly side: PositionSide;
    readonly coin: string;
    readonly rate: Rate;
    readonly amount: Amount;
    readonly at: Timestamp;
  };
  /**
   * Every position of a symbol has paid or received; longs pay when the rate is positive. `next` is
   * the next funding time.
   */
  fundingSettled: {
    readonly category: FuturesCategory;
    readonly symbol: string;
    readonly rate: Rate;
    readonly at: Timestamp;
    readonly next: Timestamp;
  };
  /**
   * The equity of an isolated position, or without `positionId` of the crossed account, fell to its
   * maintenance margin. Amounts are in the margin coin, or in USD.
   */
  liquidationBegun: {
    readonly uid: Uid;
    readonly positionId?: Id;
    readonly equity: Amount;
    readonly maintenance: Amount;
  };
  isolatedDebtChanged: {
    readonly uid: Uid;
    readonly symbol: string;
    readonly coin: string;
    readonly borrowed: Amount;
    readonly interest: Amount;
  };
  /**
   * The debt of an isolated pair was too high for its assets, both in quote coin at the pair's
   * index.
   */
  isolatedLiquidationBegun: {
    readonly uid: Uid;
    readonly symbol: string;
    readonly assets: Amount;
    readonly debts: Amount;
  };
  /** A user became a leader, or the leader's settings changed. */
  leaderMade: { readonly leader: LeaderRow };
  /** A user follows a leader, or changed how. */
  followingChanged: { readonly following: FollowingRow };
  followingEnded: { readonly follower: Uid; readonly leader: Uid };
  trackedOrderOpened: { readonly order: TrackedOrderRow };
  /** A part of it was closed, or its take-profit or stop-loss has changed. */
  trackedOrderChanged: { readonly order: TrackedOrderRow };
  /** All of it is closed; for a copy, `share` is the profit share paid to the leader. */
  trackedOrderEnded: { readonly order: TrackedOrderRow; readonly share: Amount };
  orderNotCopied: { readonly missed: NotCopiedRow };
  /** A user became an agent, or the agent's rates changed. */
  agentMade: { readonly agent: Agent };
  /** A user registered with an agent's code. `upperUid` is the agent above that agent, if any. */
  customerReferred: { readonly uid: Uid; readonly agentUid: Uid; readonly upperUid?: Uid };
  feeCreditGranted: {
    readonly creditId: Id;
    readonly uid: Uid;
    readonly coin: string;
    readonly kind: FeeCreditKind;
    readonly amount: Amount;
  };
  /**
   * `upper` is the agent above the earning one. That agent sees the row too, under its own id, and
   * earns nothing on it.
   */
  commissionPaid: {
    readonly commission: Commission;
    readonly upper?: { readonly agentUid: Uid; readonly commissionId: Id };
  };
  levelChanged: { readonly uid: Uid; readonly level: Level };
  /** The complete new table. */
  feesSet: {
    readonly market: FeeMarket;
    readonly table: Readonly<Record<Level, { readonly maker: Rate; readonly taker: Rate }>>;
  };
  /** `day` is the start (midnight in UTC+8) of the day that has now ended. */
  settlementDayEnded: { readonly day: Timestamp };
  /** This event ends an internal transfer and starts a withdrawal on chain. */
  withdrawalRequested: {
    readonly withdrawal: WithdrawalRow;
    readonly progress: WithdrawalProgress;
  };
  withdrawalMoved: {
    readonly orderId: Id;
    readonly uid: Uid;
    readonly progress: WithdrawalProgress;
  };
  withdrawalEnded: { readonly end: WithdrawalEnd };
  withdrawalsSwitched: { readonly coin: string; readonly on: boolean };
  /** `amount` is absent when the reserve is no longer monitored. */
  reserveSet: { readonly coin: string; readonly amount?: Amount };
  /** One line of the audit trail: which operator did what, to which withdrawal, user or coin. */
  operatorActed: {
    readonly actId: Id;
    readonly operator: string;
    readonly act: OperatorAct;
    readonly orderId?: Id;
    readonly uid?: Uid;
    readonly coin?: string;
    readonly detail?: string;
  };
  triggerPlaced: { readonly trigger: TriggerRow };
  triggerChanged: { readonly trigger: TriggerRow };
  /** Its price was reached and its order was accepted; the order's own events come first. */
  triggerFired: { readonly triggerId: Id; readonly uid: Uid; readonly orderId: Id };
  /** Its price was reached and its order was refused. */
  triggerFailed: { readonly triggerId: Id; readonly uid: Uid; readonly refusal: Rejection };
  triggerCancelled: {
    readonly triggerId: Id;
    readonly uid: Uid;
    readonly reason: TriggerCancelReason;
  };
}

export type EventType = keyof Events;
export type EventOf<Type extends EventType> = { readonly type: Type } & Events[Type];
export type Event = { [Type in EventType]: EventOf<Type> }[EventType];

/** The index of the first event at a new time. */
export interface EventMoment {
  readonly from: number;
  readonly at: Timestamp;
}

/** The events of one command, as views receive them. */
export interface EventBatch {
  readonly sequence: Sequence;
  /** When the command was executed. */
  readonly at: Timestamp;
  readonly events: readonly Event[];
  /**
   * Times of events that differ from `at`: for work that had fallen due earlier, or on the way of a
   * moved clock.
   */
  readonly moments?: readonly EventMoment[];
}
