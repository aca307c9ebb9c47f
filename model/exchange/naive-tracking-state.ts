/** State of copy trading in the naive exchange: followings, tracked orders and jobs. */
import type { NaiveInstrument, NaivePosition, NaiveUser, PositionSide } from './naive-state.ts';

export interface NaiveSetting {
  readonly instrument: NaiveInstrument;
  readonly sizing: 'multiple' | 'amount' | 'size';
  readonly value: bigint;
  readonly margin: 'own' | 'leader';
  readonly leverage: 'position' | 'own' | 'leader';
  readonly longLeverage?: bigint;
  readonly shortLeverage?: bigint;
  readonly heldMax?: number;
  readonly takeProfitRatio?: bigint;
  readonly stopLossRatio?: bigint;
}

/** Conditions of a leader. */
export interface NaiveSpec {
  readonly share: bigint;
  /** All symbols if undefined. */
  readonly symbols: readonly string[] | undefined;
  readonly followersMax: number | undefined;
}

export interface NaiveFollowing {
  readonly follower: NaiveUser;
  readonly leader: NaiveUser;
  mode: 'basic' | 'advanced';
  autoCopy: boolean;
  settings: NaiveSetting[];
  /** Number of tracked orders when the following began; earlier ones are not copied. */
  readonly begun: number;
}

/** One opening order of a leader, or one follower's copy of it. */
export interface NaiveTracked {
  /** In opening order. */
  readonly number: number;
  readonly user: NaiveUser;
  readonly leader: NaiveUser;
  readonly original: NaiveTracked | undefined;
  readonly instrument: NaiveInstrument;
  readonly side: PositionSide;
  readonly isolated: boolean;
  readonly leverage: bigint;
  readonly opened: { readonly size: bigint; readonly cost: bigint; readonly fee: bigint };
  size: bigint;
  cost: bigint;
  closed: { size: bigint; cost: bigint };
  closeFee: bigint;
  profit: bigint;
  takeProfit: bigint | undefined;
  stopLoss: bigint | undefined;
  /** For an original: the size left, counting only closing orders that are done. */
  held: bigint;
  /** For a copy: the leader's profit share. */
  readonly share: bigint;
  /** Sizes from which the copy's share of the original is counted. */
  base: { readonly size: bigint; readonly leader: bigint };
  /** For a copy: size of the original when the copy last followed it. */
  followed: bigint;
  /** Largest size that may stay open. */
  target: bigint;
  /** Its own TP/SL was reached: it closes completely, within the band. */
  tpsl: boolean;
  /** Time of the last attempt to close that met an order and closed nothing. */
  triedAt: number | undefined;
}

/** An order that copy trading sent: to copy an original, or to close one tracked order. */
export type NaiveErrand =
  | NaiveCopyErrand
  | { readonly closes: NaiveTracked; readonly own: boolean };

export interface NaiveCopyErrand {
  readonly copies: NaiveTracked;
  readonly following: NaiveFollowing;
  /** Size of the original at that time. */
  readonly base: bigint;
}

/** Targets are fixed when the job starts, and kept while portions are pending. */
export type NaiveJob =
  | { readonly kind: 'open'; readonly original: NaiveTracked; targets?: NaiveUser[] }
  | { readonly kind: 'close'; readonly original: NaiveTracked; targets?: NaiveTracked[] }
  | { readonly kind: 'exit'; readonly tracked: NaiveTracked; targets?: NaiveTracked[] }
  | { readonly kind: 'retry'; readonly instrument: NaiveInstrument; targets?: NaiveTracked[] };

export interface NaiveFill {
  readonly position: NaivePosition;
  readonly size: bigint;
  readonly price: bigint;
  readonly fee: bigint;
  /** Levy paid to clearing. */
  readonly due?: bigint;
}
