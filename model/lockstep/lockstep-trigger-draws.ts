/** Random triggers, mostly close to the price, so that it reaches many of them. */
import type { Random } from '../../src/kernel/random.ts';
import type { NaiveExchange } from '../exchange/naive-exchange.ts';
import type { NaivePrices, NaiveUser, PositionSide } from '../exchange/naive-state.ts';
import type { NaiveExit, NaivePlan, NaiveTriggerChange } from '../exchange/naive-trigger-calls.ts';
import {
  isExit,
  type NaiveTpsl,
  type NaiveTrigger,
  priceOf,
  type Source,
  type TriggerKind,
} from '../exchange/naive-triggers.ts';
import { max, min, shown, units } from '../exchange/whole-units.ts';
import type { Future } from './lockstep-world.ts';

const SOURCES = ['last', 'last', 'mark', 'mark', 'index'] as const;
const MODES = ['none', 'none', undefined, 'cancelTaker', 'cancelMaker', 'cancelBoth'] as const;
const EXITS = [
  'takeProfit',
  'stopLoss',
  'trailingExit',
  'positionTakeProfit',
  'positionStopLoss',
] as const;

export class TriggerDraws {
  readonly #random: Random;
  readonly #naive: NaiveExchange;
  readonly #futures: readonly Future[];
  /** The account and symbol of every second trigger. */
  focus: [NaiveUser, Future] | undefined;

  constructor(random: Random, naive: NaiveExchange, futures: readonly Future[]) {
    this.#random = random;
    this.#naive = naive;
    this.#futures = futures;
  }

  /** Mostly of an account with positions. */
  #someone(): [NaiveUser, Future, PositionSide] {
    const random = this.#random;
    const { positions, users } = this.#naive;
    if (this.focus !== undefined && random.below(2) === 0) {
      const own = positions.find(
        (each) => each.user === this.focus![0] && each.instrument === this.focus![1],
      );
      return [...this.focus, own?.side ?? random.pick(['long', 'short'] as const)];
    }
    if (positions.length === 0 || random.below(3) === 0)
      return [random.pick(users), random.pick(this.#futures), random.pick(['long', 'short'])];
    const { user, instrument, side } = random.pick(positions);
    return [
      user,
      instrument as Future,
      random.below(20) === 0 ? (side === 'long' ? 'short' : 'long') : side,
    ];
  }

  #name({ name }: NaiveUser): string | undefined {
    return this.#random.below(4) === 0
      ? `${name}${this.#random.pick(['a', 'b', 'c', 'd', 'e'])}`
      : undefined;
  }

  /** Sometimes repeats an earlier request, exactly or almost. */
  plan(): { readonly user: NaiveUser; readonly instrument: Future; readonly plan: NaivePlan } {
    const random = this.#random;
    const again = this.#naive.names
      .slice(-20)
      .flatMap((each) => (each.plan === undefined ? [] : [{ ...each, plan: each.plan }]));
    if (again.length === 0 || random.below(4) > 0) return this.#newPlan();
    const { user, instrument, plan } = random.pick(again);
    const other: Partial<NaivePlan> = random.pick([
      {},
      {},
      {},
      { reduceOnly: !plan.reduceOnly },
      { mode: 'isolated' },
      { positionSide: 'long' },
    ]);
    return { user, instrument: instrument as Future, plan: { ...plan, ...other } };
  }

