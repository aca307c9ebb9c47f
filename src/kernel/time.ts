/** Times and durations in milliseconds, and the day boundaries of the rules. */
import type { Brand } from './brand.ts';

export type Timestamp = Brand<number, 'Timestamp'>;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The end of the year 9999, the last that clients can write; a later time is an error. */
export const TIME_MAX = 253_402_300_799_999;

/** Settlement days begin at midnight in UTC+8. */
const SETTLEMENT_OFFSET = 8 * HOUR;

/** Start of the period (such as an hour) that contains a time, and start of the next one. */
export const startOf = (at: number, length: number): Timestamp => (at - (at % length)) as Timestamp;
export const nextStart = (at: number, length: number): Timestamp =>
  (startOf(at, length) + length) as Timestamp;

export const startOfDayUtc = (at: Timestamp): Timestamp => startOf(at, DAY);
export const startOfSettlementDay = (at: Timestamp): Timestamp =>
  (startOfDayUtc((at + SETTLEMENT_OFFSET) as Timestamp) - SETTLEMENT_OFFSET) as Timestamp;

const TIMESTAMP_TEXT = /^\d{1,15}$/;
export function timestampFromText(text: string): Timestamp | undefined {
  return TIMESTAMP_TEXT.test(text) ? (Number.parseInt(text, 10) as Timestamp) : undefined;
}

/** The time source outside the core. Tests and the simulator use one that they advance by hand. */
export interface Clock {
  /** Milliseconds since 1970. May jump in either direction. */
  wall(): Timestamp;
  /** Milliseconds since some start; never goes back. */
  monotonic(): number;
}
