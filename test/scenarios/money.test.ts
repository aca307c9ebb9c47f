import { describe, expect, test } from 'vitest';
import type { ClientOid, Uid } from '../../src/kernel/ids.ts';
import type { Event } from '../../src/messages/events.ts';
import { createWorld, scenario } from './scenario.ts';

describe('deposits', () => {
  test('[MNY-13] a deposit is available to the user and comes from the outside account', () => {
    const { last } = scenario(`
      alice  deposits  10000 USDT         | alice has 10000 USDT, house outside -10000 USDT
      bob    deposits  0.0000000001 BTC   | bob has 0.0000000001 BTC, alice has 0 BTC
      alice  deposits  2.5 USDT           | alice has 10002.5 USDT, house outside -10002.5 USDT
                                          | 1 entryPosted, 1 depositCredited
    `);
    expect(last?.outcome).toEqual({ ok: true, value: { orderId: expect.any(Number) } });
  });

  test('[MNY-12] an entry lists lines with growing ids and the new balances', () => {
    const world = createWorld();
    const uid = world.uid('alice');
    world.submit({ type: 'deposit', uid, coin: 'USDT', size: '1' as never });
    const { nextId } = world.engine.state;
    const { events } = world.submit({
      type: 'deposit',
      uid,
      coin: 'USDT',
      size: '2' as never,
      clientOid: 'second' as ClientOid,
    });
    const one = 10_000_000_000n;
    expect(events).toEqual<unknown[]>([
      {
        type: 'entryPosted',
        reason: 'deposit',
        lines: [
          {
            id: nextId + 1,
            uid,
            coin: 'USDT',
            account: 'available',
            amount: 2n * one,
            balance: 3n * one,
          },
          {
            id: nextId + 2,
            coin: 'USDT',
            account: 'outside',
            amount: -2n * one,
            balance: -3n * one,
          },
        ],
      },
      {
        type: 'depositCredited',
        orderId: nextId,
        uid,
        coin: 'USDT',
        amount: 2n * one,
        clientOid: 'second',
        origin: { chain: 'ERC20' },
      },
    ]);
  });

  test('[MNY-14] refusals come in this order', () => {
    const world = scenario(`
      alice  deposits  1 DOGE               | refused unknownCoin at coin
      alice  deposits  0.00000000001 USDT   | refused tooFine at size
      alice  deposits  0.0000000001 USDT
      alice  deposits  0 USDT               | refused sizeNotPositive at size
      alice  deposits  0.00000000000 USDT   | refused sizeNotPositive
    `);
    expect(
      world.submit({ type: 'deposit', uid: 7 as Uid, coin: 'DOGE', size: '0' as never }).outcome,
    ).toMatchObject({
      refusal: { reason: 'unknownUser', field: 'uid' },
    });
  });

  test('[MNY-15] each balance of a user in a coin has the same maximum', () => {
    scenario(`
      alice  deposits  922337203.6854775807 USDT   | alice has 922337203.6854775807 USDT
      alice  deposits  0.0000000001 USDT           | refused balanceLimitExceeded at size
      alice  deposits  1 USDC
      bob    deposits  922337203.6854775808 USDT   | refused balanceLimitExceeded
      bob    deposits  922337203.6854775807 USDT   | house outside -1844674407.3709551614 USDT
    `);
  });

  test('[MNY-16] a client id credits once for each user, even if it is repeated much later', () => {
    scenario(`
      alice  deposits  100 USDT as gift-1     | alice has 100 USDT
      alice  deposits  100.0 USDT as gift-1   | alice has 100 USDT, nothing
      alice  deposits  101 USDT as gift-1     | refused duplicateClientOid at clientOid
      alice  deposits  100 USDC as gift-1     | refused duplicateClientOid
      bob    deposits  100 USDT as gift-1     | bob has 100 USDT
      clock  advances  3650d
      alice  deposits  100 USDT as gift-1     | alice has 100 USDT, nothing
    `);
  });

  test('[MNY-16] a repeat returns the first order id, also if the balance is full', () => {
    const world = createWorld();
    const uid = world.uid('alice');
    const command = {
      type: 'deposit',
      uid,
      coin: 'USDT',
      size: '600000000' as never,
      clientOid: 'a' as ClientOid,
    } as const;
    const first = world.submit(command).outcome;
    expect(world.submit(command).outcome).toEqual(first);
  });

  test('[MNY-17] without a client id the order id is the client id, and credits once too', () => {
    const world = createWorld();
    const uid = world.uid('alice');
    const command = { type: 'deposit', uid, coin: 'USDT', size: '7' as never } as const;
    const emitted = world
      .submit(command)
      .events.find(
        (event): event is Extract<Event, { type: 'depositCredited' }> =>
          event.type === 'depositCredited',
      )!;
    expect(emitted.clientOid).toMatch(/^1\d{18}$/);
    expect(world.submit({ ...command, clientOid: emitted.clientOid }).outcome).toEqual({
      ok: true,
      value: { orderId: emitted.orderId },
    });
    scenario('bob joins | alice has 7 USDT', world);
  });

  test('[MNY-17] a client id taken before we generate it keeps its first meaning', () => {
    const world = createWorld();
    const uid = world.uid('alice');
    // The deposit takes one id and its entry two, so the next order id is known.
    const next = `1${(world.engine.state.nextId + 3).toString().padStart(18, '0')}` as ClientOid;
    const first = world.submit({
      type: 'deposit',
      uid,
      coin: 'USDT',
      size: '1' as never,
      clientOid: next,
    }).outcome;
    world.submit({ type: 'deposit', uid, coin: 'USDT', size: '2' as never });
    expect(
      world.submit({ type: 'deposit', uid, coin: 'USDT', size: '1' as never, clientOid: next })
        .outcome,
    ).toEqual(first);
  });

  test('[MNY-17] client ids have 1 to 32 allowed characters', () => {
    scenario(`
      alice  deposits  1 USDT as ${'a'.repeat(32)}
      alice  deposits  1 USDT as ${'a'.repeat(33)}   | refused fieldInvalid at clientOid
      alice  deposits  1 USDT as A:/z0_-.
      alice  deposits  1 USDT as a*b                 | refused fieldInvalid at clientOid
    `);
  });
});
