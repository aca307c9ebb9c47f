/** Mobile numbers in the one form users are registered and found by, however they are written. */
import { type PhoneNumber as ParsedNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

export interface PhoneNumber {
  readonly areaCode: string;
  readonly mobile: string;
}

const NOT_DIGITS = /\D/g;

/** `44` and `07911 123456` are `44` and `7911123456`. What no country's plan knows stays as it was said: the core reads its digits. */
export function phoneNumber(areaCode: string, mobile: string): PhoneNumber {
  const callingCode = areaCode.replace(NOT_DIGITS, '');
  const parsed = parse(callingCode, mobile);
  if (parsed === undefined || parsed.countryCallingCode !== callingCode || !parsed.isPossible()) return { areaCode, mobile };
  return { areaCode: callingCode, mobile: parsed.nationalNumber };
}

/** The library throws at a calling code that no country has. */
function parse(callingCode: string, mobile: string): ParsedNumber | undefined {
  if (callingCode === '') return undefined;
  try {
    return parsePhoneNumberFromString(mobile, { defaultCallingCode: callingCode });
  } catch {
    return undefined;
  }
}
