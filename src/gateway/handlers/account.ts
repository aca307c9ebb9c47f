/** The unified account (v3): settings, assets, leverage, deposits. */
import type { accountRows } from '../../contract/account.ts';
import { positionModeWords, selfTradeModeWords, wireWord } from '../../contract/wire-words.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { rejection } from '../../messages/rejections.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import type { DepositRow } from '../../views/history/deposits.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { ViewQueries } from '../../views/views.ts';
import { assetsOf } from './assets.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { refuseOtherCoin, setFuturesLeverage } from './leverage.ts';
import type { NotOfferedName } from './not-offered.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

type AccountHandlers = Omit<HandlersOf<typeof accountRows>, NotOfferedName>;

/** What an account is set to, every listed symbol and coin included; undefined for an unknown user. */
export function settingsOf({ accounts, listings }: ViewQueries, uid: Uid) {
  const settings = accounts.settings(uid);
  if (settings === undefined) return undefined;
  const coinLeverages = new Map(settings.coinLeverages.map(({ coin, leverage }) => [coin, leverage]));
  return {
    uid: String(uid),
    accountMode: 'unified',
    assetMode: 'multi_assets',
    accountLevel: 'advanced',
    holdMode: wireWord(positionModeWords, settings.positionMode),
    stpMode: wireWord(selfTradeModeWords, settings.selfTradeMode),
    symbolConfigList: listings.instruments().flatMap(({ instrument: { category, symbol } }) => {
      if (!isFutures(category)) return [];
      const { marginMode, leverage, longLeverage, shortLeverage } = accounts.symbolSetting(uid, category, symbol);
      const sides = longLeverage ?? shortLeverage;
      const bySide = sides === undefined ? {} : { longLeverage: longLeverage ?? leverage, shortLeverage: shortLeverage ?? leverage };
      return [{ category, symbol, marginMode, leverage, ...bySide }];
    }),
    coinConfigList: listings.coins().map(({ coin, leverage }) => ({ coin, leverage: coinLeverages.get(coin) ?? leverage })),
  } as const;
}

const depositRecord = (row: DepositRow) => ({
  orderId: idText(row.id),
  clientOid: row.clientOid,
  recordId: idText(row.id),
  type: 'deposit' as const,
  coin: row.coin,
  dest: 'on_chain' as const,
  size: moneyText(row.amount),
  status: 'success' as const,
  fromAddress: '',
  toAddress: String(row.uid),
  chain: '',
  createdTime: String(row.time),
  updatedTime: String(row.time),
});

const done: Reply<'success'> = ok('success');
const success = () => 'success' as const;

export function accountHandlers({ submit, views, exchangeNow }: HandlerParts): AccountHandlers {
  return {
    getAccountSettings: (_, { uid }) => {
      const settings = settingsOf(views, uid);
      return settings === undefined ? refuse(rejection('unknownUser')) : ok(settings);
    },

    getAssets: ({ coin }, { uid }) => ok(assetsOf(views, uid, coin)),

    listDepositRecords: async ({ coin, orderId, clientOid, limit, cursor, startTime, endTime }, { uid }) => {
      const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
      if (!window.ok) return window;
      const named = orderId === undefined ? clientOid : undefined;
      const query = { uid, coin, orderId, clientOid: named, limit, idLessThan: cursor, ...window.value };
      return ok((await views.history.deposits(query)).map(depositRecord));
    },

    setLeverage: async ({ category, symbol, coin, leverage, longLeverage, shortLeverage, posSide }, { uid }) => {
      if (isFutures(category)) {
        if (symbol === undefined) return refuse(rejection('fieldMissing', 'symbol'));
        const otherCoin = refuseOtherCoin(views, { category, symbol }, 'coin', coin);
        if (otherCoin !== undefined) return otherCoin;
        const set = await setFuturesLeverage(submit, { uid, category, symbol }, { leverage, longLeverage, shortLeverage, side: posSide });
        return set.ok ? done : set;
      }
      if (category === 'SPOT') return refuse(rejection('fieldInvalid', 'category'));
      if (coin === undefined) return refuse(rejection('fieldMissing', 'coin'));
      if (leverage === undefined) return refuse(rejection('fieldMissing', 'leverage'));
      return submitAndShow(submit, { type: 'setCoinLeverage', uid, coin, leverage }, success);
    },

    setHoldMode: ({ holdMode }, { uid }) => submitAndShow(submit, { type: 'setPositionMode', uid, positionMode: holdMode }, success),
  };
}
