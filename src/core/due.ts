/** What each kind of timer does when it is due. A kind without a row does not compile. */
import { endSettlementDay } from './clock/settlement-days.ts';
import { settleFunding } from './funding/settle-funding.ts';
import { sampleMark } from './prices/market-prices.ts';
import type { Timer, TimerKind } from './state/timer.ts';
import { chargeInterest } from './trading/charges/interest.ts';
import { chargePairInterest } from './trading/charges/pair-interest.ts';
import { endCountdown } from './trading/orders/countdown.ts';
import type { Step } from './transaction/step.ts';

export const due: { readonly [Kind in TimerKind]: (step: Step, timer: Timer) => void } = {
  settlementDayEnd: endSettlementDay,
  markSample: sampleMark,
  funding: settleFunding,
  interest: chargeInterest,
  isolatedInterest: chargePairInterest,
  countdown: endCountdown,
};
