import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { OPEN_FUTURES_ORDERS_MAX } from '../../src/messages/bounds.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { refusalOf } from './phrases.ts';
import { createWorld, scenario, type World } from './scenario.ts';

const MARKET = `
  index  BTC       60000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;

/**
 * Breaks every rule that a futures order in hedge mode can break; each row of the table fixes the
 * first broken one.
 */
const BROKEN: OrderDraft = {
  symbol: 'NONE',
  side: 'buy',
  orderType: 'limit',
  size: '0.00005' as DecimalText,
  price: undefined,
  timeInForce: 'gtc',
  positionSide: undefined,
  reduceOnly: false,
};

describe('the order of refusals', () => {
  test('[ORD-25] the first broken rule is the answer', () => {
    const world = scenario(`${MARKET} alice trades hedged`);
    const answers: string[] = [];
    let draft = BROKEN;
    const mends: readonly (Partial<OrderDraft> | string)[] = [
      'status BTCUSDT cancel-only',
      { symbol: 'BTCUSDT' },
      'status BTCUSDT normal',
      { positionSide: 'short' },
      { price: '100000.05' as DecimalText },
      { price: '100000' as DecimalText },
      { size: '0' as DecimalText },
      { size: '1200.0001' as DecimalText },
      { size: '1' as DecimalText },
      { price: '60000' as DecimalText },
      { positionSide: 'long' },
      'alice deposits 10000 USDT',
    ];
    for (const mend of mends) {
      if (typeof mend === 'string') scenario(mend, world);
      else draft = { ...draft, ...mend };
      const executed = world.submit({
        type: 'placeOrders',
        uid: world.uid('alice'),
        category: 'USDT-FUTURES',
        orders: [draft],
      });
      answers.push(refusalOf(executed)?.reason ?? 'accepted');
    }
    expect(answers).toEqual([
      'unknownSymbol',
      'symbolClosed',
      'positionSideMismatch',
      'fieldMissing',
      'priceOffStep',
      'sizeOffStep',
      'sizeTooSmall',
      'sizeTooLarge',
      'priceTooHigh',
      'nothingToClose',
      'insufficientMargin',
      'accepted',
    ]);
  });

  test('[ORD-26] a symbol that is not listed in the category', () => {
    scenario(`${MARKET}
      alice  buys  1 USDT-FUTURES:NONE at 60000     | refused unknownSymbol at symbol
      alice  buys  1 USDT-FUTURES:BTCPERP at 60000  | refused unknownSymbol
      alice  buys  1 SPOT:BTCUSD at 60000           | refused unknownSymbol
    `);
  });

  test('[ORD-27] a symbol without order entry, or without a reference price', () => {
    scenario(`
      maker  deposits  10000000 USDT
      maker  buys  1 BTCUSDT at 60000        | refused symbolClosed at symbol
      maker  buys  1 SPOT:BTCUSDT at 60000   | refused symbolClosed
      index  BTC   60000
      maker  buys  1 BTCUSDT at 60000 as x   | rests
      status BTCUSDT cancel-only             | order x of maker is new
      maker  buys  1 BTCUSDT at 60000        | refused symbolClosed
      maker  cancels x                       | order x of maker is cancelled byUser
      status BTCUSDT normal
      maker  buys  1 BTCUSDT at 60000 as y   | rests
      status BTCUSDT off                     | order y of maker is cancelled delisted
      maker  buys  1 BTCUSDT at 60000        | refused symbolClosed
      maker  buys  1 SPOT:BTCUSDT at 60000   | rests
    `);
  });

  test('[ORD-163] an inverse contract takes no orders before its coin has an index, pinned or not', () => {
    scenario(`
      maker  deposits  10000000 USDT
      maker  deposits  1 BTC
      alice  deposits  1 USDT
      pin    BTCUSDT 60000
      pin    BTCUSD  60000
      maker  buys  1 BTCUSDT at 60000        | rests
      alice  buys  1000 BTCUSD at 60000      | refused symbolClosed at symbol
      maker  buys  1 BTCUSD at 60000         | refused symbolClosed
      index  BTC   60000
      alice  buys  1000 BTCUSD at 60000      | refused insufficientMargin
      maker  buys  1 BTCUSD at 60000         | rests
    `);
  });

  test('[ORD-28] hedge mode needs a position side, a limit order a price', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  buys  1 BTCUSDT at 60000             | refused positionSideMismatch at positionSide
      alice  buys  1 SPOT:BTCUSDT at 60000        | refused insufficientBalance
      bob    buys  1 BTCUSDT at 60000             | refused insufficientMargin
    `);
  });

  test.each([
    ['BTCUSDT at 60000.1', 'rests'],
    ['BTCUSDT at 60000.05', 'refused priceOffStep at price'],
    ['BTCUSDT at 60000.10', 'rests'],
    ['BTCUSDT at 60000.00000000000001', 'refused priceOffStep'],
    ['SPOT:BTCUSDT at 60000.01', 'rests'],
    ['SPOT:BTCUSDT at 60000.001', 'refused priceOffStep'],
  ])(
    '[ORD-29] %s: %s',
    (order, expected) => void scenario(`${MARKET} maker buys 1 ${order} | ${expected}`),
  );

  test.each([
    ['0.0001 BTCUSDT', 'rests'],
    ['0.00015 BTCUSDT', 'refused sizeOffStep at size'],
    ['0.000100 BTCUSDT', 'rests'],
    ['0.0000000000001 BTCUSDT', 'refused sizeOffStep'],
    ['0.000011 SPOT:BTCUSDT', 'rests'],
    ['0.0000111 SPOT:BTCUSDT', 'refused sizeOffStep'],
  ])(
    '[ORD-30] %s: %s',
    (order, expected) => void scenario(`${MARKET} maker buys ${order} at 60000 | ${expected}`),
  );

  test.each([
    ['maker buys 0.0001 BTCUSDT at 60000', 'rests'],
    ['maker buys 0 BTCUSDT at 60000', 'refused sizeTooSmall at size'],
    ['maker buys 0.00001 SPOT:BTCUSDT at 59999', 'rests'],
    ['maker buys 0.000009 SPOT:BTCUSDT at 60000', 'refused sizeTooSmall'],
    ['maker sells 0.000009 SPOT:BTCUSDT at market', 'refused sizeTooSmall'],
    ['maker spends 0.6 on SPOT:BTCUSDT', 'filled'],
    ['maker spends 0.59999999 on SPOT:BTCUSDT', 'refused sizeTooSmall'],
    ['maker spends 0.600000001 on SPOT:BTCUSDT', 'refused sizeOffStep'],
    ['maker spends 0 on SPOT:BTCUSDT', 'refused sizeTooSmall'],
  ])(
    '[ORD-31] %s: %s',
    (line, expected) =>
      void scenario(`${MARKET}
      bob  deposits  1 BTC
      bob  sells  1 SPOT:BTCUSDT at 60000
      ${line} | ${expected}
    `),
  );

  test.each([
    ['maker buys 1200 XX at 60000', 'refused insufficientMargin'],
    ['maker buys 1200.0001 XX at 60000', 'refused sizeTooLarge at size'],
    ['maker buys 1200.0001 XX at market', 'refused sizeTooLarge'],
    ['maker buys 99999999999999999999 XX at 60000', 'refused sizeTooLarge'],
    ['maker spends 60000000 on SPOT:BTCUSDT', 'refused insufficientBalance'],
    ['maker spends 60000000.00000001 on SPOT:BTCUSDT', 'refused sizeTooLarge'],
  ])(
    '[ORD-32] %s: %s',
    (line, expected) =>
      void scenario(`${MARKET}
      bob  deposits  1 BTC
      bob  sells  1 SPOT:BTCUSDT at 60000
      ${line.replace('XX', 'BTCUSDT')} | ${expected}
    `),
  );

  test.each([
    ['BTCUSDT at 90000', 'rests'],
    ['BTCUSDT at 90000.1', 'refused priceTooHigh at price'],
    ['BTCUSDT at 30000', 'rests'],
    ['BTCUSDT at 29999.9', 'refused priceTooLow at price'],
    ['BTCUSDT at 0', 'refused priceTooLow'],
    ['SPOT:BTCUSDT at 90000', 'rests'],
    ['SPOT:BTCUSDT at 90000.01', 'refused priceTooHigh'],
    ['SPOT:BTCUSDT at 30000', 'rests'],
    ['SPOT:BTCUSDT at 29999.99', 'refused priceTooLow'],
    ['SPOT:BTCUSDT at 99999999999999999999', 'refused priceTooHigh'],
  ])(
    '[ORD-33] both sides: %s: %s',
    (order, expected) =>
      void scenario(`${MARKET}
      maker buys  0.1 ${order} | ${expected}
      maker cancels all USDT-FUTURES
      maker cancels all SPOT
      maker sells 0.1 ${order} | ${expected}
    `),
  );

  test('[ORD-33] the band of futures is around mark, that of spot around index', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      maker  buys  0.1 BTCUSDT at 75000        | rests
      maker  buys  0.1 BTCUSDT at 75000.1      | refused priceTooHigh
      maker  buys  0.1 SPOT:BTCUSDT at 90000   | rests
    `);
  });

  test('[ORD-34] a market order into an empty side', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      alice  buys   0.1 BTCUSDT at market      | refused noLiquidity
      maker  buys   1 BTCUSDT at 59000
      alice  buys   0.1 BTCUSDT at market      | refused noLiquidity
      alice  sells  0.1 BTCUSDT at market      | filled
      alice  spends 10 on SPOT:BTCUSDT         | refused noLiquidity
    `);
  });
});

