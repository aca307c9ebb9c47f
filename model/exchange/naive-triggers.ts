/**
 * Triggers of the naive exchange: a list that is checked against every price, and a queue of
 * reached ones.
 */
import { isFrozen } from './naive-freshness.ts';
import { trim } from './naive-matching.ts';
import { modeOf, withMode } from './naive-modes.ts';
import type { NaiveBooks } from './naive-money.ts';
import { heldBack, place } from './naive-placing.ts';
import type {
  NaiveInstrument,
  NaivePosition,
  NaiveUser,
  PositionSide,
  Side,
} from './naive-state.ts';
import { isTrading } from './naive-statuses.ts';
import { min, shown, UNIT } from './whole-units.ts';

export type Source = 'last' | 'mark' | 'index';
export type TriggerKind =
  | 'conditional'
  | 'trailing'
  | 'takeProfit'
  | 'stopLoss'
  | 'trailingExit'
  | 'positionTakeProfit'
  | 'positionStopLoss';

/** Attached TP/SL of an order: a price, or a percentage of the fill price. */
export interface NaiveTpsl {
  readonly triggerPrice: bigint;
  readonly isPercent: boolean;
  readonly source: Source;
  readonly price: bigint | undefined;
}

export interface NaiveTrigger {
  /** In placing order. */
  readonly number: number;
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
  readonly kind: TriggerKind;
  /** Side of the order it will place. */
  readonly side: Side;
  /** For hedge mode and for TP/SL. */
  readonly positionSide: PositionSide | undefined;
  readonly reduceOnly: boolean;
  readonly stp: string;
  /** Margin mode at placing. */
  readonly isolated: boolean;
  source: Source;
  triggerPrice: bigint;
  /** Undefined or zero for the whole position. */
  size: bigint;
  /** At market if undefined. */
  price: bigint | undefined;
  /** In percent. */
  callback: bigint | undefined;
  takeProfit: NaiveTpsl | undefined;
  stopLoss: NaiveTpsl | undefined;
  /** Whether the price has to rise to the trigger price. */
  rises: boolean;
  /** Best price seen, once a trailing trigger is active. */
  best: bigint | undefined;
  ocoSibling: NaiveTrigger | undefined;
}

const PERCENT = 100n * UNIT;

export const isExit = (kind: TriggerKind): boolean => kind !== 'conditional' && kind !== 'trailing';
export const isTakeProfit = (kind: TriggerKind): boolean =>
  kind === 'takeProfit' || kind === 'positionTakeProfit';
export const closesWholePosition = (kind: TriggerKind): boolean =>
  kind === 'positionTakeProfit' || kind === 'positionStopLoss';

/** Before the first trade the last price is the index. */
export function priceOf(
  { lasts, marks, indexes }: NaiveBooks,
  { symbol, base }: NaiveInstrument,
  source: Source,
): bigint {
  if (source === 'mark') return marks[symbol]!;
  return source === 'last' ? (lasts[symbol] ?? indexes[base]!) : indexes[base]!;
}

/** Target price in hundredths of the smallest unit, and whether the price must rise to it. */
function target({ side, rises, best, callback, triggerPrice }: NaiveTrigger): {
  at: bigint;
  rises: boolean;
} {
  if (best === undefined) return { at: triggerPrice * PERCENT, rises };
  return side === 'sell'
    ? { at: best * (PERCENT - callback!), rises: false }
    : { at: best * (PERCENT + callback!), rises: true };
}

const isReached = (trigger: NaiveTrigger, price: bigint): boolean => {
  const { at, rises } = target(trigger);
  return rises ? price * PERCENT >= at : price * PERCENT <= at;
};

/** A frozen mark fires nothing. */
const isStale = (books: NaiveBooks, instrument: NaiveInstrument, source: Source): boolean =>
  source === 'mark' && isFrozen(books, instrument);

/**
 * Starts from the current price. The direction of a TP/SL is fixed; a reached trigger is queued at
 * once.
 */
