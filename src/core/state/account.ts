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
  /** Set only in isolated hedge mode, where each side may differ. */
  longLeverage?: DecimalText;
  shortLeverage?: DecimalText;
}

export interface Account {
  profile: UserProfile;
  /** What the operator gave; the level in the profile may be higher and is never lower. */
  grantedLevel: Level;
  positionMode: PositionMode;
  selfTradeMode: SelfTradeMode;
  /** By instrument key; of one that was never set, its listing says what holds (ACC-13, ACC-24). */
  symbolSettings: Map<string, SymbolSetting>;
  coinLeverages: Map<string, DecimalText>;
  createdAt: Timestamp;
  /** Open orders in the order they came, and how many of them are futures. */
  readonly openOrders: Id[];
  openFutures: number;
  /** Of a master: orders placed by it and its sub-accounts on a UTC day. */
  ordersToday: { day: Timestamp; count: number };
  /** Live triggers by instrument, oldest first. */
  triggers: Map<string, Set<Id>>;
}
