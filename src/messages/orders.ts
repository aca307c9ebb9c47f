/** Orders, fills and positions as data of the core's interface: requests and results. */
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
  /** The affected position, in hedge mode. */
  positionSide: optional(oneOf(POSITION_SIDES)),
  clientOid: optional(text<ClientOid>()),
  selfTradeMode: optional(oneOf(SELF_TRADE_MODES)),
  reduceOnly: flag,
  /** Must equal the symbol's mode, or switches it while the symbol has no position or order. */
  marginMode: optional(oneOf(MARGIN_MODES)),
  /** For an order on isolated spot margin. */
  loanType: optional(oneOf(LOAN_TYPES)),
};

/**
 * A requested order. Sizes and prices are plain decimals: the core checks them against the
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

/** An order at acceptance. Later changes come with `fillSettled` and `orderEnded`. */
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
  /** The tradable size: less than `size` if a reduce-only order was cut to its position. */
  readonly openSize?: Size | undefined;
  /** Futures only: the leverage of its margin. */
  readonly leverage?: DecimalText | undefined;
  /** The take-profit and stop-loss that its position gets once the order is done. */
  readonly takeProfit?: AttachedTpsl;
  readonly stopLoss?: AttachedTpsl;
  /** The crossed margin it uses until it fills or ends; absent if it holds money or needs none. */
  readonly marginHold?: { readonly coin: string; readonly amount: Amount } | undefined;
}

/** The settled part of one order in a trade. */
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
  /** For a fill that flips a position: the size that opened the other side. */
  readonly openedSize?: Size | undefined;
  /** Realised profit in the margin coin, without fees. */
  readonly profit: Amount;
  /** The amount by which the clearing allowance reduced the profit of a close (POS-153). */
  readonly leftToClearing?: Amount | undefined;
  readonly executionKind: ExecutionKind;
  readonly loanType?: LoanType | undefined;
  /** Both orders belonged to one main account. */
  readonly selfTrade: boolean;
  /** The crossed margin that the order still uses after this fill; absent if zero. */
  readonly marginHold?: Amount | undefined;
}

/** A position's entry, with twice money's decimals, so that the average loses no digit. */
export interface Entry {
  readonly size: Size;
  readonly cost: bigint;
}

/** The current state of a position; `size` zero means that it has just closed. */
export interface PositionRow {
  /** Constant from opening to close. */
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
  /** Reserved by resting orders that close it. */
  readonly lockedSize: Size;
  /** Exact size and cost, which give the average entry price. */
  readonly entry: Entry;
  /** Isolated margin; zero if crossed. */
  readonly margin: Amount;
  readonly realisedProfit: Amount;
  /** Positive when received; undefined until the first funding. */
  readonly funding?: Amount | undefined;
  readonly openFees: Amount;
  readonly closeFees: Amount;
  /** The closed size and its value, which give the average closing price. */
  readonly closed: Entry;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface OrderEnd {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly status: 'filled' | 'cancelled';
  readonly cancelReason?: CancelReason | undefined;
  /** The old market; the order's book may have changed. */
  readonly category: Category;
  readonly symbol: string;
}
