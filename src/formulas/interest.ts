/** Hourly interest rates of loans. */
import type { DecimalText } from '../kernel/decimal-text.ts';
import { money, type Rate } from '../kernel/money.ts';

/** The default for coins whose listing has no rate: about 1.1 % per year. */
const HOURLY_INTEREST_RATE = money<Rate>('0.00000125');

export const hourlyInterestRate = (
  listed: { readonly hourlyInterestRate?: DecimalText | undefined } | undefined,
): Rate =>
  listed?.hourlyInterestRate === undefined
    ? HOURLY_INTEREST_RATE
    : money<Rate>(listed.hourlyInterestRate);

/** The rate for several hours: simple interest, without compounding. */
export const interestOver = (
  listed: Parameters<typeof hourlyInterestRate>[0],
  hours: bigint,
): Rate => (hourlyInterestRate(listed) * hours) as Rate;
