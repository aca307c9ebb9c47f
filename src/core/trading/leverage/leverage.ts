/**
 * Sets the leverage of a symbol. Its positions and open orders are margined anew, because they
 * always use the leverage that is set.
 */

import { ceilingDivide, UNIT } from '../../../formulas/exact.ts';
import { tierOf } from '../../../formulas/maintenance.ts';
import { orderNeed } from '../../../formulas/margin.ts';
import type { DecimalText } from '../../../kernel/decimal-text.ts';
import {
  type Amount,
  least,
  minus,
  moneyText,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { CommandOf } from '../../../messages/commands.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import {
  isIsolated,
  isLimit,
  POSITION_SIDES,
  type PositionSide,
} from '../../../messages/vocabulary.ts';
import { changeSetting, wholeLeverage } from '../../accounts/settings.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import { hasSides, settingOf } from '../../derived/account-context.ts';
import { feeRatesFor } from '../../derived/fee-rates.ts';
import {
  type InstrumentSpec,
  instrumentKey,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import { crossedLeverage, markOf, positionOf, positionRow } from '../../derived/position.ts';
import { freeSums } from '../../margin/account-margin.ts';
import { canSpend } from '../../margin/free-margin.ts';
import { changeHold } from '../../margin/holds.ts';
import type { Account, SymbolSetting } from '../../state/account.ts';
import type { Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { done, type Handler, reject, type Step } from '../../transaction/step.ts';
import { openOrdersOf } from '../orders/open-orders.ts';
import { heldBy } from '../orders/order.ts';
import { openValue } from '../risk/tier-room.ts';

/** An account in a symbol, with its settings there. */
interface AccountSymbol {
  readonly account: Account;
  readonly spec: InstrumentSpec;
  readonly setting: Readonly<SymbolSetting>;
}

/** A change of leverage and what it applies to. */
export interface LeverageChange {
  readonly spec: InstrumentSpec;
  readonly uid: Order['uid'];
  readonly isolated: boolean;
  readonly leverage: Rate;
  readonly sides: readonly PositionSide[];
  readonly positions: readonly Position[];
  /** Orders with their new holds. */
  readonly orders: readonly { readonly order: Order; readonly amount: Amount }[];
}

export const setLeverage: Handler<'setLeverage'> = (step, command) => {
  const { uid, category, symbol, leverage, side } = command;
  const found = findAccountSymbol(step, command);
  if (!found.ok) return found;
  const { account, spec, setting } = found.value;
  const planned = planLeverage(step, found.value, leverage, side);
  if (!planned.ok) return planned;

  const { whole, ownSide, change } = planned.value;
  changeSetting(step, account, spec.key, withLeverage(setting, whole, ownSide));
  step.derived.headroom.forget(uid);
  step.emit({
    type: 'leverageChanged',
    uid,
    category,
    symbol,
    leverage: whole,
    ...(ownSide === undefined ? {} : { side: ownSide }),
  });
  applyLeverageChange(step, change, whole);
  return done;
};

/** A leverage for the margin mode that is not set would change the other mode's (ACC-23). */
function findAccountSymbol(
  { state, derived }: Step,
  {
    uid,
    category,
    symbol,
    marginMode,
  }: Pick<CommandOf<'setLeverage'>, 'uid' | 'category' | 'symbol' | 'marginMode'>,
): Result<AccountSymbol, Rejection> {
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const spec = derived.spec.get(instrumentKey(category, symbol));
  if (spec === undefined) return reject('unknownSymbol', 'symbol', symbol);
  const setting = settingOf(state, account, spec.key);
  if (marginMode !== undefined && marginMode !== setting.marginMode)
    return reject('fieldInvalid', 'marginMode', marginMode);
  return ok({ account, spec, setting });
}

/** A checked leverage in its shortest text, and the change that it makes. */
interface LeveragePlan {
  readonly whole: DecimalText;
  /** The side that it is set for; undefined for both. */
  readonly ownSide: PositionSide | undefined;
  readonly change: LeverageChange;
}

/** Changes nothing. */
export function planLeverage(
  step: Step,
  target: AccountSymbol,
  leverage: DecimalText,
  side: PositionSide | undefined,
): Result<LeveragePlan, Rejection> {
  const { account, spec, setting } = target;
  const { leverageMax } = spec.instrument;
  const whole = wholeLeverage(leverage, leverageMax);
  if (whole === undefined) return reject('leverageOutOfRange', 'leverage', leverageMax);
  const ownSide = side !== undefined && hasSides(account, setting.marginMode) ? side : undefined;
  const change = changeOf(step, target, rateFromText(whole), ownSide);
  const highest = highestAllowed(step, change);
  if (change.leverage > highest)
    return reject('leverageOutOfRange', 'leverage', moneyText(highest));
  return isLeverageCovered(step, change)
    ? ok({ whole, ownSide, change })
    : reject('leverageNeedsMargin', 'leverage');
}

export function withLeverage(
  setting: Readonly<SymbolSetting>,
  leverage: DecimalText,
  side: PositionSide | undefined,
): SymbolSetting {
  if (side === 'long') return { ...setting, longLeverage: leverage };
  if (side === 'short') return { ...setting, shortLeverage: leverage };
  return { marginMode: setting.marginMode, leverage };
}

export function changeOf(
  { state, derived }: Step,
  { account, spec, setting }: AccountSymbol,
  leverage: Rate,
  side: PositionSide | undefined,
): LeverageChange {
  const { uid } = account.profile;
  const sides = side === undefined ? POSITION_SIDES : [side];
  const positions = sides.flatMap((each) => positionOf(state, uid, spec.key, each) ?? []);
  const open = [...(openOrdersOf(derived, uid, spec.key)?.all ?? [])];
  const orders = open
    .filter((order) => side === undefined || order.positionSide === side)
    .map((order) => ({
      order,
      amount: neededBy(
        order,
        spec,
        markOf(state, spec),
        leverage,
        feeRatesFor(state, uid, spec.category).taker,
      ),
    }));
  return {
    spec,
    uid,
    isolated: isIsolated(setting.marginMode),
    leverage,
    sides,
    positions,
    orders,
  };
}

/** Priced as at placement: a limit order at its price, a waiting market order at mark. */
function neededBy(
  order: Order,
  spec: InstrumentSpec,
  mark: ReturnType<typeof markOf>,
  leverage: Rate,
  feeRate: Rate,
): Amount {
  const lots: Lots = order.hold.kind === 'none' ? NO_LOTS : order.hold.lots;
  if (lots === 0) return ZERO_AMOUNT;
  const price = isLimit(order.orderType) ? priceOf(spec, order.limit) : mark;
  return orderNeed(spec.kind, price, sizeOf(spec, lots), leverage, feeRate);
}

/** All that is open must lie in a tier that allows the leverage. */
function highestAllowed(step: Step, { uid, spec, sides }: LeverageChange): Rate {
  const allowed = sides.map((side) => {
    const value = openValue(step, uid, spec, side === 'long' ? 'buy' : 'sell', side);
    return value === 0n ? spec.leverageMax : tierOf(spec.tiers, value).leverageMax;
  });
  return allowed.reduce(least);
}

const total = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((sum, amount) => (sum + amount) as Amount, ZERO_AMOUNT);

/** The increase of holds; negative if margin is released. */
const holdIncrease = ({ orders }: LeverageChange): Amount =>
  minus(total(orders.map(({ amount }) => amount)), total(orders.map(({ order }) => heldBy(order))));

/**
 * Orders that release margin come before orders that need more, which may need just that. A higher
 * leverage does not always release: a waiting market order also follows the mark.
 */
const freeingFirst = (
  one: LeverageChange['orders'][number],
  other: LeverageChange['orders'][number],
): number => {
  const isFreeing = ({ order, amount }: LeverageChange['orders'][number]): number =>
    amount <= heldBy(order) ? 0 : 1;
  return isFreeing(one) - isFreeing(other);
};

/** True if isolated positions have the margin that the leverage requires. */
export const isMargined = ({ spec, leverage, positions }: LeverageChange): boolean =>
  positions.every(
    (position) =>
      leverage >= rateFromText(position.leverage) ||
      initialOf(spec, position.entry, leverage) <= position.margin,
  );

/**
 * A higher leverage releases margin. A lower one needs more, and the account must have it, also for
 * an order that follows (`further`).
 */
export function isLeverageCovered(
  step: Step,
  change: LeverageChange,
  further = ZERO_AMOUNT,
): boolean {
  const { uid, spec, leverage, positions } = change;
  const coin = spec.instrument.marginCoin;
  const more = holdIncrease(change);
  const isMore = more > 0n || further > 0n;
  if (change.isolated)
    return isMargined(change) && (!isMore || canSpend(step, uid, coin, plus(more, further)));
  const isLower = positions.some((position) => leverage < crossedLeverage(position));
  if (!isMore && !isLower) return true;
  const sums = freeSums(step.state, step.derived, uid, (position) =>
    position.key === spec.key ? leverage : crossedLeverage(position),
  );
  sums.need(coin, more);
  sums.need(coin, further);
  return sums.headroom() >= 0n;
}

/** The least margin of an isolated position: its value at entry / leverage. */
export const initialOf = (spec: InstrumentSpec, entry: Position['entry'], leverage: Rate): Amount =>
  ceilingDivide(spec.inverse ? entry.size * UNIT : entry.cost, leverage) as Amount;

function applyLeverageChange(
  step: Step,
  { spec, positions, orders }: LeverageChange,
  leverage: DecimalText,
): void {
  for (const { order, amount } of orders.toSorted(freeingFirst)) {
    order.leverage = leverage;
    changeHold(step, order, amount);
    const marginHold = order.hold.kind === 'margin' && amount > 0n ? { marginHold: amount } : {};
    step.emit({
      type: 'orderReleveraged',
      orderId: order.id,
      uid: order.uid,
      leverage,
      ...marginHold,
    });
  }
  for (const position of positions) {
    position.leverage = leverage;
    position.updatedAt = step.at;
    step.emit({ type: 'positionChanged', position: positionRow(position, spec) });
  }
}

const FIELDS = { long: 'longLeverage', short: 'shortLeverage' } as const;

export const setSideLeverages: Handler<'setSideLeverages'> = (step, command) => {
  const { uid, category, symbol, longLeverage, shortLeverage } = command;
  const found = findAccountSymbol(step, command);
  if (!found.ok) return found;
  const { account, spec, setting } = found.value;
  const { leverageMax, marginCoin } = spec.instrument;
  const [long, short] = [
    wholeLeverage(longLeverage, leverageMax),
    wholeLeverage(shortLeverage, leverageMax),
  ];
  if (long === undefined) return reject('leverageOutOfRange', FIELDS.long, leverageMax);
  if (short === undefined) return reject('leverageOutOfRange', FIELDS.short, leverageMax);
  if (long === short)
    return setLeverage(step, { type: 'setLeverage', uid, category, symbol, leverage: long });
  if (!hasSides(account, setting.marginMode)) return reject('fieldInvalid', FIELDS.short, short);
  const requests: readonly { readonly side: PositionSide; readonly leverage: DecimalText }[] = [
    { side: 'long', leverage: long },
    { side: 'short', leverage: short },
  ];
  const changes = requests.map((request) => ({
    ...request,
    change: changeOf(step, found.value, rateFromText(request.leverage), request.side),
  }));
  for (const { side, change } of changes) {
    const highest = highestAllowed(step, change);
    if (change.leverage > highest)
      return reject('leverageOutOfRange', FIELDS[side], moneyText(highest));
  }
  const uncovered = changes.find(({ change }) => !isMargined(change));
  if (uncovered !== undefined) return reject('leverageNeedsMargin', FIELDS[uncovered.side]);
  const more = changes.map(({ change }) => holdIncrease(change)).reduce(plus);
  if (more > 0n && !canSpend(step, uid, marginCoin, more))
    return reject('leverageNeedsMargin', FIELDS.short);

  changeSetting(
    step,
    account,
    spec.key,
    withLeverage(withLeverage(setting, long, 'long'), short, 'short'),
  );
  step.derived.headroom.forget(uid);
  // The side that releases margin goes first, because the other may need it.
  const freeingFirst = changes.toSorted((left, right) =>
    holdIncrease(left.change) < holdIncrease(right.change) ? -1 : 1,
  );
  for (const { side, leverage, change } of freeingFirst) {
    step.emit({ type: 'leverageChanged', uid, category, symbol, leverage, side });
    applyLeverageChange(step, change, leverage);
  }
  return done;
};
