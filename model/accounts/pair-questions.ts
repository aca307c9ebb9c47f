/** Questions about pairs of isolated margin, and the answers that the rules require. */
import type { Random } from '../../src/kernel/random.ts';
import type { Asked } from '../lists/program.ts';
import type { EmittedEvents } from '../lists/recorded-run.ts';
import { decimals } from '../lists/row.ts';
import {
  assetsOf,
  borrowable,
  coinsOf,
  debtsOf,
  emptyPair,
  has,
  type Leg,
  listingsOf,
  owes,
  owesNothing,
  type Pair,
  type PairMarket,
  type Purse,
  pairMarketOf,
  pairsOf,
  removable,
  UNIT,
  whole,
} from './pairs.ts';
import { type Question, Refused } from './question.ts';
import { ratesText, tableOf } from './rates.ts';

/** Default of coins without a rate. */
const HOURLY_RATE = '0.00000125';

const placesOf = (step: string): number => (step.split('.')[1] ?? '').replace(/0+$/, '').length;

export class PairQuestions {
  readonly #random: Random;
  readonly #emitted: readonly EmittedEvents[];
  readonly #pairs: readonly Pair[];
  readonly #markets: readonly PairMarket[];

  constructor(random: Random, emitted: readonly EmittedEvents[], now: number) {
    this.#random = random;
    this.#emitted = emitted;
    this.#pairs = pairsOf(emitted);
    const listed = [...listingsOf(emitted).values()].filter(
      ({ category }) => category === 'MARGIN',
    );
    this.#markets = listed.map((instrument) => pairMarketOf(emitted, instrument, now));
  }

