/** The tables of words in both directions. */
import { expect, test } from 'vitest';
import { CANCEL_REASONS, EXECUTION_KINDS } from '../messages/vocabulary.ts';
import * as tables from './wire-words.ts';

const all = Object.entries(tables).filter(([name]) =>
  name.endsWith('Words'),
) as readonly (readonly [string, tables.Words])[];

test('[API-27] the test covers more than twenty tables', () =>
  expect(all.length).toBeGreaterThan(20));
test.each(all)(
  '[API-27] every word of %s comes back as a word with the same meaning',
  (_, table) => {
    for (const [, ours] of Object.entries(table)) {
      const wire = tables.wireWord(table, ours);
      expect(table[wire]).toBe(ours);
      expect(wire).toBe(Object.keys(table).find((each) => table[each] === ours));
    }
  },
);
test('[ORD-57] every cancel reason has a word that clients know', () => {
  const known = [
    'normal_cancel',
    'fok_not_full_cancel',
    'ioc_not_full_cancel',
    'post_only_fill_cancel',
    'stp_cancel',
    'slippage_cancel',
    'burst_cancel',
    'adl_cancel',
    'tpsl_plan_cancel',
    'trader_order_cancel',
    'modify_limit_order',
    'delegated_risk_order_cancel',
    'delivery_order_cancel',
    'back_contract_cancel',
    'trade_too_many_times_cancel',
    'trade_count_too_small',
    'trade_max_deal_size_cancel',
    'self_trade_cancel',
    'penetrate_cancel',
    'call_auction_cancel',
    'limit_price_exceed_cancel',
    'cancel_receiveWindow',
  ];
  expect(Object.keys(tables.cancelReasonTexts).toSorted()).toEqual([...CANCEL_REASONS].toSorted());
  for (const word of Object.values(tables.cancelReasonTexts)) expect(known).toContain(word);
});
test('[ORD-58] the origin of an order has five words', () => {
  expect(Object.keys(tables.executionTexts).toSorted()).toEqual([...EXECUTION_KINDS].toSorted());
  expect([...new Set(Object.values(tables.executionTexts))]).toEqual([
    'normal',
    'offset',
    'reduce',
    'liquidation',
    'delivery',
  ]);
});
test('[API-27] our words become wire words', () => {
  expect(tables.wireWord(tables.positionModeWords, 'oneWay')).toBe('one_way_mode');
  expect(tables.wireWord(tables.priceSourceWords, 'last')).toBe('fill_price');
  expect(tables.wireWord(tables.anyTriggerKindWords, 'positionStopLoss')).toBe('pos_loss');
  expect(tables.wireWord(tables.triggerEndFilterWords, 'failed')).toBe('fail_execute');
  expect(tables.wireWord(tables.instrumentStatusWords, 'cancelOnly')).toBe('cancel_only');
  expect(tables.wireWord(tables.copyMarginWords, 'leader')).toBe('trader');
});
