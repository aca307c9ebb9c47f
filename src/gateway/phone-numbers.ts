/** Mobile numbers in the one form users are registered and found by, however they are written. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

export interface PhoneNumber {
  readonly areaCode: string;
  readonly mobile: string;
}

const NOT_DIGITS = /\D/g;

/** `44` and `07911 123456` are `44` and `7911123456`. What no country's plan knows stays as it was said: the core reads its digits. */
export function phoneNumber(areaCode: string, mobile: string): PhoneNumber {
  const callingCode = areaCode.replace(NOT_DIGITS, '');
  const parsed = callingCode === '' ? undefined : parsePhoneNumberFromString(mobile, { defaultCallingCode: callingCode });
  if (parsed === undefined || parsed.countryCallingCode !== callingCode || !parsed.isPossible()) return { areaCode, mobile };
  return { areaCode: callingCode, mobile: parsed.nationalNumber };
}
