/**
 * Commands that touch more accounts or orders than one transaction reports: each is a part of its
 * own (CLK-23).
 */
import { describe, expect } from 'vitest';
import { closeTrackedOrders } from '../../src/core/copy/close-tracked.ts';
import { mirrorPortion } from '../../src/core/copy/mirror.ts';
import { specOf } from '../../src/core/derived/derived.ts';
import { positionOf } from '../../src/core/derived/position.ts';
import { createEngine } from '../../src/core/engine.ts';
import { deleverage } from '../../src/core/liquidation/deleverage.ts';
import { takeover } from '../../src/core/liquidation/takeover.ts';
import { rebuildDerived } from '../../src/core/rebuild.ts';
import type { State } from '../../src/core/state/state.ts';
import { closePositions } from '../../src/core/trading/orders/close-positions.ts';
import { placeOrders } from '../../src/core/trading/orders/place-orders.ts';
import {
  activateWaitingOrders,
  endOrdersOfClosedSymbol,
} from '../../src/core/trading/orders/resume.ts';
import { PART_SIZE_MAX, type Step } from '../../src/core/transaction/step.ts';
import { cancelTriggers } from '../../src/core/triggers/cancel-triggers.ts';
import { firePortion } from '../../src/core/triggers/fire-triggers.ts';
import { placeProtectedOrders } from '../../src/core/triggers/place-protected.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Amount, money } from '../../src/kernel/money.ts';
import { test as copyTest } from './copy-market.test-support.ts';
import { type Market, test } from './market.test-support.ts';
import { triggerCommand } from './trigger-market.test-support.ts';

const KEY = 'USDT-FUTURES:BTCUSDT';
const SYMBOL = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

/** Number of parts of an act on the current exchange, and the state it leaves. */
function partsOf(
  market: Market,
  act: (step: Step) => void,
  prepare: (state: State) => void = () => undefined,
): number {
  const copy = createEngine();
  copy.restore(market.engine.serialize());
  const { state } = copy;
  prepare(state);
  let parts = 0;
  act({
    state,
    derived: rebuildDerived(state),
    at: market.at,
    emit: () => undefined,
    settle: () => undefined,
    endPart: () => void parts++,
  });
  return parts;
}

/** One account long against the given number of others, with an empty book. */
function longAgainst(market: Market, others: number): Uid {
  market.index('BTC', '50000');
  const long = market.joins({ USDT: '1000000' });
  for (let at = 0; at < others; at++)
    market.trade(long, market.joins({ USDT: '10000' }), '0.01', 'BTCUSDT', '50000');
  return long;
}

const positionIn = ({ state }: Step, uid: Uid) => positionOf(state, uid, KEY, 'long')!;

