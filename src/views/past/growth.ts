/**
 * The value of a coin in dollars before the end of the past, as a multiple of its value at the end.
 * Any hour can be computed alone. The path is halved repeatedly, and each midpoint is drawn between
 * its two ends.
 *
 * All operations are rounded exactly by IEEE 754, so every machine computes the same past.
 * `Math.exp` is not one of them.
 */
import { bitsAt, chanceAt, saltOf } from '../../kernel/chance.ts';
import { HOUR, MINUTE } from '../../kernel/time.ts';

/** The longest past has 43,848 hours; the path begins with the next power of two. */
const HALVINGS = 16;
const HOURS_MAX = 2 ** HALVINGS;
/** 2.8 % a day. */
const HOURLY_SPREAD = 0.0057;
/**
 * Longer intervals do not spread further, because a price that wanders freely for years may end
 * anywhere.
 */
const SPREADING_HOURS_MAX = 4_096;
/** The value stays within e^2 and e^-2 of its value at the end. */
const LEVEL_MAX = 2;

/** The volatility of each coin relative to the first. */
const LIVELINESS: Readonly<Record<string, number>> = { BTC: 1, ETH: 1.2, SOL: 1.6, XRP: 1.4 };
const LIVELINESS_OF_OTHERS = 1.3;
/** Coins move together: the squares of the two shares add up to one. */
const SHARED = 0.8;
const OWN = 0.6;

/** The spread of a midpoint by the depth of halving. */
const SPREADS = Array.from(
  { length: HALVINGS },
  (_, halved) =>
    (HOURLY_SPREAD * Math.sqrt(Math.min(SPREADING_HOURS_MAX, HOURS_MAX / 2 ** halved))) / 2,
);

const HALF_WORD = 2 ** 16;

/**
 * The distance of a midpoint from the middle of its ends: from -3 to 3 times 0.6 to 1.4, most of
 * them near 0.
 */
function bend(salt: number, place: number): number {
  const [first, second] = [bitsAt(salt, 2 * place), bitsAt(salt, 2 * place + 1)];
  const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16);
  return 2 * (sum / HALF_WORD - 1.5) * (0.6 + (0.8 * (second & 0xffff)) / HALF_WORD);
}

/** The path at a number of hours before the end, where it is 0. */
function levelAt(salt: number, hoursBack: number): number {
  if (hoursBack === 0) return 0;
  let near = 0;
  let far = HOURS_MAX;
  let nearLevel = 0;
  let farLevel = 2 * SPREADS[0]! * bend(salt, HOURS_MAX);
  for (let halved = 0; halved < HALVINGS; halved++) {
    const middle = (near + far) / 2;
    const level = (nearLevel + farLevel) / 2 + SPREADS[halved]! * bend(salt, middle);
    if (hoursBack === middle) return level;
    if (hoursBack < middle) {
      far = middle;
      farLevel = level;
    } else {
      near = middle;
      nearLevel = level;
    }
  }
  return hoursBack === far ? farLevel : nearLevel;
}

/** e to a small power: (1 + x/1024 + …)^1024. */
function powerOfE(exponent: number): number {
  const part = exponent / 1_024;
  let power = 1 + part + (part * part) / 2;
  for (let doubled = 0; doubled < 10; doubled++) power *= power;
  return power;
}

const MINUTES = HOUR / MINUTE;
const MINUTE_SPREAD = HOURLY_SPREAD / Math.sqrt(MINUTES);
/** Turns the sum of two fractions into a draw whose square is 1 on average. */
const TWO_DRAWS = Math.sqrt(6);

export class Growth {
  readonly liveliness: number;
  readonly #shared: number;
  readonly #own: number;
  readonly #minutes: number;
  readonly #days: number;
  /** The last hour of the past has this many minutes. */
  readonly #lastMinutes: number;
  /** Most queries read hours in order, and each begins at the end of the one before. */
  #kept = { hoursBack: -1, worth: 1 };
  readonly #walk = new Float64Array(MINUTES + 1);

  constructor(seed: number, coin: string, lastMinutes: number) {
    this.liveliness = LIVELINESS[coin] ?? LIVELINESS_OF_OTHERS;
    this.#shared = saltOf(seed, 'past of all coins');
    this.#own = saltOf(seed, `past of ${coin}`);
    this.#minutes = saltOf(seed, `past minutes of ${coin}`);
    this.#days = saltOf(seed, `past days of ${coin}`);
    this.#lastMinutes = lastMinutes;
  }

  /**
   * The value at the beginning of the hour that ends a number of hours before the last one ends.
   */
  #atStartOf(hoursBack: number): number {
    if (this.#kept.hoursBack === hoursBack) return this.#kept.worth;
    const level =
      SHARED * levelAt(this.#shared, hoursBack + 1) + OWN * levelAt(this.#own, hoursBack + 1);
    const bounded = Math.max(-LEVEL_MAX, Math.min(LEVEL_MAX, this.liveliness * level));
    return powerOfE(bounded);
  }

  /** The volatility of the minutes of a day. */
  dayMood(hoursBack: number): number {
    return 0.7 + 0.6 * chanceAt(this.#days, Math.floor(hoursBack / 24));
  }

  /**
   * Writes the value at the beginning of each minute of an hour and at its end to the start of
   * `into`. `hoursBack` is 0 for the hour in which the past ends. The path of the minutes is
   * adjusted to end where the next hour begins.
   */
  fill(into: Float64Array, hoursBack: number): void {
    const minutes = hoursBack === 0 ? this.#lastMinutes : MINUTES;
    const from = this.#atStartOf(hoursBack);
    const to = hoursBack === 0 ? 1 : this.#atStartOf(hoursBack - 1);
    this.#kept = { hoursBack: hoursBack - 1, worth: to };
    const spread = MINUTE_SPREAD * this.liveliness * this.dayMood(hoursBack) * TWO_DRAWS;
    const walk = this.#walk;
    let walked = 0;
    for (let minute = 1; minute <= minutes; minute++) {
      const bits = bitsAt(this.#minutes, hoursBack * MINUTES + minute);
      walked += spread * ((bits >>> 16) / HALF_WORD + (bits & 0xffff) / HALF_WORD - 1);
      walk[minute] = walked;
    }
    into[0] = from;
    for (let minute = 1; minute < minutes; minute++) {
      const part = minute / minutes;
      into[minute] = from + (to - from) * part + from * (walk[minute]! - walked * part);
    }
    into[minutes] = to;
  }
}
