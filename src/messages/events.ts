/**
 * What happened: facts in the past tense, emitted by the core in order, consumed by reactions and
 * views.
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
 * One line of a ledger entry. `uid` is undefined for an account of the house; `balance` is what the
 * account holds afterwards.
 */
export interface LedgerLine {
  readonly id: Id;
  readonly uid?: Uid | undefined;
  readonly coin: string;
  readonly account: LedgerAccount;
  readonly amount: Amount;
  readonly balance: Amount;
  /**
   * The pair whose money it is; on accounts of isolated margin only, whose `balance` is that of all
   * pairs.
   */
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
 * The exchange clock: `wall + offsetMs`, or `frozenAt` while it stands still. One that runs faster
 * has gained `rate - 1` for each `wall` since.
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
    /** Only when another user sent it. */
    readonly transfer?: { readonly fromAddress: string; readonly toAddress: string };
    /** Only when a withdrawal of this exchange brought it over a chain. */
    readonly arrival?: {
      readonly chain: string;
      readonly toAddress: string;
      readonly recordId: string;
    };
    /**
     * Only of money from outside: the first chain that the coin has at this moment, if it has one
     * (WDR-52).
     */
    readonly origin?: { readonly chain: string };
  };
  indexPriceMoved: { readonly baseCoin: string; readonly price: Price };
  markPriceMoved: { readonly category: Category; readonly symbol: string; readonly price: Price };
  markPinned: { readonly category: Category; readonly symbol: string; readonly price?: Price };
  clockMoved: { readonly clock: ClockSetting };
  orderAccepted: { readonly order: OrderRow };
  /** An order that waited for its symbol has come into the book. */
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
  /**
   * An open order has another price, another size or other ways out of its position from now on.
   */
  orderModified: { readonly order: OrderRow };
  /**
   * An open order is margined anew because the leverage of its symbol was changed, or of the coin
   * it would borrow, which has none of its own to show; `marginHold` is absent when it uses no
   * crossed margin.
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
   * `exemptPrincipal` is what of the loan nothing must be kept up for; left out when that is none
   * of it.
   */
  /** An hour of a loan, of the wallet or of a pair. The debt has grown by it already. */
  interestCharged: {
    readonly chargeId: Id;
    readonly uid: Uid;
    readonly coin: string;
    readonly amount: Amount;
    /** Of the hour. */
    readonly rate: Rate;
    /** Only of a pair. */
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
  /** The past as it is from now on, in place of any before it. */
  pastSet: { readonly past: Past };
  marketSwitched: { readonly on: boolean };
  scenePlayed: { readonly scene: Scene };
  /** Each time that it says a mark; a halt once. */
  sceneHeld: HeldScene & { readonly id: Id; readonly again: boolean; readonly mark?: Price };
  /** `held` when it had halted its symbol or pinned its mark. */
  sceneEnded: { readonly id: Id; readonly held?: HeldScene };
  /** What it is used for; `coin` is the one whose price follows the path. */
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
    /** Only in isolated hedge mode, where each side has a leverage of its own. */
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
  /** One position's part in a funding; `amount` is positive when it received. */
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
   * Every position of a symbol has paid or received; longs have paid when the rate is positive.
   * `next` is when it comes again.
   */
  fundingSettled: {
    readonly category: FuturesCategory;
    readonly symbol: string;
    readonly rate: Rate;
    readonly at: Timestamp;
    readonly next: Timestamp;
  };
  /**
   * An isolated position, or without `positionId` the rest of an account, had no more than its
   * maintenance: in the margin coin, or in USD.
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
  /** A pair owed too much of what it had, both in quote coin at its index. */
  isolatedLiquidationBegun: {
    readonly uid: Uid;
    readonly symbol: string;
    readonly assets: Amount;
    readonly debts: Amount;
  };
  /** Somebody has become a leader, or what he is has changed. */
  leaderMade: { readonly leader: LeaderRow };
  /** Somebody follows a leader from now on, or in another way. */
  followingChanged: { readonly following: FollowingRow };
  followingEnded: { readonly follower: Uid; readonly leader: Uid };
  trackedOrderOpened: { readonly order: TrackedOrderRow };
  /** A part of it was closed, or its take-profit or stop-loss has changed. */
  trackedOrderChanged: { readonly order: TrackedOrderRow };
  /** All of it is closed; of a copy, the leader was paid this share of what it earned. */
  trackedOrderEnded: { readonly order: TrackedOrderRow; readonly share: Amount };
  orderNotCopied: { readonly missed: NotCopiedRow };
  /** A user became an agent, or an agent has other terms than before. */
  agentMade: { readonly agent: Agent };
  /**
   * A user registered with an agent's code. `upperUid` is the agent whose customer that agent is,
   * when there is one.
   */
  customerReferred: { readonly uid: Uid; readonly agentUid: Uid; readonly upperUid?: Uid };
  feeCreditGranted: {
    readonly creditId: Id;
    readonly uid: Uid;
    readonly coin: string;
    readonly kind: FeeCreditKind;
    readonly amount: Amount;
  };
  /**
   * `upper` is the agent above the one who earned: he sees the row too, under an id of its own, and
   * earns nothing on it.
   */
  commissionPaid: {
    readonly commission: Commission;
    readonly upper?: { readonly agentUid: Uid; readonly commissionId: Id };
  };
  levelChanged: { readonly uid: Uid; readonly level: Level };
  /** The whole table as it is from now on. */
  feesSet: {
    readonly market: FeeMarket;
    readonly table: Readonly<Record<Level, { readonly maker: Rate; readonly taker: Rate }>>;
  };
  /** `day` is the midnight in UTC+8 at which the day began that has now ended. */
  settlementDayEnded: { readonly day: Timestamp };
  /** An internal transfer has ended with this event; a withdrawal on chain goes on from here. */
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
  /** `amount` is absent when it is no longer watched. */
  reserveSet: { readonly coin: string; readonly amount?: Amount };
  /** One line of the audit trail: who did what, to which withdrawal, user or coin. */
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
  /** Its price was reached and its order was accepted; what the order did is told before. */
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

/** From which event on things happened at a time. */
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
   * When they happened, in order, where that was not at that time alone: what had fallen due
   * before, or on the way of a clock that is moved.
   */
  readonly moments?: readonly EventMoment[];
}
