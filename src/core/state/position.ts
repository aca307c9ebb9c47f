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
  /** Follows the leverage setting of the symbol. */
  leverage: DecimalText;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
  lots: Lots;
  /** Lots that resting close orders reserve, in hedge mode. */
  locked: Lots;
  /** Size and exact cost, from which the average entry price follows. */
  entry: Entry;
  /** Isolated margin; zero if crossed. */
  margin: Amount;
  realisedProfit: Amount;
  /** Positive if received; absent before the first settlement. */
  funding?: Amount | undefined;
  openFees: Amount;
  closeFees: Amount;
  closed: Entry;
}

/** One user's positions by instrument and side. One-way mode has at most one side open. */
export type Positions = Map<string, Position>;
