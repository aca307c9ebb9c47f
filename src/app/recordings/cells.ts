/** Reads one cell of a table: a number, a time, a side or a flag. */
import { BadRow, RECORDED_TIME_MAX, RECORDED_TIME_MIN } from './recorded.ts';

/**
 * The upper limits: that of an index for prices, and that of a coin with billions of units for
 * sizes.
 */
const PRICE_MAX = 922_337_203;
const SIZE_MAX = 92_233_720_000;
const DECIMALS = 10;
const UNIT = 10 ** DECIMALS;
const PLAIN = /^([+-]?)(\d{1,20})(?:\.(\d{0,40}))?$/;
const WITH_EXPONENT = /^[+-]?(\d{1,20}(\.\d{0,40})?|\.\d{1,40})[eE][+-]?\d{1,2}$/;
/** Whole numbers up to here are exact in number arithmetic. */
const EXACT_WHOLE_MAX = 900_000;

/** The text of a cell without spaces and quotes around it. Its time is linear in the length. */
export function cellOf(text: string): string {
  const bare = text.trim();
  const inner = bare.slice(bare.startsWith('"') ? 1 : 0, bare.endsWith('"') ? -1 : undefined);
  return inner.includes('"') ? bare : inner.trim();
}

const EMPTY = new Set(['', 'nan', 'null', 'none', 'n/a']);
/** Texts that mean an absent value. */
export const isEmptyCell = (cell: string): boolean => EMPTY.has(cell.toLowerCase());

/** Rounds to the tenth decimal. */
function fractionOf(digits: string): number {
  const kept = Number(digits.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return digits.length > DECIMALS && digits.charCodeAt(DECIMALS) >= 0x35 ? kept + 1 : kept;
}

/** A number of at least zero, in units of the tenth decimal. */
function numberOf(name: string, cell: string, max: number): bigint {
  const text = WITH_EXPONENT.test(cell) ? Number(cell).toFixed(DECIMALS) : cell;
  const parts = PLAIN.exec(text);
  if (parts === null) throw new BadRow(`the ${name} is a number, not "${shortened(cell)}"`);
  const [, sign, whole, fraction] = parts;
  const [wholePart, fractionPart] = [Number(whole), fractionOf(fraction ?? '')];
  if (sign === '-' && wholePart + fractionPart > 0)
    throw new BadRow(`the ${name} is negative: ${shortened(cell)}`);
  if (wholePart >= max) throw new BadRow(`the ${name} is below ${max}, not ${shortened(cell)}`);
  if (wholePart <= EXACT_WHOLE_MAX) return BigInt(wholePart * UNIT + fractionPart);
  return BigInt(wholePart) * BigInt(UNIT) + BigInt(fractionPart);
}

export function priceOf(name: string, cell: string): bigint {
  const price = numberOf(name, cell, PRICE_MAX);
  if (price === 0n) throw new BadRow(`the ${name} is zero`);
  return price;
}

/** May be zero, because a quiet minute has no trades. */
export const sizeOf = (name: string, cell: string): bigint => numberOf(name, cell, SIZE_MAX);

const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 1e14;
const MICROSECONDS_BELOW = 1e17;
const TIME_NUMBER = /^\d{9,20}(\.\d{1,12})?$/;
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?)?(?:Z| ?UTC|\+00:?00)?$/;

/** True if a cell can be a time as a number. */
export const isTimeNumber = (cell: string): boolean => TIME_NUMBER.test(cell);

function millisecondsOf(cell: string): number | undefined {
  if (TIME_NUMBER.test(cell)) {
    const input = Number(cell);
    if (input < SECONDS_BELOW) return Math.round(input * 1_000);
    if (input < MILLISECONDS_BELOW) return Math.floor(input);
    return Math.floor(input < MICROSECONDS_BELOW ? input / 1_000 : input / 1_000_000);
  }
  const date = DATE.exec(cell);
  if (date === null) return undefined;
  const [, day, minute, second, fraction] = date;
  const at = Date.parse(
    `${day}T${minute ?? '00:00'}${second ?? ':00'}${(fraction ?? '').slice(0, 4)}Z`,
  );
  return Number.isNaN(at) ? undefined : at;
}

/** Seconds, milliseconds, microseconds or nanoseconds by their size, or a date in UTC. */
export function timeOf(cell: string): number {
  const at = millisecondsOf(cell);
  if (at === undefined)
    throw new BadRow(`the time is a number since 1970 or a date of UTC, not "${shortened(cell)}"`);
  if (at < RECORDED_TIME_MIN || at >= RECORDED_TIME_MAX)
    throw new BadRow(`the time is between 2001 and 2100, not ${shortened(cell)}`);
  return at;
}

/** True if the taker buys. */
export function sideOf(cell: string): boolean {
  const input = cell.toLowerCase();
  if (input === 'buy' || input === 'b' || input === 'bid') return true;
  if (input === 'sell' || input === 's' || input === 'ask') return false;
  throw new BadRow(`the side is buy or sell, not "${shortened(cell)}"`);
}

const FLAG = /^(true|false|0|1)$/i;
const CLEAR_FLAG = /^(true|false)$/i;
/** True if a cell can only be a flag. */
export const isFlag = (cell: string): boolean => CLEAR_FLAG.test(cell);

export function flagOf(name: string, cell: string): boolean {
  if (!FLAG.test(cell)) throw new BadRow(`${name} is true or false, not "${shortened(cell)}"`);
  return cell === '1' || cell.toLowerCase() === 'true';
}

const SHOWN_CHARACTERS_MAX = 40;
/** Shortens a wrong cell, which may have any content. */
const shortened = (cell: string): string =>
  cell.length <= SHOWN_CHARACTERS_MAX ? cell : `${cell.slice(0, SHOWN_CHARACTERS_MAX)}…`;
