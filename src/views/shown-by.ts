/**
 * Who shows what: the views that receive an event, and whether history stores it and private
 * channels push it. An event without a row does not compile, nor does a view that handles other
 * events than its rows say.
 */
import type { EventType } from '../messages/events.ts';

/** Bills have no view of their own: they are made from events and stored in history. */
export type ViewName =
  | 'accounts'
  | 'agents'
  | 'bills'
  | 'clock'
  | 'copyTrading'
  | 'dailyOrders'
  | 'feeRates'
  | 'funding'
  | 'fundingRates'
  | 'isolatedPairs'
  | 'keys'
  | 'listings'
  | 'orders'
  | 'past'
  | 'positions'
  | 'priceCandles'
  | 'prices'
  | 'recordings'
  | 'trades'
  | 'triggers'
  | 'withdrawals';

/** `userStreams` are the private channels. */
type Showing = ViewName | 'history' | 'userStreams';

/** An empty row is an event that matters to the core alone. */
export const SHOWN_BY = {
  // Time and the world.
  clockMoved: ['prices', 'clock'],
  settlementDayEnded: [],
  worldOpened: ['clock'],
  pastSet: ['past'],
  scenePlayed: ['clock'],
  sceneHeld: [],
  sceneEnded: ['clock'],
  makingSet: [],
  recordingImported: ['priceCandles', 'recordings', 'past', 'trades'],
  recordedPathEnded: ['recordings'],
  marketSwitched: ['prices', 'clock'],
  // What is listed, and what it is worth.
  coinListed: ['listings'],
  instrumentListed: ['listings', 'prices', 'priceCandles', 'funding'],
  instrumentStatusChanged: ['listings'],
  indexPriceMoved: ['prices', 'priceCandles'],
  markPinned: ['prices'],
  markPriceMoved: ['prices', 'priceCandles'],
  // Users and what they set.
  userCreated: ['accounts'],
  keyCreated: ['keys'],
  keyRevoked: ['keys'],
  leverageChanged: ['accounts', 'userStreams'],
  coinLeverageChanged: ['accounts', 'userStreams'],
  marginModeChanged: ['accounts', 'userStreams'],
  positionModeChanged: ['accounts', 'userStreams'],
  // Orders, trades and positions.
  orderAccepted: ['orders', 'userStreams'],
  orderActivated: ['orders', 'userStreams'],
  orderModified: ['orders', 'userStreams'],
  tradeExecuted: ['prices', 'trades'],
  orderEnded: ['orders', 'triggers', 'userStreams'],
  fillSettled: ['orders', 'triggers', 'bills', 'userStreams'],
  orderReleveraged: ['orders', 'userStreams'],
  positionChanged: ['positions', 'funding', 'bills', 'userStreams'],
  positionClosed: [],
  fundingCharged: ['bills', 'userStreams'],
  fundingSettled: ['fundingRates', 'funding'],
  liquidationBegun: [],
  triggerPlaced: ['triggers'],
  triggerChanged: ['triggers'],
  triggerFired: ['triggers'],
  triggerFailed: ['triggers'],
  triggerCancelled: ['triggers'],
  dailyOrdersSet: ['dailyOrders'],
  dailyOrdersReached: ['dailyOrders'],
  selfTradeModeChanged: ['accounts'],
  // Copy trading.
  leaderMade: ['copyTrading'],
  followingChanged: ['copyTrading'],
  followingEnded: ['copyTrading'],
  trackedOrderOpened: ['copyTrading'],
  trackedOrderChanged: ['copyTrading'],
  trackedOrderEnded: ['copyTrading', 'bills', 'history'],
  orderNotCopied: ['history'],
  // Money.
  interestCharged: ['history'],
  debtChanged: ['accounts', 'userStreams'],
  isolatedDebtChanged: ['isolatedPairs', 'userStreams'],
  isolatedLiquidationBegun: [],
  entryPosted: ['accounts', 'isolatedPairs', 'bills', 'history', 'userStreams'],
  depositCredited: ['history'],
  // Agents and levels.
  agentMade: ['agents'],
  customerReferred: ['agents'],
  feeCreditGranted: [],
  commissionPaid: ['agents', 'history'],
  levelChanged: ['accounts'],
  feesSet: ['feeRates'],
  // Money out.
  withdrawalRequested: ['withdrawals'],
  withdrawalMoved: ['withdrawals'],
  withdrawalEnded: ['withdrawals'],
  withdrawalsSwitched: ['withdrawals'],
  reserveSet: ['withdrawals'],
  operatorActed: ['history'],
} as const satisfies Readonly<Record<EventType, readonly Showing[]>>;

/** Without an event whose row is missing, so that only the missing row does not compile. */
type Shown = keyof typeof SHOWN_BY & EventType;

/** The events that a view shows. */
export type ShownBy<Name extends Showing> = {
  [Type in Shown]: Name extends (typeof SHOWN_BY)[Type][number] ? Type : never;
}[Shown];
