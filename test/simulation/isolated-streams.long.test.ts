/**
 * Random streams of commands of isolated pairs. Money adds up, no balance is negative, and no pair
 * owes too much.
 */
import { describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import type { State } from '../../src/core/state/state.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import type { LoanType } from '../../src/messages/vocabulary.ts';
import { IsolatedMarket } from '../scenarios/isolated-market.test-support.ts';

const PAIRS = [
  {
    symbol: 'BTCUSDT',
    base: 'BTC',
    quote: 'USDT',
    decimals: 2,
    sizes: ['0.001', '0.02', '0.15', '1'],
  },
  { symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', decimals: 2, sizes: ['0.05', '1', '6'] },
  { symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', decimals: 6, sizes: ['0.05', '1', '6'] },
] as const;
type Pair = (typeof PAIRS)[number];
const LOAN_TYPES: readonly LoanType[] = ['normal', 'autoLoan', 'autoRepay', 'autoLoanAndRepay'];

/**
 * Value of assets and debts in quote units times 10^10, at the index prices of the state. Computed
 * exactly, without the exchange's own formulas.
 */
function valuesOf(
  state: State,
  uid: Uid,
  { symbol, base, quote }: Pair,
): { assets: bigint; debts: bigint } {
  const unit = 10n ** 10n;
  const usd = (coin: string): bigint =>
    coin === 'USDT' ? unit : (state.indexPrices.get(coin)?.price ?? 0n);
  const exact = (usd(base) * unit) / usd(quote);
  const index =
    quote === 'USDT' ? usd(base) : (2n * usd(base) * unit + usd(quote)) / (2n * usd(quote));
  expect(index - exact <= 1n).toBe(true);
  const owned = (coin: string): bigint => {
    const wallet = state.isolatedPairs.get(uid)?.get(symbol)?.get(coin);
    return wallet === undefined ? 0n : wallet.isolated + wallet.isolatedLocked;
  };
  const owed = (coin: string): bigint => {
    const debt = state.isolatedDebts.get(symbol)?.get(uid)?.get(coin);
    return debt === undefined ? 0n : debt.principal + debt.interest;
  };
  return {
    assets: owned(quote) * unit + owned(base) * index,
    debts: owed(quote) * unit + owed(base) * index,
  };
}

class Stream {
  readonly market = new IsolatedMarket();
  readonly #chance: Random;
  readonly #people: Uid[] = [];
  readonly #prices = new Map([
    ['BTC', 60_000],
    ['ETH', 3_000],
  ]);

  constructor(seed: number) {
    this.#chance = seededRandom(seed);
    for (const [coin, price] of this.#prices) this.market.index(coin, price.toFixed(2));
    for (let count = 0; count < 8; count++) {
      const uid = this.market.joins({ USDT: '40000', BTC: '1', ETH: '12' });
      this.#people.push(uid);
      for (const { symbol, base, quote } of PAIRS) {
        if (this.#chance.below(3) > 0)
          this.market.transfer(uid, 'in', quote === 'USDT' ? '3000' : '0.1', quote, symbol);
        if (this.#chance.below(3) === 0) this.market.transfer(uid, 'in', '0.1', base, symbol);
      }
    }
  }

  step(): void {
    const chance = this.#chance;
    const uid = chance.pick(this.#people);
    const pair = chance.pick(PAIRS);
    const coin = chance.pick([pair.base, pair.quote]);
    const amount = (): string =>
      (coin === 'USDT' ? chance.fraction() * 9_000 : chance.fraction() * 1.5).toFixed(6);
    const roll = chance.below(100);
    if (roll < 55) this.#order(uid, pair);
    else if (roll < 60) this.market.borrow(uid, amount(), coin, pair.symbol);
    else if (roll < 64) this.market.repay(uid, amount(), coin, pair.symbol);
    else if (roll < 70)
      this.market.transfer(uid, chance.pick(['in', 'out']), amount(), coin, pair.symbol);
    else if (roll < 76) this.#cancel(uid);
    else if (roll < 94) this.#move(chance.pick(['BTC', 'ETH']));
    else if (roll < 97) this.market.passes(chance.pick([MINUTE, HOUR, 7 * HOUR]));
    else this.#halt(pair.symbol);
  }

  #order(uid: Uid, { symbol, base, quote, decimals, sizes }: Pair): void {
    const chance = this.#chance;
    const side = chance.pick(['buy', 'sell'] as const);
    const index = this.#prices.get(base)! / (quote === 'USDT' ? 1 : this.#prices.get(quote)!);
    const size = chance.pick(sizes);
    const isolated = chance.below(3) > 0;
    const loan = isolated ? { loanType: chance.pick(LOAN_TYPES) } : {};
    if (chance.below(4) === 0) {
      const inQuote = (Number.parseFloat(size) * index).toFixed(quote === 'USDT' ? 2 : 8);
      this.market.places(uid, { side, size: side === 'buy' ? inQuote : size, symbol, ...loan });
      return;
    }
    const price = (index * (0.97 + chance.fraction() * 0.06)).toFixed(decimals);
    this.market.places(uid, { side, size, price, symbol, ...loan });
  }

  #cancel(uid: Uid): void {
    const open = [...(this.market.state.accounts.get(uid)?.openOrders ?? [])];
    if (open.length > 0) this.market.cancels(uid, this.#chance.pick(open) as Id);
  }

  /** Mostly small steps, sometimes a gap. */
  #move(coin: string): void {
    const chance = this.#chance;
    const factor =
      chance.below(10) === 0 ? chance.pick([0.8, 0.6, 1.3, 1.6]) : 0.97 + chance.fraction() * 0.06;
    this.#prices.set(coin, Math.min(400_000, Math.max(200, this.#prices.get(coin)! * factor)));
    this.market.index(coin, this.#prices.get(coin)!.toFixed(2));
  }

  #halt(symbol: string): void {
    this.market.accepted({
      type: 'setInstrumentStatus',
      category: 'MARGIN',
      symbol,
      status: this.#chance.pick(['halted', 'normal', 'normal']),
    });
  }

  /**
   * Debts stay below 95 % of assets at ten times leverage. Pairs of a halted symbol are exempt
   * because they cannot be liquidated.
   */
  checkRisk(): void {
    const { state } = this.market;
    for (const pair of PAIRS) {
      if (state.instruments.get(`MARGIN:${pair.symbol}`)!.status === 'halted') continue;
      for (const uid of this.#people) {
        const { assets, debts } = valuesOf(state, uid, pair);
        expect(debts === 0n || debts * 100n < assets * 95n, `${pair.symbol} of ${uid}`).toBe(true);
      }
    }
  }

  /** If the last command borrowed, debts are at most 90 % of assets afterwards. */
  checkLoans(): void {
    const { state, last } = this.market;
    const command = this.market.submitted.at(-1)!.command;
    if (command.type !== 'borrowIsolated' || last?.outcome.ok !== true) return;
    const { assets, debts } = valuesOf(
      state,
      command.uid,
      PAIRS.find(({ symbol }) => symbol === command.symbol)!,
    );
    expect(debts * 10n <= assets * 9n).toBe(true);
  }
}

const SEEDS = Array.from(
  { length: Number.parseInt(process.env.RIALTO_STREAM_SEEDS ?? '4', 10) },
  (_, place) => place + 1,
);

describe('any stream of isolated pairs', () => {
  const kinds = new Map<string, number>();
  const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

  test.each(SEEDS)(
    '[ISO-23][ISO-14][ISO-17][ISO-20] conserves money and leaves no pair at risk (seed %i)',
    (seed) => {
      const stream = new Stream(seed);
      for (let step = 0; step < 500; step++) {
        stream.step();
        stream.market.checkMoney();
        stream.checkRisk();
        stream.checkLoans();
        for (const _ of stream.market.emitted('isolatedLiquidationBegun')) count('liquidation');
        for (const { fill } of stream.market.emitted('fillSettled'))
          count(`${fill.executionKind} ${fill.loanType ?? 'spot'}`);
        for (const { reason } of stream.market.emitted('entryPosted')) count(reason);
        for (const { end } of stream.market.emitted('orderEnded'))
          count(end.cancelReason ?? end.status);
      }
      stream.market.checkReplay();
    },
  );

  test('[ISO-19] all streams together met everything that can happen to a pair', () => {
    const wanted = [
      'liquidation',
      'liquidation autoRepay',
      'normal autoLoan',
      'normal autoLoanAndRepay',
      'takeover',
      'insurance',
      'moneyGone',
    ];
    expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  test('[ISO-23][CLK-12] continues identically after any restart', () => {
    const stream = new Stream(99);
    for (let step = 0; step < 250; step++) stream.step();
    let other: Engine = createEngine();
    for (const [place, { command, at }] of stream.market.submitted.entries()) {
      if (place % 5 === 0) {
        const bytes = other.serialize();
        other = createEngine();
        other.restore(bytes);
      }
      other.execute(command, at);
    }
    expect([other.stateHash(), other.digest()]).toEqual([
      stream.market.engine.stateHash(),
      stream.market.engine.digest(),
    ]);
  });
});
