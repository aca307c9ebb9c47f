/**
 * Candle intervals: whole minutes since 1970, weeks from Monday and calendar months, all in UTC.
 */
import { DAY, startOf, type Timestamp } from './time.ts';

/**
 * A length in minutes that divides a day or is a multiple of days; or a calendar month, whose
 * length varies.
 */
export type Interval = number | 'month';

export const WEEK = 7 * DAY;
/** 1970 began on a Thursday, so its first Monday is the fifth day. */
const FIRST_MONDAY = 4 * DAY;

/** Longer than any month: a start moved ahead by this lies in the next month or the one after. */
const MONTH_DAYS_MAX = 31;

/**
 * Day of the month, from 1, for a day since 1970. Uses the civil calendar in eras of 400 years from
 * March.
 */
function dayOfMonth(days: number): number {
  const sinceMarch = days + 719_468;
  const dayOfEra = sinceMarch % 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  return dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
}

function monthStart(at: number): Timestamp {
  const days = Math.floor(at / DAY);
  return ((days - dayOfMonth(days) + 1) * DAY) as Timestamp;
}

/** Start of the interval that contains a time. */
export function intervalStart(at: number, interval: Interval): Timestamp {
  if (interval === 'month') return monthStart(at);
  if (interval !== WEEK || at < FIRST_MONDAY) return startOf(at, interval);
  return (startOf(at - FIRST_MONDAY, WEEK) + FIRST_MONDAY) as Timestamp;
}

export function nextInterval(at: number, interval: Interval): Timestamp {
  const start = intervalStart(at, interval);
  return interval === 'month'
    ? monthStart(start + MONTH_DAYS_MAX * DAY)
    : ((start + interval) as Timestamp);
}

/** Start of the interval that ends where the given one starts. */
export const intervalBefore = (start: number, interval: Interval): Timestamp =>
  intervalStart(start - 1, interval);