describe('limits on open and daily orders', () => {
  const draft = (at: number, symbol: string, price: string): OrderDraft => ({
    ...BROKEN,
    symbol,
    size: '0.01' as DecimalText,
    price: price as DecimalText,
    clientOid: `${symbol}-${price}-${at}` as never,
  });

  function fill(
    world: World,
    category: 'USDT-FUTURES' | 'SPOT',
    symbol: string,
    price: string,
    count: number,
  ): void {
    for (let at = 0; at < count; at++) {
      const orders = [draft(at, symbol, price)];
      const refused = refusalOf(
        world.submit({ type: 'placeOrders', uid: world.uid('maker'), category, orders }),
      );
      if (refused !== undefined) throw new Error(refused.reason);
    }
  }

  test('[ORD-35] 400 open futures orders and 400 of spot and margin, including waiting ones', () => {
    const world = scenario(`${MARKET}
      index  ETH  3000
      status ETHUSDT halted
    `);
    fill(world, 'USDT-FUTURES', 'BTCUSDT', '59000', OPEN_FUTURES_ORDERS_MAX - 1);
    scenario(
      `
      maker  buys  0.01 ETHUSDT at 3000 as last        | waits
      maker  buys  0.01 BTCUSDT at 59000               | refused tooManyOpenOrders
      maker  buys  0.01 BTCPERP at 59000               | refused tooManyOpenOrders
      maker  buys  0.01 SPOT:BTCUSDT at 59000          | rests
      maker  buys  0.01 BTCUSDT at 59000 ioc           | cancelled iocNotFull
      maker  cancels last
      maker  buys  0.01 BTCUSDT at 59000               | rests
      maker  buys  0.01 BTCUSDT at 59000               | refused tooManyOpenOrders
    `,
      world,
    );
    fill(world, 'SPOT', 'BTCUSDT', '58000', 399);
    scenario(
      `
      maker  buys  0.01 SPOT:BTCUSDT at 59000          | refused tooManyOpenOrders
      maker  buys  0.01 MARGIN:BTCUSDT at 59000        | refused tooManyOpenOrders
      maker  cancels all SPOT
      maker  buys  0.01 MARGIN:BTCUSDT at 59000        | rests
    `,
      world,
    );
  });

  test('[ORD-35] a full account can still close a position at market', () => {
    const world = scenario(`${MARKET}
      bob    deposits  1000000 USDT
      bob    sells  1 BTCUSDT at 60000
      maker  buys   1 BTCUSDT at 60000
      bob    buys   2 BTCUSDT at 59500
    `);
    fill(world, 'USDT-FUTURES', 'BTCUSDT', '59000', OPEN_FUTURES_ORDERS_MAX);
    scenario(
      'maker sells 1 BTCUSDT at market reduce-only | filled, maker is flat in BTCUSDT',
      world,
    );
  });

  test('[ORD-38] orders of a master and its sub-accounts count together, per UTC day', () => {
    scenario(`${MARKET}
      daily  orders warn 2 restrict 3
      alice  joins under maker
      alice  deposits  100000 USDT
      clock  advances  12h
      maker  buys  0.1 BTCUSDT at 59000    | rests, 0 dailyOrdersReached
      alice  buys  0.1 BTCUSDT at 59000    | rests, 1 dailyOrdersReached
      alice  buys  0.1 BTCUSDT at 1        | refused priceTooLow
      maker  buys  0.1 BTCUSDT at 59000    | rests, 1 dailyOrdersReached
      maker  buys  0.1 BTCUSDT at 59000    | refused dailyOrdersReached
      alice  buys  0.1 BTCUSDT at 59000    | refused dailyOrdersReached
      bob    buys  0.1 BTCUSDT at 59000    | refused insufficientMargin
      clock  advances  11h 59m 59s
      alice  buys  0.1 BTCUSDT at 59000    | refused dailyOrdersReached
      clock  advances  1s
      alice  buys  0.1 BTCUSDT at 59000    | rests
    `);
  });

  test('[ORD-164][ORD-165] an account past a threshold when it is set is reported once and restricted', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  buys  0.1 BTCUSDT at 59000    | rests
      maker  buys  0.1 BTCUSDT at 59000    | rests
      maker  buys  0.1 BTCUSDT at 59000    | rests
      alice  buys  0.1 BTCUSDT at 59000    | rests
      daily  orders warn 1 restrict 2      | 3 dailyOrdersReached
      maker  buys  0.1 BTCUSDT at 59000    | refused dailyOrdersReached
      alice  buys  0.1 BTCUSDT at 59000    | rests, 1 dailyOrdersReached
      daily  orders warn 2 restrict 3      | 0 dailyOrdersReached
      clock  advances  24h
      daily  orders warn 1 restrict 1      | 0 dailyOrdersReached
    `);
  });

  test("[ORD-38][ORD-39] sub-accounts' orders are reported for their master, and once", () => {
    const world = scenario(`${MARKET}
      alice  joins under maker
      alice  deposits  100000 USDT
      alice  buys  0.1 BTCUSDT at 59000    | rests
      alice  buys  0.1 BTCUSDT at 59000    | rests
      daily  orders warn 2 restrict 3      | 1 dailyOrdersReached
    `);
    expect(world.last!.events).toMatchObject([
      {},
      { uid: world.uid('maker'), threshold: 'warn', count: 2 },
    ]);
  });

  test('[ORD-39] thresholds are off by default, and a warning is not above the restriction', () => {
    const world = createWorld();
    expect(world.engine.state.dailyOrders).toEqual({});
    expect(world.submit({ type: 'setDailyOrders', warn: 4, restrict: 3 }).outcome).toMatchObject({
      refusal: { reason: 'fieldInvalid' },
    });
    expect(world.submit({ type: 'setDailyOrders' }).outcome.ok).toBe(true);
  });
});

describe('position and money', () => {
  test('[ORD-36] nothing to close, or more than there is', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      bob    trades hedged
      bob    deposits  100000 USDT
      alice  sells  1 BTCUSDT at 60000 reduce-only   | refused nothingToClose
      bob    closes long 1 BTCUSDT at 60000          | refused nothingToClose
      maker  sells  2 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000
      bob    opens long 1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000 reduce-only   | refused nothingToClose
      bob    closes long 1.0001 BTCUSDT at 60000     | refused closeTooLarge
      bob    closes long 1 BTCUSDT at 60000          | rests
    `);
  });

  test('[ORD-37] just enough, and one unit less', () => {
    scenario(`${MARKET}
      alice  deposits  6036 USDT
      alice  buys  1 BTCUSDT at 60000               | rests, alice has equity 6036 and needs 6036
      bob    deposits  6035.9999999999 USDT
      bob    buys  1 BTCUSDT at 60000               | refused insufficientMargin
      carol  deposits  60000 USDT
      carol  buys  1 SPOT:BTCUSDT at 60000          | rests, carol has 60000 USDT locked
                                                    | carol has 0 USDT free
      dave   deposits  59999.9999999999 USDT
      dave   buys  1 SPOT:BTCUSDT at 60000          | refused insufficientBalance
      erin   deposits  0.5 BTC
      erin   sells  0.5 SPOT:BTCUSDT at 61000       | rests, erin has 0.5 BTC locked
      erin   sells  0.00001 SPOT:BTCUSDT at 60000   | refused insufficientBalance
    `);
  });
});
