/** Accounts as both API versions show them: balances, free amounts and settings. */
import type { Random } from '../../src/kernel/random.ts';
import type { PositionRow } from '../../src/messages/orders.ts';
import { decimals, modeText, spelt } from '../lists/row.ts';
import { Margin, marginRatio, mayLeave, profitOf, spendable, worthAt } from './accounts-margin.ts';
import { type Folio, type Folios, inCoin, type OfSymbol, type Wallet, worthOr } from './folio.ts';
import {
  ceiling,
  type Fraction,
  floor,
  greater,
  input,
  less,
  lesser,
  NOTHING,
  ofUnits,
  over,
  roundDown,
  roundNearest,
  times,
  whole,
} from './fractions.ts';
import type { Question, Shown } from './positions.ts';

const NO_WALLET: Wallet = { available: 0n, locked: 0n, margin: 0n, withdrawing: 0n, at: 0 };
const walletOf = (folio: Folio, coin: string): Wallet => folio.wallets.get(coin) ?? NO_WALLET;
const owedOf = ({ debts }: Folio, coin: string): bigint => {
  const { borrowed = 0n, interest = 0n } = debts.get(coin) ?? {};
  return borrowed + interest;
};
const ownedOf = (folio: Folio, coin: string): bigint => {
  const { available, locked, margin } = walletOf(folio, coin);
  return available + locked + margin - owedOf(folio, coin);
};

const settledIn = ({ positions }: Folio, coin: string): readonly PositionRow[] =>
  [...positions.values()].filter(({ marginCoin }) => marginCoin === coin);
const profitsOf = (folios: Folios, positions: readonly PositionRow[]): bigint =>
  positions.reduce(
    (total, position) => total + floor(profitOf(position, ofUnits(folios.mark(position)))),
    0n,
  );
const marginsOf = (folios: Folios, positions: readonly PositionRow[]): bigint =>
  positions.reduce((total, position) => {
    const { marginMode, margin, leverage } = position;
    const crossed = (): bigint =>
      ceiling(over(worthAt(position, ofUnits(folios.mark(position))), input(leverage)));
    return total + (marginMode === 'crossed' ? crossed() : margin);
  }, 0n);

/** In dollars, rounded towards zero. */
const usd = (folios: Folios, units: bigint, coin: string): bigint =>
  roundDown(times(ofUnits(units), worthOr(folios, coin)));
const inCoinText = (folios: Folios, dollars: bigint, coin: string): string =>
  decimals(roundDown(inCoin(folios, ofUnits(dollars), coin)));

/** Coins in order of arrival, and coins that only positions use (VIEW-04). */
export const coinsOf = ({ wallets, positions }: Folio): readonly string[] => [
  ...new Set([
    ...wallets.keys(),
    ...[...positions.values()]
      .toSorted((a, b) => b.positionId - a.positionId)
      .map(({ marginCoin }) => marginCoin),
  ]),
];

export function unifiedAssets(folios: Folios, folio: Folio, only: string | undefined): Shown {
  const account = new Margin(folios, folio);
  const rows = coinsOf(folio).map((coin) => {
    const profit = profitsOf(folios, settledIn(folio, coin));
    const equity = ownedOf(folio, coin) + profit;
    return {
      coin,
      equity,
      worth: usd(folios, equity, coin),
      profitWorth: usd(folios, profit, coin),
    };
  });
  const total = rows.reduce((added, { worth }) => added + worth, 0n);
  const profits = rows.reduce((added, { profitWorth }) => added + profitWorth, 0n);
  const { equity: counted, ofPositions } = account;
  return {
    accountEquity: decimals(total),
    usdtEquity: decimals(total),
    btcEquity: inCoinText(folios, total, 'BTC'),
    unrealisedPnl: decimals(profits),
    usdtUnrealisedPnl: decimals(profits),
    btcUnrealizedPnl: inCoinText(folios, profits, 'BTC'),
    effEquity: decimals(floor(counted)),
    mmr: decimals(ceiling(account.maintenance)),
    imr: decimals(ceiling(account.initial)),
    mgnRatio: decimals(ceiling(marginRatio(account.maintenance, counted))),
    positionMgnRatio: decimals(roundNearest(marginRatio(ofPositions, counted))),
    assets: rows
      .filter(({ coin }) => only === undefined || coin === only)
      .map(({ coin, equity, worth }) => {
        const { available, locked, margin } = walletOf(folio, coin);
        return {
          coin,
          equity: decimals(equity),
          usdValue: decimals(worth),
          balance: decimals(available + locked + margin),
          available: decimals(spendable(folios, folio, coin)),
          debt: decimals(owedOf(folio, coin)),
          locked: decimals(locked),
        };
      }),
  };
}

