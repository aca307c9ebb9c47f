/** What a loan costs in an hour. */
import type { DecimalText } from '../kernel/decimal-text.ts';
import { money, type Rate } from '../kernel/money.ts';

/** Where the coin's listing does not say: about 1.1 % in a year. */
const HOURLY_INTEREST_RATE = money<Rate>('0.00000125');

export const hourlyInterestRate = (
  listed: { readonly hourlyInterestRate?: DecimalText | undefined } | undefined,
): Rate =>
  listed?.hourlyInterestRate === undefined
    ? HOURLY_INTEREST_RATE
    : money<Rate>(listed.hourlyInterestRate);

/** The rate of so many hours: interest bears no interest. */
export const interestOver = (
  listed: Parameters<typeof hourlyInterestRate>[0],
  hours: bigint,
): Rate => (hourlyInterestRate(listed) * hours) as Rate;
