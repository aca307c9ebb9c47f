/** Cancellation of triggers by id, by client id, by kind and by symbol. */
import { describe, expect } from 'vitest';
import type { ClientOid, Id } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

describe('cancelling', () => {
  test('[TRG-49][TRG-50][TRG-53] by id or client id, the id first, among all kinds unless one is given', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const bob = market.joins({ USDT: '1000' });
    const plan = triggers.placed(alice, 'buy', { at: '51000', name: 'plan' });
    const [gain] = triggers.tpsl(alice, 'long', { kind: 'positionTakeProfit', at: '55000' });
    const ofBob = triggers.placed(bob, 'buy', { at: '51000' });
    expect(triggers.cancel(alice, ['conditional'], [{ triggerId: gain! }])).toEqual([
      'unknownTrigger',
    ]);
    expect(
      triggers.cancel(
        alice,
        [],
        [{ triggerId: ofBob }, { triggerId: 1 as Id, clientOid: 'plan' as ClientOid }, {}],
      ),
    ).toEqual(['unknownTrigger', 'unknownTrigger', 'orderIdNeeded']);
    expect(
      triggers.cancel(
        alice,
        [],
        [{ clientOid: 'plan' as ClientOid }, { triggerId: gain! }, { triggerId: plan }],
      ),
    ).toEqual(['cancelled', 'cancelled', 'unknownTrigger']);
    expect([...market.state.triggers.keys()]).toEqual([ofBob]);
  });

  test('[TRG-51][TRG-52] all of the given kinds, in one symbol or in every symbol', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    market.index('ETH', '3000');
    const alice = triggers.holds('long', '1');
    triggers.placed(alice, 'buy', { at: '51000' });
    triggers.placed(alice, 'buy', { at: '51000', callback: '1' });
    triggers.placed(alice, 'buy', { at: '3100', symbol: 'ETHUSDT' });
    triggers.tpsl(alice, 'long', { kind: 'positionTakeProfit', at: '55000' });
    expect(triggers.cancel(alice, ['conditional', 'trailing'], undefined, 'BTCUSDT')).toHaveLength(
      2,
    );
    expect(triggers.cancel(alice, ['conditional', 'trailing'])).toHaveLength(1);
    expect(triggers.cancel(alice, ['conditional', 'trailing'])).toEqual([]);
    expect(triggers.liveTpsl(alice)).toEqual(['positionTakeProfit 55000 x 0']);
  });

  test('[TRG-49] a client id finds its trigger as long as it waits, however old it is', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    triggers.placed(alice, 'buy', { at: '51000', name: 'old' });
    market.passes(7 * HOUR);
    expect(triggers.cancel(alice, [], [{ clientOid: 'old' as ClientOid }])).toEqual(['cancelled']);
  });
});
