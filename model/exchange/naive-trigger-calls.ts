/** Trigger calls of the naive exchange, with their rules in order. */

import { described, enterTriggers, sideRefusal, tpslText } from './naive-attached-tpsl.ts';
import { hasRoom, isRestricted, placesOf } from './naive-limits.ts';
import { canHaveMode, withMode } from './naive-modes.ts';
import type { NaiveBooks } from './naive-money.ts';
import { answerByName, takeName } from './naive-names.ts';
import type { NaiveInstrument, NaiveUser, PositionSide, Side } from './naive-state.ts';
import { takesOrders } from './naive-statuses.ts';
import {
  arm,
  cancelTrigger,
  closesWholePosition,
  emitTrigger,
  isExit,
  isTakeProfit,
  type NaiveTpsl,
  type NaiveTrigger,
  priceOf,
  type Source,
  type TriggerKind,
} from './naive-triggers.ts';

export interface NaivePlan {
  readonly kind: 'conditional' | 'trailing';
  readonly side: Side;
  readonly positionSide: PositionSide | undefined;
  readonly reduceOnly: boolean;
  /** Undefined: the mode of the account. */
  readonly stp: string | undefined;
  readonly source: Source;
  readonly triggerPrice: bigint;
  readonly size: bigint;
  readonly price: bigint | undefined;
  readonly callback: bigint | undefined;
  readonly takeProfit: NaiveTpsl | undefined;
  readonly stopLoss: NaiveTpsl | undefined;
  /** Only if given. */
  readonly mode: 'isolated' | 'crossed' | undefined;
  readonly name?: string | undefined;
}

export interface NaiveExit {
  readonly kind: TriggerKind;
  readonly source: Source;
  readonly triggerPrice: bigint;
  readonly size: bigint;
  readonly price: bigint | undefined;
  readonly callback: bigint | undefined;
}

const sizeRefusal = (
  { lot, sizeMin, sizeMax, marketSizeMax }: NaiveInstrument,
  size: bigint,
  market: boolean,
): string | undefined => {
  if (size % lot !== 0n) return 'sizeOffStep';
  if (size < sizeMin) return 'sizeTooSmall';
  return size > (market ? marketSizeMax : sizeMax) ? 'sizeTooLarge' : undefined;
};

const priceRefusal = (
  { tick }: NaiveInstrument,
  prices: readonly (bigint | undefined)[],
): string | undefined =>
  prices.some((price) => price !== undefined && price % tick !== 0n) ? 'priceOffStep' : undefined;

const tpslPrices = (way: NaiveTpsl | undefined): (bigint | undefined)[] =>
  way === undefined || way.isPercent ? [] : [way.triggerPrice, way.price];

const statusRefusal = (books: NaiveBooks, instrument: NaiveInstrument): string | undefined =>
  takesOrders(books, instrument, false) ? undefined : 'symbolClosed';

export function placePlan(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  plan: NaivePlan,
): void {
  const content = contentOf(instrument, plan);
  const before = answerByName(books, user, plan.name, content);
  if (before !== undefined) {
    books.report.answers.push(before);
    books.report.happened.push(`trigger client id repeated: ${before}`);
    return;
  }
  const { isolated } = user.settings[instrument.symbol]!;
  const refused = withMode(books, user, instrument, plan.mode, () =>
    planRefusal(books, user, instrument, plan),
  );
  books.report.answers.push(refused ?? 'accepted');
  if (refused !== undefined) return;
  const setting = user.settings[instrument.symbol]!;
  if (setting.isolated !== isolated) books.report.happened.push('mode set by a trigger');
  const positionSide = user.hedge ? plan.positionSide : undefined;
  takeName(books, user, plan.name, { instrument, plan, content });
  const { mode: _mode, name: _name, ...rest } = plan;
  const reduceOnly = plan.reduceOnly && !user.hedge;
  const stp = plan.stp ?? user.selfTrade;
  if (plan.stp === undefined && stp !== 'none')
    books.report.happened.push('self-trade mode of a trigger from the account');
  enterTriggers(books, [
    { ...rest, stp, user, instrument, positionSide, reduceOnly, isolated: setting.isolated },
  ]);
}

