/** Copies one opening order of a leader for one follower at market, or records why not. */

import { followLimits, sizeForAmount } from '../../formulas/copy-trading.ts';
import { entryPrice, NO_ENTRY } from '../../formulas/entry.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  decimalTextOf,
  divide,
  least,
  money,
  ONE_RATE,
  plus,
  type Rate,
  type Size,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { ok, type Result, refuse } from '../../kernel/result.ts';
import { TRACKED_ORDERS_PER_ACCOUNT_MAX } from '../../messages/bounds.ts';
import type { CopySetting, NotCopiedReason } from '../../messages/copy-trading.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import {
  type FuturesCategory,
  isIsolated,
  type MarginMode,
  matchesOrders,
} from '../../messages/vocabulary.ts';
import { setMarginMode, wholeLeverage } from '../accounts/settings.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { hasSides, leverageOf, settingOf } from '../derived/account-context.ts';
import { accountOf, specOf } from '../derived/derived.ts';
import {
  futuresCategoryOf,
  type InstrumentSpec,
  lotsIn,
  rateFromText,
  sizeOf,
} from '../derived/instrument-spec.ts';
import { hasOpenInterest } from '../derived/open-interest.ts';
import type { Account } from '../state/account.ts';
import { type Following, followingOf, type Original } from '../state/copy-state.ts';
import type { Hold } from '../state/order.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { isLeverageCovered, planLeverage, setLeverage } from '../trading/leverage/leverage.ts';
import type { OrderRequest, SizePolicy } from '../trading/orders/order.ts';
import { openingNeed } from '../trading/orders/order-money.ts';
import { newOrder, planOrder } from '../trading/orders/order-plan.ts';
import { placeOnce } from '../trading/orders/place-orders.ts';
import { firstFillCoverage } from '../trading/risk/first-fill.ts';
import type { Step } from '../transaction/step.ts';
import { emitNotCopied } from './finish-copy.ts';

/** The setting of a follower with `autoCopy` that has none for the symbol (CPY-19). */
const sameSize = (category: FuturesCategory, symbol: string): CopySetting => ({
  category,
  symbol,
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: '1' as DecimalText,
});

function settingFor(
  { settings, mode, autoCopy }: Following,
  spec: InstrumentSpec,
): CopySetting | undefined {
  const set = settings.get(spec.key);
  if (set !== undefined || mode !== 'basic' || !autoCopy) return set;
  return sameSize(futuresCategoryOf(spec), spec.instrument.symbol);
}

/** A follower's account, the order to copy, and the setting for it. */
interface Copied {
  readonly account: Account;
  readonly original: Original;
  readonly spec: InstrumentSpec;
  readonly setting: CopySetting;
}

/** What a copy will be, decided before its order is placed. */
interface Plan extends Copied {
  readonly marginMode: MarginMode;
  readonly leverage: DecimalText;
}

/**
 * Basic mode uses the leader's margin mode and leverage; advanced mode follows the setting
 * (CPY-20).
 */
function planFor(
  { state }: Step,
  { account, original, spec, setting }: Copied,
  mode: Following['mode'],
): Plan {
  const own = leverageOf(state, account, spec.key, original.side);
  const given = original.side === 'long' ? setting.longLeverage : setting.shortLeverage;
  const margin = mode === 'basic' ? 'leader' : setting.margin;
  const leverage = mode === 'basic' ? 'leader' : setting.leverage;
  return {
    account,
    original,
    spec,
    setting,
    marginMode:
      margin === 'leader' ? original.marginMode : settingOf(state, account, spec.key).marginMode,
    leverage: leverage === 'leader' ? original.leverage : leverage === 'own' ? (given ?? own) : own,
  };
}

/** The size by the setting, rounded down to whole lots and cut to the follow limit. */
function lotsToCopy({
  setting,
  original,
  spec,
  leverage,
}: Omit<Plan, 'account' | 'marginMode'>): Lots {
  const size = sizeToCopy(setting, original, spec, leverage);
  return lotsIn(spec, least(size, followLimits(spec.instrument).sizeMost));
}

