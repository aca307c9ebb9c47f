/**
 * Counts how often a price or size step goes into a plain decimal. Small values use plain integers,
 * large ones bigints.
 */
import { countOf } from './count.ts';
import type { DecimalText } from './decimal-text.ts';
import { invariant } from './invariant.ts';

/** A step is `mantissa × 10^-decimals`: 0.5 is 5 × 10^-1. */
export interface Step {
  readonly mantissa: number;
  readonly decimals: number;
}

/** An integer of this many digits is exact as a number. */
const SAFE_DIGITS = 15;
const ZERO = 48;
const POINT = 46;

export function stepOf(text: DecimalText): Step {
  const point = text.indexOf('.');
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1).replace(/0+$/, '');
  const decimals = point < 0 ? 0 : text.slice(point + 1).replace(/0+$/, '').length;
  const mantissa = Number.parseInt(digits, 10);
  invariant(digits.replace(/^0+/, '').length <= SAFE_DIGITS && mantissa > 0, `${text} is a step`);
  return { mantissa, decimals };
}

/**
 * Number of steps in the decimal; undefined if it is not a multiple. Counts above the safe maximum
 * return that maximum.
 */
export function stepsIn(text: DecimalText, step: Step): number | undefined {
  let value = 0;
  let decimals = -1;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT) {
      decimals = 0;
      continue;
    }
    if (decimals >= 0) {
      if (decimals === step.decimals) {
        if (code !== ZERO) return undefined;
        continue;
      }
      decimals++;
    }
    value = value * 10 + (code - ZERO);
    if (value > 0) digits++;
  }
  const missing = step.decimals - Math.max(decimals, 0);
  if (digits + missing > SAFE_DIGITS) return largeStepsIn(text, step);
  for (let more = 0; more < missing; more++) value *= 10;
  const steps = value / step.mantissa;
  return Number.isInteger(steps) ? steps : undefined;
}

function largeStepsIn(text: DecimalText, step: Step): number | undefined {
  const [whole = '0', fraction = ''] = text.split('.');
  const scaled = BigInt(whole + fraction.slice(0, step.decimals).padEnd(step.decimals, '0'));
  const mantissa = BigInt(step.mantissa);
  if (scaled % mantissa !== 0n) return undefined;
  const steps = scaled / mantissa;
  return steps <= BigInt(Number.MAX_SAFE_INTEGER) ? countOf(steps) : Number.MAX_SAFE_INTEGER;
}
