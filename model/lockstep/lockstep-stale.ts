import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { isFrozen, isStale } from '../exchange/naive-freshness.ts';
import { others } from '../exchange/naive-matching.ts';
import { canFill } from '../exchange/naive-risk-check.ts';
import type { NaiveOrder, NaivePrices } from '../exchange/naive-state.ts';
import { shown } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { Stream } from './lockstep-stream.ts';
import { FUTURES } from './lockstep-world.ts';

export interface StaleStream extends Stream {
  readonly count: (name: string) => void;
  /** The engine's mark of a symbol. */
  readonly markOf: (key: string) => bigint | undefined;
}

const COINS = ['BTC', 'ETH'];
const decimal = (value: bigint): DecimalText => shown(value) as DecimalText;

export class Stale {
  readonly #stream: StaleStream;

  constructor(stream: StaleStream) {
    this.#stream = stream;
    stream.naive.freshness.drawn = FUTURES;
  }

  step(): void {
    const { random, naive, count } = this.#stream;
    const dice = random.below(12);
    if (dice > 7 && this.#dare()) return;
    if (dice === 7 && this.#passStale()) return;
    if (dice === 0) this.#switch(naive.freshness.on ? random.below(4) > 0 : true);
    else if (dice < 6) this.#update();
    else this.#wait();
    for (const coin of COINS) if (isStale(naive, coin)) count('index stale');
    for (const each of FUTURES) if (isFrozen(naive, each)) count('mark frozen');
  }

  /** Runs after every command of the stream. */
  compareMarks(): void {
    const { naive, markOf } = this.#stream;
    for (const { category, symbol } of FUTURES)
      same(`mark of ${symbol}`, [markOf(`${category}:${symbol}`)], [naive.marks[symbol]]);
  }

  #switch(on: boolean): void {
    const { naive, run, compare } = this.#stream;
    naive.begin();
    naive.switchMarket(on);
    naive.report.happened.push(on ? 'market on' : 'market off');
    compare(run({ type: 'switchMarket', on }));
  }

  /** One coin or both, moved or unchanged; sometimes a mark is pinned or released. */
  #update(): void {
    const { random, draws } = this.#stream;
    const drawn = draws.prices();
    const coins = random.pick([COINS, ['BTC'], ['ETH'], ['BTC'], ['ETH'], []]);
    const indexes = Object.fromEntries(coins.map((coin) => [coin, drawn.indexes[coin]!]));
    const pinned = FUTURES.filter(({ base }) => coins.includes(base) && random.below(12) === 0).map(
      ({ symbol }) => symbol,
    );
    const released = FUTURES.filter(
      ({ symbol }) => !pinned.includes(symbol) && random.below(3) === 0,
    ).map(({ symbol }) => symbol);
    this.say({
      indexes,
      marks: Object.fromEntries(pinned.map((symbol) => [symbol, drawn.marks[symbol]!])),
      released,
    });
  }

  /** Mostly only changed prices. */
  sayChanged({ indexes, marks }: NaivePrices): void {
    const { random, naive } = this.#stream;
    const isGiven = (before: bigint | undefined, now: bigint): boolean =>
      now !== before || random.below(8) === 0;
    const some = (
      prices: Readonly<Record<string, bigint>>,
      before: Readonly<Record<string, bigint>>,
    ): Record<string, bigint> =>
      Object.fromEntries(
        Object.entries(prices).filter(([name, price]) => isGiven(before[name], price)),
      );
    this.say({ indexes: some(indexes, naive.indexes), marks: some(marks, naive.marks) });
  }

  say(input: NaivePrices): void {
    const { naive, run, compare } = this.#stream;
    const prices = FUTURES.flatMap(({ category, symbol, base }) => {
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
    compare(run({ type: 'setPrices', prices }));
  }

  /**
   * As much of a resting order as its account can afford, or one lot more; returns whether there is
   * one.
   */
  #dare(): boolean {
    const { random, naive, submit, count } = this.#stream;
    const coversLoss = (maker: NaiveOrder, lots: bigint): boolean =>
      canFill(naive, maker, maker.limit, lots * maker.instrument.lot);
    const isTorn = (maker: NaiveOrder): boolean =>
      coversLoss(maker, 1n) && !coversLoss(maker, maker.left / maker.instrument.lot);
    const first = naive.orders.filter(
      (maker) =>
        others(naive, maker.instrument, maker.side === 'buy' ? 'sell' : 'buy')[0] === maker,
    );
    const torn = first.filter(isTorn);
    if (torn.length === 0) return false;
    const maker = random.pick(torn);
    const { instrument, limit } = maker;
    let [affordable, tooMuch] = [1n, maker.left / instrument.lot];
    while (tooMuch - affordable > 1n) {
      const middle = (affordable + tooMuch) / 2n;
      if (coversLoss(maker, middle)) affordable = middle;
      else tooMuch = middle;
    }
    const side = maker.side === 'buy' ? 'sell' : 'buy';
    const draft = {
      side,
      market: false,
      timeInForce: random.pick(['gtc', 'fok']),
      stp: 'none',
      reduceOnly: false,
      onMargin: false,
    } as const;
    const size = shown(random.pick([affordable, tooMuch]) * instrument.lot);
    const positionSide = side === 'buy' ? 'long' : 'short';
    const user = random.pick([naive.users[0]!, naive.users[3]!, maker.user]);
    submit(user, instrument.category, [
      { instrument, draft: { ...draft, size, price: shown(limit), positionSide } },
    ]);
    count('at the limit of an account or above');
    return true;
  }

  /**
   * A mark released while its index is stale passes a trigger, which fires once the index is fresh.
   */
  #passStale(): boolean {
    const { random, naive } = this.#stream;
    const waiting = naive.triggers.filter(({ source }) => source === 'mark');
    if (waiting.length === 0) return false;
    const { instrument, triggerPrice, rises } = random.pick(waiting);
    const { symbol, base, tick } = instrument;
    const index = triggerPrice + BigInt(random.below(20)) * (rises ? tick : -tick);
    if (!naive.freshness.on) this.#switch(true);
    this.say({
      indexes: { [base]: index },
      marks: { [symbol]: triggerPrice + (rises ? -tick : tick) },
    });
    this.#wait(10_000);
    this.say({ indexes: {}, marks: {}, released: [symbol] });
    if (random.below(3) === 0) this.#switch(false);
    else if (random.below(2) === 0)
      this.say({ indexes: { [base]: naive.indexes[base]! }, marks: {} });
    return true;
  }

  /** Around the time when indexes become stale. */
  #wait(
    by = this.#stream.random.pick([1, 100, 2_000, 4_999, 5_000, 9_999, 10_000, 10_001, 30_000]),
  ): void {
    const { naive, run, compare } = this.#stream;
    naive.begin();
    naive.passTime(naive.now + by);
    compare(run({ type: 'tick' }));
  }
}