function sizeToCopy(
  setting: CopySetting,
  { heldLots, opened }: Original,
  spec: InstrumentSpec,
  leverage: DecimalText,
): Size {
  if (setting.sizing === 'size') return money<Size>(setting.value);
  if (setting.sizing === 'amount')
    return sizeForAmount(
      spec.kind,
      money<Amount>(setting.value),
      rateFromText(leverage),
      entryPrice(opened),
    );
  return divide(sizeOf(spec, heldLots) * money<Rate>(setting.value), ONE_RATE, 'down') as Size;
}

function countOpenOrders(step: Step, uid: Uid, { leader, key }: Original): number {
  let held = 0;
  for (const id of step.derived.tracked.of(uid)) {
    const order = step.state.copy.tracked.get(id)!;
    if (order.leader === leader && order.key === key) held++;
  }
  return held;
}

/**
 * The lots that a follower misses. None if the leader has closed the order or its leverage is no
 * longer allowed (CPY-179).
 */
function lotsMissed(plan: Plan): Lots {
  const { original, spec, leverage } = plan;
  if (original.heldLots === 0 || wholeLeverage(leverage, spec.instrument.leverageMax) === undefined)
    return NO_LOTS;
  return lotsToCopy(plan);
}

/** Changes nothing: returns the lots to copy, or why none are. */
function checkCopy(step: Step, plan: Plan): Result<Lots, NotCopiedReason> {
  const { account, original, spec, setting } = plan;
  const { uid } = account.profile;
  if (original.heldLots === 0) return refuse('originalClosed');
  // A copy whose profit share waits for prices also counts; otherwise their number had no bound.
  if (
    step.derived.tracked.count(uid) + step.derived.tracked.ended.of(uid).size >=
    TRACKED_ORDERS_PER_ACCOUNT_MAX
  )
    return refuse('tooManyTrackedOrders');
  if (setting.heldMax !== undefined && countOpenOrders(step, uid, original) >= setting.heldMax)
    return refuse('tooManyTrackedOrders');
  if (!matchesOrders(step.state.instruments.get(spec.key)?.status)) return refuse('symbolClosed');
  // Checked before the size, which depends on the leverage: a listing may have changed the maximum.
  if (wholeLeverage(plan.leverage, spec.instrument.leverageMax) === undefined)
    return refuse('leverageOutOfRange');
  const lots = lotsToCopy(plan);
  return sizeOf(spec, lots) < followLimits(spec.instrument).sizeLeast
    ? refuse('belowFollowLimit')
    : ok(lots);
}

/**
 * The refusal of a copy that needs another margin mode or leverage. It is computed before either
 * changes, because a refused copy changes nothing (CPY-62). Other copies are refused when placed.
 */
function refusalOf(step: Step, plan: Plan, lots: Lots): NotCopiedReason | undefined {
  const { account, original, spec, marginMode, leverage } = plan;
  const { state } = step;
  const { uid } = account.profile;
  const setting = settingOf(state, account, spec.key);
  const isOtherMode = marginMode !== setting.marginMode;
  if (!isOtherMode && leverageOf(state, account, spec.key, original.side) === leverage)
    return undefined;
  if (isOtherMode && hasOpenInterest(state, uid, spec.key)) return 'marginModeInUse';
  const planned = planLeverage(
    step,
    { account, spec, setting: { ...setting, marginMode } },
    leverage,
    original.side,
  );
  if (!planned.ok) return planned.refusal.reason;
  const order = planOrder(step, requestOf(step, plan, lots));
  if (!order.ok) return order.refusal.reason;
  const plannedOrder = { ...order.value, marginMode, leverage };
  const need = openingNeed(
    step,
    plannedOrder,
    plannedOrder.symbolAccount!,
    lots,
    lots,
    rateFromText(leverage),
  );
  if (
    need === undefined ||
    !isLeverageCovered(step, planned.value.change, plus(need.amount, need.shortfall))
  )
    return 'insufficientMargin';
  const coin = spec.instrument.marginCoin;
  const hold: Hold = {
    kind: isIsolated(marginMode) ? 'wallet' : 'margin',
    coin,
    amount: need.amount,
    lots,
  };
  const copy = newOrder(step, plannedOrder, { lots, left: lots }, hold);
  const coverage = firstFillCoverage(step, copy, plannedOrder.market);
  if (coverage.covered) return undefined;
  return coverage.reason === 'stalePrice' ? 'priceStale' : 'insufficientMargin';
}

