/** Fails the unsent withdrawals of chains that are no longer listed. */
import { inParts, type Reaction } from '../transaction/step.ts';
import { chainOf } from './listed-chains.ts';
import { failWithdrawal } from './progress.ts';

/** Withdrawals that may already have been sent continue (WDR-50). */
export const returnUnsent: Reaction<'coinListed'> = (step, { coin }) => {
  const unsent = [...step.state.withdrawals.live.values()].filter(
    ({ row, progress }) =>
      row.coin === coin.coin &&
      progress.askedAt === undefined &&
      chainOf(coin, row.chain) === undefined,
  );
  inParts(step, unsent, (withdrawal) => failWithdrawal(step, withdrawal, 'neverSent'));
};
