/** Withdrawals as data of the core's interface: requests, rows and progress. */
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
 * A decoded Lightning invoice. It is decoded once, before the journal, so a later decoder cannot
 * change a replay.
 */
const invoiceCodec = record({
  paymentHash: text(),
  /** In bitcoin; absent if the invoice leaves the amount open. */
  amount: optional(text<DecimalText>()),
  expiresAt: whole<Timestamp>(),
});
export type Invoice = ValueOf<typeof invoiceCodec>;

/** The beneficiary at another exchange, where the law requires it. */
const beneficiaryCodec = record({
  memberCode: text(),
  identityType: oneOf(['company', 'user']),
  companyName: optional(text()),
  firstName: optional(text()),
  lastName: optional(text()),
});
export type Beneficiary = ValueOf<typeof beneficiaryCodec>;

/** Fields of on-chain withdrawals and of transfers to users. */
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
  /** Absent if not given; the refusal for that comes in its usual order. */
  chain: optional(text()),
  address: text(),
  /** The format that the address matched; absent if it matched none of the chain. */
  addressKind: optional(oneOf(ADDRESS_KINDS)),
  invoice: optional(invoiceCodec),
  tag: optional(text()),
  /** The user with this deposit address; absent if there is none. */
  recipient: appended(whole<Uid>()),
};

/** A withdrawal as requested; later events report its progress. */
export interface WithdrawalRow {
  readonly orderId: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly coin: string;
  readonly route: 'onChain' | 'internal';
  /** Empty for an internal transfer, as is the tag. */
  readonly chain: string;
  readonly tag: string;
  /** The recipient: an address, or a uid, e-mail or mobile number in its normal form. */
  readonly toAddress: string;
  readonly size: Amount;
  readonly fee: Amount;
  /** The amount that the recipient gets. */
  readonly sent: Amount;
  /** Its value at the request; absent if no price was known. */
  readonly usd?: Amount;
  readonly confirmationsNeeded: number;
  readonly approvalsNeeded: number;
  readonly remark?: string;
  readonly beneficiary?: Beneficiary;
  /** The user with this deposit address; absent if it is not here. */
  readonly recipient?: Uid;
}

/** The current progress of a withdrawal. */
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
  /** It arrived at another user's deposit address, so it has not left the exchange. */
  readonly arrivedHere?: true;
}
