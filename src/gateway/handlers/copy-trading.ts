/** Copy trading, both sides: settings and closings become commands, lists come from the views. */
import type { copyFollowerRows } from '../../contract/copy-followers.ts';
import type { copyLeaderRows } from '../../contract/copy-leaders.ts';
import type { copyTradingRows } from '../../contract/copy-trading.ts';
import type { RequestOf } from '../../contract/endpoint.ts';
import type { operatorCopyRows } from '../../contract/operator-copy.ts';
import { followLimits } from '../../formulas/copy-trading.ts';
import { given } from '../../kernel/given.ts';
import { type Id, idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { DAY, MINUTE, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { CopySetting, TrackedOrderRow } from '../../messages/copy-trading.ts';
import { rejection } from '../../messages/rejections.ts';
import type { FuturesCategory } from '../../messages/vocabulary.ts';
import { endIdOf, isWithin, type PageQuery, pageOf, THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import type { ViewQueries } from '../../views/views.ts';
import {
  followerHistoryText,
  followerTrackedText,
  inUsd,
  leaderHistoryText,
  leaderName,
  leaderTrackedText,
  operatorUncopiedText,
  settingText,
  uncopiedText,
} from './copy-texts.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

type SpecHandlers = HandlersOf<typeof copyTradingRows>;
type FollowerHandlers = HandlersOf<typeof copyFollowerRows>;
type LeaderHandlers = HandlersOf<typeof copyLeaderRows>;

/** What was well asked and cannot be done now is answered, not refused (CPY-12). */
function applied(outcome: Reply<unknown>): Reply<'success' | 'fail'> {
  if (outcome.ok) return ok('success');
  return outcome.refusal.reason === 'copyNotNow' ? ok('fail') : outcome;
}

type SaidSetting = RequestOf<(typeof copyTradingRows)['setCopySettings']>['settings'][number];

const settingOf = (said: SaidSetting): CopySetting => ({
  category: said.productType,
  symbol: said.symbol,
  margin: said.marginType,
  leverage: said.leverType,
  sizing: said.traceType,
  value: said.traceValue,
  ...given({
    marginCoin: said.marginCoin,
    longLeverage: said.longLeverage,
    shortLeverage: said.shortLeverage,
    heldMax: said.maxHoldSize,
    takeProfitRatio: said.stopSurplusRatio,
    stopLossRatio: said.stopLossRatio,
  }),
});

const endIdText = (rows: readonly { readonly id: Id }[], page: PageQuery): string => {
  const id = endIdOf(rows, page);
  return id === undefined ? '' : idText(id);
};

/** What an open tracked order is asked by; times bound its opening and are open where they are not said. */
interface OpenQuery extends PageQuery {
  readonly category: FuturesCategory;
  readonly symbol?: string | undefined;
  readonly leader?: number | undefined;
  readonly start: Timestamp | undefined;
  readonly end: Timestamp | undefined;
}

const FOR_EVER = Number.MAX_SAFE_INTEGER as Timestamp;

function openPage(orders: readonly TrackedOrderRow[], { category, symbol, leader, start, end, ...page }: OpenQuery) {
  const window = { start: start ?? (0 as Timestamp), end: end ?? FOR_EVER };
  const meant = orders.filter(
    (order) =>
      order.category === category &&
      (symbol === undefined || order.symbol === symbol) &&
      (leader === undefined || order.leader === leader) &&
      isWithin(window, order.openedAt),
  );
  return pageOf(
    meant.map((order) => ({ id: order.trackingId, order })),
    page,
  );
}

const isReversed = (start: Timestamp | undefined, end: Timestamp | undefined): boolean =>
  start !== undefined && end !== undefined && start > end;

const wholeMinute = (at: Timestamp | undefined): Timestamp | undefined =>
  at === undefined ? undefined : ((at - (at % MINUTE)) as Timestamp);

const notLeader = refuse(rejection('notLeader'));

const settingCopies = ({ submit }: HandlerParts): Pick<SpecHandlers, 'setCopySettings' | 'setTrackedOrderTpsl'> => ({
  setCopySettings: async ({ traderId, mode, autoCopy, settings }, { uid }) =>
    applied(
      await submit({ type: 'setCopySettings', uid, leader: traderId, mode, settings: settings.map(settingOf), ...given({ autoCopy }) }),
    ),

  setTrackedOrderTpsl: async ({ trackingNo, productType, symbol, stopSurplusPrice, stopLossPrice }, { uid }) =>
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

const readingCopies = ({ views, exchangeNow }: HandlerParts): Omit<SpecHandlers, 'setCopySettings' | 'setTrackedOrderTpsl'> => ({
  listFollowerHistory: async ({ productType: category, symbol, traderId: leader, startTime, endTime, ...page }, { uid }) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.trackedOrders({ ...page, ...window.value, uid, role: 'follower', category, symbol, leader });
    return ok({ trackingList: rows.map(followerHistoryText), endId: endIdText(rows, page) });
  },

  listLeaderTrackedOrders: ({ productType: category, symbol, startTime, endTime, ...page }, { uid }) => {
    const { copyTrading } = views;
    if (copyTrading.leader(uid) === undefined) return notLeader;
    if (isReversed(startTime, endTime)) return refuse(rejection('startAfterEnd'));
    const [start, end] = [wholeMinute(startTime), wholeMinute(endTime)];
    // He may still have copies of somebody whom he followed before he led.
    const originals = copyTrading.open(uid).filter(({ originalId }) => originalId === undefined);
    const rows = openPage(originals, { ...page, category, symbol, start, end });
    const trackingList = rows.map(({ order }) => leaderTrackedText(order, copyTrading.followCount(order.trackingId)));
    return ok({ trackingList, endId: endIdText(rows, page) });
  },

  listFollowLimits: ({ productType, symbol }) => {
    const listed = views.listings.instruments(productType).filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
    return ok(
      listed.map(({ instrument }) => {
        const { sizeLeast, sizeMost } = followLimits(instrument);
        return { symbol: instrument.symbol, maxFollowSize: moneyText(sizeMost), minFollowSize: moneyText(sizeLeast) };
      }),
    );
  },
});

function followedLeader(views: ViewQueries, uid: Parameters<ViewQueries['copyTrading']['followings']>[0]) {
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

const followers = ({ submit, views, exchangeNow }: HandlerParts): FollowerHandlers => ({
  listFollowerTrackedOrders: ({ productType: category, symbol, traderId: leader, startTime: start, endTime: end, ...page }, { uid }) => {
    if (isReversed(start, end)) return refuse(rejection('startAfterEnd'));
    const copies = views.copyTrading.open(uid).filter(({ originalId }) => originalId !== undefined);
    const rows = openPage(copies, { ...page, category, symbol, leader, start, end });
    return ok(rows.map(({ order }) => followerTrackedText(order, leaderName(views, order.leader))));
  },

  listFollowedLeaders: ({ startTime: start = 0 as Timestamp, endTime: end = FOR_EVER, pageNo, pageSize }, { uid }) => {
    if (isReversed(start, end)) return refuse(rejection('startAfterEnd'));
    const meant = followedLeader(views, uid).filter(({ since }) => isWithin({ start, end }, since));
    return ok(meant.slice((pageNo - 1) * pageSize, pageNo * pageSize).map(({ shown }) => shown));
  },

  getCopySettings: ({ traderId }, { uid }) => {
    if (views.copyTrading.leader(traderId) === undefined) return refuse(rejection('unknownLeader', 'traderId', String(traderId)));
    const following = views.copyTrading.following(uid, traderId);
    if (following === undefined) return ok({ followerEnable: 'NO', mode: 'advanced', autoCopy: 'off', detailList: [] });
    const { mode, autoCopy, settings } = following;
    return ok({
      followerEnable: 'YES',
      mode,
      autoCopy: autoCopy ? 'on' : 'off',
      detailList: settings.map((setting) => settingText(views, setting)),
    });
  },

  unfollowLeader: async ({ traderId }, { uid }) => applied(await submit({ type: 'unfollow', uid, leader: traderId })),

  closeFollowerTrackedOrders: ({ productType: category, trackingNo, symbol, marginCoin, marginMode, holdSide }, { uid }) =>
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

  listUncopiedOrders: async ({ productType: category, symbol, traderId: leader, startTime, endTime, ...page }, { uid }) => {
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.uncopiedOrders({ ...page, ...window.value, follower: uid, category, symbol, leader });
    return ok({ list: rows.map(uncopiedText), endId: endIdText(rows, page) });
  },
});

const leaders = ({ submit, views, exchangeNow }: HandlerParts): LeaderHandlers => ({
  listLeaderHistory: async ({ productType: category, symbol, startTime, endTime, order, ...page }, { uid }) => {
    if (views.copyTrading.leader(uid) === undefined) return notLeader;
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.trackedOrders({ ...page, ...window.value, uid, role: 'leader', category, symbol });
    const trackingList = rows.map(leaderHistoryText);
    return ok({ trackingList: order === 'asc' ? trackingList.reverse() : trackingList, endId: endIdText(rows, page) });
  },

  closeLeaderTrackedOrders: ({ productType: category, trackingNo, symbol }, { uid }) =>
    submitAndShow(
      submit,
      { type: 'closeTrackedOrders', uid, role: 'leader', category, ...given({ trackingId: trackingNo, symbol }) },
      (sent) => sent.map((each) => ({ trackingNo: idText(each.trackingId), symbol: each.symbol, productType: category })),
    ),

  setLeaderTrackedOrderTpsl: async ({ trackingNo, productType, stopSurplusPrice, stopLossPrice }, { uid }) =>
    applied(
      await submit({
        type: 'setTrackedOrderTpsl',
        uid,
        role: 'leader',
        trackingId: trackingNo,
        category: productType,
        ...given({ takeProfit: stopSurplusPrice, stopLoss: stopLossPrice }),
      }),
    ),

  getProfitShares: (_request, { uid }) => {
    const { copyTrading } = views;
    if (copyTrading.leader(uid) === undefined) return notLeader;
    const shares = [...copyTrading.shares(uid)];
    const yesterday = startOfSettlementDay((startOfSettlementDay(exchangeNow()) - DAY / 2) as Timestamp);
    const ofYesterday = shares.flatMap(([coin, { day, dayBefore }]) =>
      [day, dayBefore].flatMap((each) => (each?.start === yesterday ? [[coin, each.sum] as const] : [])),
    );
    return ok({
      profitSummary: {
        yesterdayProfit: inUsd(views, ofYesterday),
        sumProfit: inUsd(
          views,
          shares.map(([coin, { sum }]) => [coin, sum]),
        ),
        waitProfit: '0',
        yesterdayTime: String(yesterday),
      },
      profitHistoryList: shares.map(([coin, { sum, lastAt }]) => ({
        coin,
        profitCount: moneyText(sum),
        lastProfitTime: String(lastAt),
      })),
    });
  },
});

export const copyTradingHandlers = (parts: HandlerParts): SpecHandlers & FollowerHandlers & LeaderHandlers => ({
  ...settingCopies(parts),
  ...readingCopies(parts),
  ...followers(parts),
  ...leaders(parts),
});

export const operatorCopyHandlers = ({ submit, views }: HandlerParts): HandlersOf<typeof operatorCopyRows> => ({
  makeLeader: ({ uid, profitShare, symbols, maxFollowers }) =>
    submitAndShow(submit, { type: 'makeLeader', uid, profitShare, ...given({ symbols, followersMax: maxFollowers }) }, () => null),

  listUncopied: async ({ uid: follower, ...query }) =>
    ok((await views.history.uncopiedOrders({ ...query, follower })).map(operatorUncopiedText)),
});
