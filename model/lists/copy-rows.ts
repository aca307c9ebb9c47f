/** Rows of tracked orders, missed copies, followings, customers and commissions. */
import type { TrackedOrderRow } from '../../src/messages/copy-trading.ts';
import type { EmittedEvents } from './recorded-run.ts';
import { decimals, eventsOf, paid, type Row, wireId } from './row.ts';
import { positionTpsl, type TriggerState } from './trigger-rows.ts';

export interface TrackedState {
  order: TrackedOrderRow;
  /** The leader's profit share, once it has ended. */
  share: bigint;
  endedAt: number | undefined;
  /** False once closed completely, even if the share is not paid. */
  isOpen: boolean;
}

export function trackedStates(emitted: readonly EmittedEvents[]): readonly TrackedState[] {
  const runs = new Map<number, TrackedState>();
  for (const { event, at } of emitted) {
    if (event.type === 'trackedOrderOpened')
      runs.set(event.order.trackingId, {
        order: event.order,
        share: 0n,
        endedAt: undefined,
        isOpen: true,
      });
    if (event.type === 'trackedOrderChanged') {
      const isOpen = event.order.closedSize < event.order.openSize;
      Object.assign(runs.get(event.order.trackingId)!, { order: event.order, isOpen });
    }
    if (event.type === 'trackedOrderEnded')
      Object.assign(runs.get(event.order.trackingId)!, {
        order: event.order,
        share: event.share,
        endedAt: at,
        isOpen: false,
      });
  }
  return [...runs.values()];
}

const textOr = (value: bigint | undefined): string => (value === undefined ? '' : decimals(value));
const idOr = (id: number | undefined): string => (id === undefined ? '' : wireId(id));

const ended = ({ order, endedAt }: TrackedState) => ({
  trackingNo: wireId(order.trackingId),
  openOrderId: wireId(order.openOrderId),
  closeOrderId: idOr(order.closeOrderId),
  productType: order.category,
  symbol: order.symbol,
  posSide: order.side,
  openLeverage: order.leverage,
  openPriceAvg: decimals(order.openPrice),
  openTime: String(order.openedAt),
  openSize: decimals(order.openSize),
  closePriceAvg: decimals(order.closedPrice),
  closeSize: decimals(order.closedSize),
  closeTime: String(endedAt),
  openFee: paid(order.openFee),
  closeFee: paid(order.closeFee),
  achievedPL: decimals(order.profit),
});

/** Rounded down, also for negative values. */
function rate(profit: bigint, margin: bigint): bigint {
  if (margin <= 0n) return 0n;
  const above = profit * 10n ** 10n;
  const quotient = above / margin;
  return above < 0n && quotient * margin !== above ? quotient - 1n : quotient;
}

const followerEnded = (run: TrackedState) => {
  const { leader, profit, margin, openFee, closeFee } = run.order;
  const netProfit = decimals(profit - openFee - closeFee - run.share);
  return {
    ...ended(run),
    traderId: String(leader),
    profitRate: decimals(rate(profit, margin)),
    netProfit,
  };
};

const STOPS: Readonly<Record<string, string>> = {
  takeProfit: 'profit',
  stopLoss: 'loss',
  liquidation: 'burst',
};
const leaderEnded = (run: TrackedState) => ({
  ...ended(run),
  stopType: STOPS[run.order.closer ?? ''] ?? 'normal',
  cTime: String(run.order.openedAt),
});

const followerOpen = ({ order }: TrackedState) => ({
  trackingNo: wireId(order.trackingId),
  openOrderId: wireId(order.openOrderId),
  closeOrderId: idOr(order.closeOrderId),
  traderId: String(order.leader),
  productType: order.category,
  symbol: order.symbol,
  posSide: order.side,
  openLeverage: order.leverage,
  openAvgPrice: decimals(order.openPrice),
  openPriceAvg: decimals(order.openPrice),
  openTime: String(order.openedAt),
  openSize: decimals(order.openSize),
  openFee: paid(order.openFee),
  closeAvgPrice: order.closedSize === 0n ? '' : decimals(order.closedPrice),
  closeSize: decimals(order.closedSize),
  openMarginSz: decimals(order.margin),
  closeTime: '',
  presetStopSurplusPrice: textOr(order.takeProfit),
  presetStopLossPrice: textOr(order.stopLoss),
});

/** CPY-37, CPY-67. */
export const leaderOpen = (all: readonly TrackedState[], triggers: Iterable<TriggerState>) => {
  const kept = [...triggers];
  return ({ order }: TrackedState) => {
    const tpsl = positionTpsl(kept, order);
    const copies = all.filter((copy) => copy.isOpen && copy.order.originalId === order.trackingId);
    return {
      trackingNo: wireId(order.trackingId),
      symbol: order.symbol,
      posSide: order.side,
      openOrderId: wireId(order.openOrderId),
      openLeverage: order.leverage,
      openPriceAvg: decimals(order.openPrice),
      openTime: String(order.openedAt),
      openSize: decimals(order.openSize),
      presetStopSurplusPrice: textOr(order.takeProfit ?? tpsl.takeProfit),
      presetStopLossPrice: textOr(order.stopLoss ?? tpsl.stopLoss),
      openFee: paid(order.openFee),
      followCount: String(copies.length),
    };
  };
};

export const trackedTexts = { followerEnded, leaderEnded, followerOpen };

