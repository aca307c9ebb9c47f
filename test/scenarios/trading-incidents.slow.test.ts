/** Incidents in which exchanges lost money, repeated here. */
import { describe, expect, test } from 'vitest';
import { totalOf, walletOf } from '../../src/core/ledger/ledger.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { moneyText, plus } from '../../src/kernel/money.ts';
import { createWorld, scenario } from './scenario.ts';

const MARKET = `
  index  BTC       60000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;

describe('incidents', () => {
  test('[ORD-31] INC-zero-qty-market-partial: money below one lot buys nothing, and others match fully', () => {
    scenario(`${MARKET}
      alice  deposits  100 USDT
      maker  sells   0.001 SPOT:BTCUSDT at 60000
      maker  sells   0.001 SPOT:BTCUSDT at 60001 as second
      alice  spends  0 on SPOT:BTCUSDT                 | refused sizeTooSmall
      alice  buys    0 SPOT:BTCUSDT at 60000           | refused sizeTooSmall
      alice  sells   0 SPOT:BTCUSDT at market          | refused sizeTooSmall
      alice  buys    0 BTCUSDT at market               | refused sizeTooSmall
      alice  spends  100 on SPOT:BTCUSDT               | filled
                                                       | trades 0.001 at 60000 and 0.000666 at 60001
                                                       | order second of maker is partiallyFilled
      alice  deposits  0.00000001 USDT                 | alice has 0.03933401 USDT
                                                       | best of SPOT:BTCUSDT is none and 60001
    `);
  });

  test('[ORD-41] INC-zero-qty-market-partial: money below one lot at the price buys nothing', () => {
    const world = createWorld();
    const coarse = world.engine.state.instruments.get('SPOT:BTCUSDT')!.instrument;
    const listed = {
      ...coarse,
      symbol: 'COARSE',
      sizeStep: '1' as DecimalText,
      sizeMin: '1' as DecimalText,
    };
    world.submit({ type: 'listInstrument', instrument: listed });
    scenario(
      `${MARKET}
      alice  deposits  100000 USDT
      maker  sells   1 SPOT:COARSE at 60000.01
      alice  spends  60000 on SPOT:COARSE       | cancelled iocNotFull, filled 0, no trade
                                                | alice has 100000 USDT
      alice  spends  60000.01 on SPOT:COARSE    | filled, filled 1
    `,
      world,
    );
  });

  test('[POS-29] INC-rounding-batch: twenty thousand dust trades bring maker and taker no gain', {
    timeout: 120_000,
  }, () => {
    const world = scenario(`
      index  ETH  3000
      index  BTC  60000
      alice  deposits  100 ETH
      alice  deposits  100 BTC
      bob    joins under alice
      bob    deposits  100 ETH
      bob    deposits  100 BTC
    `);
    const { ledger } = world.engine.state;
    const owned = (coin: string) =>
      plus(
        totalOf(walletOf(ledger, world.uid('alice'), coin)),
        totalOf(walletOf(ledger, world.uid('bob'), coin)),
      );
    const before = ['ETH', 'BTC'].map(owned);
    const order = (side: 'buy' | 'sell') => ({
      symbol: 'ETHBTC',
      side,
      orderType: 'limit' as const,
      size: '0.0001' as DecimalText,
      price: '0.049999' as DecimalText,
      timeInForce: 'gtc' as const,
      reduceOnly: false,
    });
    let trades = 0;
    const count = Number.parseInt(process.env.RIALTO_DUST_TRADES ?? '20000', 10);
    while (trades < count) {
      const [rests, takes] =
        trades % 2 === 0 ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
      const orders = (side: 'buy' | 'sell') => Array.from({ length: 20 }, () => order(side));
      world.engine.execute(
        { type: 'placeOrders', uid: world.uid('alice'), category: 'SPOT', orders: orders(rests) },
        world.engine.at,
      );
      const { events } = world.engine.execute(
        { type: 'placeOrders', uid: world.uid('bob'), category: 'SPOT', orders: orders(takes) },
        world.engine.at,
      );
      trades += events.filter(({ type }) => type === 'tradeExecuted').length;
    }
    const lost = ['ETH', 'BTC'].map((coin, at) => (before[at] as bigint) - (owned(coin) as bigint));
    const fees = ['ETH', 'BTC'].map((coin) => ledger.house.get(coin)!.fees as bigint);
    // Every trade costs 10^-7 ETH, and 5 units of BTC instead of the exact 4.9999. The exchange
    // receives all of it.
    expect(lost).toEqual(fees);
    expect(fees).toEqual([BigInt(trades) * 1_000n, BigInt(trades) * 50n]);
    expect(ledger.house.get('BTC')!.rounding).toBe(0n);
    expect(world.engine.audit().violations).toEqual([]);
  });

  test('[ORD-37] INC-wrong-asset-collateral: a sale needs the sold coin itself', () => {
    scenario(`${MARKET}
      index  XRP    0.5
      alice  deposits  100 XRP
      maker  buys   10 SPOT:BTCUSDT at 60000
      alice  sells  1 SPOT:BTCUSDT at 60000      | refused insufficientBalance
      alice  sells  0.00001 SPOT:BTCUSDT at 60000   | refused insufficientBalance
      alice  sells  1 MARGIN:BTCUSDT at 60000    | refused insufficientMargin
      alice  sells  1 BTCUSDT at 60000           | refused insufficientMargin
      alice  sells  100 SPOT:XRPUSDT at 0.5      | rests
      bob    deposits  0.01 BTC
      bob    buys   0.1 BTCUSDT at 60000         | refused insufficientMargin
      bob    buys   0.09 BTCUSDT at 60000        | rests
      bob    sells  0.01 SPOT:BTCUSDT at 61000   | refused insufficientBalance
    `);
  });

  test('[ORD-33] INC-price-100x: a price off by a hundred times is refused; market orders stop before it', () => {
    scenario(`${MARKET}
      alice  deposits  1000000 USDT
      maker  sells  1 BTCUSDT at 600             | refused priceTooLow
      maker  sells  1 SPOT:BTCUSDT at 600        | refused priceTooLow
      alice  buys   0.01 BTCUSDT at 6000000      | refused priceTooHigh
      alice  buys   0.01 SPOT:BTCUSDT at 6000000 | refused priceTooHigh
      index  BTC    600                          | refused priceJumpTooLarge
      maker  buys   1 BTCUSDT at 30000
      alice  sells  1 BTCUSDT at market          | trades 1 at 30000
    `);
  });

  // Alice gains 15,000: a third of a bitcoin at 45,000, and 0.03333… less at mark. Fees of
  // 0.00013333… and 0.0006 come off that. Bob loses 40,000 and carol gains 25,000. The difference
  // of 15,000 is 0.08571… bitcoin more at mark than at 70,000, less fees of 0.00038571….
  /** A coin-margined position passes from one account to the next at prices of their choice. */
  const passedAround = (size: number): string => `
      bob    sells  ${size} BTCUSD at 30000
      alice  buys   ${size} BTCUSD at 30000
      alice  sells  ${size} BTCUSD at 45000
      carol  buys   ${size} BTCUSD at 45000
      carol  sells  ${size} BTCUSD at 70000
      bob    buys   ${size} BTCUSD at 70000`;
  const THREE_FRIENDS = `
      index  BTC    50000
      alice  deposits  1000 BTC
      bob    deposits  1000 BTC
      carol  deposits  1000 BTC`;

  test('[POS-20][POS-152] INC-passed-around: within the allowance a close pays by its price', () => {
    const world = scenario(`${THREE_FRIENDS}
      bob    sells  1 BTCUSD at 30000
      alice  buys   1 BTCUSD at 30000
      alice  sells  1 BTCUSD at 45000
      carol  buys   1 BTCUSD at 45000    | alice realised 0.3333333333
      carol  sells  1 BTCUSD at 70000
      bob    buys   1 BTCUSD at 70000    | bob realised -0.5714285715, carol realised 0.3571428571
    `);
    // 0.0333333334 and 0.0857142858, less fees of 0.0007333334 and 0.0003857144.
    expect(moneyText(world.engine.state.drawnOnClearing.get('BTC')!)).toBe('0.1179285714');
  });

  test('[POS-94][POS-154] INC-passed-around: colluding accounts draw a million dollars and no more', () => {
    const world = scenario(`${THREE_FRIENDS}${passedAround(10).repeat(17)}`);
    const { ledger, drawnOnClearing } = world.engine.state;
    const owned = () =>
      ['alice', 'bob', 'carol']
        .map((name) => totalOf(walletOf(ledger, world.uid(name), 'BTC')))
        .reduce(plus);
    const before = owned();
    expect(moneyText(drawnOnClearing.get('BTC')!)).toBe('20');
    scenario(passedAround(10).repeat(3), world);
    expect(owned()).toBeLessThan(before);
    expect(moneyText(drawnOnClearing.get('BTC')!)).toBe('20');
    scenario(
      `
      bob    sells  1 BTCUSD at 30000
      alice  buys   1 BTCUSD at 30000
      alice  sells  1 BTCUSD at 45000
      carol  buys   1 BTCUSD at 45000    | alice realised 0.3007333333
      carol  sells  1 BTCUSD at 70000
      bob    buys   1 BTCUSD at 70000    | bob realised -0.6567571429, carol realised 0.3571428571`,
      world,
    );
  });

  test('[POS-152][POS-154] INC-passed-around: a close with a small draw pays by its price', () => {
    scenario(`
      index  BTC    50000
      alice  deposits  10 BTC
      bob    deposits  10 BTC
      carol  deposits  10 BTC
      bob    sells  2 BTCUSD at 30000
      alice  buys   2 BTCUSD at 30000
      alice  sells  1 BTCUSD at 49950
      carol  buys   1 BTCUSD at 49950    | alice realised 0.3993993993
      bob    buys   1 BTCUSD at 40000
      alice  sells  1 BTCUSD at 40000    | alice realised 0.25, bob realised -0.25
    `);
  });

  test('[POS-94][POS-152] INC-passed-around: clearing levies can be drawn again; a part counts its cost', () => {
    const world = scenario(`${THREE_FRIENDS}
      bob    sells  11 BTCUSD at 30000
      alice  buys   11 BTCUSD at 30000
      alice  sells  10 BTCUSD at 45000
      carol  buys   10 BTCUSD at 45000`);
    const drawn = () => moneyText(world.engine.state.drawnOnClearing.get('BTC')!);
    // 0.3333333334, less fees of 0.0013333334 and 0.006.
    expect(drawn()).toBe('0.326');
    // 25,000 dollars are 0.3571428571 bitcoin at 70,000 and 0.5 at mark.
    scenario(
      'dave deposits 10 BTC\ncarol sells 1 BTCUSD at 70000\ndave buys 1 BTCUSD at 70000',
      world,
    );
    expect(drawn()).toBe('0.1831428572');
    // She sells the last of eleven and one more: 0.0333333334, less fees of 0.0001333334, 0.0002
    // and 0.0012.
    scenario('alice sells 2 BTCUSD at 45000\ndave buys 2 BTCUSD at 45000', world);
    expect(drawn()).toBe('0.2149428572');
  });

  test('[POS-155] INC-passed-around: two closes share the levy in proportion to their draws', () => {
    const world = scenario(`${THREE_FRIENDS}${passedAround(10).repeat(20)}
      dave   deposits  10 BTC
      erin   deposits  10 BTC
      carol  sells  1 BTCUSD at 40000
      alice  buys   1 BTCUSD at 40000
      bob    sells  1 BTCUSD at 60000
      dave   buys   1 BTCUSD at 60000`);
    expect(moneyText(world.engine.state.drawnOnClearing.get('BTC')!)).toBe('20');
    // They gain 5,000 and 15,000, which are 0.0444444445 bitcoin more at 45,000 than at mark. Less
    // fees of 0.0001777778 and 0.0008, 0.0434666667 remain: one leaves a quarter of it, the other
    // the rest.
    scenario(
      `alice  sells  1 BTCUSD at 45000
       bob    buys   1 BTCUSD at 45000    | alice realised 0.1002444445, bob realised 0.3007333332`,
      world,
    );
  });

  test('[ORD-71] INC-own-loss: no account loses more than it has to an accomplice far from mark', () => {
    const world = scenario(`${MARKET}
      alice  deposits  6100 USDT
      eve    deposits  100000 USDT
      eve    sells  1 BTCUSDT at 66000 as bait
      alice  sets leverage 20 on BTCUSDT
      alice  buys   1 BTCUSDT at 66000             | refused insufficientMargin
                                                   | alice is flat in BTCUSDT
      eve    cancels bait
      maker  sells  1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000             | filled
      eve    buys   1 BTCUSDT at 50000 as low
      alice  sells  1 BTCUSDT at 50000 reduce-only | refused insufficientMargin
                                                   | alice is long 1 BTCUSDT at 60000
      eve    cancels low
      eve    buys   1 BTCUSDT at 54000
      alice  sells  1 BTCUSDT at 54000 reduce-only | filled, alice is flat in BTCUSDT
    `);
    const { available } = walletOf(world.engine.state.ledger, world.uid('alice'), 'USDT');
    expect(moneyText(available)).toBe('31.6');
    expect(world.engine.state.debts.size).toBe(0);
  });

  test('[ORD-71] INC-own-loss: an isolated position never closes for more than its margin and the wallet', () => {
    scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  deposits  6036 USDT
      eve    deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000                | alice has 6000 in long BTCUSDT
                                                      | alice has 0 USDT free
      eve    buys   1 BTCUSDT at 53000
      alice  sells  1 BTCUSDT at 53000 reduce-only    | refused insufficientMargin
      alice  sells  0.5 BTCUSDT at 53000 reduce-only  | filled, alice has 2484.1 in long BTCUSDT
                                                      | alice has 0 USDT free, alice owes 0 USDT
    `);
  });

  test('[ORD-169] INC-own-loss: a resting order without its margin is cancelled when another meets it', () => {
    scenario(`${MARKET}
      alice  deposits  1 BTC
      alice  sells  1 BTCUSDT at 60000 as rests        | rests
      bob    deposits  100000 USDT
      index  BTC    300 forced
      pin    BTCUSDT 60000
      bob    buys   1 BTCUSDT at 60000                 | rests, no trade
                                                       | order rests of alice is cancelled moneyGone
    `);
  });

  test('[ORD-71] INC-own-loss: a resting order that now opens fills only as far as there is margin', () => {
    scenario(`${MARKET}
      alice  deposits  6100 USDT
      bob    deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      maker  buys   2 BTCUSDT at 59900
      alice  buys   1 BTCUSDT at 60000
      alice  sells  1 BTCUSDT at 60000 as profit     | rests
      alice  sells  1 BTCUSDT at market reduce-only  | alice is flat in BTCUSDT
                                                     | order profit of alice is new
      bob    buys   0.5 BTCUSDT at 60000             | filled, alice is short 0.5 BTCUSDT at 60000
                                                     | order profit of alice is partiallyFilled
      bob    buys   0.5 BTCUSDT at 60000             | rests
                                                     | order profit of alice is cancelled moneyGone
    `);
  });

  test('[ORD-71] INC-own-loss: a repaying order is not filled if that leads to liquidation', () => {
    scenario(`${MARKET}
      alice  deposits  10000 USDT
      maker  buys   0.3 SPOT:BTCUSDT at 60000
      alice  sells  0.3 MARGIN:BTCUSDT at 60000           | filled, alice owes 0.3 BTC
      index  BTC    85000 forced
      eve    deposits  1 BTC
      eve    sells  0.2 SPOT:BTCUSDT at 100000 as dear
      alice  buys   0.2 MARGIN:BTCUSDT at 100000          | refused insufficientMargin
                                                          | alice owes 0.3 BTC
      eve    cancels dear
      eve    sells  0.2 SPOT:BTCUSDT at 86000
      alice  buys   0.2 MARGIN:BTCUSDT at 86000           | filled, alice owes 0.1002 BTC
    `);
  });

  test('[ORD-71] INC-own-loss: nor does an isolated order borrow margin that it never held', () => {
    scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  deposits  6100 USDT
      bob    deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      maker  buys   2 BTCUSDT at 59990
      alice  buys   1 BTCUSDT at 60000
      alice  sells  1 BTCUSDT at 60000 as uncovered  | rests, alice has 0 USDT locked
      alice  sells  1 BTCUSDT at market reduce-only  | alice is flat in BTCUSDT
                                                     | alice has 6018.006 USDT
      bob    buys   0.5 BTCUSDT at 60000             | filled, alice is short 0.5 BTCUSDT at 60000
                                                     | alice has 3000 in short BTCUSDT
      bob    buys   0.5 BTCUSDT at 60000
        | rests, order uncovered of alice is cancelled moneyGone, alice owes 0 USDT
    `);
  });
});
