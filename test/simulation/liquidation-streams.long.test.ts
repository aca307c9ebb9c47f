/**
 * Random streams of accounts with high leverage and prices with gaps. After every command the audit
 * checks every account, which liquidation itself never does.
 */
import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR, MINUTE, SECOND } from '../../src/kernel/time.ts';
import type { Command } from '../../src/messages/commands.ts';
import { Market, type OrderOptions } from '../scenarios/market.test-support.ts';

interface Person {
  readonly uid: Uid;
  readonly hedged: boolean;
}

const CONTRACTS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'BTCUSD', 'ETHUSD', 'BTCPERP'] as const;
const STEPS: Readonly<
  Record<
    string,
    { readonly coin: string; readonly decimals: number; readonly sizes: readonly string[] }
  >
> = {
  BTCUSDT: { coin: 'BTC', decimals: 1, sizes: ['0.01', '0.5', '2', '7'] },
  BTCUSD: { coin: 'BTC', decimals: 1, sizes: ['0.01', '0.3', '2'] },
  BTCPERP: { coin: 'BTC', decimals: 1, sizes: ['0.05', '1'] },
  ETHUSDT: { coin: 'ETH', decimals: 2, sizes: ['0.1', '5', '40', '120'] },
  ETHUSD: { coin: 'ETH', decimals: 2, sizes: ['0.1', '5', '30'] },
  SOLUSDT: { coin: 'SOL', decimals: 3, sizes: ['1', '50', '900'] },
};
const FIRST: Readonly<Record<string, number>> = { BTC: 50_000, ETH: 2_500, SOL: 150 };

/** Mostly small steps. Sometimes a price halves, crashes and recovers, or prints a hundredfold. */
function nextPrice(chance: Random, price: number, first: number): number {
  const roll = chance.below(100);
  if (roll < 70) return price * (0.985 + chance.fraction() * 0.03);
  if (roll < 88) return price * (0.9 + chance.fraction() * 0.2);
  if (roll < 94) return price * (chance.below(2) === 0 ? 0.5 : 1.5);
  if (roll < 95) return price * (chance.below(2) === 0 ? 0.01 : 100);
  return first;
}

class Stream {
  readonly market = new Market();
  readonly #chance: Random;
  readonly #people: Person[] = [];
  readonly #prices = new Map(Object.entries(FIRST));

