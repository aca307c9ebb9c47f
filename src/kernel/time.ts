/** Moments and spans in milliseconds, and the day boundaries the rules speak of. */
import type { Brand } from './brand.ts';

export type Timestamp = Brand<number, 'Timestamp'>;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * The end of the year 9999, the last that clients can write down: beyond it a time is a mistake.
 */
export const TIME_MAX = 253_402_300_799_999;

/** Settlement days begin at midnight in UTC+8. */
const SETTLEMENT_OFFSET = 8 * HOUR;

/**
 * Where the hour, or what else is as long, begins that a moment lies in; and where the next one
 * does.
 */
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

/**
 * What the world outside the core calls time. Tests and the simulator pass one they move by hand.
 */
export interface Clock {
  /** Milliseconds since 1970. May jump in either direction. */
  wall(): Timestamp;
  /** Milliseconds since some start; never goes back. */
  monotonic(): number;
}
