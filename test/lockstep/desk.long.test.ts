/** Runs the desk beside the naive desk until every counter is reached. */
import { describe, expect, test } from 'vitest';
import { deskInLockstep } from '../../model/lockstep/lockstep-desk-runs.ts';

/** `npm run lockstep -- --desk` runs longer and with other seeds. */
const STEPS = 3_600;

describe('the naive desk', () => {
  test('[WDR-03][WDR-07][WDR-20][WDR-39][WDR-51][AGT-33] the engine matches it', {
    timeout: 120_000,
  }, async () => {
    const counters = await deskInLockstep(STEPS, 11);
    // A counter of zero means that the stream did not test it.
    for (const name of REACHED)
      expect(counters[name] ?? 0, `${name} in ${JSON.stringify(counters)}`).toBeGreaterThan(0);
  });
});

const REACHED = [
  'request repeated',
  'generated client id changed',
  'restarts',
  'days',
  'commissions',
  'fees refunded',
  'level risen',
  'level fallen',
  'audit names a coin',
  'deposit accepted',
  'deposit balanceLimitExceeded',
  'deposit duplicateClientOid',
  'deposit reserveTooSmall',
  'requestWithdrawal accepted',
  'requestWithdrawal duplicateClientOid',
  'requestWithdrawal unknownChain',
  'requestWithdrawal withdrawalsHalted',
  'requestWithdrawal chainClosed',
  'requestWithdrawal addressInvalid',
  'requestWithdrawal tagNeeded',
  'requestWithdrawal withdrawalTooFine',
  'requestWithdrawal withdrawalOffStep',
  'requestWithdrawal withdrawalTooSmall',
  'requestWithdrawal withdrawalTooLarge',
  'requestWithdrawal dailyLimitExceeded',
  'requestWithdrawal insufficientBalance',
  'margined known accepted',
  'margined known insufficientBalance',
  'margined stale accepted',
  'margined stale insufficientBalance',
  'margined frozen insufficientBalance',
  'margined by an inverse contract accepted',
  'margined by an inverse contract insufficientBalance',
  'contract listed again',
  'transferToUser accepted',
  'transferToUser duplicateClientOid',
  'transferToUser transferToSelf',
  'transferToUser unknownRecipient',
  'cancelWithdrawal accepted',
  'cancelWithdrawal withdrawalOutOfTurn',
  'decideWithdrawal accepted',
  'decideWithdrawal secondOperatorNeeded',
  'decideWithdrawal reserveTooSmall',
  'askChain accepted',
  'askChain withdrawalsHalted',
  'askChain chainClosed',
  'reportChain withdrawalOutOfTurn',
  'withdrawal approval',
  'withdrawal confirming',
  'withdrawal completed',
  'transfer completed',
  'failure cancelled',
  'failure rejected',
  'failure failedOnChain',
  'failure refusedByChain',
  'failure neverSent',
];
