/** The record of an open order and of what it holds. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Amount } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type {
  Category,
  ExecutionKind,
  Intent,
  LoanType,
  MarginMode,
  OrderOrigin,
  OrderType,
  PositionMode,
  PositionSide,
  SelfTradeMode,
  Side,
  TimeInForce,
} from '../../messages/vocabulary.ts';
import type { Lots, Tick } from '../book/order-book.ts';

/** What an id was used for. */
export interface ClientOidUse {
  readonly orderId: Id;
  /** Everything that makes two requests the same: as 53 bits of a digest, or as it is. */
  readonly content: number | string;
  readonly at: Timestamp;
  /** The first answer kept the order's id to itself, so every later one does. */
  readonly hidesOrderId: boolean;
}

/**
 * Ids used from a moment on, oldest first, a column for each thing known of them. They are
 * forgotten a generation at a time, which costs nothing however many they are.
 */
export interface ClientOidGeneration {
  readonly since: Timestamp;
  until: Timestamp;
  readonly uids: Uid[];
  readonly names: ClientOid[];
  readonly orderIds: Id[];
  readonly contents: (number | string)[];
  readonly ats: Timestamp[];
  /** Orders whose first answer kept the id to itself. */
  readonly untold: Set<Id>;
}

export interface Order {
  readonly id: Id;
  readonly uid: Uid;
  /** The master account: orders of one owner are the same person's. */
  readonly owner: Uid;
  readonly clientOid: ClientOid;
  readonly key: string;
  readonly category: Category;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /**
   * The worst tick it may trade at: its limit, or for a market order the price band of the moment
   * it is matched.
   */
  limit: Tick;
  /** As asked for; zero for an order given in quote coin. */
  lots: Lots;
  readonly quoteAmount?: Amount | undefined;
  readonly positionMode: PositionMode;
  /** In hedge mode only. */
  readonly positionSide?: PositionSide | undefined;
  readonly intent?: Intent | undefined;
  readonly reduceOnly: boolean;
  readonly marginMode?: MarginMode | undefined;
  /** Follows the symbol's setting as long as the order is open. */
  leverage?: DecimalText | undefined;
  readonly selfTradeMode: SelfTradeMode;
  readonly executionKind: ExecutionKind;
  readonly origin: OrderOrigin;
  readonly loanType?: LoanType | undefined;
  readonly createdAt: Timestamp;
  /**
   * Its place among the orders of one price: its id, or the id it was given when it came into the
   * book after a wait.
   */
  priority: Id;
  /** Waiting for its symbol to resume. */
  waiting: boolean;
  /**
   * What may still trade; zero for an order given in quote coin. Less than asked for minus filled
   * when a reduce-only order was cut to the position.
   */
  left: Lots;
  filled: Lots;
  filledValue: Amount;
  /**
   * What is set aside for it: locked in the wallet, or counted in the initial margin of a crossed
   * account.
   */
  hold: Hold;
}

/**
 * `wallet`: money moved from available to locked, in `coin`. `margin`: nothing moved, but so much
 * of the coin counts as used. `none`: it only reduces, or the engine itself sent it. `lots` is how
 * many of the order's lots the hold is for: those that would open a position, or all of a spot
 * order; none of an order given in quote coin, which holds money for its money. `isolated`: the
 * same as `wallet` with money of one pair, of which so much was borrowed for the order.
 */
export type Hold =
  | { readonly kind: 'none' }
  | { readonly kind: 'wallet'; readonly coin: string; amount: Amount; lots: Lots }
  | { readonly kind: 'margin'; readonly coin: string; amount: Amount; lots: Lots }
  | {
      readonly kind: 'isolated';
      readonly symbol: string;
      readonly coin: string;
      amount: Amount;
      lots: Lots;
      borrowed: Amount;
    };

/**
 * Whether what an order holds is set aside, or it is only being asked what would be if it were, be
 * it in the place of one that is open.
 */
export type Standing = 'held' | 'asked' | { readonly instead: Order };

export const NO_HOLD: Hold = { kind: 'none' };
