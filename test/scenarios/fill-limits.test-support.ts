/** Helpers of the tests on fill limits. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Market } from './market.test-support.ts';

export const decimal = (text: string): DecimalText => text as DecimalText;

/** Fills and ended orders of an account in the last command, and the number of liquidations. */
export const outcomes = (market: Market, uid: Uid) => ({
  fills: market.fills(uid),
  ends: market
    .emitted('orderEnded')
    .flatMap(({ end }) => (end.uid === uid ? [end.cancelReason ?? end.status] : [])),
  liquidated: market.emitted('liquidationBegun').length,
});

export const REFUSED = { fills: [], ends: [], liquidated: 0 };