  constructor(seed: number, people: number) {
    this.#chance = seededRandom(seed);
    for (const coin of this.#prices.keys()) this.#say(coin);
    for (let count = 0; count < people; count++) this.#join();
  }

  #say(coin: string): void {
    const price = Math.min(1_000_000, Math.max(0.5, this.#prices.get(coin)!));
    this.#prices.set(coin, price);
    this.market.index(coin, price.toFixed(4));
  }

  #join(): void {
    const chance = this.#chance;
    const hedged = chance.below(3) === 0;
    const money = chance.pick([
      { USDT: '20000' },
      { USDT: '3000', BTC: '0.4' },
      { ETH: '10', USDC: '500' },
      { BTC: '1' },
      { USDT: '400000', BTC: '3' },
    ]);
    const uid = this.market.joins(money as Record<string, string>, hedged ? 'hedge' : 'oneWay');
    this.#people.push({ uid, hedged });
    for (const name of CONTRACTS)
      if (chance.below(2) === 0)
        this.market.settings(
          uid,
          name,
          chance.pick(['2', '10', '25', '50']),
          chance.pick(['crossed', 'isolated']),
        );
  }

  #order(): void {
    const chance = this.#chance;
    const { uid, hedged } = chance.pick(this.#people);
    const name = chance.pick(CONTRACTS);
    const { coin, decimals, sizes } = STEPS[name]!;
    const side = chance.pick(['buy', 'sell'] as const);
    const price =
      chance.below(4) === 0
        ? undefined
        : (this.#prices.get(coin)! * (0.99 + chance.fraction() * 0.02)).toFixed(decimals);
    const options: OrderOptions = hedged
      ? { positionSide: chance.pick(['long', 'short'] as const) }
      : { reduceOnly: chance.below(5) === 0 };
    this.market.order(uid, side, chance.pick(sizes), name, price, options);
  }

  /** Buys or sells on margin, so that the taker borrows. */
  #lend(): void {
    const chance = this.#chance;
    const [taker, maker] = [chance.pick(this.#people), chance.pick(this.#people)];
    const price = this.#prices.get('BTC')!.toFixed(2);
    const side = chance.pick(['buy', 'sell'] as const);
    const size = chance.pick(['0.05', '0.3']);
    this.market.order(maker.uid, side === 'buy' ? 'sell' : 'buy', size, 'SPOT:BTCUSDT', price);
    this.market.order(taker.uid, side, size, 'MARGIN:BTCUSDT', price);
  }

  /** Executes the next random event. */
  step(): void {
    const chance = this.#chance;
    const roll = chance.below(100);
    if (roll < 62) this.#order();
    else if (roll < 66) this.#lend();
    else if (roll < 90) {
      const coin = chance.pick([...this.#prices.keys()]);
      this.#prices.set(coin, nextPrice(chance, this.#prices.get(coin)!, FIRST[coin]!));
      this.#say(coin);
    } else if (roll < 93) this.market.passes(chance.pick([SECOND, MINUTE, HOUR, 9 * HOUR]));
    else if (roll < 95)
      this.market.pin(
        'BTCUSDT',
        chance.below(2) === 0
          ? undefined
          : (this.#prices.get('BTC')! * (0.7 + chance.fraction() * 0.6)).toFixed(1),
      );
    else if (roll < 96) this.market.submit({ type: 'switchMarket', on: chance.below(4) === 0 });
    else if (roll < 98)
      this.market.submit({
        type: 'setInstrumentStatus',
        category: 'USDT-FUTURES',
        symbol: 'ETHUSDT',
        status: chance.pick(['halted', 'normal', 'normal']),
      });
    else
      this.market.submit({
        type: 'deposit',
        uid: chance.pick(this.#people).uid,
        coin: 'USDT',
        size: '500' as never,
      });
  }
}

/** Counts events; a test without them proves nothing. */
function countKinds(market: Market, kinds: Map<string, number>): void {
  const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const { fill } of market.emitted('fillSettled')) count(fill.executionKind);
  for (const { positionId } of market.emitted('liquidationBegun'))
    count(positionId === undefined ? 'account' : 'position');
  for (const { reason } of market.emitted('entryPosted'))
    if (reason === 'insurance' || reason === 'funding') count(reason);
}

/** Seeds; RIALTO_STREAM_SEEDS sets more. */
const SEEDS = Array.from(
  { length: Number.parseInt(process.env.RIALTO_STREAM_SEEDS ?? '3', 10) },
  (_, place) => place + 1,
);

describe('any stream of orders and prices', () => {
  const kinds = new Map<string, number>();

  test.each(SEEDS)(
    '[POS-53][POS-69][POS-58] leaves no account under maintenance and liquidates none above it (seed %i)',
    (seed) => {
      const stream = new Stream(seed, 14);
      for (let count = 0; count < 350; count++) {
        const before = stream.market.submitted.length;
        stream.step();
        if (stream.market.submitted.length > before) stream.market.check();
        countKinds(stream.market, kinds);
      }
      stream.market.checkReplay();
    },
  );

  test('[POS-54] all streams together met every step of a liquidation', () => {
    for (const kind of [
      'liquidation',
      'reduce',
      'autoDeleverage',
      'offset',
      'account',
      'position',
      'funding',
      'insurance',
    ])
      expect([kind, (kinds.get(kind) ?? 0) > 0]).toEqual([kind, true]);
  });

  test.each([11, 12])(
    '[POS-69][CLK-12] continues identically after any restart (seed %i)',
    (seed) => {
      const stream = new Stream(seed, 10);
      for (let count = 0; count < 250; count++) stream.step();
      const { submitted } = stream.market;
      let other: Engine = createEngine();
      for (const [place, { command, at }] of submitted.entries()) {
        if (place % 3 === 0) {
          const bytes = other.serialize();
          other = createEngine();
          other.restore(bytes);
        }
        other.execute(command as Command, at);
      }
      expect([other.stateHash(), other.digest()]).toEqual([
        stream.market.engine.stateHash(),
        stream.market.engine.digest(),
      ]);
    },
  );
});
