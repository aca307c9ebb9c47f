/** Price paths of a simulated exchange: each coin has one mood for a while, then another. */
import { decimalTextOf, money, type Price } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import type { CommandOf } from '../../messages/commands.ts';

/**
 * `gap` and `crash` move at once, and a crash reverts. A `frozen` feed sends nothing. `misprint` is
 * wrong by a factor of a hundred and meets the price guard.
 */
export const MOODS = ['calm', 'trend', 'gap', 'crash', 'frozen', 'misprint'] as const;
export type Mood = (typeof MOODS)[number];

/** Listed as often as its share of draws. */
const LIKELIHOOD: readonly Mood[] = [
  'calm',
  'calm',
  'calm',
  'trend',
  'trend',
  'gap',
  'crash',
  'frozen',
  'misprint',
];

const MOOD_TICKS_MAX = 60;
/**
 * Bounds prices to a factor of their start, so that steps and limits of the listings stay sensible.
 */
const STRAY_MAX = 4n;

interface Path {
  readonly first: bigint;
  price: bigint;
  mood: Mood;
  left: number;
  rising: boolean;
}

/** A feed of index prices. It keeps its own prices, whether or not the exchange accepts them. */
export class PricePaths {
  readonly #random: Random;
  readonly #paths = new Map<string, Path>();
  readonly #symbols = new Map<string, string>();
  /** How often each mood has moved a price. */
  readonly seen = new Map<Mood, number>();

  constructor(random: Random, first: Readonly<Record<string, string>>) {
    this.#random = random;
    for (const [coin, price] of Object.entries(first)) {
      this.#paths.set(coin, {
        first: money<Price>(price),
        price: money<Price>(price),
        mood: 'calm',
        left: 10,
        rising: true,
      });
      this.#symbols.set(coin, `${coin}USDT`);
    }
  }

  /** The next update: one coin's price, or undefined while it is frozen. */
  next(): CommandOf<'setPrices'> | undefined {
    const [coin, path] = this.#random.pick([...this.#paths]);
    if (path.left-- <= 0) this.#changeMood(path);
    this.seen.set(path.mood, (this.seen.get(path.mood) ?? 0) + 1);
    if (path.mood === 'frozen') return undefined;
    if (path.mood === 'misprint')
      return this.#print(coin, path.price * (this.#random.below(2) === 0 ? 100n : 1n), false);
    path.price = this.#moved(path);
    return this.#print(coin, path.price, path.mood !== 'calm');
  }

  #changeMood(path: Path): void {
    path.mood = this.#random.pick(LIKELIHOOD);
    path.left =
      path.mood === 'gap' || path.mood === 'crash' ? 1 : 1 + this.#random.below(MOOD_TICKS_MAX);
    path.rising = this.#random.below(2) === 0;
  }

  #moved({ price, first, mood, rising }: Path): bigint {
    const parts = this.#step(mood, rising);
    const next = (price * (10_000n + parts)) / 10_000n;
    if (next > first * STRAY_MAX) return price / 2n;
    return next * STRAY_MAX < first ? price * 2n : next;
  }

  /** In hundredths of a percent. */
  #step(mood: Mood, rising: boolean): bigint {
    const sign = rising ? 1n : -1n;
    if (mood === 'trend') return sign * BigInt(this.#random.below(60));
    if (mood === 'gap') return sign * BigInt(1_000 + this.#random.below(4_000));
    if (mood === 'crash') return -BigInt(2_000 + this.#random.below(3_500));
    return BigInt(this.#random.below(41) - 20);
  }

  #print(coin: string, price: bigint, force: boolean): CommandOf<'setPrices'> {
    const index = decimalTextOf((price - (price % 1_000_000n)) as Price);
    return {
      type: 'setPrices',
      prices: [
        {
          category: 'USDT-FUTURES',
          symbol: this.#symbols.get(coin)!,
          index,
          releaseMark: false,
          force,
        },
      ],
    };
  }
}