/** The whole request; fields that do not apply were removed earlier. */
function contentOf({ category, symbol }: NaiveInstrument, plan: NaivePlan): string {
  const {
    kind,
    side,
    positionSide,
    reduceOnly,
    stp = 'none',
    source,
    triggerPrice,
    size,
    price,
    callback,
    takeProfit,
    stopLoss,
    mode,
  } = plan;
  const about = `${positionSide} ${reduceOnly}`;
  const tpsl = `${tpslText(takeProfit)} ${tpslText(stopLoss)}`;
  return [
    'plan',
    kind,
    category,
    symbol,
    side,
    about,
    stp,
    source,
    triggerPrice,
    size,
    price,
    callback,
    tpsl,
    mode,
  ].join();
}

/** A closing trigger cannot have attached TP/SL. */
function closingRefusal(
  { hedge }: NaiveUser,
  { side, positionSide, reduceOnly, takeProfit, stopLoss }: NaivePlan,
): string | undefined {
  const closes = hedge ? (side === 'buy') !== (positionSide === 'long') : reduceOnly;
  return closes && (takeProfit ?? stopLoss) !== undefined ? 'triggerFieldsConflict' : undefined;
}

const planRefusal = (
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  plan: NaivePlan,
): string | undefined =>
  statusRefusal(books, instrument) ??
  (user.hedge && plan.positionSide === undefined ? 'triggerFieldsConflict' : undefined) ??
  priceRefusal(instrument, [plan.triggerPrice, plan.price]) ??
  sizeRefusal(instrument, plan.size, plan.price === undefined) ??
  closingRefusal(user, plan) ??
  priceRefusal(instrument, [...tpslPrices(plan.takeProfit), ...tpslPrices(plan.stopLoss)]) ??
  (canHaveMode(books, user, instrument, plan.mode) ? undefined : 'marginModeInUse') ??
  (hasRoom(books, user, instrument, placesOf(plan)) ? undefined : 'tooManyTriggers') ??
  dayRefusal(books, user);

const dayRefusal = (books: NaiveBooks, user: NaiveUser): string | undefined =>
  isRestricted(books, user) ? 'dailyOrdersReached' : undefined;

/** All of them or none. */
export function placeTpslOrders(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  positionSide: PositionSide,
  stp: string | undefined,
  tpsl: readonly NaiveExit[],
): void {
  const refused =
    statusRefusal(books, instrument) ??
    first(
      tpsl,
      ({ kind, size, triggerPrice, price }) =>
        priceRefusal(instrument, [triggerPrice, price]) ??
        (closesWholePosition(kind)
          ? undefined
          : sizeRefusal(instrument, size, price === undefined)),
    ) ??
    (hasPosition(books, user, instrument, positionSide) ? undefined : 'noPosition') ??
    first(
      tpsl,
      (exit) =>
        sideRefusal(priceOf(books, instrument, exit.source), positionSide, exit) ??
        takenRefusal(books, user, instrument, positionSide, exit.kind),
    ) ??
    (hasRoom(books, user, instrument, tpsl.length) ? undefined : 'tooManyTpsl') ??
    dayRefusal(books, user);
  if (refused !== undefined) {
    books.report.answers.push(refused);
    return;
  }
  const side = positionSide === 'long' ? 'sell' : 'buy';
  const shared = {
    user,
    instrument,
    positionSide,
    side,
    reduceOnly: !user.hedge,
    stp: stp ?? user.selfTrade,
    isolated: user.settings[instrument.symbol]!.isolated,
    takeProfit: undefined,
    stopLoss: undefined,
  } as const;
  books.report.answers.push(...tpsl.map(() => 'accepted'));
  enterTriggers(
    books,
    tpsl.map((exit) => ({
      ...shared,
      ...exit,
      size: closesWholePosition(exit.kind) ? 0n : exit.size,
    })),
  );
}

const first = <Item>(
  items: readonly Item[],
  refuse: (item: Item) => string | undefined,
): string | undefined => items.map(refuse).find((refused) => refused !== undefined);

const hasPosition = (
  { positions }: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: PositionSide,
): boolean =>
  positions.some(
    (each) => each.user === user && each.instrument === instrument && each.side === side,
  );

/** One of each kind for the whole side. */
function takenRefusal(
  { triggers }: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: PositionSide,
  kind: TriggerKind,
): string | undefined {
  const isTaken = triggers.some(
    (each) =>
      each.user === user &&
      each.instrument === instrument &&
      each.positionSide === side &&
      each.kind === kind,
  );
  if (!closesWholePosition(kind) || !isTaken) return undefined;
  return isTakeProfit(kind) ? 'takeProfitExists' : 'stopLossExists';
}

