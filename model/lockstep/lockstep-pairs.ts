/** Random calls on pairs of isolated spot margin, mostly close to a limit, and their comparison. */
import type { Engine, Executed } from '../../src/core/engine.ts';
import { pairWalletOf } from '../../src/core/ledger/ledger.ts';
import { pairDebtOf } from '../../src/core/margin/pair-debts.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import { LOAN_TYPES } from '../../src/messages/vocabulary.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import { cannotBegin, others, willTradeOrRest } from '../exchange/naive-matching.ts';
import { walletOf } from '../exchange/naive-money.ts';
import { holdInPair } from '../exchange/naive-pair-orders.ts';
import {
  allPairs,
  borrow,
  isLost,
  mayBorrow,
  mayTakeOut,
  owedBy,
  pairOf,
  repayByHand,
  supposing,
  transfer,
} from '../exchange/naive-pairs.ts';
import { check, type NaiveDraft, referenceOf } from '../exchange/naive-placing.ts';
import { canLeave } from '../exchange/naive-stale.ts';
import type {
  NaiveInstrument,
  NaivePair,
  NaivePrices,
  NaiveUser,
} from '../exchange/naive-state.ts';
import { takesOrders } from '../exchange/naive-statuses.ts';
import { max, min, shown, UNIT, units } from '../exchange/whole-units.ts';
import { type Names, same } from './lockstep-compare.ts';
import type { Draws } from './lockstep-draws.ts';
import { PAIRS } from './lockstep-world.ts';

/** More than any user has or may borrow. */
const VERY_MUCH = units('100000000');

/** A call on a pair, for both sides. */
interface Asked {
  readonly command: Command;
  readonly happened: string;
  /** Reason of a refusal, or undefined. */
  readonly answer: () => string | undefined;
}

export interface PairOrder {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly draft: NaiveDraft;
}

const hasFree = ({ wallets }: NaivePair): boolean =>
  Object.values(wallets).some(({ free }) => free > 0n);

export class PairDraws {
  readonly #random: Random;
  readonly #naive: NaiveExchange;
  readonly #draws: Draws;

  constructor(random: Random, naive: NaiveExchange, draws: Draws) {
    this.#random = random;
    this.#naive = naive;
    this.#draws = draws;
  }

  /** Transfers in and out, loans and repayments. */
  money(uids: readonly Uid[]): Asked {
    const [random, naive] = [this.#random, this.#naive];
    const instrument = this.#instrument();
    const pair = pairOf(random.pick(naive.users), instrument);
    const coin = random.pick([pair.base, pair.quote]);
    const named = (amount: bigint) => ({
      uid: uids[pair.user.name]!,
      symbol: instrument.symbol,
      coin,
      amount: shown(amount) as DecimalText,
    });
    const what = random.pick(['in', 'in', 'out', 'borrow', 'borrow', 'repay'] as const);
    const amount = this.#amount(this.#bound(what, pair, coin));
    if (what === 'borrow')
      return {
        command: { type: 'borrowIsolated', ...named(amount) },
        happened: 'pair borrowed',
        answer: () =>
          takesOrders(naive, instrument, true) ? borrow(naive, pair, coin, amount) : 'symbolClosed',
      };
    if (what === 'repay')
      return {
        command: { type: 'repayIsolated', ...named(amount) },
        happened: 'pair repaid',
        answer: () => repayByHand(naive, pair, coin, amount),
      };
    return {
      command: {
        type: 'transferIsolated',
        ...named(amount),
        direction: what,
        clientOid: undefined,
      },
      happened: `money ${what === 'in' ? 'into' : 'out of'} a pair`,
      answer: () => transfer(naive, pair, coin, amount, what === 'in'),
    };
  }

  /** The largest allowed amount. */
  #bound(what: 'in' | 'out' | 'borrow' | 'repay', pair: NaivePair, coin: string): bigint {
    const naive = this.#naive;
    if (what === 'in')
      return most(walletOf(pair.user, coin).available, (amount) =>
        canLeave(naive, pair.user, coin, amount),
      );
    if (what === 'out')
      return most(pair.wallets[coin]!.free, (amount) => mayTakeOut(naive, pair, coin, amount));
    if (what === 'borrow') return most(VERY_MUCH, (amount) => mayBorrow(naive, pair, coin, amount));
    return min(pair.wallets[coin]!.free, owedBy(pair, coin));
  }

