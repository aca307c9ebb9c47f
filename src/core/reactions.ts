/** The reactions to each event, in order. An event without a row does not compile. */

import { keepLeverages } from './accounts/settings.ts';
import { addNewSubAccount } from './accounts/sub-accounts.ts';
import { accrueFees, endFeeDay } from './agents/commissions.ts';
import { attachCustomer } from './agents/referrals.ts';
import { countTrackedFill, finishTracked } from './copy/tracked-fills.ts';
import {
  reachTpsl,
  retryWithListing,
  retryWithMaker,
  retryWithMark,
  retryWithModified,
  retryWithStatus,
} from './copy/tracked-tpsl.ts';
import { moveFunding, pausePremium, startFunding } from './funding/settle-funding.ts';
import { countVolume, startLevels } from './levels/fee-levels.ts';
import {
  resumeWithMarket,
  resumeWithPin,
  resumeWithStatus,
  watchAllForCoin,
  watchAllForFees,
  watchAllForInstrument,
  watchIndex,
  watchLevel,
  watchLoan,
  watchMark,
  watchPosition,
  watchWallets,
} from './liquidation/watch.ts';
import {
  watchAllPairs,
  watchPairDebt,
  watchPairsOfCoin,
  watchPairsOfInstrument,
  watchPairsOfSymbol,
} from './liquidation/watch-pairs.ts';
import { haltWithScene, openAfterScene } from './listings/listings.ts';
import {
  moveLastPrice,
  moveMarksWithIndex,
  moveMarkWithPin,
  startMark,
  watchAllBooks,
  watchBookOfAccepted,
  watchBookOfEnded,
  watchBookOfListed,
  watchBookOfModified,
  watchBookOfResumed,
  watchBooksOfIndex,
} from './prices/market-prices.ts';
import { pinWithScene, releaseAfterScene } from './prices/set-prices.ts';
import { openBook } from './rebuild.ts';
import { startInterest } from './trading/charges/interest.ts';
import { startPairInterest } from './trading/charges/pair-interest.ts';
import {
  recheckSharesWithDebt,
  recheckSharesWithPosition,
  updateIndex,
  updateMarket,
  updatePin,
} from './trading/charges/settle-charges.ts';
import {
  lowerWithListing,
  lowerWithOrder,
  lowerWithPosition,
  remarginWithCoin,
} from './trading/leverage/coin-leverage.ts';
import { trimReduceOnly } from './trading/orders/reduce-only.ts';
import { activateWaitingOrders, endOrdersOfClosedSymbol } from './trading/orders/resume.ts';
import type { Reactions } from './transaction/step.ts';
import { cancelTriggersOfClosed } from './triggers/cancel-triggers.ts';
import {
  armPendingTpsl,
  cancelTpslOfClosed,
  countPendingFill,
  forgetClosedFills,
  reachBy,
  reachByAllMarks,
  reachByPin,
} from './triggers/fire-triggers.ts';
import { returnUnsent } from './withdrawals/unlisted-chains.ts';

export const reactions: Reactions = {
  // Time and the world.
  clockMoved: [],
  settlementDayEnded: [endFeeDay, startLevels],
  worldOpened: [],
  pastSet: [],
  scenePlayed: [],
  sceneHeld: [haltWithScene, pinWithScene],
  sceneEnded: [openAfterScene, releaseAfterScene],
  makingSet: [],
  recordingImported: [],
  recordedPathEnded: [],
  marketSwitched: [reachByAllMarks, watchAllBooks, resumeWithMarket, watchAllPairs, updateMarket],
  // Listings and prices.
  coinListed: [remarginWithCoin, watchAllForCoin, returnUnsent],
  instrumentListed: [
    openBook,
    keepLeverages,
    lowerWithListing,
    startMark,
    moveFunding,
    watchBookOfListed,
    watchAllForInstrument,
    watchPairsOfInstrument,
    retryWithListing,
  ],
  instrumentStatusChanged: [
    // First cancel resting orders, so that activated orders do not match them.
    endOrdersOfClosedSymbol,
    cancelTriggersOfClosed,
    activateWaitingOrders,
    watchBookOfResumed,
    resumeWithStatus,
    watchPairsOfSymbol,
    retryWithStatus,
  ],
  indexPriceMoved: [
    moveMarksWithIndex,
    reachBy.index,
    watchBooksOfIndex,
    watchIndex,
    watchPairsOfCoin,
    updateIndex,
  ],
  markPinned: [moveMarkWithPin, reachByPin, resumeWithPin, updatePin],
  markPriceMoved: [reachBy.mark, watchMark, retryWithMark],
  // Users and their settings.
  userCreated: [addNewSubAccount, attachCustomer],
  keyCreated: [],
  keyRevoked: [],
  leverageChanged: [],
  coinLeverageChanged: [],
  marginModeChanged: [],
  positionModeChanged: [],
  // Orders, trades and positions.
  orderAccepted: [watchBookOfAccepted, retryWithMaker],
  orderActivated: [],
  orderModified: [watchBookOfModified, retryWithModified],
  tradeExecuted: [moveLastPrice, reachBy.last, reachTpsl],
  orderEnded: [armPendingTpsl, watchBookOfEnded, finishTracked, lowerWithOrder],
  fillSettled: [countPendingFill, accrueFees, countVolume, countTrackedFill],
  orderReleveraged: [],
  positionChanged: [trimReduceOnly, startFunding, watchPosition],
  positionClosed: [
    cancelTpslOfClosed,
    forgetClosedFills,
    pausePremium,
    lowerWithPosition,
    recheckSharesWithPosition,
  ],
  fundingCharged: [],
  fundingSettled: [],
  liquidationBegun: [],
  triggerPlaced: [],
  triggerChanged: [],
  triggerFired: [],
  triggerFailed: [],
  triggerCancelled: [],
  dailyOrdersSet: [],
  dailyOrdersReached: [],
  selfTradeModeChanged: [],
  // Copy trading. Mirroring for followers is deferred work (`core/copy/mirror.ts`).
  leaderMade: [],
  followingChanged: [],
  followingEnded: [],
  trackedOrderOpened: [],
  trackedOrderChanged: [],
  trackedOrderEnded: [],
  orderNotCopied: [],
  // Money.
  interestCharged: [],
  debtChanged: [startInterest, watchLoan, recheckSharesWithDebt],
  isolatedDebtChanged: [startPairInterest, watchPairDebt],
  isolatedLiquidationBegun: [],
  entryPosted: [watchWallets],
  depositCredited: [],
  // Agents and levels.
  agentMade: [],
  customerReferred: [],
  feeCreditGranted: [],
  commissionPaid: [],
  levelChanged: [watchLevel],
  feesSet: [watchAllForFees],
  // Withdrawals.
  withdrawalRequested: [],
  withdrawalMoved: [],
  withdrawalEnded: [],
  withdrawalsSwitched: [],
  reserveSet: [],
  operatorActed: [],
};
