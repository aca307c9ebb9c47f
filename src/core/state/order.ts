/** The record of an open order and of its hold. */

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

/** The request that used a client order id. */
export interface ClientOidUse {
  readonly orderId: Id;
  /** What identifies a repeated request: its content, or 53 bits of its digest. */
  readonly content: number | string;
  readonly at: Timestamp;
  /** The first answer did not show the order id, so later answers do not either. */
  readonly hidesOrderId: boolean;
}

/**
 * Client order ids of one period as columns, oldest first. They expire by generation, so expiry has
 * a constant cost.
 */
export interface ClientOidGeneration {
  readonly since: Timestamp;
  until: Timestamp;
  readonly uids: Uid[];
  readonly names: ClientOid[];
  readonly orderIds: Id[];
  readonly contents: (number | string)[];
  readonly ats: Timestamp[];
  /** Orders whose first answer did not show the order id. */
  readonly untold: Set<Id>;
}

export interface Order {
  readonly id: Id;
  readonly uid: Uid;
  /** The master account. Orders of one owner would self-trade. */
  readonly owner: Uid;
  readonly clientOid: ClientOid;
  readonly key: string;
  readonly category: Category;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** The worst tick at which it may trade. For a market order, the price band when it matches. */
  limit: Tick;
  /** As requested; zero for an order in quote coin. */
  lots: Lots;
  readonly quoteAmount?: Amount | undefined;
  readonly positionMode: PositionMode;
  /** In hedge mode only. */
  readonly positionSide?: PositionSide | undefined;
  readonly intent?: Intent | undefined;
  readonly reduceOnly: boolean;
  readonly marginMode?: MarginMode | undefined;
  /** Follows the leverage setting of the symbol while the order is open. */
  leverage?: DecimalText | undefined;
  readonly selfTradeMode: SelfTradeMode;
  readonly executionKind: ExecutionKind;
  readonly origin: OrderOrigin;
  readonly loanType?: LoanType | undefined;
  readonly createdAt: Timestamp;
  /** Its rank among orders at one price: its id, or a later id if it waited for a halted symbol. */
  priority: Id;
  /** True while it waits for its symbol to resume. */
  waiting: boolean;
  /**
   * Lots that may still trade; zero for an order in quote coin. A reduce-only order may have fewer
   * than its unfilled lots, because it is cut to the position.
   */
  left: Lots;
  filled: Lots;
  filledValue: Amount;
  hold: Hold;
}

/**
 * `wallet` moves money from available to locked. `margin` moves no money, but counts the amount as
 * initial margin of the crossed account. `isolated` locks money of one pair, which may be borrowed.
 * `none` is for orders that only reduce and for orders of the engine. `lots` is the part of the
 * order that the hold covers: lots that would open a position, all lots of a spot order, or none of
 * an order in quote coin.
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
 * Whether the hold of an order is set aside. `proposed` and `replacing` are for a check before the
 * order is accepted; `replacing` is the open order that it would replace.
 */
export type Acceptance = 'accepted' | 'proposed' | { readonly replacing: Order };

export const NO_HOLD: Hold = { kind: 'none' };
