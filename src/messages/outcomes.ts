/** The outcomes of accepted commands: what the caller gets back. */
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Amount } from '../kernel/money.ts';
import type { Result } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Rejection } from './rejections.ts';

/**
 * `orderId` is absent when a reduce-only order replaced older ones: query it by its `clientOid`.
 */
export interface PlacedOrder {
  readonly orderId?: Id | undefined;
  readonly clientOid: ClientOid;
}

/** The result of closing one position. */
export type ClosingOrder = Result<PlacedOrder, Rejection> & { readonly symbol: string };

export interface PlacedTrigger {
  readonly triggerId: Id;
  readonly clientOid: ClientOid;
}

/** By command. */
export interface Outcomes {
  tick: undefined;
  listCoin: undefined;
  listInstrument: undefined;
  setInstrumentStatus: undefined;
  createUser: { readonly uid: Uid };
  createKey: undefined;
  revokeKey: undefined;
  deposit: { readonly orderId: Id };
  setPrices: undefined;
  moveClock: { readonly now: Timestamp };
  switchMarket: undefined;
  setLeverage: undefined;
  setCoinLeverage: undefined;
  setMarginMode: undefined;
  setPositionMode: undefined;
  openWorld: undefined;
  placeOrders: readonly Result<PlacedOrder, Rejection>[];
  cancelOrders: readonly Result<
    { readonly orderId: Id; readonly clientOid: ClientOid },
    Rejection
  >[];
  cancelAllOrders: readonly { readonly orderId: Id; readonly clientOid: ClientOid }[];
  closePositions: readonly ClosingOrder[];
  adjustMargin: undefined;
  setDailyOrders: undefined;
  setSelfTradeMode: undefined;
  transferIsolated: { readonly transferId: Id; readonly clientOid: ClientOid };
  transferWithin: { readonly transferId: Id; readonly clientOid: ClientOid };
  borrowIsolated: { readonly loanId: Id; readonly amount: Amount };
  repayIsolated: { readonly repayId: Id; readonly repaid: Amount; readonly owed: Amount };
  setSideLeverages: undefined;
  placeProtectedOrders: readonly Result<PlacedOrder, Rejection>[];
  /** Holds the refusal if the order could not be changed and was cancelled for that. */
  modifyOrder: Result<{ readonly orderId: Id; readonly clientOid: ClientOid }, Rejection>;
  placeTrigger: PlacedTrigger;
  placeTpsl: readonly PlacedTrigger[];
  cancelTriggers: readonly Result<PlacedTrigger, Rejection>[];
  changeTrigger: PlacedTrigger;
  setCountdown: undefined;
  requestWithdrawal: { readonly orderId: Id; readonly clientOid: ClientOid };
  transferToUser: { readonly orderId: Id; readonly clientOid: ClientOid };
  cancelWithdrawal: undefined;
  decideWithdrawal: undefined;
  askChain: undefined;
  reportChain: undefined;
  switchWithdrawals: undefined;
  setReserve: undefined;
  makeLeader: undefined;
  setCopySettings: undefined;
  unfollow: undefined;
  setTrackedOrderTpsl: undefined;
  /** The orders that were sent, in the order of the tracked orders. */
  closeTrackedOrders: readonly {
    readonly trackingId: Id;
    readonly orderId: Id;
    readonly symbol: string;
  }[];
  makeAgent: { readonly referralCode: string };
  grantFeeCredit: { readonly creditId: Id };
  setFees: undefined;
  playScene: { readonly id: Id };
  endScene: undefined;
  setMaking: undefined;
  holdScene: undefined;
  setPast: undefined;
  importRecording: undefined;
  endRecordedPath: undefined;
  setPricesWithQuotes: undefined;
}