/** Sets the margin mode and leverage of the copy, which `refusalOf` has checked. */
function applySettings(step: Step, { account, original, spec, marginMode, leverage }: Plan): void {
  const { uid } = account.profile;
  const { symbol } = spec.instrument;
  const category = futuresCategoryOf(spec);
  const mode = setMarginMode(step, { type: 'setMarginMode', uid, category, symbol, marginMode });
  invariant(mode.ok, 'the margin mode of a copy was checked');
  if (leverageOf(step.state, account, spec.key, original.side) === leverage) return;
  const side = hasSides(account, marginMode) ? original.side : undefined;
  const set = setLeverage(step, {
    type: 'setLeverage',
    uid,
    category,
    symbol,
    leverage,
    ...(side === undefined ? {} : { side }),
  });
  invariant(set.ok, 'the leverage of a copy was checked');
}

function requestOf(step: Step, { account, original, spec }: Plan, lots: Lots): OrderRequest {
  const draft: OrderDraft = {
    symbol: spec.instrument.symbol,
    side: original.side === 'long' ? 'buy' : 'sell',
    orderType: 'market',
    size: decimalTextOf(sizeOf(spec, lots)),
    timeInForce: 'gtc',
    positionSide: original.side,
    reduceOnly: false,
  };
  const sizePolicy: SizePolicy = { leaderPrice: entryPrice(original.opened) };
  return {
    context: accountOf(step, account.profile.uid),
    category: spec.category,
    draft,
    sizePolicy,
  };
}

/** A follower without a setting for the symbol does not copy it, and nothing is recorded. */
export function mirrorOpen(step: Step, original: Original, uid: Uid): void {
  const { state, derived } = step;
  settlePendingCharges(step, uid);
  const following = followingOf(state.copy, uid, original.leader);
  const spec = specOf(derived, original.key);
  // A follower that left and returned meanwhile copies only later orders (CPY-43).
  const setting =
    following === undefined || following.id > original.id ? undefined : settingFor(following, spec);
  if (following === undefined || setting === undefined) return;
  const plan = planFor(
    step,
    { account: state.accounts.get(uid)!, original, spec, setting },
    following.mode,
  );
  const lots = checkCopy(step, plan);
  if (!lots.ok) {
    emitNotCopied(step, original, lotsMissed(plan), lots.refusal, uid);
    return;
  }
  const fault = refusalOf(step, plan, lots.value) ?? place(step, plan, lots.value);
  if (fault !== undefined) emitNotCopied(step, original, lots.value, fault, uid);
}

function place(step: Step, plan: Plan, lots: Lots): NotCopiedReason | undefined {
  applySettings(step, plan);
  const { account, original } = plan;
  const placed = placeOnce(step, requestOf(step, plan, lots));
  if (!placed.ok) return placed.refusal.reason;
  const { uid } = account.profile;
  const { key, side, id: originalId, heldLots: leaderLots } = original;
  // Set before the first fill is counted: what the order fills becomes a copy when it ends.
  step.state.copy.openings.set(placed.value.orderId!, {
    uid,
    key,
    side,
    lots: NO_LOTS,
    entry: NO_ENTRY,
    fee: ZERO_AMOUNT,
    copyOf: { originalId, lots, leaderLots },
  });
  return undefined;
}
