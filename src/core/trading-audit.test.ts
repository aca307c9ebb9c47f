import { describe, expect, test } from 'vitest';
import { scenario } from '../../test/scenarios/scenario.ts';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { Id, Uid } from '../kernel/ids.ts';
import type { Amount, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { auditOf } from './audit-of.test-support.ts';
import type { Lots, Tick } from './book/order-book.ts';
import { audit } from './invariants.ts';
import { rebuildDerived } from './rebuild.ts';
import type { Order } from './state/order.ts';
import type { Position } from './state/position.ts';
import type { State } from './state/state.ts';
import { openOrdersOf } from './trading/orders/open-orders.ts';

/**
 * A state with all kinds: crossed and isolated, one-way and hedged, resting and waiting, holds and
 * debts.
 */
const story = scenario(`
  index  BTC       60000
  index  ETH       3000
  maker  deposits  10000000 USDT
  maker  deposits  100 BTC
  alice  deposits  100000 USDT
  bob    trades hedged
  bob    deposits  100000 USDT
  carol  sets isolated on BTCUSDT
  carol  deposits  100000 USDT
  maker  sells  3 BTCUSDT at 60000
  alice  buys   1 BTCUSDT at 60000
  bob    opens long 1 BTCUSDT at 60000
  carol  buys   1 BTCUSDT at 60000
  alice  sells  0.5 BTCUSDT at 61000 reduce-only as reduce
  alice  buys   0.5 BTCUSDT at 59000 as open
  alice  buys   0.1 SPOT:BTCUSDT at 59000 as spot
  bob    closes long 0.4 BTCUSDT at 61000 as close
  carol  buys   0.5 BTCUSDT at 59000 as isolated
  maker  sells  2 SPOT:BTCUSDT at 60500
  dave   deposits  20000 USDT
  dave   buys   0.5 MARGIN:BTCUSDT at 60500
  status ETHUSDT halted
  alice  buys   0.1 ETHUSDT at 2900 as waiting
`);
const sound = canonicalBytes(story.engine.state);

const uidOf = (name: string): Uid => story.users.get(name)!;
const orderOf = (state: State, name: string, clientOid: string): Order =>
  [...state.orders.values()].find(
    (order) => order.uid === uidOf(name) && order.clientOid === clientOid,
  )!;
const positionOf = (state: State, name: string): Position =>
  [...state.positions.get(uidOf(name))!.values()][0]!;
const account = (state: State, name: string) => state.accounts.get(uidOf(name))!;

/** The violations that the audit reports after a fault is planted in a valid state. */
function faultsAfter(plant: (state: State) => void): string {
  const state = fromCanonicalBytes<State>(sound);
  expect(auditOf(state).violations).toEqual([]);
  plant(state);
  return auditOf(state).violations.join('\n');
}

describe('the audit of trading finds', () => {
  type Planted = [string, RegExp, (state: State) => void];
  const holds: Planted[] = [
    [
      'money held by an order and not locked',
      /locked of user .* differs/,
      (state) => {
        const { hold } = orderOf(state, 'alice', 'spot');
        if (hold.kind === 'wallet') hold.amount = (hold.amount + 1n) as Amount;
      },
    ],
    [
      'margin in a position and not in the ledger',
      /margin of user .* differs/,
      (state) => {
        positionOf(state, 'carol').margin = 1n as Amount;
      },
    ],
    [
      'a wrong margin of crossed orders',
      /margin of open orders in USDT/,
      (state) => {
        state.orderMargins.get(uidOf('alice'))!.set('USDT', 1n as Amount);
      },
    ],
    [
      'money held for an account without a wallet',
      /has holds but no wallet/,
      (state) => {
        state.ledger.wallets.delete(uidOf('alice'));
      },
    ],
    [
      'coins stuck in an unfinished trade',
      /unfinished trade/,
      (state) => {
        state.ledger.house.get('USDT')!.exchanging = 1n as Amount;
      },
    ],
    [
      'a loan that the pool has not lent',
      /loans of USDT differ/,
      (state) => {
        state.debts.get(uidOf('dave'))!.get('USDT')!.principal = 1n as Amount;
      },
    ],
  ];
  test.each(holds)('[MNY-10] %s', (_, sentence, plant) =>
    expect(faultsAfter(plant)).toMatch(sentence),
  );

  const orders: Planted[] = [
    [
      'an order whose lots do not add up',
      /lots to trade/,
      (state) => {
        orderOf(state, 'alice', 'open').filled = 1 as Lots;
      },
    ],
    [
      'an order with value and nothing filled',
      /lots filled for/,
      (state) => {
        orderOf(state, 'alice', 'open').filledValue = 1n as Amount;
      },
    ],
    [
      'an order that was cut and does not reduce',
      /was cut/,
      (state) => {
        const order = orderOf(state, 'alice', 'open');
        order.left = (order.left - 1) as Lots;
      },
    ],
    [
      'a hold for more than is left',
      /holds margin for more/,
      (state) => {
        const { hold } = orderOf(state, 'carol', 'isolated');
        if (hold.kind === 'wallet') hold.lots = 999_999 as Lots;
      },
    ],
    [
      'a crossed book',
      /is crossed/,
      (state) => {
        orderOf(state, 'alice', 'open').limit = 700_000 as Tick;
      },
    ],
    [
      'an order that its account does not list',
      /is not listed by/,
      (state) => {
        account(state, 'alice').openOrders.splice(0);
      },
    ],
    [
      'a wrong count of futures orders',
      /open orders in futures/,
      (state) => {
        account(state, 'alice').openFutures = 99;
      },
    ],
    [
      'an order that another account lists',
      /which is not its own/,
      (state) => {
        account(state, 'bob').openOrders.push(orderOf(state, 'alice', 'open').id);
      },
    ],
    [
      'a market order that rests',
      /rests and must not/,
      (state) => {
        const order = orderOf(state, 'alice', 'open');
        state.orders.set(order.id, { ...order, orderType: 'market' });
      },
    ],
    [
      'reduce-only orders beyond the position',
      /more than there is to reduce/,
      (state) => {
        const order = orderOf(state, 'alice', 'reduce');
        state.orders.set(order.id, { ...order, lots: 99_999 as Lots, left: 99_999 as Lots });
      },
    ],
    [
      'a client id with a future time',
      /has a wrong time or order id/,
      (state) => {
        state.clientOids[0]!.until = (state.at + 1) as Timestamp;
      },
    ],
  ];
  test.each(orders)('[ORD-75] %s', (_, sentence, plant) =>
    expect(faultsAfter(plant)).toMatch(sentence),
  );

  const positions: Planted[] = [
    [
      'longs without shorts',
      /longs and shorts of USDT-FUTURES:BTCUSDT differ/,
      (state) => {
        state.positions.delete(uidOf('maker'));
      },
    ],
    [
      'a size that does not fit its entry',
      /does not fit its entry/,
      (state) => {
        const position = positionOf(state, 'alice');
        position.entry = { ...position.entry, size: 1n as Size };
      },
    ],
    [
      'locked lots that no order locks',
      /locked and closes of/,
      (state) => {
        positionOf(state, 'bob').locked = 1 as Lots;
      },
    ],
    [
      'more locked than the position has',
      /lots locked/,
      (state) => {
        positionOf(state, 'bob').locked = 99_999 as Lots;
      },
    ],
    [
      'margin in a crossed position',
      /has margin and may not have it/,
      (state) => {
        positionOf(state, 'alice').margin = 1n as Amount;
      },
    ],
    [
      'a position in another mode than its account',
      /position mode/,
      (state) => {
        account(state, 'alice').positionMode = 'hedge';
      },
    ],
    [
      'a margin mode that is not set',
      /margin mode/,
      (state) => {
        account(state, 'carol').symbolSettings.clear();
      },
    ],
    [
      'a leverage that is not set',
      /leverage/,
      (state) => {
        positionOf(state, 'alice').leverage = '3' as never;
      },
    ],
    [
      'a close of nothing',
      /have nothing to close/,
      (state) => {
        state.positions.delete(uidOf('bob'));
      },
    ],
  ];
  test.each(positions)('[POS-82] %s', (_, sentence, plant) =>
    expect(faultsAfter(plant)).toMatch(sentence),
  );

  test('[ORD-75] orders from which no book can be built', () => {
    const cases: [RegExp, (state: State) => void][] = [
      [
        /lots to trade/,
        (state) => {
          orderOf(state, 'alice', 'open').left = 0 as Lots;
        },
      ],
      [/under the wrong id/, (state) => state.orders.set(7 as Id, orderOf(state, 'alice', 'open'))],
    ];
    for (const [sentence, plant] of cases) {
      const state = fromCanonicalBytes<State>(sound);
      const derived = rebuildDerived(state);
      plant(state);
      expect(audit(state, derived).violations.join('\n')).toMatch(sentence);
    }
  });

  test('[ORD-75] books, queues and sums that do not follow from the orders', () => {
    const state = fromCanonicalBytes<State>(sound);
    const cases: [RegExp, (derived: ReturnType<typeof rebuildDerived>) => void][] = [
      [
        /book of USDT-FUTURES:BTCUSDT does not follow/,
        (derived) =>
          void derived.books
            .get('USDT-FUTURES:BTCUSDT')!
            .cancel(orderOf(state, 'alice', 'open').id),
      ],
      [
        /the queue of USDT-FUTURES:ETHUSDT does not follow/,
        (derived) => derived.waiting.get('USDT-FUTURES:ETHUSDT')!.clear(),
      ],
      [
        /sums of open orders/,
        (derived) => {
          openOrdersOf(derived, uidOf('alice'), 'USDT-FUTURES:BTCUSDT')!.buy.left += 1;
        },
      ],
      [
        /account context of user \d+ differs/,
        (derived) => {
          derived.accountContexts.get(uidOf('alice'))!.wallets = new Map();
        },
      ],
      [
        /symbol account of user \d+ in USDT-FUTURES:BTCUSDT differs/,
        (derived) => {
          const symbolAccount = derived.accountContexts
            .get(uidOf('alice'))!
            .symbolAccountIn(derived.marketContexts.at('USDT-FUTURES:BTCUSDT')!)!;
          symbolAccount.setting = { ...symbolAccount.setting };
        },
      ],
    ];
    for (const [sentence, plant] of cases) {
      const derived = rebuildDerived(state);
      expect(audit(state, derived).violations).toEqual([]);
      plant(derived);
      expect(audit(state, derived).violations.join('\n')).toMatch(sentence);
    }
  });
});
