/** Plain decimals as text, exactly as the wire has them, before a precision is chosen. */
import type { Brand } from './brand.ts';

/** Digits with an optional point, at most 20 before it and 18 after; no sign, no exponent. */
export type DecimalText = Brand<string, 'DecimalText'>;

const WHOLE_DIGITS_MAX = 20;
const FRACTION_DIGITS_MAX = 18;
const TEXT_LENGTH_MAX = WHOLE_DIGITS_MAX + 1 + FRACTION_DIGITS_MAX;

const ZERO = 48;
const NINE = 57;
const POINT = 46;

/**
 * The text itself if it is a plain decimal, otherwise undefined. Checks characters, so it does not
 * allocate.
 */
export function decimalText(text: string): DecimalText | undefined {
  const length = text.length;
  if (length === 0 || length > TEXT_LENGTH_MAX) return undefined;
  let point = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      if (point >= 0) return undefined;
      point = at;
    } else if (code < ZERO || code > NINE) return undefined;
  }
  const whole = point < 0 ? length : point;
  const fraction = point < 0 ? 0 : length - point - 1;
  if (whole === 0 || whole > WHOLE_DIGITS_MAX) return undefined;
  if (point >= 0 && (fraction === 0 || fraction > FRACTION_DIGITS_MAX)) return undefined;
  return text as DecimalText;
}

const JSON_NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Converts a JSON number's source text to a plain decimal: `1e-8` becomes `0.00000001`, digit for
 * digit, never through a double.
 */
export function decimalTextFromJsonNumber(source: string): DecimalText | undefined {
  const parts = JSON_NUMBER.exec(source);
  if (parts === null) return undefined;
  const [, whole = '', fraction = '', exponentText] = parts;
  if (exponentText === undefined) return decimalText(source);

  const digits = whole + fraction;
  if (digits.length > TEXT_LENGTH_MAX) return undefined;
  const pointAt = whole.length + Number.parseInt(exponentText, 10);
  if (pointAt > WHOLE_DIGITS_MAX + FRACTION_DIGITS_MAX || pointAt < -FRACTION_DIGITS_MAX)
    return undefined;
  const left = pointAt <= 0 ? '0' : digits.slice(0, pointAt).padEnd(pointAt, '0');
  const right =
    pointAt <= 0 ? digits.padStart(digits.length - pointAt, '0') : digits.slice(pointAt);
  const wholeTrimmed = left.replace(/^0+(?=\d)/, '');
  const fractionTrimmed = right.replace(/0+$/, '');
  return decimalText(fractionTrimmed === '' ? wholeTrimmed : `${wholeTrimmed}.${fractionTrimmed}`);
}
