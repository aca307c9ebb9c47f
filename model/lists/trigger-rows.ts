/** Triggers computed from their events, as each API version shows them. */
import type { Rejection } from '../../src/messages/rejections.ts';
import type { AttachedTpsl, TriggerRow } from '../../src/messages/triggers.ts';
import type { OrderState } from './order-rows.ts';
import { classicSide, sourceText } from './order-rows.ts';
import type { EmittedEvents } from './recorded-run.ts';
import { average, decimals, modeText, type Row, wireId } from './row.ts';

export interface TriggerState {
  trigger: TriggerRow;
  status: 'live' | 'fired' | 'failed' | 'cancelled';
  order: OrderState | undefined;
  refusal: Rejection | undefined;
  cancelReason: string | undefined;
  endedAt: number | undefined;
}

export function triggerStates(
  emitted: readonly EmittedEvents[],
  orders: ReadonlyMap<number, OrderState>,
): ReadonlyMap<number, TriggerState> {
  const runs = new Map<number, TriggerState>();
  const end = (id: number, endedAt: number, by: Partial<TriggerState>): void =>
    void Object.assign(runs.get(id)!, { ...by, endedAt });
  for (const { event, at } of emitted) {
    if (event.type === 'triggerPlaced') {
      const nothing = {
        order: undefined,
        refusal: undefined,
        cancelReason: undefined,
        endedAt: undefined,
      };
      runs.set(event.trigger.triggerId, { trigger: event.trigger, status: 'live', ...nothing });
    }
    if (event.type === 'triggerChanged') runs.get(event.trigger.triggerId)!.trigger = event.trigger;
    if (event.type === 'triggerFired')
      end(event.triggerId, at, { status: 'fired', order: orders.get(event.orderId)! });
    if (event.type === 'triggerFailed')
      end(event.triggerId, at, { status: 'failed', refusal: event.refusal });
    if (event.type === 'triggerCancelled')
      end(event.triggerId, at, { status: 'cancelled', cancelReason: event.reason });
  }
  return runs;
}

const KINDS: Readonly<Record<string, string>> = {
  conditional: 'normal_plan',
  trailing: 'track_plan',
  takeProfit: 'profit_plan',
  stopLoss: 'loss_plan',
  trailingExit: 'moving_plan',
  positionTakeProfit: 'pos_profit',
  positionStopLoss: 'pos_loss',
};
const SOURCES: Readonly<Record<string, string>> = {
  last: 'fill_price',
  mark: 'mark_price',
  index: 'index_price',
};
const STATUSES: Readonly<Record<string, string>> = {
  fired: 'executed',
  failed: 'fail_execute',
  cancelled: 'cancelled',
};

const isExit = (kind: string): boolean => kind !== 'conditional' && kind !== 'trailing';
const closesWholePosition = (kind: string): boolean => kind.startsWith('position');
const textOr = (value: bigint | undefined, otherwise: string): string =>
  value === undefined ? otherwise : decimals(value);

function attached(exit: AttachedTpsl | undefined, name: string) {
  const at =
    exit === undefined ? '' : decimals(exit.kind === 'price' ? exit.triggerPrice : exit.percent);
  return {
    [`${name}TriggerPrice`]: at,
    [`${name}ExecutePrice`]: exit?.kind === 'price' ? textOr(exit.price, '') : '',
    [`${name}TriggerType`]: exit === undefined ? '' : SOURCES[exit.source],
  };
}

/** A TP/SL trigger is shown as such; another trigger shows its attached TP/SL. */
function exitOf(trigger: TriggerRow, kind: 'takeProfit' | 'stopLoss'): AttachedTpsl | undefined {
  const isOne =
    trigger.kind === kind ||
    trigger.kind === (kind === 'takeProfit' ? 'positionTakeProfit' : 'positionStopLoss');
  return isOne ? { ...trigger, kind: 'price' } : trigger[kind];
}

