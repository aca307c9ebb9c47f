/** Margin orders that were accepted without margin, because each of them alone repays a loan. */
import { test } from 'vitest';
import { scenario } from './scenario.ts';

const BUYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  .map((name) => `alice  buys 0.1 MARGIN:BTCUSDT at 60000 as ${name} | rests`)
  .join('\n');

/**
 * The account owes 0.1 bitcoin, and each of seven buys repays exactly that. The first two spend
 * 12,000 of its money; four more borrow the rest of 24,000. After the seventh the debt is 36,000
 * less the remaining money: 0.5993 bitcoin at 57,000 count 34,160.1.
 */
const sevenBuys = (deposited: string, end: string): string => `
  index  BTC    60000
  maker  deposits  10 BTC
  maker  deposits  100000 USDT
  alice  deposits  ${deposited} USDT
  maker  buys   0.1 SPOT:BTCUSDT at 60000
  alice  sells  0.1 MARGIN:BTCUSDT at 60000              | filled, alice owes 0.1 BTC
  ${BUYS}
  maker  sells  0.6 SPOT:BTCUSDT at 60000                | filled, alice has 0.4994 BTC free
                                                         | alice owes 0 BTC
  maker  sells  0.1 SPOT:BTCUSDT at 60000 ioc            | ${end}
`;

// A debt of 25,620.075 at three times leverage needs 8,540.025, which is what 34,160.1 leave.
test('[ORD-110] an order that borrows in the end needs exactly the margin of its loan', () => {
  scenario(
    sevenBuys(
      '10385.925',
      'filled, order g of alice is filled, alice owes 25620.075 USDT, alice has 0.5993 BTC free',
    ),
  );
});

test('[ORD-110][ORD-169] with one unit less, the last of seven repaying orders is cancelled', () => {
  scenario(
    sevenBuys(
      '10385.92',
      'no trade, order g of alice is cancelled moneyGone, alice owes 19620.08 USDT',
    ),
  );
});

test('[ORD-110][ORD-156] an account without free margin repays a loan with its own money', () => {
  scenario(`
    index  BTC    60000
    maker  deposits  10 BTC
    maker  deposits  100000 USDT
    alice  deposits  2030 USDT
    maker  buys   0.1 SPOT:BTCUSDT at 60000
    alice  sells  0.1 MARGIN:BTCUSDT at 60000              | filled, alice owes 0.1 BTC
                                                           | alice has 8024 USDT free
    index  BTC    72000
    maker  sells  0.1 SPOT:BTCUSDT at 72000
    alice  buys   0.1 MARGIN:BTCUSDT at 72000              | filled, alice owes 0.0001 BTC
                                                           | alice has 824 USDT free
  `);
});