  #newPlan(): { readonly user: NaiveUser; readonly instrument: Future; readonly plan: NaivePlan } {
    const random = this.#random;
    const [user, instrument, held] = this.#someone();
    const source = random.pick(SOURCES);
    const triggerPrice = this.#near(instrument, source);
    const isTrailing = random.below(3) === 0;
    const side = random.pick(['buy', 'sell'] as const);
    const price =
      isTrailing || random.below(2) === 0 ? undefined : this.#limit(instrument, triggerPrice);
    const opens = user.hedge ? (side === 'buy') === (held === 'long') : true;
    const withTpsl = opens && random.below(2) === 0;
    const exit = (): NaiveTpsl | undefined =>
      withTpsl && random.below(4) > 0 ? this.#tpslText(instrument, isTrailing) : undefined;
    const plan: NaivePlan = {
      kind: isTrailing ? 'trailing' : 'conditional',
      side,
      positionSide: user.hedge && (withTpsl || random.below(50) > 0) ? held : undefined,
      reduceOnly: !withTpsl && random.below(3) === 0,
      stp: random.pick(MODES),
      source,
      triggerPrice,
      size: this.#size(user, instrument),
      price,
      callback: isTrailing ? units(random.pick(['1', '1.01', '1.5', '3', '10'])) : undefined,
      takeProfit: exit(),
      stopLoss: exit(),
      mode: random.below(8) === 0 ? random.pick(['isolated', 'crossed']) : undefined,
      name: this.#name(user),
    };
    return { user, instrument, plan };
  }

  /** At ten times the highest price, of the smallest size; sometimes with attached TP/SL. */
  farPlan(user: NaiveUser, instrument: Future): ReturnType<TriggerDraws['plan']> {
    const random = this.#random;
    const far = this.#toStep(instrument, 10n * priceOf(this.#naive, instrument, 'index'));
    const takeProfit =
      random.below(8) === 0
        ? ({ triggerPrice: far, isPercent: false, source: 'mark', price: undefined } as const)
        : undefined;
    const { sizeMin: size } = instrument;
    const none = {
      price: undefined,
      callback: undefined,
      stopLoss: undefined,
      mode: undefined,
      reduceOnly: false,
    };
    const plan: NaivePlan = {
      ...none,
      kind: 'conditional',
      side: 'buy',
      positionSide: 'long',
      stp: 'none',
      source: random.pick(SOURCES),
      triggerPrice: far,
      size,
      takeProfit,
    };
    return { user, instrument, plan };
  }

  #tpslText(instrument: Future, isPercent: boolean): NaiveTpsl {
    const random = this.#random;
    if (isPercent) {
      const triggerPrice = units(random.pick(['0.01', '0.07', '0.5', '1', '12.34', '100', '150']));
      return { triggerPrice, isPercent, source: 'last', price: undefined };
    }
    const source = random.pick(SOURCES);
    const triggerPrice = this.#near(instrument, source);
    return {
      triggerPrice,
      isPercent,
      source,
      price: random.below(3) === 0 ? this.#limit(instrument, triggerPrice) : undefined,
    };
  }

  /** Mostly with attached TP/SL on valid sides. */
  protectedOrder() {
    const random = this.#random;
    const again = this.#naive.names
      .slice(-20)
      .flatMap((each) =>
        each.draft?.attached === undefined ? [] : [{ ...each, draft: each.draft }],
      );
    if (again.length === 0 || random.below(4) > 0) return this.#newProtectedOrder();
    const { user, instrument, draft } = random.pick(again);
    const { takeProfit, stopLoss } = draft.attached!;
    const isOther = random.below(3) === 0 && takeProfit !== undefined && stopLoss !== undefined;
    const attached = {
      takeProfit,
      stopLoss: isOther ? undefined : stopLoss,
      opened: 0n,
      value: 0n,
    };
    return { user, instrument: instrument as Future, draft: { ...draft, attached } };
  }

  #newProtectedOrder() {
    const random = this.#random;
    const [user, instrument, held] = this.#someone();
    const side = random.pick(['buy', 'sell'] as const);
    const market = random.below(4) === 0;
    const opens =
      (side === 'buy') === (held === 'long') ? held : held === 'long' ? 'short' : 'long';
    const limit = this.#near(instrument, random.pick(['last', 'mark']));
    const way = (isAbove: boolean): NaiveTpsl => {
      const { source, price, triggerPrice } = this.#tpslText(instrument, false);
      const current = priceOf(this.#naive, instrument, source);
      const base = market ? current : side === 'buy' ? min(current, limit) : max(current, limit);
      const by = BigInt(random.pick([0, 10, 100, 500, 2_000]));
      const beside =
        this.#toStep(instrument, (base * (100_000n + (isAbove ? by : -by))) / 100_000n) +
        (isAbove ? instrument.tick : 0n);
      return {
        source,
        price,
        isPercent: false,
        triggerPrice: random.below(4) === 0 ? triggerPrice : beside,
      };
    };
    const which = random.below(3);
    const draft = {
      side,
      market,
      size: shown(this.#size(user, instrument)),
      price: shown(limit),
      timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'gtc', 'ioc', 'postOnly']),
      positionSide: random.below(10) === 0 ? held : opens,
      stp: random.pick(MODES),
      reduceOnly: !user.hedge && random.below(20) === 0,
      onMargin: false,
      name: this.#name(user),
      marginMode:
        random.below(12) === 0 ? random.pick(['isolated', 'crossed'] as const) : undefined,
      attached: {
        takeProfit: which === 0 ? undefined : way(side === 'buy'),
        stopLoss: which === 1 ? undefined : way(side === 'sell'),
        opened: 0n,
        value: 0n,
      },
      asksTpsl: true,
    };
    return { user, instrument, draft };
  }

  tpsl() {
    const random = this.#random;
    const [user, instrument, side] = this.#someone();
    const isPair = random.below(3) === 0;
    const kinds: readonly TriggerKind[] = isPair
      ? [
          random.pick(['takeProfit', 'positionTakeProfit'] as const),
          random.pick(['stopLoss', 'positionStopLoss'] as const),
        ]
      : [random.pick(EXITS)];
    const tpsl = kinds.map((kind) => this.#exit(user, instrument, kind, side));
    return { user, instrument, side, stp: random.pick(MODES), tpsl };
  }

  #exit(user: NaiveUser, instrument: Future, kind: TriggerKind, side: PositionSide): NaiveExit {
    const random = this.#random;
    const source = random.pick(SOURCES);
    const isAbove = (kind === 'takeProfit' || kind === 'positionTakeProfit') === (side === 'long');
    const price = priceOf(this.#naive, instrument, source);
    const drawn = this.#near(instrument, source);
    // Mostly on the valid side.
    const triggerPrice =
      drawn > price !== isAbove && random.below(8) > 0
        ? this.#toStep(instrument, 2n * price - drawn)
        : drawn;
    const isTrailing = kind === 'trailingExit';
    return {
      kind,
      source,
      triggerPrice,
      size: this.#size(user, instrument),
      price: isTrailing || random.below(3) > 0 ? undefined : this.#limit(instrument, triggerPrice),
      callback: isTrailing ? units(random.pick(['0.01', '0.1', '0.33', '1', '10'])) : undefined,
    };
  }

  change() {
    const random = this.#random;
    const trigger = random.pick(this.#naive.triggers);
    const { instrument, kind, callback, price } = trigger;
    const source = random.below(4) === 0 ? random.pick(SOURCES) : undefined;
    const what = random.below(4);
    const drawn = this.#near(instrument as Future, source ?? trigger.source);
    const limit =
      random.below(4) === 0 ? 0n : this.#limit(instrument as Future, trigger.triggerPrice);
    const change: NaiveTriggerChange = {
      size: what === 0 ? this.#size(trigger.user, instrument as Future) : undefined,
      price:
        what === 1 && (price !== undefined || isExit(kind)) && callback === undefined
          ? limit
          : undefined,
      triggerPrice: what > 1 ? drawn : undefined,
      source,
      callback:
        callback !== undefined && random.below(2) === 0
          ? units(random.pick(['1', '2']))
          : undefined,
    };
    const user = random.below(20) === 0 ? random.pick(this.#naive.users) : trigger.user;
    return { user, trigger, exit: random.below(20) === 0 ? !isExit(kind) : isExit(kind), change };
  }

  cancel() {
    const random = this.#random;
    const { user, instrument, kind, number } = random.pick(this.#naive.triggers);
    const kinds: TriggerKind[] =
      random.below(3) === 0 ? [random.below(3) === 0 ? 'conditional' : kind] : [];
    const numbers =
      random.below(4) > 0 ? [number, ...(random.below(8) === 0 ? [number] : [])] : undefined;
    const symbol = random.below(2) === 0 ? instrument.symbol : undefined;
    return {
      user: random.below(20) === 0 ? random.pick(this.#naive.users) : user,
      instrument: instrument as Future,
      symbol,
      kinds,
      numbers,
    };
  }

  /** Prices that just reach a trigger, or just do not; the current prices if it is far from all. */
  edge(trigger = this.#random.pick(this.#reachable())): NaivePrices {
    const random = this.#random;
    const { indexes, marks } = this.#naive;
    const { instrument } = trigger;
    if (!this.#isNear(trigger)) return { indexes: { ...indexes }, marks: { ...marks } };
    const at = wanted(trigger) + random.pick([0n, 0n, 1n, -1n]);
    const isIndex =
      trigger.source === 'index' ||
      (trigger.source === 'last' && this.#naive.lasts[instrument.symbol] === undefined);
    if (isIndex) return { indexes: { ...indexes, [instrument.base]: at }, marks: { ...marks } };
    return { indexes: { ...indexes }, marks: { ...marks, [instrument.symbol]: at } };
  }

  #isNear(trigger: NaiveTrigger): boolean {
    return wanted(trigger) < 2n * priceOf(this.#naive, trigger.instrument, trigger.source);
  }

  #reachable(): readonly NaiveTrigger[] {
    const near = this.#naive.triggers.filter((each) => this.#isNear(each));
    return near.length > 0 ? near : this.#naive.triggers;
  }

  #near(instrument: Future, source: Source): bigint {
    const random = this.#random;
    const price = priceOf(this.#naive, instrument, source);
    const odd = random.below(60);
    if (odd === 0) return this.#toStep(instrument, price) + instrument.tick / 2n;
    if (odd < 8) return this.#toStep(instrument, price);
    const widest = random.pick([20, 200, 200, 1_000, 4_000]);
    return this.#toStep(
      instrument,
      (price * BigInt(100_000 + random.below(2 * widest + 1) - widest)) / 100_000n,
    );
  }

  #toStep({ tick }: Future, price: bigint): bigint {
    return (price / tick) * tick;
  }

  #limit(instrument: Future, around: bigint): bigint {
    const random = this.#random;
    const odd = random.below(20);
    if (odd === 0) return this.#toStep(instrument, (around * 3n) / 2n);
    if (odd === 1) return this.#toStep(instrument, around / 2n);
    return this.#toStep(
      instrument,
      (around * BigInt(100_000 + random.below(2_001) - 1_000)) / 100_000n,
    );
  }

  #size(user: NaiveUser, { lot, base, sizeMax, symbol }: Future): bigint {
    const random = this.#random;
    const odd = random.below(60);
    if (odd === 0) return lot / 2n;
    if (odd === 1) return 0n;
    if (odd === 2) return sizeMax + lot;
    const own = this.#naive.positions.find(
      (each) => each.user === user && each.instrument.symbol === symbol,
    );
    if (own !== undefined && odd < 30)
      return random.pick([
        own.size,
        own.size + lot,
        own.size - lot,
        (own.size / 2n / lot + 1n) * lot,
      ]);
    const most = (base === 'ETH' ? units('20') : units('1')) / random.pick([1n, 1n, 10n, 100n]);
    return ((most * BigInt(1 + random.below(1_000))) / 1_000n / lot + 1n) * lot;
  }
}

/** Its target price, rounded away from the side of the price. */
function wanted({ best, callback, side, triggerPrice }: NaiveTrigger): bigint {
  if (best === undefined) return triggerPrice;
  const whole = units('100');
  return side === 'sell'
    ? (best * (whole - callback!)) / whole
    : (best * (whole + callback!) + whole - 1n) / whole;
}
