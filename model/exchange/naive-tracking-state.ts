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

/** On which somebody leads. */
export interface NaiveSpec {
  readonly share: bigint;
  /** All where nothing is said. */
  readonly symbols: readonly string[] | undefined;
  readonly followersMax: number | undefined;
}

export interface NaiveFollowing {
  readonly follower: NaiveUser;
  readonly leader: NaiveUser;
  mode: 'basic' | 'advanced';
  autoCopy: boolean;
  settings: NaiveSetting[];
  /** How many tracked orders there had been when it began: those are not copied. */
  readonly begun: number;
}

/** One opening order of a leader, or one follower's copy of it. */
export interface NaiveTracked {
  /** In the order they were opened. */
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
  /** Of an original: what is left of it when only closing orders that are done count. */
  held: bigint;
  /** Of a copy: the leader's part of what it earns. */
  readonly share: bigint;
  /** From where its share of the original is counted. */
  base: { readonly size: bigint; readonly leader: bigint };
  /** Of a copy: what its leader had when he was last followed. */
  followed: bigint;
  /** No more than this may stay open. */
  target: bigint;
  /** Its own price was reached: all of it is closed, as far as any order goes. */
  tpsl: boolean;
  /** When an attempt to close it found somebody and closed nothing. */
  triedAt: number | undefined;
}

/** An order that copy trading has sent: to copy an original, or to close one tracked order. */
export type NaiveErrand =
  | NaiveCopyErrand
  | { readonly closes: NaiveTracked; readonly own: boolean };

export interface NaiveCopyErrand {
  readonly copies: NaiveTracked;
  readonly following: NaiveFollowing;
  /** What its leader had of it then. */
  readonly base: bigint;
}

/**
 * Whom it is about is settled when its turn comes, and kept while a slice has to wait for the next.
 */
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
  /** What its holder left to clearing. */
  readonly due?: bigint;
}
