/** What an order needs behind it, and whether its holder has that. */

import { entryAt } from '../../formulas/entry.ts';
import { ceilingAmount, costOf } from '../../formulas/exact.ts';
import { tierOf } from '../../formulas/maintenance.ts';
import { neededUsd, orderNeed, positionMargin } from '../../formulas/margin.ts';
import { tierValueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, greatest, least, minus, money, type Price, plus, type Rate, type Size, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { bookOf } from '../derived.ts';
import { priceOf, sizeOf, valueOf } from '../instruments/terms.ts';
import { walletOf } from '../ledger/ledger.ts';
import { accountMargin, coinLeverageOf, hasObligations, indexOf } from '../margin/account-margin.ts';
import { positionOf } from '../positions/position.ts';
import { reject, type Step } from '../step.ts';
import { type Hold, NO_HOLD } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { openOrdersIn, reducedBy } from './reducible.ts';

/** What may leave a wallet: all that is free, unless something leans on the account's equity. */
export function spendable(step: Step, uid: Uid, coin: string): Amount {
  const { available } = walletOf(step.state.ledger, uid, coin);
  if (!hasObligations(step.state, uid)) return available;
  const { freeEquity, initial } = accountMargin(step.state, step.derived, uid);
  const headroom = minus(freeEquity, initial);
  if (headroom <= 0n) return ZERO_AMOUNT;
  const weight = money<Rate>(step.state.coins.get(coin)?.collateralRate ?? '0');
  const index = indexOf(step.state, coin);
  if (weight === 0n || index === 0n) return available;
  return least(available, ((headroom * money<Rate>('1') * money<Rate>('1')) / (index * weight)) as Amount);
}

/** The hold an order needs, or why its holder cannot have it. `lots` is what may trade. */
export function holdFor(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  if (plan.terms.futures) return futuresHold(step, plan, lots);
  return plan.terms.category === 'MARGIN' ? marginHold(step, plan, lots) : spotHold(step, plan, lots);
}

function spotHold(step: Step, { terms, draft, limit, quoteAmount, account }: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { baseCoin, quoteCoin } = terms.instrument;
  const coin = draft.side === 'buy' ? quoteCoin : baseCoin;
  const amount = draft.side === 'buy' ? (quoteAmount ?? valueOf(terms, limit, lots)) : (sizeOf(terms, lots) as bigint as Amount);
  if (spendable(step, account.profile.uid, coin) < amount) return reject('insufficientBalance');
  return ok({ kind: 'wallet', coin, amount });
}

/** A margin order leans on the account: what its wallet lacks is borrowed when it fills. */
function marginHold(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { terms, draft, limit, quoteAmount, account } = plan;
  const { baseCoin, quoteCoin } = terms.instrument;
  const borrowed = draft.side === 'buy' ? quoteCoin : baseCoin;
  const value = quoteAmount ?? valueOf(terms, limit, lots);
  const amount = positionMargin(value, money<Rate>(coinLeverageOf(step.state, account.profile.uid, borrowed)));
  return leansOnAccount(step, plan, { kind: 'margin', coin: quoteCoin, amount });
}

function leansOnAccount(step: Step, { account }: OrderPlan, hold: Hold & { kind: 'margin' }): Result<Hold, Rejection> {
  const { freeEquity, initial } = accountMargin(step.state, step.derived, account.profile.uid);
  const needed = neededUsd(hold.amount, indexOf(step.state, hold.coin));
  return minus(freeEquity, plus(initial, needed)) < 0n ? reject('insufficientMargin') : ok(hold);
}

function futuresHold(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { terms, account, intent, leverage, marginMode } = plan;
  const opening = intent === 'close' ? NO_LOTS : openingLots(step, plan, lots);
  if (opening === 0) return ok(NO_HOLD);
  const { uid } = account.profile;
  const { marginCoin: coin } = terms.instrument;
  const rate = money<Rate>(leverage!);
  const size = sizeOf(terms, opening);
  const price = expectedPrice(step, plan, lots);
  if (!fitsTier(step, plan, price, size, rate)) return reject('insufficientMargin');
  const amount = orderNeed(terms.kind, price, size, rate, feeRateFor(step.state, uid, terms.category, 'taker'));
  if (marginMode === 'crossed') return leansOnAccount(step, plan, { kind: 'margin', coin, amount });
  return spendable(step, uid, coin) < amount ? reject('insufficientMargin') : ok({ kind: 'wallet', coin, amount });
}

/** In one-way mode the part that reduces needs nothing; other open orders of the same direction come first. */
function openingLots(step: Step, { account, terms, draft }: OrderPlan, lots: Lots): Lots {
  if (account.positionMode === 'hedge') return lots;
  const { uid } = account.profile;
  const position = reducedBy(step.state, { uid, key: terms.key, side: draft.side });
  if (position === undefined) return lots;
  let reducible = position.lots as number;
  for (const order of openOrdersIn(step.state, uid, terms.key)) if (order.side === draft.side) reducible -= order.left;
  return Math.max(0, lots - Math.max(0, reducible)) as Lots;
}

/** A limit order is margined at its price, or at what it will find if that is worse for a short; a market order at what it will find. */
function expectedPrice(step: Step, plan: OrderPlan, lots: Lots): Price {
  const { terms, draft, limit, reference } = plan;
  if (draft.orderType === 'limit') return draft.side === 'buy' ? priceOf(terms, limit) : greatest(priceOf(terms, limit), reference);
  let found = 0;
  let value = ZERO_AMOUNT;
  bookOf(step.derived, terms).look(draft.side, limit, (_id, _owner, tick, available) => {
    const taken = Math.min(available, lots - found) as Lots;
    found += taken;
    value = plus(value, valueOf(terms, tick, taken));
    return found < lots;
  });
  if (found === 0) return reference;
  return ((value * money<Rate>('1') + BigInt(found) * terms.lotSize - 1n) / (BigInt(found) * terms.lotSize)) as Price;
}

/** A position may be no larger than the last tier, nor than the tier that still allows its leverage. */
function fitsTier(step: Step, { terms, draft, account, intent }: OrderPlan, price: Price, size: Size, leverage: Rate): boolean {
  const { uid } = account.profile;
  const side = draft.positionSide ?? (draft.side === 'buy' ? 'long' : 'short');
  let value = ceilingAmount(costOf(price, size));
  const position = intent === 'open' ? positionOf(step.state, uid, terms.key, side) : undefined;
  const mark = step.state.symbolPrices.get(terms.key)?.mark ?? price;
  if (position !== undefined) value = plus(value, tierValueAt(terms.kind, position.entry, mark));
  for (const order of openOrdersIn(step.state, uid, terms.key))
    if (order.side === draft.side && order.intent === 'open')
      value = plus(value, tierValueAt(terms.kind, entryAt(priceOf(terms, order.limit), sizeOf(terms, order.left)), mark));
  const last = terms.tiers.at(-1)!;
  return value <= last.toValue && leverage <= tierOf(terms.tiers, value).leverageMax;
}
