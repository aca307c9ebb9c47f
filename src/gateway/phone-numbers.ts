/** Normalizes mobile numbers to the form in which users are registered and found. */
import {
  type PhoneNumber as ParsedNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

export interface PhoneNumber {
  readonly areaCode: string;
  readonly mobile: string;
}

/** Characters besides digits in area codes. */
const PUNCTUATION = /[\s+().-]/g;
const DIGITS = /^\d+$/;

/** The international dialling prefix; no country code begins with zero. */
const DIALLED_FIRST = /^0+/;
const INTERNATIONAL = /^\s*00/;

/**
 * `0044` and `07911 123456` become `44` and `7911123456`. A number outside every country's plan
 * stays as given; the core compares its digits.
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
 * The library throws at unknown calling codes. The whole text must be a number, because money must
 * not go to a number found inside a text.
 */
function parse(callingCode: string, mobile: string): ParsedNumber | undefined {
  try {
    return parsePhoneNumberFromString(mobile, { defaultCallingCode: callingCode, extract: false });
  } catch {
    return undefined;
  }
}
