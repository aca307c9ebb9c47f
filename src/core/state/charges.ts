/** Records of funding and interest that are still to be charged. */
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Amount, Rate } from '../../kernel/money.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';

export interface FundingCharge {
  readonly kind: 'funding';
  readonly uid: Uid;
  readonly positionId: Id;
  readonly key: string;
  readonly side: PositionSide;
  /** Positive if the account receives it. */
  readonly amount: Amount;
  readonly rate: Rate;
}

/** Needs no amount, because a debt does not change between the full hour and the charge. */
export interface InterestCharge {
  readonly kind: 'interest';
  readonly uid: Uid;
  readonly coin: string;
  readonly rate: Rate;
}

/** Interest of a loan in an isolated pair. */
export interface PairInterestCharge extends Omit<InterestCharge, 'kind'> {
  readonly kind: 'pairInterest';
  readonly symbol: string;
}

export type Charge = FundingCharge | InterestCharge | PairInterestCharge;

/** All pending charges by account, in the order in which they will be charged. */
export type PendingCharges = Map<Uid, Charge[]>;

/** How many more accounts this command or timer may charge. */
export interface ChargingLeft {
  count: number;
}
