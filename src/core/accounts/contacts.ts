/** Normalises e-mail addresses and mobile numbers, so that they can be compared. */
import { EMAIL_LENGTH_MAX } from '../../messages/bounds.ts';

/** Printable ASCII around one `@`, so that texts that look alike are equal. */
const EMAIL = /^[!-?A-~]+@[!-?A-~]+$/;
const AREA_CODE = /^\d{1,4}$/;
const MOBILE = /^\d{4,15}$/;
const PHONE_PUNCTUATION = /[\s+().-]/g;

/** Trimmed and in lower case; undefined if the text is no e-mail address. */
export function normalEmail(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.length <= EMAIL_LENGTH_MAX && EMAIL.test(trimmed)
    ? trimmed.toLowerCase()
    : undefined;
}

const digitsOf = (text: string, form: RegExp): string | undefined => {
  const digits = text.replace(PHONE_PUNCTUATION, '');
  return form.test(digits) ? digits : undefined;
};

/** Only the digits: `+86` becomes `86`. */
export const normalAreaCode = (text: string): string | undefined => digitsOf(text, AREA_CODE);
export const normalMobile = (text: string): string | undefined => digitsOf(text, MOBILE);

/**
 * Keys of `State.contacts`. No country code is a prefix of another, so area code and number can be
 * joined.
 */
export const emailContact = (email: string): string => `email:${email}`;
export const mobileContact = (areaCode: string, mobile: string): string =>
  `mobile:${areaCode}${mobile}`;
