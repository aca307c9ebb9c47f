/** The engine beside the naive exchange for so long that everything a stream can reach has happened. */
import { describe, expect, test } from 'vitest';
import { liveInLockstep, livesInOrder } from '../scenarios/model/lockstep-lives.ts';

/** `npm run lockstep` asks for more, and for other streams. */
const COMMANDS = 37_500;
/** One in ten deleverages somebody whose orders must go; all else happens in several of the others, which come in order. */
const LIVES_THAT_DELEVERAGE = [30, 66];

describe('the naive exchange', () => {
  test('[ORD-72] whatever can happen to an order, the engine trades as the obviously right exchange does', () => {
    const counters = liveInLockstep(COMMANDS, livesInOrder(LIVES_THAT_DELEVERAGE));
    // What a stream never reaches it does not test.
    for (const name of REACHED) expect(counters[name] ?? 0, `${name} in ${JSON.stringify(counters)}`).toBeGreaterThan(0);
  });
});

const REACHED = [
  'accepted',
  'trades',
  'USDT-FUTURES crossed closed',
  'USDT-FUTURES isolated closed',
  'COIN-FUTURES crossed closed',
  'COIN-FUTURES isolated closed',
  'prices',
  'just safe',
  'just liquidated',
  'USDT-FUTURES funded',
  'COIN-FUTURES funded',
  'funding cut short',
  'premium that nobody pays for',
  'interest',
  'borrowed by a margin order',
  'margin order only pays back',
  'deposit repays',
  'USDT-FUTURES isolated liquidated',
  'COIN-FUTURES isolated liquidated',
  'crossed liquidated',
  'hedged sides offset',
  'reduced to a lower tier',
  'reduced in part',
  'isolated taken over',
  'crossed taken over',
  'fund gained',
  'fund paid',
  'fund paid beyond bankruptcy',
  'fund exhausted',
  'deleveraged at bankruptcy',
  'deleveraged at mark',
  'deleveraged at entry',
  'loan ended with coins',
  'loan written off',
  'restarts',
  'positionSideMismatch',
  'fieldMissing',
  'priceOffStep',
  'sizeOffStep',
  'sizeTooSmall',
  'sizeTooLarge',
  'priceTooLow',
  'priceTooHigh',
  'nothingToClose',
  'closeTooLarge',
  'insufficientMargin',
  'insufficientBalance',
  'unknownOrder',
  'modified',
  'made smaller',
  'replaced',
  'not modified orderUnchanged',
  'not modified orderNotModifiable',
  'not modified priceOffStep',
  'not modified sizeTooSmall',
  'not modified closeTooLarge',
  'not modified insufficientMargin',
  'not modified insufficientBalance',
  'ended modified',
  'ended filled',
  'ended byUser',
  'ended fokNotFull',
  'ended iocNotFull',
  'ended postOnlyWouldTake',
  'ended selfTrade',
  'ended slippage',
  'ended reduceOnlyReplaced',
  'ended nothingToReduce',
  'ended moneyGone',
  'margin order margined anew',
  'several of one account filled whole',
  'several of one account are too much',
  'ended liquidation',
  'ended autoDeleverage',
];
