/**
 * Records of orders, triggers and withdrawals: shown while they are open, and passed to history
 * when they have ended.
 */
import type { Id } from '../kernel/ids.ts';
import type { Amount, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { OrderRow } from '../messages/orders.ts';
import type { Rejection } from '../messages/rejections.ts';
import type { TriggerRow } from '../messages/triggers.ts';
import type {
  CancelReason,
  OrderStatus,
  TriggerCancelReason,
  WithdrawalFailure,
  WithdrawalStatus,
} from '../messages/vocabulary.ts';
import type { WithdrawalProgress, WithdrawalRow } from '../messages/withdrawals.ts';

/** An order with its results so far. */
export interface OrderRecord {
  readonly order: OrderRow;
  readonly status: OrderStatus;
  readonly filledSize: Size;
  readonly filledValue: Amount;
  /** Positive when paid. */
  readonly fee: Amount;
  /** Realised by its fills, without fees. */
  readonly profit: Amount;
  /** The size that may still trade. */
  readonly left: Size;
  /** The crossed margin it still uses. */
  readonly marginHold: Amount;
  readonly cancelReason?: CancelReason;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** `live`, or one of three final states. */
const TRIGGER_STATUSES = ['live', 'fired', 'failed', 'cancelled'] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** A trigger with its results so far. */
export interface TriggerRecord {
  readonly trigger: TriggerRow;
  readonly status: TriggerStatus;
  /** Only if it fired: its order, and the filled size of that order. */
  readonly orderId?: Id;
  readonly filledSize: Size;
  readonly filledValue: Amount;
  /** The reason its order was refused. */
  readonly refusal?: Rejection;
  readonly cancelReason?: TriggerCancelReason;
  readonly endedAt?: Timestamp;
}

/** A withdrawal with its results so far. */
export interface WithdrawalRecord {
  readonly row: WithdrawalRow;
  readonly progress: WithdrawalProgress;
  readonly status: WithdrawalStatus;
  readonly failure?: WithdrawalFailure;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
