/** TP/SL attached to orders of the naive exchange; they wait once the order is done. */
import { modeOf } from './naive-modes.ts';
import type { NaiveBooks } from './naive-money.ts';
import type { NaiveOrder, PositionSide } from './naive-state.ts';
import {
  arm,
  emitTrigger,
  isTakeProfit,
  type NaiveTpsl,
  type NaiveTrigger,
  priceOf,
} from './naive-triggers.ts';
import { max, min, nearest, shown, UNIT } from './whole-units.ts';

/** `opened` is the filled size beyond the position that was closed, and `value` its cost. */
export interface NaiveAttached {
  readonly takeProfit: NaiveTpsl | undefined;
  readonly stopLoss: NaiveTpsl | undefined;
  opened: bigint;
  value: bigint;
}

type Asked = Omit<NaiveTrigger, 'number' | 'rises' | 'best' | 'ocoSibling'>;

/** They are queued last; two of them are OCO siblings. */
export function enterTriggers(books: NaiveBooks, asked: readonly Asked[]): void {
  const placed = asked.map((each): NaiveTrigger => {
    const trigger = {
      ...each,
      number: books.triggersPlaced++,
      rises: false,
      best: undefined,
      ocoSibling: undefined,
    };
    books.triggers.push(trigger);
    emitTrigger(
      books,
      trigger.number,
      `placed ${described(trigger)}`,
      `${trigger.kind} placed by ${trigger.source}`,
    );
    return trigger;
  });
  if (placed.length === 2) [placed[0]!.ocoSibling, placed[1]!.ocoSibling] = [placed[1], placed[0]];
  for (const trigger of placed) arm(books, trigger);
}

export const tpslText = (way: NaiveTpsl | undefined): string =>
  way === undefined
    ? 'none'
    : `${shown(way.triggerPrice)}${way.isPercent ? '%' : ''} ${way.source} ${way.price}`;

/** Describes a trigger in the words of both sides. */
export function described(trigger: Asked): string {
  const {
    user,
    instrument,
    kind,
    side,
    positionSide,
    reduceOnly,
    stp,
    source,
    triggerPrice,
    size,
    price,
    callback,
  } = trigger;
  return [
    ...[user.name, instrument.symbol, kind, side, positionSide, reduceOnly, stp],
    ...[modeOf(trigger.isolated), shown(size), source, triggerPrice, price, callback],
    ...[tpslText(trigger.takeProfit), tpslText(trigger.stopLoss)],
  ]
    .map(String)
    .join(' ');
}

/** Runs when the order is done. */
export function armTpsl(
  books: NaiveBooks,
  { user, instrument, side, stp, attached }: NaiveOrder,
): void {
  if (attached === undefined || attached.opened === 0n) return;
  const { takeProfit, stopLoss, opened } = attached;
  const positionSide = side === 'buy' ? 'long' : 'short';
  const { isolated } = user.settings[instrument.symbol]!;
  const shared = {
    user,
    instrument,
    positionSide,
    reduceOnly: !user.hedge,
    stp,
    isolated,
    size: opened,
  } as const;
  const both = [
    ['takeProfit', takeProfit],
    ['stopLoss', stopLoss],
  ] as const;
  const tpsl = both.flatMap(([kind, way]): Asked[] => {
    const triggerPrice =
      way === undefined ? 0n : priceFor(kind, way, positionSide, attached, instrument.tick);
    if (way === undefined || triggerPrice <= 0n) return [];
    const { source, price } = way;
    const none = { callback: undefined, takeProfit: undefined, stopLoss: undefined };
    return [
      {
        ...shared,
        ...none,
        kind,
        side: side === 'buy' ? 'sell' : 'buy',
        source,
        triggerPrice,
        price,
      },
    ];
  });
  books.report.happened.push(tpsl.length === 2 ? 'both TP/SL armed' : 'one TP/SL armed');
  enterTriggers(books, tpsl);
}

/** A percentage applies to the average opening price, to the nearest tick. */
function priceFor(
  kind: 'takeProfit' | 'stopLoss',
  { triggerPrice, isPercent }: NaiveTpsl,
  side: 'long' | 'short',
  { opened, value }: NaiveAttached,
  tick: bigint,
): bigint {
  if (!isPercent) return triggerPrice;
  const isAbove = (kind === 'takeProfit') === (side === 'long');
  const percent = 100n * UNIT + (isAbove ? triggerPrice : -triggerPrice);
  return percent <= 0n ? 0n : nearest(value * percent, opened * 100n * UNIT * tick) * tick;
}

/** A take-profit is beyond the price and a stop-loss before it, in the direction of profit. */
export function sideRefusal(
  price: bigint,
  side: PositionSide,
  { kind, source, triggerPrice }: Pick<NaiveTrigger, 'kind' | 'source' | 'triggerPrice'>,
): string | undefined {
  if (kind === 'trailingExit') return undefined;
  const isLong = side === 'long';
  const isAbove = isTakeProfit(kind) === isLong;
  if (isAbove ? triggerPrice > price : triggerPrice < price) return undefined;
  const byMark = source === 'mark';
  if (isTakeProfit(kind)) {
    if (isLong) return byMark ? 'longTakeProfitBelowMark' : 'longTakeProfitTooLow';
    return byMark ? 'shortTakeProfitAboveMark' : 'shortTakeProfitTooHigh';
  }
  if (isLong) return byMark ? 'longStopLossAboveMark' : 'longStopLossTooHigh';
  return byMark ? 'shortStopLossBelowMark' : 'shortStopLossTooLow';
}

/** Compared with the current price, or with the limit if the order would wait for it. */
export function tpslRefusal(
  books: NaiveBooks,
  { instrument, side, market, limit, attached }: NaiveOrder,
): string | undefined {
  const refusals = (['takeProfit', 'stopLoss'] as const).map((kind) => {
    const way = attached?.[kind];
    if (way === undefined) return undefined;
    if ([way.triggerPrice, way.price ?? 0n].some((price) => price % instrument.tick !== 0n))
      return 'priceOffStep';
    const current = priceOf(books, instrument, way.source);
    const filledAt = market ? current : side === 'buy' ? min(current, limit) : max(current, limit);
    return sideRefusal(filledAt, side === 'buy' ? 'long' : 'short', { ...way, kind });
  });
  return refusals[0] ?? refusals[1];
}

/**
 * Refusal of attached TP/SL: on a closing order, off the step, or on the wrong side of the fill
 * price.
 */
export const askedRefusal = (books: NaiveBooks, order: NaiveOrder): string | undefined =>
  order.closes ? 'triggerFieldsConflict' : tpslRefusal(books, order);
