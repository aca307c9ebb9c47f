/** Runs in which operators change specifications and fees while positions and orders are open. */
import type { Engine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Instrument, Tier } from '../../src/messages/listings.ts';
import { isFutures, LEVELS } from '../../src/messages/vocabulary.ts';
import { shown, UNIT, units } from '../exchange/whole-units.ts';
import { same } from './lockstep-compare.ts';
import type { Stream } from './lockstep-stream.ts';
import { BOOKS, FUTURES, LISTINGS, naiveOf, specFrom } from './lockstep-world.ts';

interface ListingsStream extends Stream {
  readonly state: () => Engine['state'];
  readonly count: (name: string) => void;
}

const decimal = (text: string): DecimalText => text as DecimalText;
const times = (step: string, count: number): DecimalText =>
  decimal(shown(units(step) * BigInt(count)));

/** Restores every symbol, because an earlier run may have changed it. */
export function listAtFirst(): void {
  for (const instrument of BOOKS) {
    const listed = LISTINGS.find(
      ({ category, symbol }) => category === instrument.category && symbol === instrument.symbol,
    )!;
    Object.assign(instrument, naiveOf(listed));
  }
}

export class Listings {
  readonly #stream: ListingsStream;

  constructor(stream: ListingsStream) {
    this.#stream = stream;
  }

  step(): void {
    if (this.#stream.random.below(4) === 0) this.#setFees();
    else this.#relist();
  }

  /** Restores the first listing every other time, so that trading goes on. */
  #relist(): void {
    const { random, naive, run, compare, count } = this.#stream;
    const instrument = random.pick(BOOKS);
    const onMargin = instrument.category === 'SPOT' && random.below(2) === 0;
    const category = onMargin ? 'MARGIN' : instrument.category;
    const first = LISTINGS.find(
      (each) => each.category === category && each.symbol === instrument.symbol,
    )!;
    const listed = random.below(2) === 0 ? first : drawListing(random, first);
    naive.begin();
    naive.relist(instrument, specFrom(listed), onMargin);
    compare(run({ type: 'listInstrument', instrument: listed }));
    count(`${category} listed ${listed === first ? 'as before' : 'with changes'}`);
    if (naive.report.liquidations.length > 0) count('liquidated by a listing');
  }

  /** The same for all levels, since no level pays more than the one below. */
  #setFees(): void {
    const { random, naive, run, compare, count } = this.#stream;
    const market = random.pick(['spot', 'futures'] as const);
    const [maker, taker] = random.pick([
      ['0', '0'],
      ['0.00003', '0.00027'],
      ['0.0002', '0.0006'],
      ['0.001', '0.001'],
      ['0.0000000001', '0.0033333333'],
      ['0.01', '0.02'],
    ] as const);
    naive.begin();
    for (const instrument of BOOKS)
      if (isFutures(instrument.category) === (market === 'futures'))
        Object.assign(instrument, { maker: units(maker), taker: units(taker) });
    naive.report.answers.push('accepted');
    const rates = LEVELS.map((level) => ({ level, maker: decimal(maker), taker: decimal(taker) }));
    compare(run({ type: 'setFees', market, rates }));
    count(`fees of ${market} set`);
    if (naive.report.liquidations.length > 0) count('liquidated by fees');
  }

  /** Runs after every command, because a listing can lower a leverage setting. */
  compareSettings(): void {
    const { naive, uidOf, state } = this.#stream;
    for (const user of naive.users)
      for (const { category, symbol } of FUTURES) {
        const { leverage, sides } = user.settings[symbol]!;
        const own = state().accounts.get(uidOf(user))!.symbolSettings.get(`${category}:${symbol}`)!;
        const emitted = [leverage, sides.long, sides.short].map((each) => each && shown(each));
        same(
          `leverage of ${user.name} in ${symbol}`,
          [own.leverage, own.longLeverage, own.shortLeverage],
          emitted,
        );
      }
  }
}

export function drawListing(random: Random, first: Instrument): Instrument {
  const { category, sizeStep } = first;
  const largest = random.pick([20, 1_000, 100_000]);
  const changed = {
    ...first,
    sizeMin: random.below(2) === 0 ? first.sizeMin : times(sizeStep, 1 + random.below(20)),
    sizeMax: random.below(2) === 0 ? first.sizeMax : times(sizeStep, 20 + random.below(largest)),
    marketSizeMax:
      random.below(2) === 0 ? first.marketSizeMax : times(sizeStep, 20 + random.below(largest)),
    priceBandRate: random.pick([
      first.priceBandRate,
      decimal('0.001'),
      decimal('0.02'),
      decimal('0.1'),
      decimal('0.9'),
    ]),
  };
  if (category === 'MARGIN')
    return { ...changed, leverageMax: decimal(random.pick(['2', '3', '5', '10', '20', '100'])) };
  if (!isFutures(category)) return changed;
  const tiers = random.below(4) === 0 ? first.tiers : drawTiers(random);
  return {
    ...changed,
    tiers,
    leverageMax: tiers[0]!.leverageMax,
    fundingHours: random.pick([first.fundingHours, first.fundingHours, 1, 2, 4, 6]),
    fundingRateMax: random.pick([first.fundingRateMax, decimal('0.0001'), decimal('0.02')]),
  };
}

/** Tiers with falling leverage and rising rates. */
function drawTiers(random: Random): Tier[] {
  const tiers: Tier[] = [];
  let [from, leverage, rate] = ['0', random.pick([125, 75, 50, 20, 10, 5, 1]), 0n];
  for (let left = 1 + random.below(4); left > 0; left--) {
    const to = shown(
      units(from) +
        units(
          random.pick(['0.0000000001', '5000', '20000', '33333.3333333333', '200000', '100000000']),
        ),
    );
    const below = UNIT / BigInt(leverage) - 1n;
    const least = rate > UNIT / 1_000n ? rate : UNIT / 1_000n;
    rate = least + ((below - least) * BigInt(random.below(100))) / 100n;
    tiers.push({
      fromValue: decimal(from),
      toValue: decimal(to),
      leverageMax: decimal(`${leverage}`),
      maintenanceRate: decimal(shown(rate)),
    });
    from = to;
    leverage = 1 + Math.floor((leverage - 1) / random.pick([1, 2, 3]));
  }
  return tiers;
}
