/**
 * What has become of an order, a trigger and a withdrawal: what is shown of them while they live,
 * and handed to history whole when they have ended.
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

/** An order with all that has become of it. */
export interface OrderRecord {
  readonly order: OrderRow;
  readonly status: OrderStatus;
  readonly filledSize: Size;
  readonly filledValue: Amount;
  /** Positive when paid. */
  readonly fee: Amount;
  /** Realised by its fills, fees aside. */
  readonly profit: Amount;
  /** What may still trade. */
  readonly left: Size;
  /** What it still uses of a crossed account's margin. */
  readonly marginHold: Amount;
  readonly cancelReason?: CancelReason;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Left live, or by one of three ends. */
const TRIGGER_STATUSES = ['live', 'fired', 'failed', 'cancelled'] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** A trigger with all that has become of it. */
export interface TriggerRecord {
  readonly trigger: TriggerRow;
  readonly status: TriggerStatus;
  /** Of one that fired: its order, and what that has filled. */
  readonly orderId?: Id;
  readonly filledSize: Size;
  readonly filledValue: Amount;
  /** Why its order was refused. */
  readonly refusal?: Rejection;
  readonly cancelReason?: TriggerCancelReason;
  readonly endedAt?: Timestamp;
}

/** A withdrawal with all that has become of it. */
export interface WithdrawalRecord {
  readonly row: WithdrawalRow;
  readonly progress: WithdrawalProgress;
  readonly status: WithdrawalStatus;
  readonly failure?: WithdrawalFailure;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
