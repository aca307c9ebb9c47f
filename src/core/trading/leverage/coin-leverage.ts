/**
 * Sets the leverage for borrowing a coin. The debt in the coin and the open margin orders that
 * would borrow it are margined anew.
 */

import { ceilingAmount, costOf } from '../../../formulas/exact.ts';
import { positionMargin } from '../../../formulas/margin.ts';
import type { DecimalText } from '../../../kernel/decimal-text.ts';
import type { Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  decimalTextOf,
  minus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { type Category, isFutures, isLimit } from '../../../messages/vocabulary.ts';
import { changeSetting, wholeLeverage } from '../../accounts/settings.ts';
import { accountOf, specOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import { hasOpenInterest } from '../../derived/open-interest.ts';
import { coinLeverageOf, freeSums } from '../../margin/account-margin.ts';
import { debtOf } from '../../margin/debts.ts';
import { changeHold } from '../../margin/holds.ts';
import type { Account, SymbolSetting } from '../../state/account.ts';
import type { Order } from '../../state/order.ts';
import {
  done,
  type Handler,
  inParts,
  type Reaction,
  reject,
  type Step,
} from '../../transaction/step.ts';
import { marginNeed } from '../orders/margin-hold.ts';
import { referencePrice } from '../orders/order-plan.ts';

/** An open margin order, the coin of its margin, and the margin before and after. */
interface Remargined {
  readonly order: Order;
  readonly coin: string;
  readonly before: Amount;
  readonly after: Amount;
}

/**
 * What is open follows the new leverage, as in futures (POS-80). A lower one needs more margin,
 * which the account must have.
 */
export const setCoinLeverage: Handler<'setCoinLeverage'> = (step, { uid, coin, leverage }) => {
  const { state, derived } = step;
  const account = state.accounts.get(uid);
  if (account === undefined) return reject('unknownUser', 'uid', `${uid}`);
  const listed = state.coins.get(coin);
  if (listed === undefined) return reject('unknownCoin', 'coin', coin);
  const whole = wholeLeverage(leverage, listed.leverageMax);
  if (whole === undefined) return reject('leverageOutOfRange', 'leverage', listed.leverageMax);
  const [before, after] = [rateFromText(coinLeverageOf(state, uid, coin)), rateFromText(whole)];
  const orders = before === after ? [] : remargined(step, uid, coin, after);
  if (after < before && !isCoinLeverageCovered(step, uid, coin, [before, after], orders))
    return reject('leverageNeedsMargin', 'leverage');

  account.coinLeverages.set(coin, whole);
  derived.headroom.forget(uid);
  step.emit({ type: 'coinLeverageChanged', uid, coin, leverage: whole });
  for (const order of orders) remargin(step, order);
  return done;
};

function remargin(step: Step, { order, after: amount }: Remargined): void {
  changeHold(step, order, amount);
  step.emit({ type: 'orderReleveraged', orderId: order.id, uid: order.uid, marginHold: amount });
}

/**
 * A listing refuses no account: one that cannot cover the new margin opens nothing more until it
 * can.
 */
export const remarginWithCoin: Reaction<'coinListed'> = (step, { coin: { coin } }) => {
  const uids = new Set<Uid>();
  for (const { category, hold, uid } of step.state.orders.values())
    if (category === 'MARGIN' && hold.kind === 'margin') uids.add(uid);
  const orders = [...uids].flatMap((uid) =>
    remargined(step, uid, coin, rateFromText(coinLeverageOf(step.state, uid, coin))),
  );
  const changed = orders.filter(({ before, after }) => before !== after);
  inParts(step, changed, (order) => remargin(step, order));
};

/**
 * The open margin orders that pay with the coin and so may borrow it. One that only repays uses no
 * margin.
 */
function remargined(
  { state, derived }: Step,
  uid: Uid,
  coin: string,
  leverage: Rate,
): readonly Remargined[] {
  const orders: Remargined[] = [];
  for (const id of state.accounts.get(uid)!.openOrders) {
    const order = state.orders.get(id)!;
    if (order.category !== 'MARGIN' || order.hold.kind !== 'margin') continue;
    const spec = specOf(derived, order.key);
    const { baseCoin, quoteCoin } = spec.instrument;
    if (coin !== (order.side === 'buy' ? quoteCoin : baseCoin)) continue;
    // The price of its placement: that of a limit order, the reference price of a waiting market
    // order.
    const price = isLimit(order.orderType)
      ? priceOf(spec, order.limit)
      : referencePrice(state, spec);
    if (price === undefined) continue;
    const value =
      order.quoteAmount === undefined
        ? ceilingAmount(costOf(price, sizeOf(spec, order.hold.lots)))
        : minus(order.quoteAmount, order.filledValue);
    orders.push({
      order,
      coin: quoteCoin,
      before: order.hold.amount,
      after: marginNeed(state, uid, spec.category, value, leverage),
    });
  }
  return orders;
}

function isCoinLeverageCovered(
  step: Step,
  uid: Uid,
  coin: string,
  [before, after]: readonly [Rate, Rate],
  orders: readonly Remargined[],
): boolean {
  const { state, derived } = step;
  const { principal } = debtOf(state, uid, coin);
  if (principal === ZERO_AMOUNT && orders.length === 0) return true;
  const sums = freeSums(state, derived, uid);
  sums.need(coin, minus(positionMargin(principal, after), positionMargin(principal, before)));
  for (const order of orders) sums.need(order.coin, minus(order.after, order.before));
  return sums.headroom() >= 0n;
}

/** The leverage, cut to the maximum of the first tier. */
function lowered({ tiers }: InstrumentSpec, leverage: DecimalText): DecimalText {
  const [first] = tiers;
  return first === undefined || rateFromText(leverage) <= first.leverageMax
    ? leverage
    : decimalTextOf(first.leverageMax);
}

const isAllowed = (
  spec: InstrumentSpec,
  { leverage, longLeverage = leverage, shortLeverage = leverage }: Readonly<SymbolSetting>,
): boolean => [leverage, longLeverage, shortLeverage].every((each) => lowered(spec, each) === each);

function lowerIfFlat(step: Step, account: Account, spec: InstrumentSpec): void {
  const { category, symbol } = spec.instrument;
  const { uid } = account.profile;
  const setting = account.symbolSettings.get(spec.key);
  if (setting === undefined || !isFutures(category) || isAllowed(spec, setting)) return;
  if (hasOpenInterest(step.state, uid, spec.key)) return;
  const after: SymbolSetting = {
    marginMode: setting.marginMode,
    leverage: lowered(spec, setting.leverage),
  };
  step.emit({ type: 'leverageChanged', uid, category, symbol, leverage: after.leverage });
  // An event without a side sets both sides, so the events of the sides follow it.
  if (setting.longLeverage !== undefined) {
    after.longLeverage = lowered(spec, setting.longLeverage);
    step.emit({
      type: 'leverageChanged',
      uid,
      category,
      symbol,
      leverage: after.longLeverage,
      side: 'long',
    });
  }
  if (setting.shortLeverage !== undefined) {
    after.shortLeverage = lowered(spec, setting.shortLeverage);
    step.emit({
      type: 'leverageChanged',
      uid,
      category,
      symbol,
      leverage: after.shortLeverage,
      side: 'short',
    });
  }
  changeSetting(step, account, spec.key, after);
}

export const lowerWithListing: Reaction<'instrumentListed'> = (
  step,
  { instrument: { category, symbol } },
) => {
  const spec = step.derived.marketContexts.named(category, symbol)?.spec;
  if (spec === undefined || !spec.futures) return;
  inParts(step, step.state.accounts.values(), (account) => lowerIfFlat(step, account, spec));
};

/** Runs at the end of every order; one comparison finds most accounts to be within the maximum. */
function lowerFor(step: Step, uid: Uid, category: Category, symbol: string): void {
  const market = step.derived.marketContexts.named(category, symbol);
  if (market === undefined || !market.spec.futures) return;
  const { setting, crossedLeverage, context } = accountOf(step, uid).openSymbolAccount(
    step.state,
    market,
  );
  const [first] = market.spec.tiers;
  const hasSides = setting.longLeverage !== undefined || setting.shortLeverage !== undefined;
  if (hasSides || (first !== undefined && crossedLeverage > first.leverageMax))
    lowerIfFlat(step, context.account, market.spec);
}

export const lowerWithOrder: Reaction<'orderEnded'> = (step, { end: { uid, category, symbol } }) =>
  lowerFor(step, uid, category, symbol);

export const lowerWithPosition: Reaction<'positionClosed'> = (
  step,
  { position: { uid, category, symbol } },
) => lowerFor(step, uid, category, symbol);
