/** The record of a position. */

import type { Entry } from '../../formulas/entry.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { MarginMode, PositionMode, PositionSide } from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';

export interface Position {
  readonly id: Id;
  readonly uid: Uid;
  readonly key: string;
  readonly side: PositionSide;
  readonly positionMode: PositionMode;
  readonly marginMode: MarginMode;
  /** What it is margined at: follows the symbol's setting. */
  leverage: DecimalText;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
  lots: Lots;
  /** Held back by resting orders that close it, in hedge mode. */
  locked: Lots;
  /** Size and exact cost; the average entry price follows from it. */
  entry: Entry;
  /** Isolated margin; zero when crossed. */
  margin: Amount;
  realisedProfit: Amount;
  /** Positive when received; absent until the first. */
  funding?: Amount | undefined;
  openFees: Amount;
  closeFees: Amount;
  closed: Entry;
}

/**
 * One user's positions: by instrument and side. In one-way mode at most one side of an instrument
 * is open.
 */
export type Positions = Map<string, Position>;
