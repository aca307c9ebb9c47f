/**
 * Compares the closed lists of the rows with those of the specification, which are copied by hand.
 */
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { publicEndpoints } from './endpoints.ts';
import { fieldLines, requestLines } from './reference.ts';

const rows: Readonly<Record<string, Endpoint>> = publicEndpoints;
const FUTURES = 'USDT-FUTURES COIN-FUTURES USDC-FUTURES';
const PRICES = 'fill_price mark_price index_price';
const SELF_TRADE = 'none cancel_taker cancel_maker cancel_both';
const LEVELS = 'VIP0 VIP1 VIP2 VIP3 VIP4 VIP5 VIP6 VIP7 PRO1 PRO2 PRO3 PRO4 PRO5 PRO6';
const KINDS = 'normal_plan track_plan profit_plan loss_plan moving_plan pos_profit pos_loss';

const asked = [
  ['placeTriggerOrder', 'planType', 'normal_plan track_plan'],
  ['placeTriggerOrder', 'productType', FUTURES],
  ['placeTriggerOrder', 'marginMode', 'isolated crossed'],
  ['placeTriggerOrder', 'triggerType', PRICES],
  ['placeTriggerOrder', 'side', 'buy sell'],
  ['placeTriggerOrder', 'tradeSide', 'open close'],
  ['placeTriggerOrder', 'orderType', 'limit market'],
  ['placeTriggerOrder', 'reduceOnly', 'yes no'],
  ['placeTriggerOrder', 'stpMode', SELF_TRADE],
  ['placeTpslOrder', 'planType', 'profit_plan loss_plan moving_plan pos_profit pos_loss'],
  ['placeTpslOrder', 'holdSide', 'long short buy sell'],
  ['cancelTriggerOrders', 'planType', `${KINDS} profit_loss`],
  ['listPendingTriggerOrders', 'planType', 'normal_plan track_plan profit_loss'],
  ['listTriggerOrderHistory', 'planStatus', 'executed fail_execute cancelled fail_trigger'],
  ['getCurrentPositions', 'posSide', 'long short'],
  ['placeBatch', '[].category', `SPOT MARGIN ${FUTURES}`],
  ['placeBatch', '[].timeInForce', 'ioc fok gtc post_only'],
  ['requestWithdrawal', 'transferType', 'on_chain internal_transfer'],
  ['requestWithdrawal', 'innerToType', 'uid email mobile'],
  ['requestWithdrawal', 'identityType', 'company user'],
  ['requestWithdrawal', 'memberCode', 'bithumb korbit coinone'],
  ['setCopySettings', 'autoCopy', 'on off'],
  ['setCopySettings', 'mode', 'basic advanced'],
  ['setCopySettings', 'settings[].marginType', 'trader specify'],
  ['setCopySettings', 'settings[].leverType', 'position specify trader'],
  ['setCopySettings', 'settings[].traceType', 'percent amount count'],
  ['listAgentCustomers', 'showSub', 'yes no'],
] as const;

const answered = [
  ['listPendingTriggerOrders', 'entrustedList[].planType', KINDS],
  ['listPendingTriggerOrders', 'entrustedList[].planStatus', 'live'],
  ['listPendingTriggerOrders', 'entrustedList[].posSide', 'long short net'],
  ['listPendingTriggerOrders', 'entrustedList[].enterPointSource', 'WEB API SYS ANDROID IOS'],
  [
    'listPendingTriggerOrders',
    'entrustedList[].orderSource',
    'normal market profit_market loss_market Trader_delegate trader_profit trader_loss trader_reverse profit_limit loss_limit delivery_close_short pos_profit_limit pos_profit_market pos_loss_limit pos_loss_market',
  ],
  ['listTriggerOrderHistory', 'entrustedList[].planStatus', 'executed fail_execute cancelled'],
  ['getAllPositions', '[].assetMode', 'single union'],
  ['getAllPositions', '[].posMode', 'one_way_mode hedge_mode'],
  ['getCurrentPositions', 'list[].positionStatus', 'normal'],
  ['getOrder', 'orderStatus', 'live new partially_filled filled cancelled'],
  ['getOrder', 'execType', 'normal offset reduce liquidation delivery'],
  ['getOrder', 'reduceOnly', 'YES NO'],
  ['listIsolatedFills', 'fills[].tradeScope', 'taker maker'],
  ['getAccountSettings', 'assetMode', 'multi_assets'],
  ['getAccountSettings', 'stpMode', SELF_TRADE],
  ['listWithdrawalRecords', '[].status', 'pending success fail'],
  ['listWithdrawalRecords', '[].type', 'withdraw'],
  ['listWithdrawalRecords', '[].dest', 'on_chain internal_transfer'],
  ['setCopySettings', 'data', 'success fail'],
  ['getRebateRatios', 'affiliationType', 'affiliate official'],
  ['getRebateRatios', 'userLevel', LEVELS],
] as const;

const listed = (text: string): readonly string[] => text.split(' ').sort();

test.each(asked)('[API-20] %s takes for %s: %s', (name, path, values) => {
  const line = requestLines(rows[name]!).find((each) => each.path === path);
  expect([...(line?.values ?? [])].sort()).toEqual(listed(values));
});
test.each(answered)('[API-20] %s answers in %s: %s', (name, path, values) => {
  const line = fieldLines(rows[name]!.response.schema).find((each) => each.path === path);
  expect([...(line?.values ?? [])].sort()).toEqual(listed(values));
});