/** By number, each with its own answer; or all of these kinds in the category. */
export function cancelTriggers(
  books: NaiveBooks,
  user: NaiveUser,
  category: string,
  symbol: string | undefined,
  kinds: readonly TriggerKind[],
  numbers: readonly number[] | undefined,
): void {
  const isMeant = ({ user: own, instrument, kind }: NaiveTrigger): boolean =>
    own === user &&
    instrument.category === category &&
    (symbol === undefined || instrument.symbol === symbol) &&
    (kinds.length === 0 || kinds.includes(kind));
  const named = numbers ?? books.triggers.filter(isMeant).map(({ number }) => number);
  for (const number of named) {
    const trigger = books.triggers.find((each) => each.number === number && isMeant(each));
    books.report.answers.push(trigger === undefined ? 'unknownTrigger' : 'accepted');
    if (trigger !== undefined) cancelTrigger(books, trigger, 'byUser');
  }
}

/** A missing field stays. */
export interface NaiveTriggerChange {
  readonly size: bigint | undefined;
  /** Zero: at market. */
  readonly price: bigint | undefined;
  readonly triggerPrice: bigint | undefined;
  readonly source: Source | undefined;
  readonly callback: bigint | undefined;
}

/** A reached trigger cannot change, because it is about to fire. */
export function changeTrigger(
  books: NaiveBooks,
  user: NaiveUser,
  number: number,
  exit: boolean,
  change: NaiveTriggerChange,
): void {
  const own = books.triggers.filter((each) => each.user === user && !books.line.includes(each));
  const trigger = own.find((each) => each.number === number && isExit(each.kind) === exit);
  const refused =
    trigger === undefined
      ? exit
        ? 'unknownTpsl'
        : 'unknownTrigger'
      : changeRefusal(books, trigger, change);
  books.report.answers.push(refused ?? 'accepted');
  if (trigger === undefined || refused !== undefined) return;
  const { size, price, triggerPrice, source, callback } = changed(trigger, change);
  const isConditionChanged = changesCondition(trigger, { triggerPrice, source, callback });
  Object.assign(trigger, { size, price, triggerPrice, source, callback });
  emitTrigger(
    books,
    number,
    `changed ${described(trigger)}`,
    isConditionChanged ? 'trigger waits again' : 'trigger changed',
  );
  if (isConditionChanged) arm(books, trigger);
}

/** Whether the condition changes. */
const changesCondition = (
  trigger: NaiveTrigger,
  { triggerPrice, source, callback }: Pick<NaiveTrigger, 'triggerPrice' | 'source' | 'callback'>,
) =>
  triggerPrice !== trigger.triggerPrice ||
  source !== trigger.source ||
  callback !== trigger.callback;

const changed = (
  trigger: NaiveTrigger,
  { size, price, triggerPrice, source, callback }: NaiveTriggerChange,
) => ({
  ...trigger,
  size: closesWholePosition(trigger.kind) ? 0n : (size ?? trigger.size),
  price: price === undefined ? trigger.price : price === 0n ? undefined : price,
  triggerPrice: triggerPrice ?? trigger.triggerPrice,
  source: source ?? trigger.source,
  callback: callback ?? trigger.callback,
});

/** Applies the placement rules to the changed trigger. */
function changeRefusal(
  books: NaiveBooks,
  trigger: NaiveTrigger,
  change: NaiveTriggerChange,
): string | undefined {
  const { instrument, kind, positionSide } = trigger;
  const after = changed(trigger, change);
  const isTrailing = trigger.callback !== undefined;
  if (!takesOrders(books, instrument, false)) return 'symbolClosed';
  if (isTrailing ? after.price !== undefined : change.callback !== undefined)
    return 'triggerFieldsConflict';
  if (!isExit(kind) && !isTrailing && (after.price === undefined) !== (trigger.price === undefined))
    return 'triggerFieldsConflict';
  return (
    priceRefusal(instrument, [after.triggerPrice, after.price]) ??
    (change.size === undefined || change.size === trigger.size || closesWholePosition(kind)
      ? undefined
      : sizeRefusal(instrument, after.size, after.price === undefined)) ??
    (isExit(kind) && changesCondition(trigger, after)
      ? sideRefusal(priceOf(books, instrument, after.source), positionSide!, after)
      : undefined)
  );
}
