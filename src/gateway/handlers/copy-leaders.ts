/** Copy trading for leaders: closed orders, closing, and profit shares received. */
import type { copyLeaderRows } from '../../contract/copy-leaders.ts';
import { given } from '../../kernel/given.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import { THREE_MONTHS, timeWindow } from '../../views/pages.ts';
import { applied, notLeader, pageEndText } from './copy-lists.ts';
import { inUsd, leaderHistoryText } from './copy-texts.ts';
import type { HandlersOf } from './handler.ts';
import { type HandlerParts, submitAndShow } from './parts.ts';

export const copyLeaderHandlers = ({
  submit,
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof copyLeaderRows> => ({
  listLeaderHistory: async (
    { productType: category, symbol, startTime, endTime, order, ...page },
    { uid },
  ) => {
    if (views.copyTrading.leader(uid) === undefined) return notLeader;
    const window = timeWindow({ start: startTime, end: endTime }, exchangeNow(), THREE_MONTHS);
    if (!window.ok) return window;
    const rows = await views.history.trackedOrders({
      ...page,
      ...window.value,
      uid,
      role: 'leader',
      category,
      symbol,
    });
    const trackingList = rows.map(leaderHistoryText);
    return ok({
      trackingList: order === 'asc' ? trackingList.reverse() : trackingList,
      endId: pageEndText(rows, page),
    });
  },

  closeLeaderTrackedOrders: ({ productType: category, trackingNo, symbol }, { uid }) =>
    submitAndShow(
      submit,
      {
        type: 'closeTrackedOrders',
        uid,
        role: 'leader',
        category,
        ...given({ trackingId: trackingNo, symbol }),
      },
      (sent) =>
        sent.map((each) => ({
          trackingNo: idText(each.trackingId),
          symbol: each.symbol,
          productType: category,
        })),
    ),

  setLeaderTrackedOrderTpsl: async (
    { trackingNo, productType, stopSurplusPrice, stopLossPrice },
    { uid },
  ) =>
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
    const yesterday = (startOfSettlementDay(exchangeNow()) - DAY) as Timestamp;
    const ofYesterday = shares.flatMap(([coin, { day, dayBefore }]) =>
      [day, dayBefore].flatMap((each) =>
        each?.start === yesterday ? [[coin, each.sum] as const] : [],
      ),
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