  /** A part of a bound, sometimes the bound or just beyond it; never zero. */
  #amount(bound: bigint): bigint {
    const random = this.#random;
    const what = random.below(10);
    const part = (bound * BigInt(1 + random.below(1_000))) / 1_000n;
    return max(
      1n,
      what < 2
        ? bound
        : what < 3
          ? bound + 1n
          : what < 4
            ? part / 1_000n
            : what < 8
              ? part / 3n
              : part,
    );
  }

  /** An order that mostly spends what the pair has or may borrow, or a little more. */
  order(of?: Pick<PairOrder, 'user' | 'instrument'>): PairOrder {
    const random = this.#random;
    const { user, instrument } = of ?? this.#someone();
    const drawn = {
      ...this.#draws.draft(user, instrument, false),
      loanType: random.pick(LOAN_TYPES),
      reduceOnly: false,
    };
    const draft = { ...drawn, price: this.#price(instrument) ?? drawn.price };
    return {
      user,
      instrument,
      draft:
        random.below(20) === 0
          ? draft
          : { ...draft, size: this.#size(pairOf(user, instrument), draft) },
    };
  }

  #instrument(): NaiveInstrument {
    return PAIRS[this.#random.below(4) === 0 ? 1 : 0]!;
  }

  /** Mostly a user whose pair has money. */
  #someone(): Pick<PairOrder, 'user' | 'instrument'> {
    const instrument = this.#instrument();
    const used = allPairs(this.#naive).filter(
      (pair) => pair.instrument === instrument && hasFree(pair),
    );
    const from =
      used.length > 0 && this.#random.below(20) > 0
        ? used.map(({ user }) => user)
        : this.#naive.users;
    return { user: this.#random.pick(from), instrument };
  }

  /** As much of an offer as the pair can afford, or one lot more; undefined without an offer. */
  edgeOrder(): PairOrder | undefined {
    const [random, naive] = [this.#random, this.#naive];
    const { user, instrument, draft } = this.order();
    const { tick, lot } = instrument;
    const offers = others(naive, instrument, draft.side);
    if (offers.length === 0 || draft.market) return undefined;
    const { limit } = random.pick(offers);
    const beyond = (limit * BigInt(random.pick([0, 0, 1, 30, 100]))) / 1_000n;
    const price = ((draft.side === 'buy' ? limit + beyond : limit - beyond) / tick) * tick;
    const sized = (lots: bigint): NaiveDraft => ({
      ...draft,
      price: shown(price),
      size: shown(lots * lot),
    });
    const lots = most(
      units('30') / lot,
      (count) => count === 0n || this.#passesRiskCheck(pairOf(user, instrument), sized(count)),
    );
    return { user, instrument, draft: sized(max(1n, lots + BigInt(random.below(3) - 1))) };
  }

  #passesRiskCheck(pair: NaivePair, draft: NaiveDraft): boolean {
    const naive = this.#naive;
    const order = check(naive, pair.user, pair.instrument, draft, false);
    if (typeof order === 'string') return order === 'sizeTooSmall';
    let refused: string | undefined;
    return supposing(
      naive,
      pair,
      () => {
        refused = holdInPair(naive, order);
      },
      () =>
        refused === undefined &&
        (draft.timeInForce === 'fok' ? willTradeOrRest(naive, order) : !cannotBegin(naive, order)),
    );
  }

  /** Sometimes a price at which an indebted pair can hardly trade. */
  #price(instrument: NaiveInstrument): string | undefined {
    if (this.#random.below(3) > 0) return undefined;
    const by = BigInt(this.#random.below(1_601) - 800);
    return shown(
      ((referenceOf(this.#naive, instrument) * (10_000n + by)) / 10_000n / instrument.tick) *
        instrument.tick,
    );
  }

  #size(pair: NaivePair, { side, market, price, loanType }: NaiveDraft): string {
    const [random, naive] = [this.#random, this.#naive];
    const { lot } = pair.instrument;
    const coin = side === 'buy' ? pair.quote : pair.base;
    const loans =
      loanType === 'normal' || loanType === 'autoRepay'
        ? 0n
        : most(VERY_MUCH, (amount) => mayBorrow(naive, pair, coin, amount));
    const spend = this.#amount(pair.wallets[coin]!.free + loans);
    if (market && side === 'buy') return shown((spend / 100n) * 100n);
    const size = side === 'sell' ? spend : (spend * UNIT) / max(1n, units(price ?? '60000'));
    return shown((size / lot + (random.below(10) === 0 ? 1n : 0n)) * lot);
  }

  /** The index at which a pair is just liquidated, or the next one at which it is not. */
  edge(): NaivePrices | undefined {
    const { indexes, marks } = this.#naive;
    const owing = allPairs(this.#naive).filter(
      (pair) => owedBy(pair, pair.base) + owedBy(pair, pair.quote) > 0n,
    );
    if (owing.length === 0) return undefined;
    const pair = this.#random.pick(owing);
    const before = indexes[pair.base]!;
    const isSafe = (index: bigint): boolean => {
      indexes[pair.base] = index;
      const safe = !isLost(this.#naive, pair);
      indexes[pair.base] = before;
      return safe;
    };
    const far = [(before * 7n) / 10n, (before * 13n) / 10n].filter((index) => !isSafe(index));
    if (far.length === 0) return undefined;
    let [safe, risky] = [before, this.#random.pick(far)];
    while (safe - risky > 1n || risky - safe > 1n) {
      const middle = (safe + risky) / 2n;
      if (isSafe(middle)) safe = middle;
      else risky = middle;
    }
    return {
      indexes: { ...indexes, [pair.base]: this.#random.below(3) === 0 ? safe : risky },
      marks: { ...marks },
    };
  }
}

/** The largest value that holds, if all smaller ones hold. */
function most(bound: bigint, holds: (amount: bigint) => boolean): bigint {
  let [low, high] = [0n, bound + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Compares balances and debts of pairs, and the loans of orders. */
export function comparePairs(
  { state }: Pick<Engine, 'state'>,
  naive: NaiveExchange,
  { uids, ids }: Names,
): void {
  for (const { user, instrument, wallets } of allPairs(naive))
    for (const [coin, { free, locked, debt, interest }] of Object.entries(wallets)) {
      const uid = uids[user.name]!;
      const own = pairWalletOf(state, uid, instrument.symbol, coin);
      const owed = pairDebtOf(state, { uid, symbol: instrument.symbol }, coin);
      const engine = [own.isolated, own.isolatedLocked, owed.principal, owed.interest];
      same(`${coin} in the pair of ${user.name}`, engine, [free, locked, debt, interest]);
    }
  for (const { number, user, instrument, hold, loanType } of naive.orders) {
    if (loanType === undefined) continue;
    const own = state.orders.get(ids[number]!)!.hold;
    const { left } = pairOf(user, instrument).loans.find((loan) => loan.hold === hold)!;
    same(
      `borrowed for order ${number}`,
      [own.kind === 'isolated' ? min(own.amount, own.borrowed) : undefined],
      [left],
    );
  }
}

/** Total loans of all pairs in a coin. */
export const pairLoans = (naive: NaiveExchange, coin: string): bigint =>
  allPairs(naive).reduce((sum, { wallets }) => sum + (wallets[coin]?.debt ?? 0n), 0n);

export const pairLiquidation = (
  event: Executed['events'][number],
  uids: readonly Uid[],
): string[] =>
  event.type === 'isolatedLiquidationBegun'
    ? [`${uids.indexOf(event.uid)} ${event.symbol}: ${event.assets} against ${event.debts}`]
    : [];
