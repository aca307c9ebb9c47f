/**
 * Copy trading calls for leaders and followers: settings become commands, and views answer lists.
 */
import type { copyTradingRows } from '../../contract/copy-trading.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { followLimits } from '../../formulas/copy-trading.ts';
import { given } from '../../kernel/given.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';
import { isReversed, THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import { applied, notLeader, openPage, pageEndText } from './copy-lists.ts';
import { followerHistoryText, leaderTrackedText } from './copy-texts.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerParts } from './parts.ts';

type CopyTradingHandlers = HandlersOf<typeof copyTradingRows>;

type SettingInput = RequestOf<(typeof copyTradingRows)['setCopySettings']>['settings'][number];

const settingOf = (input: SettingInput): CopySetting => ({
  category: input.productType,
  symbol: input.symbol,
  margin: input.marginType,
  leverage: input.leverType,
  sizing: input.traceType,
  value: input.traceValue,
  ...given({
    marginCoin: input.marginCoin,
    longLeverage: input.longLeverage,
    shortLeverage: input.shortLeverage,
    heldMax: input.maxHoldSize,
    takeProfitRatio: input.stopSurplusRatio,
    stopLossRatio: input.stopLossRatio,
  }),
});

const wholeMinute = (at: Timestamp | undefined): Timestamp | undefined =>
  at === undefined ? undefined : startOf(at, MINUTE);

const settingCopies = ({
  submit,
}: HandlerParts): Pick<CopyTradingHandlers, 'setCopySettings' | 'setTrackedOrderTpsl'> => ({
  setCopySettings: async ({ traderId, mode, autoCopy, settings }, { uid }) =>
    applied(
      await submit({
        type: 'setCopySettings',
        uid,
        leader: traderId,
        mode,
        settings: settings.map(settingOf),
        ...given({ autoCopy }),
      }),
    ),

  setTrackedOrderTpsl: async (
    { trackingNo, productType, symbol, stopSurplusPrice, stopLossPrice },
    { uid },
  ) =>
    applied(
      await submit({
        type: 'setTrackedOrderTpsl',
        uid,
        role: 'follower',
        trackingId: trackingNo,
        category: productType,
        ...given({ symbol, takeProfit: stopSurplusPrice, stopLoss: stopLossPrice }),
      }),
    ),
});

const readingCopies = ({
  views,
  exchangeNow,
}: HandlerParts): Omit<CopyTradingHandlers, 'setCopySettings' | 'setTrackedOrderTpsl'> => ({
  listFollowerHistory: async (
    { productType: category, symbol, traderId: leader, startTime, endTime, ...page },
    { uid },
  ) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.trackedOrders({
      ...page,
      ...window.value,
      uid,
      role: 'follower',
      category,
      symbol,
      leader,
    });
    return ok({ trackingList: rows.map(followerHistoryText), endId: pageEndText(rows, page) });
  },

  listLeaderTrackedOrders: (
    { productType: category, symbol, startTime, endTime, ...page },
    { uid },
  ) => {
    const { copyTrading, triggers } = views;
    if (copyTrading.leader(uid) === undefined) return notLeader;
    if (isReversed(startTime, endTime)) return refuse(wireRejection('startAfterEnd'));
    const [start, end] = [wholeMinute(startTime), wholeMinute(endTime)];
    // A leader may still have copies from an earlier time as a follower.
    const originals = copyTrading.open(uid).filter(({ originalId }) => originalId === undefined);
    const rows = openPage(originals, { ...page, category, symbol, start, end });
    const tpslOf = triggers.tpsl(uid);
    const trackingList = rows.map(({ order }) =>
      leaderTrackedText(order, copyTrading.followCount(order.trackingId), tpslOf(order)),
    );
    return ok({ trackingList, endId: pageEndText(rows, page) });
  },

  listFollowLimits: ({ productType, symbol }) => {
    const listed = views.listings
      .instruments(productType)
      .filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
    return ok(
      listed.map(({ instrument }) => {
        const { sizeLeast, sizeMost } = followLimits(instrument);
        return {
          symbol: instrument.symbol,
          maxFollowSize: moneyText(sizeMost),
          minFollowSize: moneyText(sizeLeast),
        };
      }),
    );
  },
});

export const copyTradingHandlers = (parts: HandlerParts): CopyTradingHandlers => ({
  ...settingCopies(parts),
  ...readingCopies(parts),
});
