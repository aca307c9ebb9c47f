/** Settings of futures trading (v2): leverage, margin mode, position mode. */
import type { futuresSettingsRows } from '../../contract/futures-settings.ts';
import { positionModeWords, wireWord } from '../../contract/wire-words.ts';
import { ok } from '../../kernel/result.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf } from './handler.ts';
import {
  isolatedLeverages,
  type LeverageMarket,
  refuseOtherCoin,
  setFuturesLeverage,
} from './leverage.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

/** A symbol's leverages after a change, with the margin coin of the instrument. */
function leveragesOf(views: ViewQueries, market: LeverageMarket) {
  const { uid, category, symbol } = market;
  const { leverage, marginMode } = views.accounts.symbolSetting(uid, category, symbol);
  const isolated = isolatedLeverages(views, market);
  return {
    symbol,
    marginCoin: views.listings.instrument(category, symbol)?.instrument.marginCoin ?? '',
    longLeverage: isolated.long,
    shortLeverage: isolated.short,
    crossMarginLeverage: leverage,
    marginMode,
  };
}

export function futuresSettingsHandlers({
  submit,
  views,
}: HandlerParts): HandlersOf<typeof futuresSettingsRows> {
  return {
    setFuturesLeverage: async (asked, { uid }) => {
      const {
        productType: category,
        symbol,
        marginCoin,
        leverage,
        longLeverage,
        shortLeverage,
        holdSide,
      } = asked;
      const otherCoin = refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);
      if (otherCoin !== undefined) return otherCoin;
      const set = await setFuturesLeverage(
        submit,
        { uid, category, symbol },
        { leverage, longLeverage, shortLeverage, side: holdSide },
      );
      return set.ok ? ok(leveragesOf(views, { uid, category, symbol })) : set;
    },

    setFuturesMarginMode: ({ productType: category, symbol, marginCoin, marginMode }, { uid }) =>
      refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin) ??
      submitAndShow(submit, { type: 'setMarginMode', uid, category, symbol, marginMode }, () => {
        const { crossMarginLeverage: _, ...shown } = leveragesOf(views, { uid, category, symbol });
        return shown;
      }),

    setFuturesPositionMode: ({ posMode }, { uid }) =>
      submitAndShow(submit, { type: 'setPositionMode', uid, positionMode: posMode }, () => ({
        posMode: wireWord(positionModeWords, posMode),
      })),
  };
}
