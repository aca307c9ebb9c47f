/** The value of an account at current prices: balances, position profit, totals and margin. */
import { marginRatio } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  divide,
  moneyText,
  notional,
  ONE_RATE,
  type Price,
  plus,
  type Size,
  sizeFor,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import {
  type AccountMargin,
  accountMargin,
  type MarkedPosition,
  spendable,
} from '../../views/account-margins.ts';
import type { ViewQueries } from '../../views/views.ts';

/** The value of an amount in USD; zero while the price is unknown. */
export function worth(amount: Amount, index: Price | undefined): Amount {
  return index === undefined ? ZERO_AMOUNT : notional(index, amount as bigint as Size, 'down');
}

export const inCoin = (usd: Amount, index: Price | undefined): string =>
  index === undefined ? '0' : moneyText(sizeFor(usd, index, 'down'));

export const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((total, amount) => plus(total, amount), ZERO_AMOUNT);

/** Rounds to the nearest. A zero part is zero; without equity, a requirement shows as ratio 1. */
function ratioText(part: Amount, whole: Amount): string {
  if (part === 0n) return '0';
  return whole <= 0n ? '1' : moneyText(divide(part * ONE_RATE, whole, 'nearest') as Amount);
}

/** How near the crossed account is to liquidation; positions show the same number (POS-46). */
export const crossedRatioText = ({ maintenance, equity }: AccountMargin): string =>
  moneyText(marginRatio(maintenance, equity));

export const unrealisedIn = (marked: readonly MarkedPosition[], coin: string): Amount =>
  sum(marked.filter(({ row }) => row.marginCoin === coin).map(({ unrealised }) => unrealised));

/** One coin of an account: balance, unrealised profit settled in it, and the value of both. */
export interface CoinWorth {
  readonly coin: string;
  readonly equity: Amount;
  readonly unrealised: Amount;
  readonly usd: Amount;
  readonly unrealisedUsd: Amount;
}

/**
 * The coins of the wallet, and those in which only a position is settled. A position opened without
 * a fee needs no balance of its coin.
 */
export function coinsOf(
  { accounts }: ViewQueries,
  uid: Uid,
  { marked }: AccountMargin,
): readonly string[] {
  return [
    ...new Set([
      ...accounts.balances(uid).map(({ coin }) => coin),
      ...marked.map(({ row }) => row.marginCoin),
    ]),
  ];
}

function coinWorths(views: ViewQueries, uid: Uid, margin: AccountMargin): readonly CoinWorth[] {
  const { accounts, prices } = views;
  return coinsOf(views, uid, margin).map((coin) => {
    const { equity: owned } = accounts.balance(uid, coin);
    const unrealised = unrealisedIn(margin.marked, coin);
    const equity = plus(owned, unrealised);
    const index = prices.coinIndex(coin);
    return {
      coin,
      equity,
      unrealised,
      usd: worth(equity, index),
      unrealisedUsd: worth(unrealised, index),
    };
  });
}

/** `coin` filters the list of assets; the totals cover the whole account. */
export function assetsOf(views: ViewQueries, uid: Uid, coin: string | undefined) {
  const { accounts, prices } = views;
  const margin = accountMargin(views, uid);
  const worths = coinWorths(views, uid, margin);
  const equity = sum(worths.map(({ usd }) => usd));
  const unrealised = sum(worths.map(({ unrealisedUsd }) => unrealisedUsd));
  const [usdt, btc] = [prices.coinIndex('USDT'), prices.coinIndex('BTC')];
  return {
    accountEquity: moneyText(equity),
    usdtEquity: inCoin(equity, usdt),
    btcEquity: inCoin(equity, btc),
    unrealisedPnl: moneyText(unrealised),
    usdtUnrealisedPnl: inCoin(unrealised, usdt),
    btcUnrealizedPnl: inCoin(unrealised, btc),
    effEquity: moneyText(margin.equity),
    mmr: moneyText(margin.maintenance),
    imr: moneyText(margin.initial),
    mgnRatio: crossedRatioText(margin),
    positionMgnRatio: ratioText(margin.positionInitial, margin.equity),
    assets: worths
      .filter((row) => coin === undefined || row.coin === coin)
      .map((row) => {
        const balance = accounts.balance(uid, row.coin);
        return {
          coin: row.coin,
          equity: moneyText(row.equity),
          usdValue: moneyText(row.usd),
          balance: moneyText(sum([balance.available, balance.locked, balance.margin])),
          available: moneyText(spendable(views, uid, row.coin, margin)),
          debt: moneyText(plus(balance.borrowed, balance.interest)),
          locked: moneyText(balance.locked),
        };
      }),
  };
}
