/**
 * Withdrawals whose chain is no longer listed: what was not sent by then never will be, so its
 * money returns.
 */
import { inParts, type Reaction } from '../transaction/step.ts';
import { chainOf } from './listed-chains.ts';
import { failWithdrawal } from './progress.ts';

/** What the chain may have been asked for goes on: only its own fate is left to tell (WDR-50). */
export const returnUnsent: Reaction<'coinListed'> = (step, { coin }) => {
  const unsent = [...step.state.withdrawals.live.values()].filter(
    ({ row, progress }) =>
      row.coin === coin.coin &&
      progress.askedAt === undefined &&
      chainOf(coin, row.chain) === undefined,
  );
  inParts(step, unsent, (withdrawal) => failWithdrawal(step, withdrawal, 'neverSent'));
};