  /** All users that ever used a pair. */
  get users(): readonly number[] {
    return [...new Set(this.#pairs.map(({ uid }) => uid))];
  }

  about(uid: number): readonly Question[] {
    const used = this.#pairs.filter((pair) => pair.uid === uid);
    const markets = this.#markets.filter(({ instrument }) =>
      used.some(({ symbol }) => symbol === instrument.symbol),
    );
    const asked = [...markets, this.#random.pick(this.#markets)];
    return [
      ...this.#lists(uid, used),
      ...asked.flatMap((market) => this.#ofOne(uid, market)),
      ...this.#ofNone(uid),
    ];
  }

  /** ISO-161: bounds are rounded down. */
  get currencies(): Question {
    const firstFees = ratesText(tableOf(this.#emitted, 'spot').get('VIP0')!);
    const right = this.#markets.map(({ instrument, status, leverage }) => {
      const { symbol, baseCoin, quoteCoin, sizeMin, sizeMax, priceStep, sizeStep } = instrument;
      const coins = coinsOf(this.#emitted);
      const crossed = [baseCoin, quoteCoin].map((coin) => Number(coins.get(coin)!.leverageMax));
      const takesOrders = status === 'normal' || status === 'halted';
      const lends = takesOrders && leverage > 1n;
      return {
        symbol,
        baseCoin,
        quoteCoin,
        maxCrossedLeverage: String(Math.max(...crossed)),
        maxIsolatedLeverage: String(leverage),
        warningRiskRatio: decimals(((leverage - 1n) * UNIT) / leverage),
        liquidationRiskRatio: decimals(((2n * leverage - 1n) * UNIT) / (2n * leverage)),
        minTradeAmount: sizeMin,
        maxTradeAmount: sizeMax,
        pricePrecision: String(placesOf(priceStep)),
        quantityPrecision: String(placesOf(sizeStep)),
        ...firstFees,
        isBorrowable: takesOrders,
        isCrossBorrowable: takesOrders,
        isIsolatedBaseBorrowable: lends,
        isIsolatedQuotedBorrowable: lends,
        status: status === 'normal' ? '1' : '2',
      };
    });
    return { name: 'listMarginCurrencies', uid: 0, asked: {}, right, reached: [] };
  }

  #marketOf = ({ symbol }: Pair): PairMarket =>
    this.#markets.find(({ instrument }) => instrument.symbol === symbol)!;

  #lists(uid: number, used: readonly Pair[]): readonly Question[] {
    const { symbol, baseCoin, quoteCoin } = this.#random.pick(this.#markets).instrument;
    const coin = this.#random.pick([baseCoin, quoteCoin]);
    const narrowed = this.#random.pick<Asked>([{}, {}, { symbol }, { coin }, { symbol, coin }]);
    const of = used.filter(
      (pair) => narrowed.symbol === undefined || pair.symbol === narrowed.symbol,
    );
    const rows = of
      .flatMap((pair) => this.#assetRows(pair))
      .filter((row) => narrowed.coin === undefined || row.coin === narrowed.coin);
    const assets = {
      name: 'listIsolatedAssets',
      uid,
      asked: narrowed,
      right: rows,
      reached: this.#reachedBy(of),
    } as const;
    const { coin: _, ...bySymbol } = narrowed;
    const risks = of.map((pair) => ({ symbol: pair.symbol, riskRateRatio: this.#risk(pair) }));
    const reached = of.flatMap((pair) => {
      if (owesNothing(pair)) return [];
      return [this.#marketOf(pair).index === undefined ? 'owed without an index' : 'risk'];
    });
    return [assets, { name: 'listIsolatedRisks', uid, asked: bySymbol, right: risks, reached }];
  }

  #reachedBy(pairs: readonly Pair[]): readonly string[] {
    return pairs.flatMap((pair) => {
      const purses = [pair.base, pair.quote];
      return [
        ...(purses.some(({ locked }) => locked > 0n) ? ['locked in a pair'] : []),
        ...(purses.some(({ interest }) => interest > 0n) ? ['interest of a pair'] : []),
        ...(owes(pair.base) > 0n ? ['base coin owed'] : []),
        ...(owes(pair.quote) > 0n ? ['quote coin owed'] : []),
        ...(this.#marketOf(pair).isStale && !owesNothing(pair) ? ['owed while stale'] : []),
      ];
    });
  }

  #assetRows(pair: Pair) {
    const { baseCoin, quoteCoin } = this.#marketOf(pair).instrument;
    const row = (coin: string, purse: Purse) => ({
      symbol: pair.symbol,
      coin,
      totalAmount: decimals(has(purse)),
      available: decimals(purse.free),
      frozen: decimals(purse.locked),
      borrow: decimals(purse.borrowed),
      interest: decimals(purse.interest),
      net: decimals(has(purse) - owes(purse)),
      coupon: '0',
      cTime: String(pair.firstUsed),
      uTime: String(purse.changedAt),
    });
    const [base, quote] = [row(baseCoin, pair.base), row(quoteCoin, pair.quote)];
    return pair.first === 'base' ? [base, quote] : [quote, base];
  }

  /** ISO-11: rounded up. */
  #risk(pair: Pair): string {
    const { index } = this.#marketOf(pair);
    if (owesNothing(pair)) return '0';
    if (index === undefined) return '1';
    const assets = assetsOf(pair, index);
    return assets === 0n ? '1' : decimals((debtsOf(pair, index) * UNIT + assets - 1n) / assets);
  }

  #ofOne(uid: number, market: PairMarket): readonly Question[] {
    const { symbol, baseCoin, quoteCoin } = market.instrument;
    const pair =
      this.#pairs.find((each) => each.uid === uid && each.symbol === symbol) ??
      emptyPair(uid, symbol);
    const borrows = {
      base: borrowable(pair, market, 'base'),
      quote: borrowable(pair, market, 'quote'),
    };
    const leaves = {
      base: removable(pair, market, 'base'),
      quote: removable(pair, market, 'quote'),
    };
    const named = { symbol, baseCoin, quoteCoin };
    const common = { uid, asked: { symbol } };
    return [
      {
        ...common,
        name: 'getIsolatedBorrowable',
        right: {
          ...named,
          baseCoinMaxBorrowAmount: decimals(borrows.base),
          quoteCoinMaxBorrowAmount: decimals(borrows.quote),
        },
        reached: this.#reachedLimits(pair, market, borrows),
      },
      {
        ...common,
        name: 'getIsolatedRemovable',
        right: {
          ...named,
          baseCoinMaxTransferOutAmount: decimals(leaves.base),
          quoteCoinMaxTransferOutAmount: decimals(leaves.quote),
        },
        reached: (['base', 'quote'] as const).flatMap((leg) =>
          this.#reachedLeaving(pair, leg, leaves[leg]),
        ),
      },
      { ...common, name: 'listIsolatedRates', right: [this.#rates(market, borrows)], reached: [] },
    ];
  }

  /** ISO-24. */
  #ofNone = (uid: number): readonly Question[] =>
    (['getIsolatedBorrowable', 'getIsolatedRemovable', 'listIsolatedRates'] as const).map(
      (name) => ({
        name,
        uid,
        asked: { symbol: 'BTCPERP' },
        right: new Refused('50002'),
        reached: ['no pair'],
      }),
    );

  #reachedLimits(
    pair: Pair,
    market: PairMarket,
    borrows: Readonly<Record<Leg, bigint>>,
  ): readonly string[] {
    const { status, index, isStale, leverage } = market;
    const isEmpty = has(pair.base) + has(pair.quote) === 0n;
    if (borrows.base > 0n)
      return [
        'may borrow',
        ...(owesNothing(pair) ? [] : ['may borrow more']),
        ...(status === 'halted' ? ['may borrow while halted'] : []),
      ];
    if (isEmpty) return ['no collateral to borrow on'];
    if (index === undefined) return ['borrows nothing without an index'];
    if (isStale) return ['borrows nothing while stale'];
    if (status !== 'normal' && status !== 'halted') return ['borrows nothing in what is closed'];
    return leverage === 1n ? ['borrows nothing without leverage'] : ['has borrowed the maximum'];
  }

  #reachedLeaving(pair: Pair, leg: Leg, amount: bigint): readonly string[] {
    const { free } = pair[leg];
    if (free === 0n) return [];
    if (owesNothing(pair)) return ['all money of a pair without debt may leave'];
    return [
      amount === 0n
        ? 'nothing leaves'
        : amount === free
          ? 'all free money may leave'
          : 'a part may leave',
    ];
  }

  /** ISO-35. */
  #rates({ instrument, leverage }: PairMarket, borrows: Readonly<Record<Leg, bigint>>) {
    const coins = coinsOf(this.#emitted);
    const hours = (coin: string, count: bigint): string =>
      decimals(whole(coins.get(coin)!.hourlyInterestRate ?? HOURLY_RATE) * count);
    const { symbol, baseCoin, quoteCoin } = instrument;
    return {
      symbol,
      leverage: String(leverage),
      baseCoin,
      baseTransferable: true,
      baseBorrowable: borrows.base > 0n,
      baseDailyInterestRate: hours(baseCoin, 24n),
      baseAnnuallyInterestRate: hours(baseCoin, 8_760n),
      baseMaxBorrowableAmount: decimals(borrows.base),
      quoteCoin,
      quoteTransferable: true,
      quoteBorrowable: borrows.quote > 0n,
      quoteDailyInterestRate: hours(quoteCoin, 24n),
      quoteAnnuallyInterestRate: hours(quoteCoin, 8_760n),
      quoteMaxBorrowableAmount: decimals(borrows.quote),
    };
  }
}
