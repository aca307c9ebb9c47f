/**
 * Copy trading with the market switched on and off, stale indexes, and marks that are pinned, drawn
 * or frozen.
 */
import type { Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { isFrozen, isStale } from '../exchange/naive-freshness.ts';
import type { NaivePrices } from '../exchange/naive-state.ts';
import { shown } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { CopyStage } from './lockstep-copy-moves.ts';
import { COPY_FUTURES } from './lockstep-copy-world.ts';

const COINS = ['BTC', 'ETH'];
const decimal = (value: bigint): DecimalText => shown(value) as DecimalText;

export class CopyStale {
  readonly #stage: CopyStage;

  constructor(stage: CopyStage) {
    this.#stage = stage;
    stage.naive.freshness.drawn = COPY_FUTURES;
  }

  /** Mostly on. */
  switch(): void {
    const { random, naive, run, compare } = this.#stage;
    const on = !naive.freshness.on || random.below(4) > 0;
    naive.begin();
    naive.switchMarket(on);
    naive.report.happened.push(on ? 'market on' : 'market off');
    compare(run({ type: 'switchMarket', on }));
  }

  /** One coin or both, moved or unchanged; sometimes a mark is pinned or released. */
  update(): void {
    const { random, draws } = this.#stage;
    const drawn = draws.prices();
    const coins = random.pick([COINS, COINS, ['BTC'], ['ETH']]);
    const known = COPY_FUTURES.filter(({ base }) => coins.includes(base));
    const pinned = known.filter(() => random.below(12) === 0).map(({ symbol }) => symbol);
    const released = COPY_FUTURES.map(({ symbol }) => symbol).filter(
      (symbol) => !pinned.includes(symbol) && random.below(2) === 0,
    );
    const indexes = Object.fromEntries(coins.map((coin) => [coin, drawn.indexes[coin]!]));
    const marks = Object.fromEntries(pinned.map((symbol) => [symbol, drawn.marks[symbol]!]));
    this.say({ indexes, marks, released });
  }

  /** Mostly only changed prices. */
  sayChanged({ indexes, marks }: NaivePrices): void {
    const { random, naive } = this.#stage;
    const some = (
      prices: Readonly<Record<string, bigint>>,
      before: Readonly<Record<string, bigint>>,
    ): Record<string, bigint> =>
      Object.fromEntries(
        Object.entries(prices).filter(
          ([name, price]) => price !== before[name] || random.below(8) === 0,
        ),
      );
    this.say({ indexes: some(indexes, naive.indexes), marks: some(marks, naive.marks) });
  }

  say(input: NaivePrices): void {
    const { naive, run, compare } = this.#stage;
    const prices = COPY_FUTURES.flatMap(({ category, symbol, base }) => {
      const [index, mark, releaseMark] = [
        input.indexes[base],
        input.marks[symbol],
        input.released?.includes(symbol) === true,
      ];
      if (index === undefined && mark === undefined && !releaseMark) return [];
      const known = {
        ...(index === undefined ? {} : { index: decimal(index) }),
        ...(mark === undefined ? {} : { mark: decimal(mark) }),
      };
      return [{ category, symbol, ...known, releaseMark, force: true }];
    });
    if (prices.length === 0) return;
    naive.begin();
    naive.setPrices(input);
    for (const coin of COINS) if (isStale(naive, coin)) naive.report.happened.push('index stale');
    for (const each of COPY_FUTURES)
      if (isFrozen(naive, each)) naive.report.happened.push('mark frozen');
    compare(run({ type: 'setPrices', prices }));
  }

  /** Around the time when indexes become stale. */
  span(): number {
    return this.#stage.random.pick([1, 100, 2_000, 4_999, 5_000, 9_999, 10_000, 10_001, 30_000]);
  }

  /** Runs after every command of the stream. */
  compareMarks({ state }: Engine): void {
    const { naive } = this.#stage;
    for (const { category, symbol } of COPY_FUTURES)
      same(
        `mark of ${symbol}`,
        [state.symbolPrices.get(`${category}:${symbol}`)?.mark],
        [naive.marks[symbol]],
      );
  }
}
