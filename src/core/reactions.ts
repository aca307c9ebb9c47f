/** Who reacts to what, in order. Reading this table is reading the exchange; an event without a row does not compile. */
import { openBook } from './instruments/open-book.ts';
import { activateWaitingOrders, endOrdersOfClosedSymbol } from './orders/resume.ts';
import { trimReduceOnly } from './orders/trim-reduce-only.ts';
import { moveLastPrice } from './prices/last-prices.ts';
import { moveMarksWithIndex, moveMarkWithPin, startMark } from './prices/mark-prices.ts';
import type { Reactions } from './step.ts';

export const reactions: Reactions = {
  // Time and the world.
  clockMoved: [],
  settlementDayEnded: [],
  worldOpened: [],
  marketSwitched: [],
  // What is listed, and what it is worth.
  coinListed: [],
  instrumentListed: [openBook, startMark],
  instrumentStatusChanged: [activateWaitingOrders, endOrdersOfClosedSymbol],
  indexPriceMoved: [moveMarksWithIndex],
  markPinned: [moveMarkWithPin],
  markPriceMoved: [],
  // Users and what they set.
  userCreated: [],
  keyCreated: [],
  keyRevoked: [],
  leverageChanged: [],
  coinLeverageChanged: [],
  marginModeChanged: [],
  positionModeChanged: [],
  // Orders, trades and positions.
  orderAccepted: [],
  orderActivated: [],
  tradeExecuted: [moveLastPrice],
  fillSettled: [],
  orderEnded: [],
  positionChanged: [trimReduceOnly],
  positionClosed: [],
  dailyOrdersSet: [],
  dailyOrdersReached: [],
  selfTradeModeChanged: [],
  // Money.
  debtChanged: [],
  entryPosted: [],
  depositCredited: [],
};
