/** Money on its way out, as commands ask for it and as events tell of it. */
import { appended, oneOf, optional, record, text, type ValueOf, whole } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Amount } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import {
  ADDRESS_KINDS,
  type WithdrawalFailure,
  type WithdrawalStage,
  type WithdrawalStatus,
} from './vocabulary.ts';

/**
 * What a Lightning invoice says, read once at the border: a later reader may read differently, a
 * journal may not.
 */
const invoiceCodec = record({
  paymentHash: text(),
  /** In bitcoin; absent for an invoice that leaves the amount open. */
  amount: optional(text<DecimalText>()),
  expiresAt: whole<Timestamp>(),
});
export type Invoice = ValueOf<typeof invoiceCodec>;

/** Whose account it is at another exchange, where the law wants to know. */
const beneficiaryCodec = record({
  memberCode: text(),
  identityType: oneOf(['company', 'user']),
  companyName: optional(text()),
  firstName: optional(text()),
  lastName: optional(text()),
});
export type Beneficiary = ValueOf<typeof beneficiaryCodec>;

/** What is the same for both ways out. */
export const moneyOutFields = {
  uid: whole<Uid>(),
  coin: text(),
  size: text<DecimalText>(),
  remark: optional(text()),
  clientOid: optional(text<ClientOid>()),
  beneficiary: optional(beneficiaryCodec),
};

export const onChainFields = {
  ...moneyOutFields,
  /** Absent when it was not said; the refusal for that has its place among the others. */
  chain: optional(text()),
  address: text(),
  /**
   * The rules that the address was found to obey; absent when it obeyed none that the chain has.
   */
  addressKind: optional(oneOf(ADDRESS_KINDS)),
  invoice: optional(invoiceCodec),
  tag: optional(text()),
  /** Whose deposit address here it is; absent when it is nobody's. */
  recipient: appended(whole<Uid>()),
};

/** A withdrawal as it was requested; what becomes of it is told by later events. */
export interface WithdrawalRow {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly coin: string;
  readonly route: 'onChain' | 'internal';
  /** Empty for an internal transfer, as is the tag. */
  readonly chain: string;
  readonly tag: string;
  /** Who gets it: an address, or a uid, e-mail or mobile number in its normal form. */
  readonly toAddress: string;
  readonly size: Amount;
  readonly fee: Amount;
  /** What the recipient gets. */
  readonly sent: Amount;
  /** What it was worth when it was requested; absent when no price was known. */
  readonly usd?: Amount;
  readonly confirmationsNeeded: number;
  readonly approvalsNeeded: number;
  readonly remark?: string;
  readonly beneficiary?: Beneficiary;
  /** The user whose deposit address it goes to; absent when that is not here. */
  readonly recipient?: Uid;
}

/** A withdrawal as far as it has come. */
export interface WithdrawalProgress {
  readonly stage: WithdrawalStage;
  readonly approvals: readonly string[];
  readonly confirmations: number;
  readonly hash?: string;
  /** When the chain connector was, or may have been, asked to send it. */
  readonly askedAt?: Timestamp;
}

export interface WithdrawalEnd {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly status: Exclude<WithdrawalStatus, 'pending'>;
  readonly failure?: WithdrawalFailure;
  readonly confirmations: number;
  readonly hash?: string;
  /** It has come to the deposit address of another user, so it has not left the house. */
  readonly arrivedHere?: true;
}
