/**
 * Copy trading data of the core's interface: followers' settings, tracked orders, and orders that
 * were not copied.
 */
import { oneOf, optional, record, text, type ValueOf, whole } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { RejectionReason } from './rejections.ts';
import {
  type CancelReason,
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type MarginMode,
  type PositionSide,
} from './vocabulary.ts';

/** `basic` always uses the leader's leverage and margin mode. */
export const COPY_MODES = ['basic', 'advanced'] as const;
export type CopyMode = (typeof COPY_MODES)[number];

/** Whose margin mode a copy uses. */
export const COPY_MARGINS = ['leader', 'own'] as const;
/** Whose leverage a copy uses: the open position's, a given one, or the leader's. */
export const COPY_LEVERAGES = ['position', 'own', 'leader'] as const;
/**
 * The meaning of a setting's value: a multiple of the leader's size, an amount of the margin coin,
 * or a size in base coin.
 */
export const COPY_SIZINGS = ['multiple', 'amount', 'size'] as const;

/** How one symbol of a leader is copied. */
export const copySettingCodec = record({
  category: oneOf(FUTURES_CATEGORIES),
  symbol: text(),
  margin: oneOf(COPY_MARGINS),
  marginCoin: optional(text()),
  leverage: oneOf(COPY_LEVERAGES),
  longLeverage: optional(text<DecimalText>()),
  shortLeverage: optional(text<DecimalText>()),
  sizing: oneOf(COPY_SIZINGS),
  value: text<DecimalText>(),
  /** Most open copies of this leader's orders in the symbol; the general limit if missing. */
  heldMax: optional(whole()),
  /** Return on margin, in percent, at which a copy closes early. */
  takeProfitRatio: optional(text<DecimalText>()),
  stopLossRatio: optional(text<DecimalText>()),
});
export type CopySetting = ValueOf<typeof copySettingCodec>;

/** The role of the caller of a copy trading call. */
export const COPY_ROLES = ['leader', 'follower'] as const;

export interface LeaderRow {
  readonly uid: Uid;
  readonly profitShare: Rate;
  /** All futures if missing. */
  readonly symbols?: readonly string[];
  readonly followersMax: number;
}

/** One follower's relation to one leader. */
export interface FollowingRow {
  readonly followingId: Id;
  readonly follower: Uid;
  readonly leader: Uid;
  readonly mode: CopyMode;
  readonly autoCopy: boolean;
  readonly settings: readonly CopySetting[];
  readonly since: Timestamp;
}

/** Who or what closed the last part of a tracked order. */
export type TrackedOrderCloser = 'follower' | 'leader' | 'takeProfit' | 'stopLoss' | 'liquidation';

/** The current state of a leader's opening order, or of one follower's copy of it. */
export interface TrackedOrderRow {
  readonly trackingId: Id;
  readonly uid: Uid;
  readonly leader: Uid;
  /** Only of a copy: the leader's tracked order. */
  readonly originalId?: Id;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
  /** Its margin when it was opened. */
  readonly margin: Amount;
  readonly openOrderId: Id;
  /** The last order that closed a part of it. */
  readonly closeOrderId?: Id;
  readonly closer?: TrackedOrderCloser;
  readonly openSize: Size;
  readonly openPrice: Price;
  readonly openFee: Amount;
  readonly openedAt: Timestamp;
  readonly closedSize: Size;
  readonly closedPrice: Price;
  readonly closeFee: Amount;
  /** Realised profit of the closed part against its own opening price, without fees. */
  readonly profit: Amount;
  /** Only of a copy in profit: the leader's share. */
  readonly shareDue?: Amount;
  readonly takeProfit?: Price;
  readonly stopLoss?: Price;
}

/** Reasons that apply only to copies, not to direct orders. */
const COPY_FAULTS = ['belowFollowLimit', 'tooManyTrackedOrders', 'originalClosed'] as const;
export type NotCopiedReason = RejectionReason | CancelReason | (typeof COPY_FAULTS)[number];

/** An order of a leader, or a part of it, that a follower did not get, with the reason. */
export interface NotCopiedRow {
  readonly id: Id;
  readonly leader: Uid;
  /** Missing if no follower could copy it. */
  readonly follower?: Uid;
  /** The leader's order. */
  readonly openOrderId: Id;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly side: PositionSide;
  /** The missed size; zero if no size had been computed yet. */
  readonly size: Size;
  readonly reason: NotCopiedReason;
}