export function arm(books: NaiveBooks, trigger: NaiveTrigger): void {
  const { kind, positionSide, instrument, source, triggerPrice } = trigger;
  const price = priceOf(books, instrument, source);
  const knows = isExit(kind) && kind !== 'trailingExit';
  trigger.rises = knows ? isTakeProfit(kind) === (positionSide === 'long') : triggerPrice >= price;
  trigger.best = undefined;
  if (knows ? !isReached(trigger, price) : triggerPrice !== price) return;
  if (isStale(books, instrument, source))
    books.report.happened.push('trigger placed at a frozen mark');
  else if (trigger.callback === undefined) books.line.push(trigger);
  else trigger.best = price;
}

/**
 * On a price change, trailing triggers follow, and reached triggers are queued: nearest first, then
 * oldest.
 */
export function update(books: NaiveBooks, instrument: NaiveInstrument, source: Source): void {
  const price = priceOf(books, instrument, source);
  const listening = books.triggers.filter(
    (each) =>
      each.instrument === instrument && each.source === source && !books.line.includes(each),
  );
  if (isStale(books, instrument, source)) {
    if (listening.some((each) => isReached(each, price)))
      books.report.happened.push('trigger passed by a frozen mark');
    return;
  }
  const reached: NaiveTrigger[] = [];
  for (const trigger of listening) {
    const { best, callback, side } = trigger;
    if (isReached(trigger, price) && (callback === undefined || best !== undefined))
      reached.push(trigger);
    else if (isReached(trigger, price)) trigger.best = price;
    else if (best !== undefined)
      trigger.best = side === 'sell' ? (price > best ? price : best) : price < best ? price : best;
  }
  reached.sort((left, right) => {
    const [one, other] = [target(left), target(right)];
    if (one.rises !== other.rises) return one.rises ? -1 : 1;
    if (one.at === other.at) return left.number - right.number;
    return one.at < other.at === one.rises ? -1 : 1;
  });
  if (reached.length > 1) books.report.happened.push('several triggers reached by one price');
  books.line.push(...reached);
}

/**
 * Coin by coin: index, mark and last price of each symbol. Before the first trade the index is the
 * last price. Marks of other coins come last.
 */
export function updatePrices(
  books: NaiveBooks,
  futures: readonly NaiveInstrument[],
  coins: readonly string[],
): void {
  for (const coin of coins)
    for (const instrument of futures.filter(({ base }) => base === coin))
      for (const source of ['index', 'mark', 'last'] as const) update(books, instrument, source);
  for (const instrument of futures)
    if (!coins.includes(instrument.base)) update(books, instrument, 'mark');
}

/** One after another, each with its consequences. */
export function fireAll(books: NaiveBooks): boolean {
  if (books.line.length === 0) return false;
  for (let next = books.line[0]; next !== undefined; next = books.line[0]) fire(books, next);
  return true;
}

const remove = (books: NaiveBooks, trigger: NaiveTrigger): void => {
  books.triggers = books.triggers.filter((each) => each !== trigger);
  books.line = books.line.filter((each) => each !== trigger);
};

export function cancelTrigger(books: NaiveBooks, trigger: NaiveTrigger, reason: string): void {
  if (books.line.includes(trigger)) books.report.happened.push(`in line and cancelled ${reason}`);
  remove(books, trigger);
  emitTrigger(books, trigger.number, `cancelled ${reason}`, `${trigger.kind} cancelled ${reason}`);
}

export function emitTrigger(
  books: NaiveBooks,
  number: number,
  what: string,
  counted: string,
): void {
  books.report.triggers.push([number, what]);
  books.report.happened.push(counted);
}

