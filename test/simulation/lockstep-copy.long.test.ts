/**
 * Runs leaders and followers on the engine and the naive exchange until every reachable case has
 * occurred.
 */
import { describe, expect, test } from 'vitest';
import { copyInLockstep } from '../../model/lockstep/lockstep-copy-runs.ts';

/** `npm run lockstep -- --copy` runs longer and other streams. */
const COMMANDS = 7_000;

describe('the naive exchange with leaders and followers', () => {
  test('[CPY-57] in every case of a copy, the engine mirrors as the naive exchange does', () => {
    const counters = copyInLockstep(COMMANDS, 4);
    // What the streams do not reach is not tested.
    for (const name of REACHED)
      expect(counters[name] ?? 0, `${name} in ${JSON.stringify(counters)}`).toBeGreaterThan(0);
  });
});

const REACHED = [
  'follow limits changed',
  'contract changed',
  'contract restored',
  'listed while copies wait',
  'leverage lowered',
  'funding hours changed',
  'sizeTooSmall',
  'priceTooHigh',
  'priceTooLow',
  'closed by mode or coin: true',
  'closed by mode or coin: false',
  'copied',
  'closed with its leader',
  'closed by its account',
  'own TP/SL reached',
  'tried again',
  'cancelled for mirroring',
  'opened and closed before it was tracked',
  'share paid',
  'share owed',
  'share cut',
  'share waits for prices',
  'share paid after waiting',
  'copied isolated as its leader',
  'copied crossed as its leader',
  'portion ends within a job',
  'became a leader',
  'sent away',
  'OCO sibling cancelled',
  'modified',
  'waiting order released',
  'index stale',
  'mark frozen',
  'isolated taken over',
  'deleveraged at bankruptcy',
  'USDC-FUTURES isolated closed',
  'COIN-FUTURES crossed closed',
  'tracked orders taken over',
  'restarts',
  'fieldInvalid',
  'notFollowing',
  'takeProfitOnWrongSide',
  'stopLossOnWrongSide',
  'nothingToClose',
  'symbolClosed',
  'symbolNotLed',
  'leaderFull',
  'cannotFollow',
  'unknownLeader',
  'copyNotNow',
  'leverageOutOfRange',
  'positionModeInUse',
  'noLiquidity',
  'not copied belowFollowLimit',
  'not copied tooManyTrackedOrders',
  'not copied insufficientMargin',
  'not copied marginModeInUse',
  'not copied leverageNeedsMargin',
  'not copied leverageOutOfRange',
  'not copied noLiquidity',
  'not copied iocNotFull',
  'not copied slippage',
];