const classic = ({ trigger }: TriggerState) => {
  const hedged = trigger.positionMode === 'hedge' && trigger.positionSide !== undefined;
  const trails = trigger.kind === 'trailing' || trigger.kind === 'trailingExit';
  return {
    planType: KINDS[trigger.kind],
    symbol: trigger.symbol,
    size: decimals(trigger.size),
    orderId: wireId(trigger.triggerId),
    clientOid: trigger.clientOid,
    ...(trails
      ? { callbackRatio: decimals(trigger.callbackRate!) }
      : { price: textOr(trigger.price, '') }),
    executePrice: textOr(trigger.price, ''),
    triggerPrice: decimals(trigger.triggerPrice),
    triggerType: SOURCES[trigger.source],
    side: classicSide(trigger, trigger.positionMode),
    posSide: hedged ? trigger.positionSide : 'net',
    marginCoin: trigger.marginCoin,
    marginMode: trigger.marginMode,
    enterPointSource: 'API',
    tradeSide: hedged ? trigger.intent : '',
    posMode: modeText(trigger.positionMode),
    orderType: trigger.price === undefined ? 'market' : 'limit',
    cTime: String(trigger.createdAt),
    ...attached(exitOf(trigger, 'takeProfit'), 'stopSurplus'),
    ...attached(exitOf(trigger, 'stopLoss'), 'stopLoss'),
  };
};

const pending = (run: TriggerState) => {
  const { kind, price, updatedAt } = run.trigger;
  return {
    ...classic(run),
    uTime: updatedAt === undefined ? '' : String(updatedAt),
    planStatus: 'live',
    orderSource: isExit(kind)
      ? sourceText(kind, price === undefined ? 'market' : 'limit')
      : 'normal',
  };
};

const ended = (run: TriggerState) => {
  const { order, status, endedAt } = run;
  const filled =
    order === undefined || order.size === 0n ? '' : decimals(average(order.value, order.size));
  return {
    ...classic(run),
    uTime: String(endedAt),
    planStatus: STATUSES[status],
    executeOrderId: order === undefined ? '' : wireId(order.order.orderId),
    priceAvg: filled,
    ...(order === undefined ? {} : { baseVolume: decimals(order.size) }),
  };
};

