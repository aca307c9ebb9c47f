/** Calls of agents: their customers, earnings per customer, and commissions per day. */
import type { agentRows } from '../../contract/agents.ts';
import { marketNamed, marketSymbol } from '../../contract/market-symbols.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { idText } from '../../kernel/ids.ts';
import { moneyText } from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { CommissionRow } from '../../views/history/commissions.ts';
import { pageOf, type TimeWindow } from '../../views/pages.ts';
import { TIMESTAMP_TOLERANCE_MS } from '../auth/authenticate.ts';
import type { HandlersOf, Reply } from './handler.ts';
import type { HandlerParts } from './parts.ts';

/** Age limit of agent lists, and the longest window. */
const THIRTY_DAYS = 30 * DAY;

interface TimesGiven {
  readonly startTime: Timestamp | undefined;
  readonly endTime: Timestamp | undefined;
}

const notAgent = refuse(wireRejection('notAgent'));

/**
 * The time from which thirty days count back. A client reads its clock before the call arrives, so
 * a slightly older end time counts as now. The limit is the tolerance of timestamps.
 */
const askedAt = (endTime: Timestamp, now: Timestamp): Timestamp =>
  endTime < now && endTime >= now - TIMESTAMP_TOLERANCE_MS ? endTime : now;

/** Needs both times or neither; without them it is yesterday in UTC+8. */
function agentWindow({ startTime, endTime }: TimesGiven, now: Timestamp): Reply<TimeWindow> {
  if (startTime === undefined && endTime === undefined) {
    const today = startOfSettlementDay(now);
    return ok({ start: (today - DAY) as Timestamp, end: (today - 1) as Timestamp });
  }
  if (startTime === undefined) return refuse(wireRejection('oneOfFieldsNeeded', 'startTime'));
  if (endTime === undefined) return refuse(wireRejection('oneOfFieldsNeeded', 'endTime'));
  if (startTime > endTime) return refuse(wireRejection('startAfterEnd'));
  if (endTime - startTime > THIRTY_DAYS)
    return refuse(wireRejection('spanTooLong', undefined, '30'));
  if (startTime < askedAt(endTime, now) - THIRTY_DAYS)
    return refuse(wireRejection('tooLongAgo', undefined, '30'));
  return ok({ start: startTime, end: endTime });
}

const commissionText = (row: CommissionRow) => ({
  uid: String(row.uid),
  date: String(row.time),
  coin: row.coin,
  symbol: marketSymbol(row.category, row.symbol),
  productType: row.category,
  dealAmount: moneyText(row.dealAmount),
  fee: moneyText(row.fee),
  feeDeduction: moneyText(row.feeDeduction),
  activityBonusDeduct: moneyText(row.experienceFund),
  spotCouponDeduct: moneyText(row.spotCoupon),
  futuresCouponDeduct: moneyText(row.futuresCoupon),
  spotFeeDiscountDeduct: moneyText(row.spotDiscount),
  negativeMakerFeeDeduct: moneyText(row.negativeMakerFee),
  feePaid: moneyText(row.feePaid),
  rebateAmount: moneyText(row.rebate),
  userTotalRebateAmount: moneyText(row.customerShare),
  dayTotalRebateAmount: moneyText(row.dayTotal),
  totalRebateAmount: moneyText(row.total),
});

const commissionPage = (rows: readonly CommissionRow[]) => {
  const last = rows.at(-1);
  return {
    commissionList: rows.map(commissionText),
    endId: last === undefined ? '' : idText(last.id),
  };
};

export const agentHandlers = ({
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof agentRows> => ({
  listAgentCustomers: (
    { startTime, endTime, pageNo, pageSize, uid, referralCode, showSub },
    caller,
  ) => {
    if (views.agents.agent(caller.uid) === undefined) return notAgent;
    const window = agentWindow({ startTime, endTime }, exchangeNow());
    if (!window.ok) return window;
    // A customer is found without times, regardless of the date of registration (AGT-25).
    const anytime = uid !== undefined && startTime === undefined;
    const customers = views.agents.customers({
      agentUid: caller.uid,
      window: anytime ? undefined : window.value,
      showSub,
      uid,
      referralCode,
      pageNumber: pageNo,
      pageSize,
    });
    return ok(
      customers.map((customer) => ({
        uid: customer.uid as number,
        registerTime: String(customer.registeredAt),
      })),
    );
  },

  getRebateRatios: ({ uid }, caller) => {
    const agent = views.agents.agent(caller.uid);
    if (agent === undefined) return notAgent;
    const profile =
      views.agents.customer(uid)?.agentUid === caller.uid ? views.accounts.profile(uid) : undefined;
    if (profile === undefined) return refuse(wireRejection('notCustomer', 'uid'));
    return ok({
      affiliationType: agent.affiliation,
      userLevel: profile.level,
      clientSpotRebateRatio: moneyText(agent.spotRatio),
      clientFuturesRebateRatio: moneyText(agent.futuresRatio),
    });
  },

  listAgentCommissions: async ({ startTime, endTime, symbol, showSub, ...asked }, caller) => {
    if (views.agents.agent(caller.uid) === undefined) return notAgent;
    const window = agentWindow({ startTime, endTime }, exchangeNow());
    if (!window.ok) return window;
    const ids = views.agents.commissionIds(window.value);
    if (ids === undefined) return ok(commissionPage([]));
    const market = symbol === undefined ? {} : marketNamed(symbol);
    const query = {
      ...asked,
      ...market,
      agentUid: caller.uid,
      firstId: ids.first,
      lastId: ids.last,
    };
    // Reads two ordered lists, so that neither is searched for rows of the other.
    const lists = [views.history.commissions({ ...query, direct: 1 })];
    if (showSub) lists.push(views.history.commissions({ ...query, direct: 0 }));
    return ok(commissionPage(pageOf((await Promise.all(lists)).flat(), asked)));
  },
});
