/** Records of funding and interest that wait to be charged. */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount, Rate } from '../../kernel/money.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';

export interface FundingCharge {
  readonly kind: 'funding';
  readonly uid: Uid;
  readonly positionId: Id;
  readonly key: string;
  readonly side: PositionSide;
  /** Positive for one that receives. */
  readonly amount: Amount;
  readonly rate: Rate;
}

/**
 * Without an amount: what is owed when it is charged is what was owed at the hour, for nothing has
 * changed it since.
 */
export interface InterestCharge {
  readonly kind: 'interest';
  readonly uid: Uid;
  readonly coin: string;
  readonly rate: Rate;
}

/** The same of a loan in a pair. */
export interface PairInterestCharge extends Omit<InterestCharge, 'kind'> {
  readonly kind: 'pairInterest';
  readonly symbol: string;
}

export type Charge = FundingCharge | InterestCharge | PairInterestCharge;

/**
 * Whoever is still to be charged, in the order they will be, each with all that he is to be
 * charged.
 */
export type PendingCharges = Map<Uid, Charge[]>;

/** How many more may be charged with this command or moment; the next one begins anew. */
export interface ChargingLeft {
  count: number;
}
