/** A draft held against the rules: everything an order will be, or the first rule it breaks. Looks and changes nothing. */

import { type Amount, minus, moneyFromText, type Price, plus, rateOf } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { stepsIn } from '../../kernel/steps.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Category, Intent } from '../../messages/vocabulary.ts';
import { hasOpenInterest } from '../accounts/open-interest.ts';
import { leverageOf, settingOf } from '../accounts/settings.ts';
import { type Lots, NO_LOTS, ORDER_LOTS_MAX, otherSide, TICK_MAX, type Tick } from '../book/order-book.ts';
import { bookOf } from '../derived.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import { sizeOf, type Terms, tickAt } from '../instruments/terms.ts';
import { indexPriceOf } from '../prices/coin-prices.ts';
import type { Account } from '../state.ts';
import { reject, type Step } from '../step.ts';
import { hasRoomForOrder, isRestricted } from './caps.ts';
import type { Order } from './order.ts';

/** Withdrawn, deposited and spent money has at most this many decimals. */
const QUOTE_DECIMALS_UNIT = 100n;

/** All of an order that the draft and the account's settings decide; money comes after. */
export interface OrderPlan {
  readonly terms: Terms;
  readonly account: Account;
  readonly draft: OrderDraft;
  readonly limit: Tick;
  readonly lots: Lots;
  readonly quoteAmount?: Amount;
  readonly intent?: Intent;
  readonly reduceOnly: boolean;
  readonly marginMode?: Order['marginMode'];
  readonly leverage?: Order['leverage'];
  readonly waiting: boolean;
  readonly reference: Price;
}

type Checked<Value> = Result<Value, Rejection>;

export function planOrder(step: Step, account: Account, category: Category, draft: OrderDraft): Checked<OrderPlan> {
  const { state, derived, at } = step;
  const terms = derived.terms.get(instrumentKey(category, draft.symbol));
  if (terms === undefined) return reject('unknownSymbol', 'symbol', draft.symbol);
  const status = state.instruments.get(terms.key)!.status;
  const reference = referencePrice(step, terms);
  if (status === 'cancelOnly' || status === 'off' || reference === undefined) return reject('symbolClosed', 'symbol', draft.symbol);
  const hedged = terms.futures && account.positionMode === 'hedge';
  if (hedged && draft.positionSide === undefined) return reject('positionSideMismatch', 'posSide');
  if (draft.orderType === 'limit' && draft.price === undefined) return reject('fieldMissing', 'price');

  const sized = checkSize(terms, draft, reference);
  if (!sized.ok) return sized;
  const limit = checkPrice(terms, draft, reference);
  if (!limit.ok) return limit;
  const waiting = status === 'halted';
  if (!waiting && draft.orderType === 'market' && bookOf(derived, terms).best(otherSide(draft.side)) === undefined)
    return reject('noLiquidity');
  if (!hasRoomForOrder(account, category)) return reject('tooManyOpenOrders');
  if (isRestricted(state, account, at)) return reject('dailyOrdersReached');
  const margin = checkMarginMode(step, account, terms, draft);
  if (!margin.ok) return margin;
  return ok({
    terms,
    account,
    draft,
    ...sized.value,
    limit: limit.value,
    ...(terms.futures ? { intent: intentOf(draft, hedged), ...margin.value } : {}),
    reduceOnly: terms.futures && !hedged && draft.reduceOnly,
    waiting,
    reference,
  });
}

/** Futures stand against their mark, spot against its index. */
function referencePrice({ state }: Step, terms: Terms): Price | undefined {
  return terms.futures ? state.symbolPrices.get(terms.key)?.mark : indexPriceOf(state, terms.instrument);
}

/** In hedge mode the direction and the position decide; in one-way mode whoever says reduce-only closes. */
function intentOf(draft: OrderDraft, hedged: boolean): Intent {
  if (!hedged) return draft.reduceOnly ? 'close' : 'open';
  return (draft.side === 'buy') === (draft.positionSide === 'long') ? 'open' : 'close';
}

function checkSize(terms: Terms, draft: OrderDraft, reference: Price): Checked<{ lots: Lots; quoteAmount?: Amount }> {
  if (!terms.futures && draft.orderType === 'market' && draft.side === 'buy') {
    const quoteAmount = moneyFromText<Amount>(draft.size);
    if (quoteAmount === undefined || quoteAmount % QUOTE_DECIMALS_UNIT !== 0n) return reject('sizeOffStep', 'qty', '0.00000001');
    const least = minimumValue(terms, reference);
    if (quoteAmount < least || quoteAmount === 0n) return reject('sizeTooSmall', 'qty');
    return ok({ lots: NO_LOTS, quoteAmount });
  }
  const lots = stepsIn(draft.size, terms.sizeStep);
  if (lots === undefined) return reject('sizeOffStep', 'qty', terms.instrument.sizeStep);
  if (lots < terms.lotsMin) return reject('sizeTooSmall', 'qty', terms.instrument.sizeMin);
  const max = draft.orderType === 'market' ? terms.marketLotsMax : terms.lotsMax;
  if (lots > max || lots > ORDER_LOTS_MAX) return reject('sizeTooLarge', 'qty', terms.instrument.sizeMax);
  return ok({ lots: lots as Lots });
}

const minimumValue = (terms: Terms, reference: Price): Amount =>
  rateOf(reference as bigint as Amount, sizeOf(terms, terms.lotsMin) as bigint as never, 'down');

/** The band on both sides of the reference. A market order trades no further than the band; a limit outside it is refused. */
function checkPrice(terms: Terms, draft: OrderDraft, reference: Price): Checked<Tick> {
  const width = rateOf(reference as bigint as Amount, terms.bandRate, 'down') as bigint as Price;
  const highest = tickAt(terms, plus(reference, width), 'down');
  const lowest = tickAt(terms, minus(reference, width), 'up');
  if (draft.orderType === 'market') return ok(draft.side === 'buy' ? highest : lowest);
  const tick = stepsIn(draft.price!, terms.priceStep);
  if (tick === undefined) return reject('priceOffStep', 'price', terms.instrument.priceStep);
  if (tick < lowest || tick < 1) return reject('priceTooLow', 'price');
  if (tick > highest || tick > TICK_MAX) return reject('priceTooHigh', 'price');
  return ok(tick as Tick);
}

/** A margin mode that is sent must be the symbol's; while the symbol is flat it may switch it. */
function checkMarginMode(
  { state }: Step,
  account: Account,
  terms: Terms,
  draft: OrderDraft,
): Checked<Pick<OrderPlan, 'marginMode' | 'leverage'>> {
  if (!terms.futures) return ok({});
  const setting = settingOf(account, terms.key);
  const marginMode = draft.marginMode ?? setting.marginMode;
  if (marginMode !== setting.marginMode && hasOpenInterest(state, account.profile.uid, terms.key))
    return reject('marginModeInUse', 'marginMode');
  const side = draft.positionSide ?? (draft.side === 'buy' ? 'long' : 'short');
  return ok({ marginMode, leverage: leverageOf(account, terms.key, side) });
}
