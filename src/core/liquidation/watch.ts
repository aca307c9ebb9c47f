/**
 * Marks the accounts to examine before the command ends: their money, positions or loans changed,
 * or a price reached them.
 */
import type { Uid } from '../../kernel/ids.ts';
import { findAccountContext } from '../derived/derived.ts';
import { instrumentKey } from '../derived/instrument-spec.ts';
import type { Reaction, Step } from '../transaction/step.ts';

const hasPositionOrDebt = (step: Step, uid: Uid): boolean =>
  findAccountContext(step, uid)?.positions !== undefined || step.state.debts.has(uid);

/** An account that is safe at these prices is examined only when one of them moves. */
function watchAccount({ derived: { risk, headroom } }: Step, uid: Uid): void {
  if (headroom.isSafe(uid)) risk.defer(uid);
  else risk.mark(uid);
}

export const watchWallets: Reaction<'entryPosted'> = (step, { lines }) => {
  for (const { uid } of lines)
    if (uid !== undefined && hasPositionOrDebt(step, uid)) watchAccount(step, uid);
};

export const watchPosition: Reaction<'positionChanged'> = (step, { position }) => {
  watchAccount(step, position.uid);
  step.derived.rankings.changed(position);
};

/** A level changes the closing fee, which is part of the maintenance requirement. */
export const watchLevel: Reaction<'levelChanged'> = (step, { uid }) => {
  if (hasPositionOrDebt(step, uid)) step.derived.risk.mark(uid);
};

export const watchLoan: Reaction<'debtChanged'> = (step, { uid }) => step.derived.risk.mark(uid);

export const watchMark: Reaction<'markPriceMoved'> = (step, { category, symbol, price }) =>
  step.derived.risk.reach({ kind: 'mark', key: instrumentKey(category, symbol) }, price);

/** Any new index ends a freeze, even at the same price. */
export const watchIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin, price }) => {
  step.derived.risk.resumeSuspended();
  step.derived.risk.reach({ kind: 'index', coin: baseCoin }, price);
};

const resume = (step: Step): void => step.derived.risk.resumeSuspended();
export const resumeWithMarket: Reaction<'marketSwitched'> = resume;
export const resumeWithPin: Reaction<'markPinned'> = resume;
export const resumeWithStatus: Reaction<'instrumentStatusChanged'> = resume;

/** New tiers, collateral rates or fees may leave any account short. */
const markAll = ({ state, derived }: Step): void => {
  for (const uid of state.positions.keys()) derived.risk.mark(uid);
  for (const uid of state.debts.keys()) derived.risk.mark(uid);
};
export const watchAllForCoin: Reaction<'coinListed'> = markAll;
export const watchAllForInstrument: Reaction<'instrumentListed'> = markAll;
export const watchAllForFees: Reaction<'feesSet'> = markAll;