const SEEN_BY: Readonly<Record<string, string>> = { last: 'market', mark: 'mark', index: 'index' };
const STRATEGY_STATUSES = {
  live: 'pending',
  fired: 'success',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

interface Aim {
  readonly triggerPrice: bigint;
  readonly source: string;
  readonly price?: bigint;
}

const aim = (
  aimed: Aim | undefined,
): readonly [at: string, by: string, type: string, limit: string] => {
  if (aimed === undefined) return ['', '', '', ''];
  return [
    decimals(aimed.triggerPrice),
    SEEN_BY[aimed.source]!,
    aimed.price === undefined ? 'market' : 'limit',
    textOr(aimed.price, ''),
  ];
};
const atPrice = (exit: AttachedTpsl | undefined): Aim | undefined =>
  exit?.kind === 'price' ? exit : undefined;

const unified = ({ trigger, status, order, endedAt }: TriggerState) => {
  const { kind, side, reduceOnly, positionSide } = trigger;
  const gains = kind === 'takeProfit' || kind === 'positionTakeProfit';
  const stops = kind === 'stopLoss' || kind === 'positionStopLoss';
  const [takeProfit, tpTriggerBy, tpOrderType, tpLimitPrice] = aim(
    gains ? trigger : atPrice(trigger.takeProfit),
  );
  const [stopLoss, slTriggerBy, slOrderType, slLimitPrice] = aim(
    stops ? trigger : atPrice(trigger.stopLoss),
  );
  const [triggerPrice, triggerBy, triggerOrderType, triggerOrderPrice] = aim(
    gains || stops ? undefined : trigger,
  );
  const opens = side === 'buy' ? 'long' : 'short';
  const takes = side === 'buy' ? 'short' : 'long';
  return {
    orderId: wireId(trigger.triggerId),
    clientOid: trigger.clientOid,
    category: trigger.category,
    symbol: trigger.symbol,
    type: isExit(kind) ? 'tpsl' : 'trigger',
    tpslMode: isExit(kind) ? (closesWholePosition(kind) ? 'full' : 'partial') : '',
    qty: decimals(trigger.size),
    side,
    posSide: positionSide ?? (reduceOnly ? takes : opens),
    reduceOnly: reduceOnly || trigger.intent === 'close' ? 'YES' : 'NO',
    status: STRATEGY_STATUSES[status],
    triggerType: gains ? 'takeProfit' : stops ? 'stopLoss' : '',
    takeProfit,
    tpTriggerBy,
    tpOrderType,
    tpLimitPrice,
    stopLoss,
    slTriggerBy,
    slOrderType,
    slLimitPrice,
    triggerPrice,
    triggerBy,
    triggerOrderType,
    triggerOrderPrice,
    executeOrderId: order === undefined ? '' : wireId(order.order.orderId),
    createdTime: String(trigger.createdAt),
    updatedTime: String(endedAt ?? trigger.updatedAt ?? trigger.createdAt),
  };
};

const forOperator = ({ trigger, status, order, refusal, cancelReason, endedAt }: TriggerState) => ({
  orderId: wireId(trigger.triggerId),
  clientOid: trigger.clientOid,
  uid: String(trigger.uid),
  category: trigger.category,
  symbol: trigger.symbol,
  planType: KINDS[trigger.kind],
  triggerPrice: decimals(trigger.triggerPrice),
  planStatus: STATUSES[status],
  executeOrderId: order === undefined ? null : wireId(order.order.orderId),
  reason: refusal?.reason ?? cancelReason ?? null,
  time: String(trigger.createdAt),
  endTime: String(endedAt),
});

export const triggerTexts = { pending, ended, unified, forOperator };

export const triggerRows = (
  runs: readonly TriggerState[],
  shownAs: (run: TriggerState) => Row['shown'],
): readonly Row[] =>
  runs.map((run) => {
    const { trigger, status } = run;
    const end = STATUSES[status];
    return {
      id: trigger.triggerId,
      time: trigger.createdAt,
      is: {
        productType: trigger.category,
        category: trigger.category,
        symbol: trigger.symbol,
        orderId: wireId(trigger.triggerId),
        clientOid: trigger.clientOid,
        planType: isExit(trigger.kind) ? 'profit_loss' : KINDS[trigger.kind],
        // Some clients use another name for failed triggers (TRG-57).
        planStatus: end === 'fail_execute' ? ['fail_execute', 'fail_trigger'] : end,
        status: end,
        type: isExit(trigger.kind) ? 'tpsl' : 'trigger',
        uid: String(trigger.uid),
      },
      get shown() {
        return shownAs(run);
      },
    };
  });

/** TP/SL of a position: those of the whole position first, then the oldest (TRG-75). */
export function positionTpsl(
  runs: Iterable<TriggerState>,
  of: { uid: number; category: string; symbol: string; side: string },
) {
  const live = [...runs]
    .filter(
      ({ status, trigger }) => status === 'live' && trigger.uid === of.uid && isExit(trigger.kind),
    )
    .map(({ trigger }) => trigger)
    .filter(
      (trigger) =>
        trigger.category === of.category &&
        trigger.symbol === of.symbol &&
        trigger.positionSide === of.side,
    )
    .sort(
      (one, other) =>
        Number(closesWholePosition(other.kind)) - Number(closesWholePosition(one.kind)) ||
        one.triggerId - other.triggerId,
    );
  const first = (...kinds: string[]): bigint | undefined =>
    live.find(({ kind }) => kinds.includes(kind))?.triggerPrice;
  return {
    takeProfit: first('takeProfit', 'positionTakeProfit'),
    stopLoss: first('stopLoss', 'positionStopLoss'),
  };
}
