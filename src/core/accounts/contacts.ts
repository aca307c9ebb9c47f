/** E-mail addresses and mobile numbers in the one form they are compared in. */
import { EMAIL_LENGTH_MAX } from '../../messages/bounds.ts';

/** Printable ASCII around one `@`: two texts that look alike are then the same. */
const EMAIL = /^[!-?A-~]+@[!-?A-~]+$/;
const AREA_CODE = /^\d{1,4}$/;
const MOBILE = /^\d{4,15}$/;
const PHONE_PUNCTUATION = /[\s+().-]/g;

/** Trimmed and in lower case; undefined for what is no e-mail address. */
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

/** Digits alone: `+86` is `86`. */
export const normalAreaCode = (text: string): string | undefined => digitsOf(text, AREA_CODE);
export const normalMobile = (text: string): string | undefined => digitsOf(text, MOBILE);

/**
 * The names under which `State.contacts` keeps a user. No country's code begins another's, so the
 * digits in a row name one number.
 */
export const emailContact = (email: string): string => `email:${email}`;
export const mobileContact = (areaCode: string, mobile: string): string =>
  `mobile:${areaCode}${mobile}`;
