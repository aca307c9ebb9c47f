/** Mobile numbers in the one form users are registered and found by, however they are written. */
import {
  type PhoneNumber as ParsedNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

export interface PhoneNumber {
  readonly areaCode: string;
  readonly mobile: string;
}

/** What area codes are written with beside their digits. */
const PUNCTUATION = /[\s+().-]/g;
const DIGITS = /^\d+$/;

/** What is dialled before the code of a country, which itself begins with no zero. */
const DIALLED_FIRST = /^0+/;
const INTERNATIONAL = /^\s*00/;

/**
 * `0044` and `07911 123456` are `44` and `7911123456`. A number that no country's plan knows stays
 * as it was said: the core reads its digits.
 */
export function phoneNumber(areaCode: string, mobile: string): PhoneNumber {
  const callingCode = areaCode.replace(PUNCTUATION, '').replace(DIALLED_FIRST, '');
  if (!DIGITS.test(callingCode)) return { areaCode, mobile };
  const parsed = parse(callingCode, mobile.replace(INTERNATIONAL, '+'));
  const isMobile =
    parsed !== undefined &&
    parsed.countryCallingCode === callingCode &&
    parsed.ext === undefined &&
    parsed.isPossible();
  return { areaCode: callingCode, mobile: isMobile ? parsed.nationalNumber : mobile };
}

/**
 * The library throws at a calling code that no country has. A number is all of the text: money does
 * not go to one that was found somewhere in it.
 */
function parse(callingCode: string, mobile: string): ParsedNumber | undefined {
  try {
    return parsePhoneNumberFromString(mobile, { defaultCallingCode: callingCode, extract: false });
  } catch {
    return undefined;
  }
}
