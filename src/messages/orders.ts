/**
 * Orders, fills and positions as they cross the core's border: what is asked for, and what has
 * become of it.
 */
import {
  flag,
  name,
  oneOf,
  optional,
  readOneOf,
  readOneOfIfAny,
  readTextIfAny,
  record,
  text,
  type ValueOf,
  writeOneOf,
  writeOneOfIfAny,
  writeTextIfAny,
} from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { AttachedTpsl } from './triggers.ts';
import {
  type CancelReason,
  type Category,
  type ExecutionKind,
  type FuturesCategory,
  type Intent,
  LOAN_TYPES,
  type LoanType,
  MARGIN_MODES,
  type MarginMode,
  ORDER_TYPES,
  type OrderOrigin,
  type OrderStatus,
  type OrderType,
  POSITION_SIDES,
  type PositionMode,
  type PositionSide,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
  type TimeInForce,
} from './vocabulary.ts';

const draftFields = {
  symbol: name(),
  side: oneOf(SIDES),
  orderType: oneOf(ORDER_TYPES),
  /** Base coin; quote coin for a market buy of SPOT and MARGIN. */
  size: text<DecimalText>(),
  price: optional(text<DecimalText>()),
  timeInForce: oneOf(TIMES_IN_FORCE),
  /** The position it is about, in hedge mode. */
  positionSide: optional(oneOf(POSITION_SIDES)),
  clientOid: optional(text<ClientOid>()),
  selfTradeMode: optional(oneOf(SELF_TRADE_MODES)),
  reduceOnly: flag,
  /** Must be the symbol's mode, or switches it while the symbol is flat. */
  marginMode: optional(oneOf(MARGIN_MODES)),
  /** Given for an order on isolated spot margin. */
  loanType: optional(oneOf(LOAN_TYPES)),
};

/**
 * An order as it is asked for. Sizes and prices are plain decimals: the core holds them against the
 * instrument's steps.
 */
export const orderDraftCodec = record(draftFields, {
  read: (from) => ({
    symbol: from.name(),
    side: readOneOf(from, SIDES),
    orderType: readOneOf(from, ORDER_TYPES),
    size: from.text() as DecimalText,
    price: readTextIfAny<DecimalText>(from),
    timeInForce: readOneOf(from, TIMES_IN_FORCE),
    positionSide: readOneOfIfAny(from, POSITION_SIDES),
    clientOid: readTextIfAny<ClientOid>(from),
    selfTradeMode: readOneOfIfAny(from, SELF_TRADE_MODES),
    reduceOnly: from.byte() === 1,
    marginMode: readOneOfIfAny(from, MARGIN_MODES),
    loanType: readOneOfIfAny(from, LOAN_TYPES),
  }),
  write: (to, draft) => {
    to.text(draft.symbol);
    writeOneOf(to, SIDES, draft.side);
    writeOneOf(to, ORDER_TYPES, draft.orderType);
    to.text(draft.size);
    writeTextIfAny(to, draft.price);
    writeOneOf(to, TIMES_IN_FORCE, draft.timeInForce);
    writeOneOfIfAny(to, POSITION_SIDES, draft.positionSide);
    writeTextIfAny(to, draft.clientOid);
    writeOneOfIfAny(to, SELF_TRADE_MODES, draft.selfTradeMode);
    to.byte(draft.reduceOnly ? 1 : 0);
    writeOneOfIfAny(to, MARGIN_MODES, draft.marginMode);
    writeOneOfIfAny(to, LOAN_TYPES, draft.loanType);
  },
});
export type OrderDraft = ValueOf<typeof orderDraftCodec>;

/** An order when it was accepted. What changes later comes with `fillSettled` and `orderEnded`. */
export interface OrderRow {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly category: Category;
  readonly symbol: string;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  /** Absent for a market order. */
  readonly price?: Price | undefined;
  /** Base coin; zero for an order given in quote coin. */
  readonly size: Size;
  /** Quote coin, for a market buy of SPOT and MARGIN. */
  readonly quoteAmount?: Amount | undefined;
  readonly status: OrderStatus;
  readonly positionMode: PositionMode;
  readonly positionSide?: PositionSide | undefined;
  readonly intent?: Intent | undefined;
  readonly marginMode?: MarginMode | undefined;
  readonly reduceOnly: boolean;
  readonly selfTradeMode: SelfTradeMode;
  readonly executionKind: ExecutionKind;
  readonly origin: OrderOrigin;
  readonly loanType?: LoanType | undefined;
  readonly feeCoin: string;
  /** What may trade: less than `size` when an order that only reduces was cut to its position. */
  readonly openSize?: Size | undefined;
  /** Of futures: what it is margined at. */
  readonly leverage?: DecimalText | undefined;
  /** What it leaves its position with once it is done. */
  readonly takeProfit?: AttachedTpsl;
  readonly stopLoss?: AttachedTpsl;
  /**
   * What it uses of a crossed account's margin, until it fills or ends; absent when it holds money
   * or needs none.
   */
  readonly marginHold?: { readonly coin: string; readonly amount: Amount } | undefined;
}

/** One order's part in a trade, settled. */
export interface FillRow {
  readonly fillId: Id;
  readonly tradeId: Id;
  readonly orderId: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly category: Category;
  readonly symbol: string;
  readonly orderType: OrderType;
  readonly side: Side;
  readonly price: Price;
  readonly size: Size;
  readonly value: Amount;
  readonly role: 'taker' | 'maker';
  readonly feeCoin: string;
  /** Positive when paid. */
  readonly fee: Amount;
  readonly positionSide?: PositionSide | undefined;
  readonly intent?: Intent | undefined;
  /** Of a fill that closed a position and went on to the other side: how much of it opened. */
  readonly openedSize?: Size | undefined;
  /** Realised profit in the margin coin, fees aside. */
  readonly profit: Amount;
  /**
   * Of a close that drew on clearing further than the house stands for (POS-153): what its profit
   * is less than its price says.
   */
  readonly leftToClearing?: Amount | undefined;
  readonly executionKind: ExecutionKind;
  readonly loanType?: LoanType | undefined;
  /** Both sides belonged to one master account. */
  readonly selfTrade: boolean;
  /**
   * What the order still uses of a crossed account's margin after this fill; absent when that is
   * nothing.
   */
  readonly marginHold?: Amount | undefined;
}

/**
 * What a position was entered at, at twice money's decimals so that no digit of the average is
 * lost.
 */
export interface Entry {
  readonly size: Size;
  readonly cost: bigint;
}

/** A position as it stands; `size` zero means that it has just closed. */
export interface PositionRow {
  /** The id it had from its opening to its end. */
  readonly positionId: Id;
  readonly uid: Uid;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly side: PositionSide;
  readonly positionMode: PositionMode;
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
  readonly size: Size;
  /** Held back by resting orders that close it. */
  readonly lockedSize: Size;
  /** Size and what it cost, exactly: the average entry price follows from it. */
  readonly entry: Entry;
  /** Isolated margin in it; zero when crossed. */
  readonly margin: Amount;
  readonly realisedProfit: Amount;
  /** Positive when received; undefined until the first funding. */
  readonly funding?: Amount | undefined;
  readonly openFees: Amount;
  readonly closeFees: Amount;
  /**
   * What has been closed of it so far, and what that brought: average price and value follow from
   * it.
   */
  readonly closed: Entry;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface OrderEnd {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly status: 'filled' | 'cancelled';
  readonly cancelReason?: CancelReason | undefined;
  /** Where it was; its book may have changed. */
  readonly category: Category;
  readonly symbol: string;
}