export const trackedRows = (
  runs: readonly TrackedState[],
  shownAs: (run: TrackedState) => Row['shown'],
): readonly Row[] =>
  runs.map((run) => ({
    id: run.order.trackingId,
    time: run.order.openedAt,
    is: {
      productType: run.order.category,
      symbol: run.order.symbol,
      traderId: String(run.order.leader),
    },
    get shown() {
      return shownAs(run);
    },
  }));

export const uncopiedRows = (
  emitted: readonly EmittedEvents[],
  follower: number | undefined,
): readonly Row[] =>
  eventsOf(emitted, 'orderNotCopied')
    .filter(({ event }) => follower === undefined || event.missed.follower === follower)
    .map(({ event: { missed }, at }) => {
      const {
        id,
        leader,
        follower: uid,
        openOrderId,
        category,
        symbol,
        side,
        size,
        reason,
      } = missed;
      const common = { id: wireId(id), symbol, size: decimals(size), reason, time: String(at) };
      const own = { traderId: String(leader), productType: category, posSide: side };
      const operators = {
        uid: uid === undefined ? null : String(uid),
        leader: String(leader),
        orderId: wireId(openOrderId),
        category,
        side,
      };
      return {
        id,
        time: at,
        is: {
          productType: category,
          symbol,
          traderId: String(leader),
          leader: String(leader),
          uid: uid === undefined ? undefined : String(uid),
        },
        shown: { ...common, ...(follower === undefined ? operators : own) },
      };
    });

/** The latest following has the largest number; these rows have no id and are sorted by it. */
export function followedRows(emitted: readonly EmittedEvents[], follower: number): readonly Row[] {
  const since = new Map<number, number>();
  for (const { event } of emitted) {
    if (event.type === 'followingChanged' && event.following.follower === follower)
      since.set(event.following.leader, event.following.since);
    if (event.type === 'followingEnded' && event.follower === follower) since.delete(event.leader);
  }
  return [...since].map(([leader, time], place) => ({
    id: place,
    time,
    is: {},
    shown: { traderId: String(leader), followerTime: String(time) },
  }));
}

export interface Customer {
  readonly uid: number;
  readonly agent: number;
  readonly upper: number | undefined;
  readonly at: number;
}
export const customers = (emitted: readonly EmittedEvents[]): readonly Customer[] =>
  eventsOf(emitted, 'customerReferred').map(({ event: { uid, agentUid, upperUid }, at }) => ({
    uid,
    agent: agentUid,
    upper: upperUid,
    at,
  }));

export const codes = (emitted: readonly EmittedEvents[]): ReadonlyMap<number, string> =>
  new Map(
    eventsOf(emitted, 'agentMade').map(({ event: { agent } }) => [agent.uid, agent.referralCode]),
  );

/** With `showSub` also customers of direct customers, under their codes (AGT-08, AGT-31). */
export const customerRows = (
  emitted: readonly EmittedEvents[],
  agent: number,
  showSub: boolean,
): readonly Row[] => {
  const codeOf = codes(emitted);
  return customers(emitted)
    .filter((customer) => customer.agent === agent || (showSub && customer.upper === agent))
    .map(({ uid, agent: of, at }) => ({
      id: uid,
      time: at,
      is: { uid: String(uid), referralCode: codeOf.get(of) },
      shown: { uid, registerTime: String(at) },
    }));
};

const SUFFIXES: Readonly<Record<string, string>> = {
  SPOT: '_SPBL',
  MARGIN: '_SPBL-MABL',
  'USDT-FUTURES': '_UMCBL',
  'COIN-FUTURES': '_DMCBL',
  'USDC-FUTURES': '_CMCBL',
};

export const commissionRows = (
  emitted: readonly EmittedEvents[],
  agent: number,
  showSub: boolean,
): readonly Row[] =>
  eventsOf(emitted, 'commissionPaid').flatMap(({ event: { commission, upper } }) => {
    const isDirect = commission.agentUid === agent;
    if (!isDirect && !(showSub && upper?.agentUid === agent)) return [];
    const { uid, day, coin, category, symbol, deductions } = commission;
    const earned = (amount: bigint): string => decimals(isDirect ? amount : 0n);
    const market = `${symbol}${SUFFIXES[category]}`;
    const shown = {
      uid: String(uid),
      date: String(day),
      coin,
      symbol: market,
      productType: category,
      dealAmount: decimals(commission.dealAmount),
      fee: decimals(commission.fee),
      feeDeduction: decimals(deductions.feeDeduction),
      activityBonusDeduct: decimals(deductions.experienceFund),
      spotCouponDeduct: decimals(deductions.spotCoupon),
      futuresCouponDeduct: decimals(deductions.futuresCoupon),
      spotFeeDiscountDeduct: decimals(deductions.spotDiscount),
      negativeMakerFeeDeduct: decimals(deductions.negativeMakerFee),
      feePaid: decimals(commission.feePaid),
      rebateAmount: earned(commission.rebate),
      userTotalRebateAmount: earned(commission.customerShare),
      dayTotalRebateAmount: earned(commission.dayTotal),
      totalRebateAmount: earned(commission.total),
    };
    const id = isDirect ? commission.commissionId : upper!.commissionId;
    return [{ id, time: day, is: { uid: String(uid), coin, symbol: market }, shown }];
  });
