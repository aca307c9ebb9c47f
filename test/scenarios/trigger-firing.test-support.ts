/** Helpers of the tests on firing triggers. */
import type { Market } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

export const ready = (market: Market): Triggers => {
  const triggers = new Triggers(market);
  triggers.trades('50000');
  market.pin('BTCUSDT', '50000');
  triggers.offers('buy', '40000');
  triggers.offers('sell', '60000');
  return triggers;
};