describe('parts of one transaction', () => {
  test('[CLK-154][POS-57] are opposite positions in deleveraging', ({ market }) => {
    const long = longAgainst(market, 3);
    expect(
      partsOf(
        market,
        (step) =>
          void deleverage(step, positionIn(step, long), specOf(step.derived, KEY), undefined),
      ),
    ).toBe(3);
  });

  test('[CLK-154][POS-56] are positions of an account in takeover', ({ market }) => {
    const long = longAgainst(market, 1);
    market.order(market.joins({ USDT: '10000' }), 'buy', '0.01', 'BTCUSDT', '50000');
    expect(
      partsOf(market, (step) =>
        takeover(step, positionIn(step, long), specOf(step.derived, KEY), money<Amount>('100')),
      ),
    ).toBe(1);
  });

  test('[CLK-23][POS-81] are positions that a user closes', ({ market }) => {
    const [long, maker] = [longAgainst(market, 1), market.joins({ USDT: '100000' })];
    market.index('ETH', '3000');
    market.trade(long, maker, '1', 'ETHUSDT', '3000');
    for (const [name, price] of [
      ['BTCUSDT', '50000'],
      ['ETHUSDT', '3000'],
    ] as const)
      market.order(maker, 'buy', '1', name, price);
    const command = { type: 'closePositions', uid: long, category: 'USDT-FUTURES' } as const;
    expect(
      partsOf(market, (step) => expect(closePositions(step, command)).toMatchObject({ ok: true })),
    ).toBe(2);
  });

  test('[CLK-23][ORD-55] are waiting orders when their symbol resumes', ({ market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    market.accepted({ type: 'setInstrumentStatus', ...SYMBOL, status: 'halted' });
    for (let at = 0; at < 3; at++)
      expect(market.order(alice, 'buy', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    const resumed = { type: 'instrumentStatusChanged', ...SYMBOL, status: 'normal' } as const;
    const parts = partsOf(
      market,
      (step) => activateWaitingOrders(step, resumed),
      (state) => Object.assign(state.instruments.get(KEY)!, { status: 'normal' }),
    );
    expect(parts).toBe(3);
  });

  test('[CLK-23][LST-10] are ten thousand orders of a symbol that is switched off', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    expect(market.order(alice, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    const off = { type: 'instrumentStatusChanged', ...SYMBOL, status: 'off' } as const;
    const parts = partsOf(
      market,
      (step) => {
        endOrdersOfClosedSymbol(step, off);
        expect(step.state.orders.size).toBe(0);
      },
      ({ orders, accounts }) => {
        const [order] = [...orders.values()];
        for (let at = 1; at < PART_SIZE_MAX; at++) {
          const id = (order!.id + at) as Id;
          orders.set(id, { ...order!, id, priority: id, hold: { kind: 'none' } });
          accounts.get(alice)!.openOrders.push(id);
        }
      },
    );
    expect(parts).toBe(1);
  });

  test('[CLK-23][TRG-51] are ten thousand triggers that a user cancels at once', ({ market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    market.accepted(triggerCommand(alice, 'buy', { at: '60000' }));
    const all = {
      type: 'cancelTriggers',
      uid: alice,
      category: 'USDT-FUTURES',
      kinds: [],
    } as const;
    const parts = partsOf(
      market,
      (step) => {
        expect(cancelTriggers(step, all)).toMatchObject({ ok: true });
        expect(step.state.triggers.size).toBe(0);
      },
      ({ triggers, accounts }) => {
        const [trigger] = [...triggers.values()];
        for (let at = 1; at < PART_SIZE_MAX; at++) {
          const id = (trigger!.id + at) as Id;
          triggers.set(id, { ...trigger!, id });
          accounts.get(alice)!.triggers.get(KEY)!.add(id);
        }
      },
    );
    expect(parts).toBe(1);
  });

  test('[CLK-155][ORD-04] are the orders of a batch', ({ market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    const draft = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
    } as const;
    const order = { ...draft, size: '0.001' as DecimalText, price: '49000' as DecimalText };
    const input = { uid: alice, category: 'USDT-FUTURES', orders: [order, order, order] } as const;
    expect(
      partsOf(market, (step) => void placeOrders(step, { type: 'placeOrders', ...input })),
    ).toBe(3);
    const asked = { ...input, orders: [{ order }, { order }] };
    expect(
      partsOf(
        market,
        (step) => void placeProtectedOrders(step, { type: 'placeProtectedOrders', ...asked }),
      ),
    ).toBe(2);
  });

  test('[CLK-155][TRG-37] are the triggers that a price fires', ({ market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    for (let at = 0; at < 3; at++) market.accepted(triggerCommand(alice, 'buy', { at: '60000' }));
    const reachAll = ({ reachedTriggers, triggers }: State): void => {
      for (const id of triggers.keys()) reachedTriggers.add(id);
    };
    expect(partsOf(market, firePortion, reachAll)).toBe(3);
  });

  copyTest('[CLK-155][CPY-43] are the copies of a portion', ({ market }) => {
    const alice = market.leader();
    for (let at = 0; at < 3; at++) market.follower(alice);
    market.open(alice, 'long', '0.1');
    const mirrorAgain = ({ copy }: State): void => {
      const [original] = [...copy.tracked.values()];
      copy.jobs.push({ kind: 'open', originalId: original!.id, next: 0 });
    };
    expect(partsOf(market, (step) => mirrorPortion(step), mirrorAgain)).toBe(3);
  });

  copyTest('[CLK-23][CPY-49] are the tracked orders that are closed at once', ({ market }) => {
    const alice = market.leader();
    for (let at = 0; at < 3; at++) market.open(alice, 'long', '0.1');
    const command = {
      type: 'closeTrackedOrders',
      uid: alice,
      role: 'leader',
      category: 'USDT-FUTURES',
    } as const;
    expect(
      partsOf(market, (step) =>
        expect(closeTrackedOrders(step, command)).toMatchObject({ ok: true }),
      ),
    ).toBe(3);
  });
});
