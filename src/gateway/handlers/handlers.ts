/** The handler tables of both APIs; a missing handler does not compile. */

import { type Dialect, dialectOf } from '../../contract/dialects.ts';
import { type operatorEndpoints, publicEndpoints } from '../../contract/endpoints.ts';
import { accountHandlers } from './account.ts';
import { accountTotalHandlers } from './account-totals.ts';
import { agentHandlers } from './agents.ts';
import { billHandlers } from './bills.ts';
import { borrowingHandlers } from './borrowing.ts';
import { callSubmit } from './call-submit.ts';
import { copyFollowerHandlers } from './copy-followers.ts';
import { copyLeaderHandlers } from './copy-leaders.ts';
import { copyTradingHandlers } from './copy-trading.ts';
import { fundingRateHandlers } from './funding-rates.ts';
import { futuresAccountHandlers } from './futures-accounts.ts';
import { futuresMarketHandlers } from './futures-market.ts';
import { futuresOrderHandlers } from './futures-orders.ts';
import { futuresSettingsHandlers } from './futures-settings.ts';
import type { HandlersOf } from './handler.ts';
import { isolatedMarginHandlers } from './isolated-margin.ts';
import { marketHandlers } from './market.ts';
import { openSizeHandlers } from './open-sizes.ts';
import { operatorPeopleHandlers } from './operator.ts';
import { operatorAgentHandlers } from './operator-agents.ts';
import { operatorCopyHandlers } from './operator-copy.ts';
import { operatorFaultHandlers } from './operator-faults.ts';
import { operatorFeeHandlers } from './operator-fees.ts';
import { operatorLimitHandlers } from './operator-limits.ts';
import { operatorMarketHandlers } from './operator-market.ts';
import { operatorRecordingHandlers } from './operator-recordings.ts';
import { operatorWithdrawalHandlers } from './operator-withdrawals.ts';
import { orderChangeHandlers } from './order-changes.ts';
import { orderHandlers } from './orders.ts';
import type { ExchangeParts, HandlerParts } from './parts.ts';
import { positionHistoryHandlers } from './position-history.ts';
import { positionHandlers } from './positions.ts';
import { profileHandlers } from './profile.ts';
import { spotMarketHandlers } from './spot-market.ts';
import { spotOrderHandlers } from './spot-orders.ts';
import { spotTriggerOrderHandlers } from './spot-trigger-orders.ts';
import { spotWalletHandlers } from './spot-wallet.ts';
import { strategyOrderHandlers } from './strategy-orders.ts';
import { transferHandlers } from './transfers.ts';
import { operatorTriggerHandlers, triggerOrderHandlers } from './trigger-orders.ts';
import { unifiedMarketHandlers } from './unified-market.ts';
import { withdrawalHandlers } from './withdrawals.ts';

export type PublicHandlers = HandlersOf<typeof publicEndpoints>;
export type OperatorHandlers = HandlersOf<typeof operatorEndpoints>;

const publicTable = (parts: HandlerParts): PublicHandlers => ({
  ...accountHandlers(parts),
  ...accountTotalHandlers(parts),
  ...borrowingHandlers(parts),
  ...openSizeHandlers(parts),
  ...withdrawalHandlers(parts),
  ...spotWalletHandlers(parts),
  ...billHandlers(parts),
  ...futuresSettingsHandlers(parts),
  ...futuresAccountHandlers(parts),
  ...profileHandlers(parts),
  ...positionHandlers(parts),
  ...positionHistoryHandlers(parts),
  ...isolatedMarginHandlers(parts),
  ...transferHandlers(parts),
  ...copyTradingHandlers(parts),
  ...copyFollowerHandlers(parts),
  ...copyLeaderHandlers(parts),
  ...agentHandlers(parts),
  ...orderHandlers(parts),
  ...futuresOrderHandlers(parts),
  ...triggerOrderHandlers(parts),
  ...spotOrderHandlers(parts),
  ...spotTriggerOrderHandlers(parts),
  ...orderChangeHandlers(parts),
  ...strategyOrderHandlers(parts),
  ...marketHandlers(parts),
  ...unifiedMarketHandlers(parts),
  ...futuresMarketHandlers(parts),
  ...fundingRateHandlers(parts),
  ...spotMarketHandlers(parts),
});

const operatorTable = (parts: HandlerParts): OperatorHandlers => ({
  ...operatorPeopleHandlers(parts),
  ...operatorMarketHandlers(parts),
  ...operatorRecordingHandlers(parts),
  ...operatorCopyHandlers(parts),
  ...operatorAgentHandlers(parts),
  ...operatorLimitHandlers(parts),
  ...operatorFeeHandlers(parts),
  ...operatorFaultHandlers(parts),
  ...operatorWithdrawalHandlers(parts),
  ...operatorTriggerHandlers(parts),
});

const partsOf = (parts: ExchangeParts, version: Dialect): HandlerParts => ({
  ...parts,
  submit: callSubmit(parts.submit, version),
});

/** The path of a call decides the API version of field names and codes in its refusals. */
export function publicHandlers(parts: ExchangeParts): PublicHandlers {
  const [v2, v3] = [publicTable(partsOf(parts, 'v2')), publicTable(partsOf(parts, 'v3'))];
  const names = Object.keys(publicEndpoints) as (keyof PublicHandlers)[];
  return Object.fromEntries(
    names.map((name) => {
      const isV3 = dialectOf(publicEndpoints[name].path) === 'v3';
      return [name, (isV3 ? v3 : v2)[name]];
    }),
  ) as PublicHandlers;
}

export const operatorHandlers = (parts: ExchangeParts): OperatorHandlers =>
  operatorTable(partsOf(parts, 'operator'));
