/** The unified account (v3): settings, assets, leverage. */
import type { accountRows } from '../../contract/account.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { positionModeWords, selfTradeModeWords, wireWord } from '../../contract/wire-words.ts';
import { loanLeverage } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import type { ViewQueries } from '../../views/views.ts';
import { assetsOf } from './assets.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { refuseOtherCoin, setFuturesLeverage } from './leverage.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

type AccountHandlers = HandlersOf<typeof accountRows>;

/** The settings of an account, with every listed symbol and coin; undefined for an unknown user. */
export function settingsOf({ accounts, listings }: ViewQueries, uid: Uid) {
  const settings = accounts.settings(uid);
  if (settings === undefined) return undefined;
  const coinLeverages = new Map(
    settings.coinLeverages.map(({ coin, leverage }) => [coin, leverage]),
  );
  return {
    uid: String(uid),
    accountMode: 'unified',
    assetMode: 'multi_assets',
    accountLevel: 'advanced',
    holdMode: wireWord(positionModeWords, settings.positionMode),
    stpMode: wireWord(selfTradeModeWords, settings.selfTradeMode),
    symbolConfigList: listings.instruments().flatMap(({ instrument: { category, symbol } }) => {
      if (!isFutures(category)) return [];
      const { marginMode, leverage, longLeverage, shortLeverage } = accounts.symbolSetting(
        uid,
        category,
        symbol,
      );
      // In other modes, settings per side are inactive (ACC-157).
      const hasSides =
        settings.positionMode === 'hedge' &&
        marginMode === 'isolated' &&
        (longLeverage ?? shortLeverage) !== undefined;
      const bySide = !hasSides
        ? {}
        : { longLeverage: longLeverage ?? leverage, shortLeverage: shortLeverage ?? leverage };
      return [{ category, symbol, marginMode, leverage, ...bySide }];
    }),
    coinConfigList: listings.coins().map((listed) => ({
      coin: listed.coin,
      leverage: loanLeverage(listed, coinLeverages.get(listed.coin)),
    })),
  } as const;
}

const done: Reply<'success'> = ok('success');
const success = () => 'success' as const;

export function accountHandlers({ submit, views }: HandlerParts): AccountHandlers {
  return {
    getAccountSettings: (_, { uid }) => {
      const settings = settingsOf(views, uid);
      return settings === undefined ? refuse(wireRejection('unknownUser')) : ok(settings);
    },

    getAssets: ({ coin }, { uid }) => ok(assetsOf(views, uid, coin)),

    setLeverage: async ({ category, symbol, coin, posSide: side, ...request }, { uid }) => {
      if (isFutures(category)) {
        if (symbol === undefined) return refuse(wireRejection('fieldMissing', 'symbol'));
        const otherCoin = refuseOtherCoin(views, { category, symbol }, 'coin', coin);
        if (otherCoin !== undefined) return otherCoin;
        const set = await setFuturesLeverage(
          submit,
          { uid, category, symbol },
          { ...request, side },
        );
        return set.ok ? done : set;
      }
      if (category === 'SPOT') return refuse(wireRejection('fieldInvalid', 'category'));
      if (coin === undefined) return refuse(wireRejection('fieldMissing', 'coin'));
      const { leverage, marginMode } = request;
      // The listing sets the borrowing limit of an isolated pair.
      if (marginMode === 'isolated')
        return refuse(wireRejection('fieldInvalid', 'marginMode', marginMode));
      if (leverage === undefined) return refuse(wireRejection('fieldMissing', 'leverage'));
      return submitAndShow(submit, { type: 'setCoinLeverage', uid, coin, leverage }, success);
    },

    setHoldMode: ({ holdMode }, { uid }) =>
      submitAndShow(submit, { type: 'setPositionMode', uid, positionMode: holdMode }, success),
  };
}
