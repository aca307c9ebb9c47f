/** Random requests: mostly plausible ones, sometimes absurd ones. */
import type { Random } from '../../src/kernel/random.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import { spareBehind } from '../exchange/naive-liquidation.ts';
import { others } from '../exchange/naive-matching.ts';
import type { NaiveChange } from '../exchange/naive-modifying.ts';
import { type NaiveDraft, referenceOf } from '../exchange/naive-placing.ts';
import type {
  NaiveInstrument,
  NaiveOrder,
  NaivePrices,
  NaiveUser,
} from '../exchange/naive-state.ts';
import { shown, units } from '../exchange/whole-units.ts';
import { FUTURES, type Future } from './lockstep-world.ts';

export class Draws {
  readonly #random: Random;
  readonly #naive: NaiveExchange;
  readonly #instruments: readonly NaiveInstrument[];

  constructor(random: Random, naive: NaiveExchange, instruments: readonly NaiveInstrument[]) {
    this.#random = random;
    this.#naive = naive;
    this.#instruments = instruments;
  }

  /** Moves every index, sometimes far, with marks around it. */
  prices(): NaivePrices {
    const indexes: Record<string, bigint> = {};
    for (const [coin, index] of Object.entries(this.#naive.indexes)) {
      const widest = this.#random.pick([200, 200, 200, 200, 200, 200, 200, 2_000, 4_000, 12_000]);
      indexes[coin] = this.#around(index, widest, units('0.01'));
    }
    return {
      indexes,
      marks: Object.fromEntries(
        FUTURES.map(({ symbol, base, tick }) => [symbol, this.#around(indexes[base]!, 150, tick)]),
      ),
    };
  }

  /** The mark at which an account is just liquidated, or the next one at which it is not. */
  edge(): NaivePrices | undefined {
    const { positions, indexes, marks } = this.#naive;
    if (positions.length === 0) return undefined;
    const position = this.#random.pick(positions);
    const { symbol } = position.instrument;
    const before = marks[symbol]!;
    const isSafe = (mark: bigint): boolean => {
      marks[symbol] = mark;
      const safe = spareBehind(this.#naive, position) > 0n;
      marks[symbol] = before;
      return safe;
    };
    let [safe, risky] = [
      before,
      position.side === 'long' ? (before * 7n) / 10n : (before * 13n) / 10n,
    ];
    if (isSafe(risky)) return undefined;
    while (safe - risky > 1n || risky - safe > 1n) {
      const middle = (safe + risky) / 2n;
      if (isSafe(middle)) safe = middle;
      else risky = middle;
    }
    return {
      indexes: { ...indexes },
      marks: { ...marks, [symbol]: this.#random.below(3) === 0 ? safe : risky },
    };
  }

  /** A price at most `widest` hundred-thousandths away, rounded down to a step. */
  #around(price: bigint, widest: number, step: bigint): bigint {
    const by = BigInt(this.#random.below(2 * widest + 1) - widest);
    return ((price * (100_000n + by)) / 100_000n / step) * step;
  }

  /** Mostly moments, sometimes hours. */
  span(): number {
    const longest = this.#random.pick([
      10, 5_000, 60_000, 60_000, 600_000, 600_000, 3_600_000, 36_000_000,
    ]);
    return 1 + this.#random.below(longest);
  }

  /** Mostly small amounts. */
  deposit(): [NaiveUser, string, string] {
    const size = this.#random.pick(['0.0000000001', '0.01', '0.1', '1', '3.3333333333']);
    const [user, coin] = [
      this.#random.pick(this.#naive.users),
      this.#random.pick(['USDT', 'BTC', 'ETH', 'USDC']),
    ];
    return [user, coin, coin === 'USDT' || coin === 'USDC' ? shown(units(size) * 3_000n) : size];
  }

  someone(): [NaiveUser, Future] {
    return [this.#random.pick(this.#naive.users), this.#random.pick(FUTURES)];
  }

  /** Another price, another size, or both; sometimes no change. */
  change({ instrument, size, filled }: NaiveOrder): NaiveChange {
    const random = this.#random;
    const what = random.below(20);
    const sizes = [
      size / 2n,
      filled,
      filled + instrument.lot,
      size - instrument.lot,
      size + instrument.lot,
      size * 2n,
    ];
    const onLot = (random.pick(sizes) / instrument.lot) * instrument.lot;
    const newSize =
      random.below(3) === 0 ? this.#size(instrument, false) : shown(onLot < 0n ? 0n : onLot);
    const beside = this.#naive.orders.filter((each) => each.instrument === instrument);
    const newPrice =
      random.below(3) === 0 ? shown(random.pick(beside).limit) : this.#price(instrument);
    return {
      price: what < 12 ? newPrice : undefined,
      size: what < 19 && (what >= 12 || what % 2 === 0) ? newSize : undefined,
      replace: random.below(3) === 0,
    };
  }

  draft(user: NaiveUser, instrument: NaiveInstrument, onMargin: boolean): NaiveDraft {
    const random = this.#random;
    const side = random.pick(['buy', 'sell'] as const);
    const market = random.below(10) === 0;
    return {
      side,
      market,
      size:
        this.#closingSize(user, instrument) ??
        this.#size(instrument, market && side === 'buy' && instrument.category === 'SPOT'),
      price: random.below(300) === 0 ? undefined : this.#price(instrument),
      timeInForce: random.pick([
        'gtc',
        'gtc',
        'gtc',
        'gtc',
        'gtc',
        'gtc',
        'gtc',
        'postOnly',
        'ioc',
        'fok',
      ]),
      positionSide: random.below(100) === 0 ? undefined : random.pick(['long', 'short'] as const),
      stp: random.pick(['none', 'none', undefined, 'cancelTaker', 'cancelMaker', 'cancelBoth']),
      onMargin,
      reduceOnly: !user.hedge && random.below(3) === 0,
    };
  }

  /**
   * An order that meets several orders of one account, all or none, mostly at a loss for it;
   * sometimes its own account. Undefined if no account has several.
   */
  sweep():
    | { readonly user: NaiveUser; readonly instrument: NaiveInstrument; readonly draft: NaiveDraft }
    | undefined {
    const random = this.#random;
    const several = this.#instruments.flatMap((instrument) =>
      (['buy', 'sell'] as const).flatMap((side) => this.#several(instrument, side)),
    );
    const worthOf = (instrument: NaiveInstrument): bigint =>
      this.#naive.marks[instrument.symbol] ?? referenceOf(this.#naive, instrument);
    const losing = several.filter(
      ({ side, limit, instrument }) => (side === 'sell') === limit < worthOf(instrument),
    );
    if (several.length === 0) return undefined;
    const last = random.pick(losing.length > 0 && random.below(4) > 0 ? losing : several);
    const { instrument, limit } = last;
    const side = last.side === 'buy' ? 'sell' : 'buy';
    const makers = others(this.#naive, instrument, side);
    const met = makers.slice(0, makers.indexOf(last) + 1);
    const size =
      met.reduce((sum, { left }) => sum + left, 0n) - (random.below(3) === 0 ? instrument.lot : 0n);
    const user =
      random.below(4) === 0
        ? last.user
        : random.pick([this.#naive.users[0]!, random.pick(this.#naive.users)]);
    const positionSide = (side === 'buy') === random.below(4) > 0 ? 'long' : 'short';
    const draft = {
      side,
      market: false,
      size: shown(size),
      price: shown(limit),
      positionSide,
      stp: 'none',
      onMargin: false,
    } as const;
    return {
      user,
      instrument,
      draft: { ...draft, timeInForce: random.pick(['fok', 'fok', 'gtc']), reduceOnly: false },
    };
  }

  /** Orders that a taker meets after another one of the same account. */
  #several(instrument: NaiveInstrument, side: 'buy' | 'sell'): NaiveOrder[] {
    const makers = others(this.#naive, instrument, side);
    return makers.filter((maker, at) => makers.findIndex((each) => each.user === maker.user) < at);
  }

  /** Sometimes exactly the position, or half of it. */
  #closingSize(user: NaiveUser, instrument: NaiveInstrument): string | undefined {
    const own = this.#naive.positions.filter(
      (position) => position.user === user && position.instrument === instrument,
    );
    if (own.length === 0 || this.#random.below(4) > 0) return undefined;
    const { size } = this.#random.pick(own);
    return shown(
      this.#random.below(2) === 0 ? size : (size / 2n / instrument.lot) * instrument.lot,
    );
  }

  /** Mostly a few lots up to a few coins; sometimes zero, too much, or between two lots. */
  #size({ lot, base, coin, sizeMax }: NaiveInstrument, inQuote: boolean): string {
    const random = this.#random;
    if (inQuote && coin === 'BTC')
      return random.pick(['0', '0.000000001', '0.00001', '0.0123', '0.3333', '5', '90000']);
    if (inQuote)
      return random.pick([
        '0',
        '0.000000001',
        '0.5',
        '37',
        '1000',
        '12345.678',
        '60000',
        '250000',
        '900000000',
      ]);
    const odd = random.below(80);
    if (odd === 0) return shown(lot / 2n);
    if (odd === 1) return '0';
    if (odd === 2) return shown(sizeMax + lot);
    const coins = base === 'ETH' ? units('20') : units('1');
    const most = random.pick([coins * 3n, coins, coins / 10n, coins / 100n, lot * 3n]);
    return shown(((most * BigInt(1 + random.below(1000))) / 1000n / lot + 1n) * lot);
  }

  #price(instrument: NaiveInstrument): string {
    const random = this.#random;
    const { base, tick, band } = instrument;
    const mark = referenceOf(this.#naive, instrument);
    const odd = random.below(100);
    if (odd === 0) return shown(mark + tick / 2n);
    if (odd === 1) return shown((mark * 3n) / 2n);
    if (odd === 2) return shown(mark / 2n);
    if (odd === 4) return shown((mark / 2n / tick - 1n) * tick);
    if (odd === 3) return shown(((mark * 3n) / 2n / tick + 2n) * tick);
    // ETH trades in a wide range, so that fills far from mark reach accounts that can hardly afford
    // them.
    const wide = base === 'ETH' ? 12_000 : 3_000;
    const widest = Number((band * 120_000n) / units('1'));
    const range = Math.min(widest, odd < 10 ? 45_000 : odd < 50 ? wide : 300);
    return shown(this.#around(mark, range, random.below(2) === 0 ? tick : tick * 100n));
  }
}
