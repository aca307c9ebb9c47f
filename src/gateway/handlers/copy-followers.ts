/** Copy trading for followers: copied orders, settings per leader, closes and missed copies. */
import type { copyFollowerRows } from '../../contract/copy-followers.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { given } from '../../kernel/given.ts';
import { idText, type Uid } from '../../kernel/ids.ts';
import { ok, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { isReversed, isWithin, THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { ViewQueries } from '../../views/views.ts';
import { applied, FOR_EVER, openPage, pageEndText } from './copy-lists.ts';
import { followerTrackedText, inUsd, leaderName, settingText, uncopiedText } from './copy-texts.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

/** The leaders of a user, in the order of following, with their results so far. */
function followedLeaders(views: ViewQueries, uid: Uid) {
  const { copyTrading } = views;
  return copyTrading.followings(uid).map(({ leader, settings, since }) => {
    const totals = [...copyTrading.totals(uid, leader)];
    return {
      since,
      shown: {
        certificationType: '',
        traderId: String(leader),
        traderName: leaderName(views, leader),
        maxFollowLimit: String(copyTrading.leader(leader)?.followersMax ?? 0),
        followCount: String(copyTrading.followerCount(leader)),
        traceTotalMarginAmount: inUsd(
          views,
          totals.map(([coin, { margin }]) => [coin, margin]),
        ),
        traceTotalNetProfit: inUsd(
          views,
          totals.map(([coin, { netProfit }]) => [coin, netProfit]),
        ),
        traceTotalProfit: inUsd(
          views,
          totals.map(([coin, { profit }]) => [coin, profit]),
        ),
        currentTradingPairs: settings.map(({ symbol }) => symbol),
        followerTime: String(since),
        bgbMaxFollowLimit: '0',
        bgbFollowCount: '0',
      },
    };
  });
}

export const copyFollowerHandlers = ({
  submit,
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof copyFollowerRows> => ({
  listFollowerTrackedOrders: (
    { productType: category, symbol, traderId: leader, startTime: start, endTime: end, ...page },
    { uid },
  ) => {
    if (isReversed(start, end)) return refuse(wireRejection('startAfterEnd'));
    const copies = views.copyTrading.open(uid).filter(({ originalId }) => originalId !== undefined);
    const rows = openPage(copies, { ...page, category, symbol, leader, start, end });
    return ok(rows.map(({ order }) => followerTrackedText(order, leaderName(views, order.leader))));
  },

  listFollowedLeaders: (
    { startTime: start = 0 as Timestamp, endTime: end = FOR_EVER, pageNo, pageSize },
    { uid },
  ) => {
    if (isReversed(start, end)) return refuse(wireRejection('startAfterEnd'));
    const newestFirst = followedLeaders(views, uid).reverse();
    const meant = newestFirst.filter(({ since }) => isWithin({ start, end }, since));
    return ok(meant.slice((pageNo - 1) * pageSize, pageNo * pageSize).map(({ shown }) => shown));
  },

  getCopySettings: ({ traderId }, { uid }) => {
    if (views.copyTrading.leader(traderId) === undefined)
      return refuse(wireRejection('unknownLeader', 'traderId'));
    const following = views.copyTrading.following(uid, traderId);
    if (following === undefined)
      return ok({ followerEnable: 'NO', mode: 'advanced', autoCopy: 'off', detailList: [] });
    const { mode, autoCopy, settings } = following;
    return ok({
      followerEnable: 'YES',
      mode,
      autoCopy: autoCopy ? 'on' : 'off',
      detailList: settings.map((setting) => settingText(views, setting)),
    });
  },

  unfollowLeader: async ({ traderId }, { uid }) =>
    applied(await submit({ type: 'unfollow', uid, leader: traderId })),

  closeFollowerTrackedOrders: (
    { productType: category, trackingNo, symbol, marginCoin, marginMode, holdSide },
    { uid },
  ) =>
    submitAndShow(
      submit,
      {
        type: 'closeTrackedOrders',
        uid,
        role: 'follower',
        category,
        ...given({ trackingId: trackingNo, symbol, marginCoin, marginMode, side: holdSide }),
      },
      (sent) => ({ orderIdList: sent.map(({ orderId }) => idText(orderId)) }),
    ),

  listUncopiedOrders: async (
    { productType: category, symbol, traderId: leader, startTime, endTime, ...page },
    { uid },
  ) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.uncopiedOrders({
      ...page,
      ...window.value,
      follower: uid,
      category,
      symbol,
      leader,
    });
    return ok({ list: rows.map(uncopiedText), endId: pageEndText(rows, page) });
  },
});
