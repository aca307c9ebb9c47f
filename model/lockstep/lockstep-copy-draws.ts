/** Random requests of the copy trading stream. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { CopySetting } from '../../src/messages/copy-trading.ts';
import type { CopyingExchange } from '../exchange/naive-copying.ts';
import type { NaiveChange } from '../exchange/naive-modifying.ts';
import type { NaiveDraft } from '../exchange/naive-placing.ts';
import type {
  NaiveInstrument,
  NaiveOrder,
  NaivePrices,
  NaiveUser,
  PositionSide,
} from '../exchange/naive-state.ts';
import type { NaiveSetting, NaiveTracked } from '../exchange/naive-tracking-state.ts';
import { max, shown, units } from '../exchange/whole-units.ts';
import { COPY_CAST, COPY_FUTURES } from './lockstep-copy-world.ts';
import type { Future } from './lockstep-world.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** One setting in the words of both sides. */
export interface DrawnSetting {
  readonly naive: NaiveSetting;
  readonly engine: CopySetting;
}

export class CopyDraws {
  readonly #random: Random;
  readonly #naive: CopyingExchange;

  constructor(random: Random, naive: CopyingExchange) {
    this.#random = random;
    this.#naive = naive;
  }

  /** Sometimes an account that does not lead. */
  leader(): NaiveUser {
    const isLeader = (user: NaiveUser): boolean => this.#naive.copying.leaders.has(user);
    return this.#random.below(40) === 0
      ? this.#other()
      : this.#random.pick(this.#naive.users.filter(isLeader));
  }

  follower(): NaiveUser {
    return this.#random.below(10) === 0
      ? this.#other()
      : this.#random.pick(this.#playing('follower'));
  }

