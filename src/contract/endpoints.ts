/** The table of all endpoints, by name. */
import { accountRows } from './account.ts';
import { accountTotalRows } from './account-totals.ts';
import { agentRows } from './agents.ts';
import { billRows } from './bills.ts';
import { borrowingRows } from './borrowing.ts';
import { copyFollowerRows } from './copy-followers.ts';
import { copyLeaderRows } from './copy-leaders.ts';
import { copyTradingRows } from './copy-trading.ts';
import { fundingRateRows } from './funding-rates.ts';
import { futuresAccountRows } from './futures-accounts.ts';
import { futuresMarketRows } from './futures-market.ts';
import { futuresOrderRows } from './futures-orders.ts';
import { futuresSettingsRows } from './futures-settings.ts';
import { isolatedFillRows } from './isolated-fills.ts';
import { isolatedMarginRows } from './isolated-margin.ts';
import { marketRows } from './market.ts';
import { openSizeRows } from './open-sizes.ts';
import { operatorRows } from './operator.ts';
import { operatorAgentRows } from './operator-agents.ts';
import { operatorCopyRows } from './operator-copy.ts';
import { operatorFaultRows } from './operator-faults.ts';
import { operatorFeeRows } from './operator-fees.ts';
import { operatorLimitRows } from './operator-limits.ts';
import { operatorMarketRows } from './operator-market.ts';
import { operatorRecordingRows } from './operator-recordings.ts';
import { operatorTriggerRows } from './operator-triggers.ts';
import { operatorWithdrawalRows } from './operator-withdrawals.ts';
import { orderChangeRows } from './order-changes.ts';
import { orderRows } from './orders.ts';
import { positionHistoryRows } from './position-history.ts';
import { positionRows } from './positions.ts';
import { profileRows } from './profile.ts';
import { spotMarketRows } from './spot-market.ts';
import { spotOrderRows } from './spot-orders.ts';
import { spotTriggerOrderRows } from './spot-trigger-orders.ts';
import { spotWalletRows } from './spot-wallet.ts';
import { strategyOrderRows } from './strategy-orders.ts';
import { transferRows } from './transfers.ts';
import { triggerOrderListRows } from './trigger-order-lists.ts';
import { triggerOrderRows } from './trigger-orders.ts';
import { unifiedMarketRows } from './unified-market.ts';
import { unifiedTradingRows } from './unified-trading.ts';
import { withdrawalRows } from './withdrawals.ts';

/** Served on the public port. */
export const publicEndpoints = {
  ...triggerOrderRows,
  ...triggerOrderListRows,
  ...positionRows,
  ...positionHistoryRows,
  ...isolatedFillRows,
  ...isolatedMarginRows,
  ...transferRows,
  ...orderRows,
  ...unifiedTradingRows,
  ...futuresOrderRows,
  ...spotOrderRows,
  ...spotTriggerOrderRows,
  ...orderChangeRows,
  ...strategyOrderRows,
  ...accountRows,
  ...accountTotalRows,
  ...borrowingRows,
  ...openSizeRows,
  ...withdrawalRows,
  ...spotWalletRows,
  ...billRows,
  ...profileRows,
  ...futuresSettingsRows,
  ...futuresAccountRows,
  ...copyTradingRows,
  ...copyFollowerRows,
  ...copyLeaderRows,
  ...agentRows,
  ...marketRows,
  ...unifiedMarketRows,
  ...futuresMarketRows,
  ...fundingRateRows,
  ...spotMarketRows,
} as const;

/** Served only on the operator port. */
export const operatorEndpoints = {
  ...operatorRows,
  ...operatorMarketRows,
  ...operatorRecordingRows,
  ...operatorAgentRows,
  ...operatorCopyRows,
  ...operatorFaultRows,
  ...operatorWithdrawalRows,
  ...operatorLimitRows,
  ...operatorFeeRows,
  ...operatorTriggerRows,
} as const;

export type PublicName = keyof typeof publicEndpoints;
export type OperatorName = keyof typeof operatorEndpoints;
