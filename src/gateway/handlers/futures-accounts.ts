/** The account by margin coin (v2), and the margin of isolated positions (v2 and v3). */
import type { futuresAccountRows } from '../../contract/futures-accounts.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { positionModeWords, wireWord } from '../../contract/wire-words.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, greatest, minus, moneyText, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import {
  type AccountMargin,
  accountMargin,
  type MarkedPosition,
  removableOf,
  spendable,
} from '../../views/account-margins.ts';
import type { ViewQueries } from '../../views/views.ts';
import { crossedRatioText, inCoin, sum, unrealisedIn, worth } from './assets.ts';
import type { HandlersOf } from './handler.ts';
import { isolatedLeverages, refuseOtherCoin } from './leverage.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

const marginsOf = (marked: readonly MarkedPosition[]): Amount =>
  sum(marked.map(({ margin }) => margin));

/**
 * The account in one margin coin. Orders use the margin of the whole account, so the available
 * amount may exceed the wallet balance.
 */
function accountText(
  views: ViewQueries,
  uid: Uid,
  coin: string,
  margin: AccountMargin,
  leavable: (coin: string) => Amount,
) {
  const { accounts, prices } = views;
  const balance = accounts.balance(uid, coin);
  const index = prices.coinIndex(coin);
  const inThis = margin.marked.filter(({ row }) => row.marginCoin === coin);
  const crossed = inThis.filter(({ row }) => row.marginMode === 'crossed');
  const isolated = inThis.filter(({ row }) => row.marginMode === 'isolated');
  const unrealised = unrealisedIn(inThis, coin);
  const equity = plus(balance.equity, unrealised);
  const headroom = greatest(ZERO_AMOUNT, minus(margin.freeEquity, margin.initial));
  return {
    marginCoin: coin,
    locked: moneyText(balance.locked),
    available: moneyText(balance.available),
    crossedMaxAvailable: inCoin(headroom, index),
    isolatedMaxAvailable: moneyText(spendable(views, uid, coin, margin)),
    maxTransferOut: moneyText(leavable(coin)),
    accountEquity: moneyText(equity),
    usdtEquity: inCoin(worth(equity, index), prices.coinIndex('USDT')),
    btcEquity: inCoin(worth(equity, index), prices.coinIndex('BTC')),
    crossedRiskRate: crossedRatioText(margin),
    unrealizedPL: moneyText(unrealised),
    coupon: '0',
    crossedMargin: moneyText(marginsOf(crossed)),
    isolatedMargin: moneyText(marginsOf(isolated)),
    crossedUnrealizedPL: moneyText(unrealisedIn(crossed, coin)),
    isolatedUnrealizedPL: moneyText(unrealisedIn(isolated, coin)),
    unionTotalMargin: moneyText(margin.equity),
    unionAvailable: moneyText(headroom),
    unionMm: moneyText(margin.maintenance),
    assetMode: 'union',
  } as const;
}

const marginCoinsOf = ({ listings }: ViewQueries, category: FuturesCategory): readonly string[] => [
  ...new Set(listings.instruments(category).map(({ instrument }) => instrument.marginCoin)),
];

/** The account in each margin coin of a category. */
export function accountTexts(
  views: ViewQueries,
  uid: Uid,
  category: FuturesCategory,
  now: Timestamp,
) {
  const margin = accountMargin(views, uid);
  const leavable = removableOf(views, uid, now, margin);
  return marginCoinsOf(views, category).map((coin) =>
    accountText(views, uid, coin, margin, leavable),
  );
}

export const futuresAccountHandlers = ({
  submit,
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof futuresAccountRows> => ({
  listFuturesAccounts: ({ productType }, { uid }) => {
    const assetList = views.accounts.balances(uid).map((balance) => ({
      coin: balance.coin,
      balance: moneyText(balance.equity),
      available: moneyText(balance.available),
    }));
    return ok(
      accountTexts(views, uid, productType, exchangeNow()).map((row) => ({ ...row, assetList })),
    );
  },

  getFuturesAccount: ({ productType, symbol, marginCoin }, { uid }) => {
    const listed = views.listings.instrument(productType, symbol);
    if (listed === undefined) return refuse(wireRejection('unknownSymbol', 'symbol', symbol));
    const otherCoin = refuseOtherCoin(
      views,
      { category: productType, symbol },
      'marginCoin',
      marginCoin,
    );
    if (otherCoin !== undefined) return otherCoin;
    const { leverage, marginMode } = views.accounts.symbolSetting(uid, productType, symbol);
    const isolated = isolatedLeverages(views, { uid, category: productType, symbol });
    const margin = accountMargin(views, uid);
    return ok({
      ...accountText(
        views,
        uid,
        listed.instrument.marginCoin,
        margin,
        removableOf(views, uid, exchangeNow(), margin),
      ),
      crossedMarginLeverage: leverage,
      isolatedLongLever: isolated.long,
      isolatedShortLever: isolated.short,
      marginMode,
      posMode: wireWord(positionModeWords, views.accounts.positionMode(uid)),
    });
  },

  setFuturesMargin: (
    { productType: category, symbol, marginCoin, holdSide: side, amount: { amount, negative } },
    { uid },
  ) =>
    refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin) ??
    submitAndShow(
      submit,
      {
        type: 'adjustMargin',
        uid,
        category,
        symbol,
        side,
        amount,
        direction: negative ? 'remove' : 'add',
      },
      () => '' as const,
    ),

  setPositionMargin: async (
    { category, symbol, posSide: side, operation: direction, amount },
    { uid },
  ) => {
    const command = {
      type: 'adjustMargin',
      uid,
      category,
      symbol,
      side,
      amount,
      direction,
    } as const;
    return submitAndShow(submit, command, () => 'success' as const);
  },
});
