/**
 * Copy trading as it crosses the core's border: what followers set, tracked orders as they stand,
 * and what was not copied.
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

/** Whose margin mode a copy is opened in. */
export const COPY_MARGINS = ['leader', 'own'] as const;
/**
 * Whose leverage a copy is opened at: that of the open position, one that was given, or the
 * leader's.
 */
export const COPY_LEVERAGES = ['position', 'own', 'leader'] as const;
/**
 * What the value of a setting is: a multiple of the leader's size, an amount of the margin coin, or
 * a size in base coin.
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
  /**
   * Open copies of this leader's orders in the symbol; as many as anybody may have when left out.
   */
  heldMax: optional(whole()),
  /** Percent return on margin at which a copy ends early. */
  takeProfitRatio: optional(text<DecimalText>()),
  stopLossRatio: optional(text<DecimalText>()),
});
export type CopySetting = ValueOf<typeof copySettingCodec>;

/** On whose side of copy trading a call is made. */
export const COPY_ROLES = ['leader', 'follower'] as const;

export interface LeaderRow {
  readonly uid: Uid;
  readonly profitShare: Rate;
  /** All futures when left out. */
  readonly symbols?: readonly string[];
  readonly followersMax: number;
}

/** A follower with one of his leaders. */
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

/** One opening order of a leader, or one follower's copy of it, as it stands. */
export interface TrackedOrderRow {
  readonly trackingId: Id;
  readonly uid: Uid;
  readonly leader: Uid;
  /** Of a copy: the leader's tracked order that it copies. */
  readonly originalId?: Id;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
  /** What was behind it when it was opened. */
  readonly margin: Amount;
  readonly openOrderId: Id;
  /** The last order that closed something of it. */
  readonly closeOrderId?: Id;
  readonly closer?: TrackedOrderCloser;
  readonly openSize: Size;
  readonly openPrice: Price;
  readonly openFee: Amount;
  readonly openedAt: Timestamp;
  readonly closedSize: Size;
  readonly closedPrice: Price;
  readonly closeFee: Amount;
  /** Realised by what was closed, fees aside, from its own opening price. */
  readonly profit: Amount;
  /** Of a copy that has earned something: its leader's share of that. */
  readonly shareDue?: Amount;
  readonly takeProfit?: Price;
  readonly stopLoss?: Price;
}

/** Ways not to be copied that no order of one's own could meet. */
const COPY_FAULTS = ['belowFollowLimit', 'tooManyTrackedOrders', 'originalClosed'] as const;
export type NotCopiedReason = RejectionReason | CancelReason | (typeof COPY_FAULTS)[number];

/** An order of a leader, or a part of it, that a follower does not have, and why. */
export interface NotCopiedRow {
  readonly id: Id;
  readonly leader: Uid;
  /** Left out when nobody could copy it. */
  readonly follower?: Uid;
  /** The leader's order. */
  readonly openOrderId: Id;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly side: PositionSide;
  /** What was missed; zero when it had not come to a size. */
  readonly size: Size;
  readonly reason: NotCopiedReason;
}