/** An accepted order cancels the OCO sibling; a refused one leaves it. */
function fire(books: NaiveBooks, trigger: NaiveTrigger): void {
  const { number, kind, user, instrument, ocoSibling, isolated } = trigger;
  books.copying?.settleOwn(user);
  const wasIsolated = user.settings[instrument.symbol]!.isolated;
  const before = [books.triggers, books.line] as const;
  remove(books, trigger);
  const [fired, line] = [books.triggers, books.line];
  const emitted = books.report.triggers.length;
  const order = books.accepted;
  const isSiblingThere = ocoSibling !== undefined && before[0].includes(ocoSibling);
  if (isSiblingThere) remove(books, ocoSibling);
  const size = sizeNow(books, trigger);
  const draft = orderOf(trigger, size);
  const placed = (): string | undefined =>
    place(books, user, instrument, draft, closesWholePosition(kind));
  const refused =
    size === 0n ? 'nothingToClose' : withMode(books, user, instrument, draft.marginMode, placed);
  if (refused !== undefined) {
    [books.triggers, books.line] = [fired, line];
    emitTrigger(books, number, `failed ${refused}`, `${kind} failed ${refused}`);
    books.report.happened.push(`trigger failed ${refused}`);
    return;
  }
  trim(books);
  books.report.triggers.splice(emitted, 0, [number, `fired ${order}`]);
  if (isSiblingThere)
    books.report.triggers.splice(emitted, 0, [ocoSibling.number, 'cancelled ocoSiblingFired']);
  books.report.happened.push(
    `${kind} fired by ${trigger.source}`,
    ...(isSiblingThere ? ['OCO sibling cancelled'] : []),
  );
  if (!isTrading(books, instrument))
    books.report.happened.push(`${isExit(kind) ? 'TP/SL' : 'plan'} fired in a halt`);
  if (wasIsolated !== isolated)
    books.report.happened.push(
      isClosing(trigger) ? 'closed in the other mode' : 'mode switched back by a trigger',
    );
}

const isClosing = ({ kind, user, reduceOnly, side, positionSide }: NaiveTrigger): boolean =>
  isExit(kind) || (user.hedge ? (side === 'buy') !== (positionSide === 'long') : reduceOnly);

/** A closing trigger is cut to the closable size. */
function sizeNow(books: NaiveBooks, trigger: NaiveTrigger): bigint {
  const { kind, user } = trigger;
  if (!isClosing(trigger)) return trigger.size;
  const position = books.positions.find((each) => closes(trigger, each));
  if (position === undefined) return 0n;
  if (closesWholePosition(kind)) return position.size;
  const room = user.hedge ? position.size - heldBack(books, position) : position.size;
  if (room < trigger.size) books.report.happened.push(`${kind} cut`);
  return min(trigger.size, room);
}

/** An opening trigger uses its margin mode at placing; a closing one uses either. */
function orderOf(trigger: NaiveTrigger, size: bigint) {
  const { side, price, positionSide, stp, takeProfit, stopLoss } = trigger;
  const attached =
    takeProfit === undefined && stopLoss === undefined
      ? undefined
      : { takeProfit, stopLoss, opened: 0n, value: 0n };
  return {
    side,
    market: price === undefined,
    size: shown(size),
    price: price === undefined ? undefined : shown(price),
    timeInForce: 'gtc',
    positionSide,
    stp,
    reduceOnly: trigger.reduceOnly,
    onMargin: false,
    closesAnyway: isClosing(trigger),
    marginMode: isClosing(trigger) ? undefined : modeOf(trigger.isolated),
    attached,
  };
}

const closes = ({ user, instrument, side }: NaiveTrigger, position: NaivePosition): boolean =>
  position.user === user &&
  position.instrument === instrument &&
  (position.side === 'long') === (side === 'sell');

/** TP/SL of a side end with the position, and its fills of open orders get none. */
export function endTpsl(books: NaiveBooks, { user, instrument, side }: NaivePosition): void {
  for (const trigger of books.triggers)
    if (
      trigger.user === user &&
      trigger.instrument === instrument &&
      isExit(trigger.kind) &&
      trigger.positionSide === side
    )
      cancelTrigger(books, trigger, 'positionClosed');
  for (const order of books.orders)
    if (order.user === user && order.instrument === instrument && order.attached !== undefined) {
      if ((order.positionSide ?? (order.side === 'buy' ? 'long' : 'short')) !== side) continue;
      if (order.attached.opened > 0n)
        books.report.happened.push('filled and closed before its TP/SL');
      order.attached.opened = 0n;
      order.attached.value = 0n;
    }
}
