/** The record of an account: profile, settings and the ids of its open orders. */

import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { UserProfile } from '../../messages/events.ts';
import type { Level, MarginMode, PositionMode, SelfTradeMode } from '../../messages/vocabulary.ts';

export type SubAccounts = Map<Uid, Uid[]>;

export interface SymbolSetting {
  marginMode: MarginMode;
  leverage: DecimalText;
  /** Set only in isolated hedge mode, where the sides may differ. */
  longLeverage?: DecimalText;
  shortLeverage?: DecimalText;
}

export interface Account {
  profile: UserProfile;
  /** The minimum that the operator set. The level in the profile is never lower. */
  grantedLevel: Level;
  positionMode: PositionMode;
  selfTradeMode: SelfTradeMode;
  /** By instrument key. Without a setting, the defaults of the listing apply (ACC-13, ACC-24). */
  symbolSettings: Map<string, SymbolSetting>;
  coinLeverages: Map<string, DecimalText>;
  createdAt: Timestamp;
  /** Open orders, oldest first. */
  readonly openOrders: Id[];
  /** The number of open futures orders. */
  openFutures: number;
  /** For a master account: orders that it and its sub-accounts placed on a UTC day. */
  ordersToday: { day: Timestamp; count: number };
  /** Live triggers by instrument, oldest first. */
  triggers: Map<string, Set<Id>>;
}
