/** The handler of each command. A command without one does not compile. */

import { createUser } from './accounts/create-user.ts';
import { createKey, revokeKey } from './accounts/keys.ts';
import { setMarginMode, setPositionMode } from './accounts/settings.ts';
import { grantFeeCredit } from './agents/fee-credits.ts';
import { makeAgent } from './agents/make-agent.ts';
import { moveClock, tick } from './clock/clock.ts';
import { closeTrackedOrders } from './copy/close-tracked.ts';
import { setCopySettings, unfollow } from './copy/follow.ts';
import { makeLeader } from './copy/leaders.ts';
import { setTrackedOrderTpsl } from './copy/tracked-tpsl.ts';
import { setFees } from './levels/set-fees.ts';
import { listCoin, listInstrument, setInstrumentStatus } from './listings/listings.ts';
import { setPrices } from './prices/set-prices.ts';
import { setCoinLeverage } from './trading/leverage/coin-leverage.ts';
import { setLeverage, setSideLeverages } from './trading/leverage/leverage.ts';
import { cancelAllOrders, cancelOrders } from './trading/orders/cancel-orders.ts';
import { closePositions } from './trading/orders/close-positions.ts';
import { setCountdown } from './trading/orders/countdown.ts';
import { setDailyOrders, setSelfTradeMode } from './trading/orders/order-settings.ts';
import { placeOrders } from './trading/orders/place-orders.ts';
import { adjustMargin } from './trading/positions/adjust-margin.ts';
import type { Handlers } from './transaction/step.ts';
import { deposit } from './transfers/deposits.ts';
import { borrowIsolated, repayIsolated, transferIsolated } from './transfers/pair-money.ts';
import { transferWithin } from './transfers/transfers.ts';
import { cancelTriggers } from './triggers/cancel-triggers.ts';
import { changeTrigger } from './triggers/change-trigger.ts';
import { modifyOrder } from './triggers/modify-order.ts';
import { placeProtectedOrders } from './triggers/place-protected.ts';
import { placeTpsl } from './triggers/place-tpsl.ts';
import { placeTrigger } from './triggers/place-trigger.ts';
import { askChain, reportChain } from './withdrawals/chain-reports.ts';
import { cancelWithdrawal, decideWithdrawal } from './withdrawals/decide-withdrawal.ts';
import { requestWithdrawal } from './withdrawals/request-withdrawal.ts';
import { setReserve, switchWithdrawals } from './withdrawals/reserves.ts';
import { transferToUser } from './withdrawals/transfer-to-user.ts';
import { setPricesWithQuotes } from './world/quoted-prices.ts';
import { endRecordedPath, importRecording } from './world/recordings.ts';
import { endScene, holdScene, playScene, setMaking } from './world/scenes.ts';
import { openWorld, setPast, switchMarket } from './world/world.ts';

export const handlers: Handlers = {
  // Time and the world.
  tick,
  moveClock,
  openWorld,
  switchMarket,
  playScene,
  holdScene,
  endScene,
  setMaking,
  setPast,
  importRecording,
  endRecordedPath,
  // Listings and prices.
  listCoin,
  listInstrument,
  setInstrumentStatus,
  setPrices,
  setPricesWithQuotes,
  // Users and their settings.
  createUser,
  createKey,
  revokeKey,
  setLeverage,
  setSideLeverages,
  setCoinLeverage,
  setMarginMode,
  setPositionMode,
  // Orders and positions.
  placeOrders,
  placeProtectedOrders,
  modifyOrder,
  cancelOrders,
  cancelAllOrders,
  closePositions,
  adjustMargin,
  setSelfTradeMode,
  setCountdown,
  setDailyOrders,
  // Copy trading.
  makeLeader,
  setCopySettings,
  unfollow,
  setTrackedOrderTpsl,
  closeTrackedOrders,
  // Triggers.
  placeTrigger,
  placeTpsl,
  cancelTriggers,
  changeTrigger,
  // Money.
  deposit,
  transferIsolated,
  transferWithin,
  borrowIsolated,
  repayIsolated,
  // Agents.
  makeAgent,
  grantFeeCredit,
  setFees,
  // Withdrawals.
  requestWithdrawal,
  transferToUser,
  cancelWithdrawal,
  decideWithdrawal,
  askChain,
  reportChain,
  switchWithdrawals,
  setReserve,
};