export function spotAssets(
  folios: Folios,
  folio: Folio,
  only: string | undefined,
): readonly Shown[] {
  return [...folio.wallets]
    .filter(([coin]) => only === undefined || coin === only)
    .map(([coin, { locked, at }]) => ({
      coin,
      available: decimals(spendable(folios, folio, coin)),
      frozen: decimals(locked),
      locked: '0',
      limitAvailable: '0',
      uTime: String(at),
    }));
}

export function classicAccount(folios: Folios, folio: Folio, coin: string): Shown {
  const account = new Margin(folios, folio);
  const free = new Margin(folios, folio, { free: true });
  const settled = settledIn(folio, coin);
  const crossed = settled.filter(({ marginMode }) => marginMode === 'crossed');
  const isolated = settled.filter(({ marginMode }) => marginMode === 'isolated');
  const { available, locked } = walletOf(folio, coin);
  const equity = ownedOf(folio, coin) + profitsOf(folios, settled);
  const worth = usd(folios, equity, coin);
  const room: Fraction = greater(NOTHING, less(free.equity, free.initial));
  return {
    marginCoin: coin,
    locked: decimals(locked),
    available: decimals(available),
    crossedMaxAvailable: decimals(roundDown(inCoin(folios, room, coin))),
    isolatedMaxAvailable: decimals(spendable(folios, folio, coin)),
    maxTransferOut: decimals(mayLeave(folios, folio, coin)),
    accountEquity: decimals(equity),
    usdtEquity: decimals(worth),
    btcEquity: inCoinText(folios, worth, 'BTC'),
    crossedRiskRate: decimals(ceiling(marginRatio(account.maintenance, account.equity))),
    unrealizedPL: decimals(profitsOf(folios, settled)),
    coupon: '0',
    crossedMargin: decimals(marginsOf(folios, crossed)),
    isolatedMargin: decimals(marginsOf(folios, isolated)),
    crossedUnrealizedPL: decimals(profitsOf(folios, crossed)),
    isolatedUnrealizedPL: decimals(profitsOf(folios, isolated)),
    unionTotalMargin: decimals(floor(account.equity)),
    unionAvailable: decimals(floor(room)),
    unionMm: decimals(ceiling(account.maintenance)),
    assetMode: 'union',
  };
}

/** A row for each margin coin of the category, in listing order. */
export function classicAccounts(folios: Folios, folio: Folio, category: string): readonly Shown[] {
  const own = [...folios.instruments.values()].filter(
    (instrument) => instrument.category === category,
  );
  const assetList = [...folio.wallets].map(([coin, { available }]) => ({
    coin,
    balance: decimals(ownedOf(folio, coin)),
    available: decimals(available),
  }));
  return [...new Set(own.map(({ marginCoin }) => marginCoin))].map((coin) => ({
    ...classicAccount(folios, folio, coin),
    assetList,
  }));
}

/** ACC-26. */
export function accountOfSymbol(folios: Folios, folio: Folio, of: OfSymbol): Shown {
  const { marginMode, leverage, long, short } = folios.settingOf(folio, of);
  const isHedged = folio.positionMode === 'hedge';
  return {
    ...classicAccount(folios, folio, folios.instrumentOf(of).marginCoin),
    crossedMarginLeverage: leverage,
    isolatedLongLever: isHedged ? (long ?? leverage) : leverage,
    isolatedShortLever: isHedged ? (short ?? leverage) : leverage,
    marginMode,
    posMode: modeText(folio.positionMode),
  };
}

export function settings(folios: Folios, folio: Folio): Shown {
  const futures = [...folios.instruments.values()].filter(({ category }) =>
    category.endsWith('FUTURES'),
  );
  return {
    uid: String(folio.profile.uid),
    accountMode: 'unified',
    assetMode: 'multi_assets',
    accountLevel: 'advanced',
    holdMode: modeText(folio.positionMode),
    stpMode: spelt(folio.selfTradeMode),
    symbolConfigList: futures.map((instrument) => {
      const { category, symbol } = instrument;
      const { marginMode, leverage, long, short } = folios.settingOf(folio, instrument);
      const hasSides =
        folio.positionMode === 'hedge' &&
        marginMode === 'isolated' &&
        (long ?? short) !== undefined;
      return {
        category,
        symbol,
        marginMode,
        leverage,
        ...(hasSides ? { longLeverage: long ?? leverage, shortLeverage: short ?? leverage } : {}),
      };
    }),
    coinConfigList: [...folios.coins.keys()].map((coin) => ({
      coin,
      leverage: String(folios.coinLeverage(folio, coin).above),
    })),
  };
}

export function profile(folios: Folios, { profile: user, registeredAt }: Folio): Shown {
  return {
    userId: String(user.uid),
    inviterId: String(folios.invited(user.uid) ?? ''),
    parentId: String(user.parentUid ?? ''),
    channelCode: user.referralCode ?? '',
    channel: '',
    ips: '',
    regisTime: String(registeredAt),
  };
}

