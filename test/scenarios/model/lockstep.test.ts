import { describe, expect, test } from 'vitest';
import { type Counters, Lockstep } from './lockstep.ts';

/** Commands in all; `RIALTO_MODEL_COMMANDS` asks for more, `RIALTO_MODEL_SEED` for another stream. */
const COMMANDS = Number.parseInt(process.env.RIALTO_MODEL_COMMANDS ?? '100000', 10);
const SEED = Number.parseInt(process.env.RIALTO_MODEL_SEED ?? '1', 10);
/** A life ends early when a liquidation takes it out of the naive exchange's world. */
const COMMANDS_PER_LIFE = 1_500;
const AUDIT_EVERY = 250;

describe('the naive exchange', () => {
  test('[ORD-72] the engine trades as the obviously right exchange does, to the last unit', { timeout: 3_600_000 }, () => {
    const counters: Counters = {};
    let done = 0;
    for (let seed = SEED; done < COMMANDS; seed++) {
      const life = new Lockstep(seed, counters);
      for (let at = 0; at < COMMANDS_PER_LIFE && !life.isLiquidated; at++, done++) {
        try {
          life.step();
          if (at % AUDIT_EVERY === 0 && !life.isLiquidated) life.audit();
        } catch (failure) {
          if (failure instanceof Error) failure.message = `life ${seed}, command ${at}: ${failure.message}`;
          throw failure;
        }
      }
    }
    // What a stream never reaches it does not test.
    for (const name of REACHED) expect(counters[name] ?? 0, `${name} in ${JSON.stringify(counters)}`).toBeGreaterThan(0);
  });
});

const REACHED = [
  'accepted',
  'trades',
  'prices',
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
];