  #other(): NaiveUser {
    return this.#random.pick(this.#naive.users.slice(1));
  }

  /** A follower, or an account that neither leads nor follows. */
  trader(): NaiveUser {
    return this.#random.pick([...this.#playing('follower'), ...this.#playing('trader')]);
  }

  #playing(part: string): NaiveUser[] {
    return this.#naive.users.filter(({ name }) => COPY_CAST[name]!.part === part);
  }

  prices(): NaivePrices {
    const indexes: Record<string, bigint> = {};
    for (const [coin, index] of Object.entries(this.#naive.indexes))
      indexes[coin] = this.#around(
        index,
        this.#random.pick([300, 300, 1_000, 4_000, 9_000]),
        units('0.01'),
      );
    return {
      indexes,
      marks: Object.fromEntries(
        COPY_FUTURES.map(({ symbol, base, tick }) => [
          symbol,
          this.#around(indexes[base]!, 50, tick),
        ]),
      ),
    };
  }

  /** A price at most `widest` hundred-thousandths away, rounded down to a step. */
  #around(price: bigint, widest: number, step: bigint): bigint {
    const by = BigInt(this.#random.below(2 * widest + 1) - widest);
    return ((price * (100_000n + by)) / 100_000n / step) * step;
  }

  /** Two prices on each side, mostly deep. */
  quotes({ symbol, tick, lot, base }: NaiveInstrument): NaiveDraft[] {
    const mark = this.#naive.marks[symbol]!;
    const coins = base === 'ETH' ? units('20') : units('1');
    // Sometimes beyond the limit of copies.
    const widest = this.#random.pick([60, 60, 60, 60, 1_500]);
    return ([1n, 2n, -1n, -2n] as const).map((level) => {
      const away = (mark * level * BigInt(1 + this.#random.below(widest))) / 100_000n / tick;
      const size =
        level === 1n || level === -1n
          ? coins / BigInt(1 + this.#random.below(20))
          : (coins * 30n) / this.#random.pick([1n, 1n, 1n, 20n]);
      return limit(
        level > 0n ? 'sell' : 'buy',
        (size / lot) * lot,
        (mark / tick + away) * tick + (level > 0n ? tick : 0n),
      );
    });
  }

  /** One order, sometimes several of a symbol. */
  drafts(
    user: NaiveUser,
    what: 'open' | 'close',
  ): { readonly instrument: Future; readonly drafts: NaiveDraft[] } | undefined {
    const random = this.#random;
    const instrument = random.pick(COPY_FUTURES);
    const count = random.below(8) === 0 ? 2 + random.below(2) : 1;
    const drafts = Array.from({ length: count }, (_, at) =>
      this.#draft(user, instrument, at === 0 ? what : random.pick(['open', 'close'])),
    );
    return { instrument, drafts };
  }

  #draft(user: NaiveUser, instrument: NaiveInstrument, what: 'open' | 'close'): NaiveDraft {
    const random = this.#random;
    const held = this.#naive.positions.filter(
      (each) => each.user === user && each.instrument === instrument,
    );
    const isClose = what === 'close' && held.length > 0;
    const position = isClose ? random.pick(held) : undefined;
    const positionSide = position?.side ?? random.pick(['long', 'short'] as const);
    const side = (positionSide === 'long') === isClose ? 'sell' : 'buy';
    const size =
      position === undefined ? this.#size(instrument) : this.#part(position.size, instrument);
    const market = random.below(4) > 0;
    const timeInForce = random.pick(['gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'ioc', 'fok', 'postOnly']);
    const marginMode =
      random.below(16) === 0 ? random.pick(['isolated', 'crossed'] as const) : undefined;
    const price = this.#around(this.#naive.marks[instrument.symbol]!, 400, instrument.tick);
    return {
      ...limit(side, size, price),
      market,
      price: market ? undefined : shown(price),
      positionSide,
      timeInForce,
      marginMode,
    };
  }

  #size({ lot, base }: NaiveInstrument): bigint {
    const coins = base === 'ETH' ? units('20') : units('1');
    const most = coins / this.#random.pick([1n, 4n, 20n, 100n]);
    return ((most * BigInt(1 + this.#random.below(1000))) / 1000n / lot + 1n) * lot;
  }

  #part(size: bigint, { lot }: NaiveInstrument): bigint {
    const part = this.#random.pick([size, size, size / 2n, size / 3n, size - lot, lot * 3n]);
    return max(lot, part < size ? (part / lot) * lot : size);
  }

  closing():
    | {
        user: NaiveUser;
        role: 'leader' | 'follower';
        category: Future['category'];
        tracked?: NaiveTracked;
        instrument?: NaiveInstrument;
        side?: PositionSide;
        isolated?: boolean;
        coin?: string;
      }
    | undefined {
    const open = this.#naive.copying.open();
    if (open.length === 0) return undefined;
    const tracked = this.#random.pick(open);
    const { user, instrument, side } = tracked;
    const isolated = this.#random.below(4) === 0 ? !tracked.isolated : tracked.isolated;
    const coin =
      this.#random.below(4) === 0
        ? this.#random.pick(['USDT', 'USDC', 'BTC', 'ETH'])
        : instrument.coin;
    const wanted = this.#random.pick([
      { tracked },
      { tracked },
      { instrument },
      { instrument, side },
      {},
      { isolated },
      { coin },
      { tracked, isolated },
      { tracked, coin },
      { side, isolated, coin },
    ]);
    // A former follower who leads now may have both.
    const role = tracked.original === undefined ? 'leader' : 'follower';
    return { user, role, category: categoryOf(instrument), ...wanted };
  }

  following(): {
    mode: 'basic' | 'advanced';
    autoCopy: boolean | undefined;
    settings: DrawnSetting[];
  } {
    const random = this.#random;
    const mode = random.pick(['basic', 'advanced'] as const);
    const instruments = random.pick([[random.pick(COPY_FUTURES)], COPY_FUTURES]);
    return {
      mode,
      autoCopy: random.pick([true, false, undefined]),
      settings: instruments.map((each) => this.#setting(each, mode)),
    };
  }

  #setting(instrument: Future, mode: 'basic' | 'advanced'): DrawnSetting {
    const random = this.#random;
    const sizing = random.pick(
      mode === 'basic'
        ? (['multiple', 'amount'] as const)
        : (['multiple', 'amount', 'size'] as const),
    );
    const values = {
      multiple: ['1', '0.5', '0.333', '2', '0.01'],
      amount: {
        USDT: ['50', '333.33', '2000'],
        USDC: ['50', '333.33'],
        BTC: ['0.001', '0.00333', '0.04'],
        ETH: ['0.02', '0.0666', '0.8'],
      }[instrument.coin]!,
      size: ['0.01', '0.0999', '0.5', '3'],
    };
    const [value, leverage] = [
      random.pick(values[sizing]),
      random.pick(['leader', 'own', 'position'] as const),
    ];
    const [long, short] =
      random.pick([0, 1, 1, 1, 1, 1]) === 0
        ? this.#oddLeverages()
        : [this.#leverage(), this.#leverage()];
    const given = leverage === 'own' || random.below(3) === 0;
    const margin = random.pick(['leader', 'own'] as const);
    const heldMax = random.below(3) === 0 ? 1 + random.below(3) : undefined;
    const [profit, loss] = [
      random.below(3) === 0 ? random.pick(['1', '7', '30']) : undefined,
      random.below(3) === 0 ? random.pick(['1', '9', '40']) : undefined,
    ];
    return {
      naive: {
        instrument,
        sizing,
        value: units(value),
        margin,
        leverage,
        ...(given && long !== undefined ? { longLeverage: units(long) } : {}),
        ...(given && short !== undefined ? { shortLeverage: units(short) } : {}),
        ...(heldMax === undefined ? {} : { heldMax }),
        ...(profit === undefined ? {} : { takeProfitRatio: units(profit) }),
        ...(loss === undefined ? {} : { stopLossRatio: units(loss) }),
      },
      engine: {
        category: instrument.category,
        symbol: instrument.symbol,
        margin,
        sizing,
        value: decimal(value),
        leverage,
        ...(given && long !== undefined ? { longLeverage: decimal(long) } : {}),
        ...(given && short !== undefined ? { shortLeverage: decimal(short) } : {}),
        ...(heldMax === undefined ? {} : { heldMax }),
        ...(profit === undefined ? {} : { takeProfitRatio: decimal(profit) }),
        ...(loss === undefined ? {} : { stopLossRatio: decimal(loss) }),
      },
    };
  }

  #leverage(): string {
    return this.#random.pick(['3', '10', '50', '125']);
  }

  /** None, one side only, or an invalid one. */
  #oddLeverages(): (string | undefined)[] {
    const odd = this.#random.pick([undefined, undefined, '126', '2.5']);
    return this.#random.pick([
      [undefined, undefined],
      [this.#leverage(), odd],
      [odd, this.#leverage()],
    ]);
  }

  /** Another price, mostly one that trades at once, another size, or both. */
  change({ instrument, size, filled }: NaiveOrder): NaiveChange {
    const random = this.#random;
    const { lot, tick, symbol } = instrument;
    const price = shown(this.#around(this.#naive.marks[symbol]!, 400, tick));
    const [more, less] = [
      size + lot * BigInt(1 + random.below(50)),
      filled + ((size - filled) / 2n / lot + 1n) * lot,
    ];
    const what = random.below(4);
    return {
      price: what === 0 ? undefined : price,
      size: what === 1 ? undefined : shown(random.pick([more, less, size])),
      replace: random.below(3) === 0,
    };
  }

  /** Near the last price, mostly on the right side of it. */
  tpsl():
    | { tracked: NaiveTracked; takeProfit: bigint | undefined; stopLoss: bigint | undefined }
    | undefined {
    const random = this.#random;
    const open = this.#naive.copying.open();
    if (open.length === 0) return undefined;
    const tracked = random.pick(open);
    const { instrument, side } = tracked;
    const last = this.#naive.copying.lasts[instrument.symbol]!;
    const sign = (side === 'long') === random.below(10) > 0 ? 1n : -1n;
    const beside = (way: bigint): bigint | undefined => {
      const away = (last * sign * way * BigInt(random.below(600))) / 100_000n / instrument.tick;
      return random.pick([
        undefined,
        0n,
        (last / instrument.tick + away) * instrument.tick,
        (last / instrument.tick + away) * instrument.tick,
      ]);
    };
    return { tracked, takeProfit: beside(1n), stopLoss: beside(-1n) };
  }
}

export const categoryOf = ({ category }: NaiveInstrument): Future['category'] =>
  category as Future['category'];

const limit = (side: 'buy' | 'sell', size: bigint, price: bigint): NaiveDraft => ({
  side,
  market: false,
  size: shown(size),
  price: shown(price),
  timeInForce: 'gtc',
  positionSide: undefined,
  stp: 'none',
  reduceOnly: false,
  onMargin: false,
});