/** A user as the operator sees it. */
export function operatorUser(folios: Folios, folio: Folio): Shown {
  const {
    uid,
    name = null,
    email = null,
    areaCode = null,
    mobile = null,
    referralCode = null,
    parentUid,
  } = folio.profile;
  const balances = coinsOf(folio).map((coin) => {
    const { available, locked, margin } = walletOf(folio, coin);
    const { borrowed = 0n, interest = 0n } = folio.debts.get(coin) ?? {};
    return {
      coin,
      available: decimals(available),
      locked: decimals(locked),
      margin: decimals(margin),
      borrowed: decimals(borrowed),
      interest: decimals(interest),
      equity: decimals(ownedOf(folio, coin) + profitsOf(folios, settledIn(folio, coin))),
    };
  });
  const contact = { name, email, areaCode, mobile };
  const parent = parentUid === undefined ? null : String(parentUid);
  return {
    uid: String(uid),
    ...contact,
    level: folio.level,
    referralCode,
    parentUid: parent,
    settings: settings(folios, folio),
    balances,
  };
}

/** In USD, by level (WDR-12). */
const DAILY_MILLIONS: Readonly<Record<string, number>> = {
  VIP0: 3,
  VIP1: 4,
  VIP2: 6,
  VIP3: 8,
  VIP4: 10,
  VIP5: 12,
  VIP6: 15,
};
const MOST_DAILY_MILLIONS = 20;
const DAY_MS = 86_400_000;

/** WDR-31: days are in UTC, and failed withdrawals do not count. */
export function maxWithdrawal(folios: Folios, folio: Folio, coin: string): bigint {
  const { singleLimitUsd, dailyLimitsUsd = [], chains } = folios.coins.get(coin)!;
  if (chains.every(({ withdrawOpen }) => !withdrawOpen)) return 0n;
  const own = dailyLimitsUsd.find(({ level }) => level === folio.level);
  const daily =
    own === undefined
      ? whole((DAILY_MILLIONS[folio.level] ?? MOST_DAILY_MILLIONS) * 1_000_000)
      : input(own.limit);
  const today = Math.floor(folios.now / DAY_MS);
  const used = [...folio.withdrawals.values()].filter(
    ({ at, failed }) => !failed && Math.floor(at / DAY_MS) === today,
  );
  const left = less(daily, ofUnits(used.reduce((added, { row }) => added + (row.usd ?? 0n), 0n)));
  const most = greater(NOTHING, lesser(left, input(singleLimitUsd)));
  const free = mayLeave(folios, folio, coin);
  const worth = folios.worth(coin);
  if (worth === undefined) return free;
  const limit = roundDown(over(most, worth));
  return limit < free ? limit : free;
}

const CATEGORIES = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'];

export function accountQuestions(
  random: Random,
  folios: Folios,
  folio: Folio,
): readonly Question[] {
  const coin = random.pick([...folios.coins.keys()]);
  const productType = random.pick(CATEGORIES);
  const futures = [...folios.instruments.values()].filter(
    ({ category }) => category === productType,
  );
  const instrument = random.pick(futures);
  const { symbol, marginCoin } = instrument;
  const traderType = folio.isLeader ? 'trader' : 'not_trader';
  const most = decimals(maxWithdrawal(folios, folio, coin));
  const withdrawal = {
    coin,
    spotMaxWithdrawal: '0',
    otcMaxWithdrawal: '0',
    utaMaxWithdrawal: most,
    totalMaxWithdrawal: most,
  };
  return [
    { name: 'getAssets', asked: {}, right: unifiedAssets(folios, folio, undefined) },
    {
      name: 'getAssets',
      asked: { coin: coin.toLowerCase() },
      right: unifiedAssets(folios, folio, coin),
    },
    { name: 'listSpotAssets', asked: {}, right: spotAssets(folios, folio, undefined) },
    { name: 'listSpotAssets', asked: { coin }, right: spotAssets(folios, folio, coin) },
    {
      name: 'listFuturesAccounts',
      asked: { productType },
      right: classicAccounts(folios, folio, productType),
    },
    {
      name: 'getFuturesAccount',
      asked: { symbol, productType, marginCoin },
      right: accountOfSymbol(folios, folio, instrument),
    },
    { name: 'getAccountSettings', asked: {}, right: settings(folios, folio) },
    {
      name: 'getProfile',
      asked: {},
      right: { ...profile(folios, folio), permType: 'read-only', permissions: [] },
    },
    {
      name: 'getClassicProfile',
      asked: {},
      right: { ...profile(folios, folio), authorities: ['readonly'], traderType },
    },
    {
      name: 'getUser',
      asked: { uid: String(folio.profile.uid) },
      right: operatorUser(folios, folio),
    },
    { name: 'getMaxWithdrawal', asked: { coin }, right: withdrawal },
  ];
}
