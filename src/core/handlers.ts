/** Who carries out what. Every command has one handler; a command without one does not compile. */
import { createUser } from './accounts/create-user.ts';
import { createKey, revokeKey } from './accounts/keys.ts';
import { setCoinLeverage, setLeverage, setMarginMode, setPositionMode } from './accounts/settings.ts';
import { moveClock, tick } from './clock/clock.ts';
import { listCoin, listInstrument, setInstrumentStatus } from './instruments/listings.ts';
import { deposit } from './ledger/deposits.ts';
import { setPrices } from './prices/set-prices.ts';
import type { Handlers } from './step.ts';
import { openWorld, switchMarket } from './world/world.ts';

export const handlers: Handlers = {
  // Time and the world.
  tick,
  moveClock,
  openWorld,
  switchMarket,
  // What is listed, and what it is worth.
  listCoin,
  listInstrument,
  setInstrumentStatus,
  setPrices,
  // Users and what they set.
  createUser,
  createKey,
  revokeKey,
  setLeverage,
  setCoinLeverage,
  setMarginMode,
  setPositionMode,
  // Money.
  deposit,
};
