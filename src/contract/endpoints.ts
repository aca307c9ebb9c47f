/** The table of endpoints: every call there is, by name. */
import { accountRows } from './account.ts';
import { agentRows } from './agent.ts';
import { copyTradingRows } from './copy-trading.ts';
import { futuresSettingsRows } from './futures-settings.ts';
import { isolatedFillRows } from './isolated-fills.ts';
import { marketRows } from './market.ts';
import { operatorRows } from './operator.ts';
import { operatorMarketRows } from './operator-market.ts';
import { orderRows } from './orders.ts';
import { positionRows } from './positions.ts';
import { triggerOrderRows } from './trigger-orders.ts';

/** Served on the public port. */
export const publicEndpoints = {
  ...triggerOrderRows,
  ...positionRows,
  ...isolatedFillRows,
  ...orderRows,
  ...accountRows,
  ...futuresSettingsRows,
  ...copyTradingRows,
  ...agentRows,
  ...marketRows,
} as const;

/** Served on the operator's port, and never on the public one. */
export const operatorEndpoints = { ...operatorRows, ...operatorMarketRows } as const;

export type PublicName = keyof typeof publicEndpoints;
export type OperatorName = keyof typeof operatorEndpoints;
