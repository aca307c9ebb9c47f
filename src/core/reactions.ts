/** Who reacts to what, in order. Reading this table is reading the exchange; an event without a row does not compile. */
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
  instrumentListed: [startMark],
  instrumentStatusChanged: [],
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
  // Money.
  entryPosted: [],
  depositCredited: [],
};
