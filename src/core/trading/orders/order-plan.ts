/**
 * Checks a draft against the rules: returns all that the order will be, or the first rule that it
 * breaks. Changes nothing.
 */

import {
  type Amount,
  minus,
  money,
  moneyFromText,
  moneyText,
  notional,
  type Price,
  plus,
  rateOfPrice,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { stepsIn } from '../../../kernel/steps.ts';
import type { OrderDraft } from '../../../messages/orders.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import {
  type Intent,
  isLimit,
  isMarket,
  keepsOrdersWaiting,
  type MarginMode,
  mayRest,
  type OrderOrigin,
  otherSide,
  type PositionSide,
  type Side,
  takesOrders,
} from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, ORDER_LOTS_MAX, TICK_MAX, type Tick } from '../../book/order-book.ts';
import { leverageIn, type SymbolAccount } from '../../derived/account-context.ts';
import { worstCopyPrice } from '../../derived/copy-price-limit.ts';
import type { Moment } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  isBookHalted,
  priceOf,
  sizeOf,
  tickAt,
} from '../../derived/instrument-spec.ts';
import {
  type Band,
  coinPriceOf,
  indexPriceOf,
  type MarketContext,
} from '../../derived/market-context.ts';
import { hasOpenInterest } from '../../derived/open-interest.ts';
import type { Account } from '../../state/account.ts';
import type { Hold, Order } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import { reject, type Step } from '../../transaction/step.ts';
import { ownClientOid } from './client-oids.ts';
import { hasRoomForOrder, isRestricted, ORDERS_PER_BOOK_MAX } from './open-orders.ts';
import {
  isCopied,
  keepsRequestedSize,
  type OrderRequest,
  type Reduction,
  type SizePolicy,
} from './order.ts';

export function newOrder(
  moment: Moment,
  plan: OrderPlan,
  { lots, left }: Pick<Reduction, 'lots' | 'left'>,
  hold: Hold,
  origin: OrderOrigin = 'placed',
): Order {
  const { spec, account, draft } = plan;
  const { uid, parentUid } = account.profile;
  const id = moment.state.nextId;
  return {
    id,
    uid,
    owner: parentUid ?? uid,
    clientOid: draft.clientOid ?? ownClientOid(moment, uid, id),
    key: spec.key,
    category: spec.category,
    side: draft.side,
    orderType: draft.orderType,
    timeInForce: isMarket(draft.orderType) ? 'gtc' : draft.timeInForce,
    limit: plan.limit,
    lots,
    quoteAmount: plan.quoteAmount,
    positionMode: account.positionMode,
    positionSide: plan.positionSide,
    intent: plan.intent,
    reduceOnly: plan.reduceOnly,
    marginMode: plan.marginMode,
    leverage: plan.leverage,
    selfTradeMode: draft.selfTradeMode ?? account.selfTradeMode,
    executionKind: 'normal',
    origin,
    loanType: draft.loanType,
    createdAt: moment.at,
    priority: id,
    waiting: plan.waiting,
    left,
    filled: NO_LOTS,
    filledValue: ZERO_AMOUNT,
    hold,
  };
}

/** All of an order that the draft and the account's settings decide; its money is checked later. */
export interface OrderPlan {
  readonly market: MarketContext;
  readonly spec: InstrumentSpec;
  /** For futures only. */
  readonly symbolAccount: SymbolAccount | undefined;
  readonly account: Account;
  readonly draft: OrderDraft;
  readonly limit: Tick;
  readonly lots: Lots;
  readonly quoteAmount: Amount | undefined;
  readonly intent: Intent | undefined;
  /** In hedge mode only. */
  readonly positionSide: PositionSide | undefined;
  readonly reduceOnly: boolean;
  readonly marginMode: MarginMode | undefined;
  readonly leverage: Order['leverage'];
  readonly waiting: boolean;
  readonly reference: Price;
  /** Closes the whole position, whatever its size, and replaces the open closing orders. */
  readonly closesAll: boolean;
  /**
   * The open order that it replaces: limits, money and position count as if that order did not
   * exist.
   */
  readonly replacing: Order | undefined;
}

type Checked<Value> = Result<Value, Rejection>;

/** Checks in the order of the rules (ORD-25 to ORD-39). */
export function planOrder(
  step: Step,
  { context, category, draft, sizePolicy }: OrderRequest,
  replacing?: Order,
): Checked<OrderPlan> {
  const { state, derived } = step;
  const { account } = context;
  const market = derived.marketContexts.named(category, draft.symbol);
  if (market === undefined)
    return reject(
      draft.loanType === undefined ? 'unknownSymbol' : 'noIsolatedMargin',
      'symbol',
      draft.symbol,
    );
  const { spec, listed } = market;
  const { status } = listed;
  const reference = spec.futures
    ? market.prices(state)?.mark
    : indexPriceOf(state, spec.instrument);
  if (!takesOrders(status) || reference === undefined || !isMarginPriced(state, spec))
    return reject('symbolClosed', 'symbol', draft.symbol);
  // Only a margin order can use the money of a pair.
  if (draft.loanType !== undefined && category !== 'MARGIN')
    return reject('fieldInvalid', 'loanType', draft.loanType);
  const hedged = spec.futures && account.positionMode === 'hedge';
  if (hedged && draft.positionSide === undefined)
    return reject('positionSideMismatch', 'positionSide');
  if (isLimit(draft.orderType) && draft.price === undefined) return reject('fieldMissing', 'price');
  const symbolAccount = spec.futures ? context.openSymbolAccount(state, market) : undefined;
  const marginMode =
    symbolAccount === undefined ? NO_MARGIN_MODE : checkMarginMode(state, symbolAccount, draft);
  if (!marginMode.ok) return marginMode;

  const tick = isLimit(draft.orderType) ? stepsIn(draft.price!, spec.priceStep) : undefined;
  if (isLimit(draft.orderType) && tick === undefined)
    return reject('priceOffStep', 'price', spec.instrument.priceStep);
  const size = checkSize(spec, draft, reference, sizePolicy);
  if (!size.ok) return size;
  const limit = checkBand(market, draft, reference, tick, sizePolicy);
  if (!limit.ok) return limit;
  const waiting = spec.futures ? keepsOrdersWaiting(status) : isBookHalted(state, spec);
  const full = replacing === undefined ? checkRoom(account, market, draft, waiting) : undefined;
  const refused = full ?? checkDay(step, account, sizePolicy);
  if (refused !== undefined) return refused;
  const positionSide = hedged ? draft.positionSide : undefined;
  const side = positionSide ?? (draft.side === 'buy' ? 'long' : 'short');
  return ok({
    market,
    spec,
    symbolAccount,
    account,
    draft,
    limit: limit.value,
    lots: size.value.lots,
    quoteAmount: size.value.quoteAmount,
    intent: spec.futures ? intentOf(draft, hedged) : undefined,
    positionSide,
    reduceOnly: spec.futures && !hedged && draft.reduceOnly,
    marginMode: marginMode.value,
    leverage:
      marginMode.value === undefined || symbolAccount === undefined
        ? undefined
        : leverageIn(account, symbolAccount.setting, marginMode.value, side),
    waiting,
    reference,
    closesAll: sizePolicy === 'wholePosition',
    replacing,
  });
}

/**
 * A mark can be pinned before the margin coin has an index. What is margined in that coin would
 * then need nothing.
 */
const isMarginPriced = (state: State, { inverse, instrument }: InstrumentSpec): boolean =>
  !inverse || coinPriceOf(state, instrument.marginCoin) !== undefined;

/** The mark of a future, the index of a coin. */
export const referencePrice = (state: State, spec: InstrumentSpec): Price | undefined =>
  spec.futures ? state.symbolPrices.get(spec.key)?.mark : indexPriceOf(state, spec.instrument);

/** Side and position side decide in hedge mode, reduce-only in one-way mode. */
export function intentOf(
  { side, positionSide, reduceOnly }: Pick<OrderDraft, 'side' | 'positionSide' | 'reduceOnly'>,
  hedged: boolean,
): Intent {
  if (!hedged) return reduceOnly ? 'close' : 'open';
  return (side === 'buy') === (positionSide === 'long') ? 'open' : 'close';
}

interface CheckedSize {
  readonly lots: Lots;
  readonly quoteAmount: Amount | undefined;
}

function checkSize(
  spec: InstrumentSpec,
  draft: OrderDraft,
  reference: Price,
  sizePolicy: SizePolicy,
): Checked<CheckedSize> {
  if (!spec.futures && isMarket(draft.orderType) && draft.side === 'buy') {
    const quoteAmount = checkQuoteAmount(spec, draft.size, reference);
    return quoteAmount.ok ? ok({ lots: NO_LOTS, quoteAmount: quoteAmount.value }) : quoteAmount;
  }
  const lots = stepsIn(draft.size, spec.sizeStep);
  if (lots === undefined) return reject('sizeOffStep', 'size', spec.instrument.sizeStep);
  if (!keepsRequestedSize(sizePolicy)) return ok({ lots: lots as Lots, quoteAmount: undefined });
  if (lots < spec.lotsMin) return reject('sizeTooSmall', 'size', spec.instrument.sizeMin);
  const [max, text] = isMarket(draft.orderType)
    ? [spec.marketLotsMax, spec.instrument.marketSizeMax]
    : [spec.lotsMax, spec.instrument.sizeMax];
  if (lots > max || lots > ORDER_LOTS_MAX) return reject('sizeTooLarge', 'size', text);
  return ok({ lots: lots as Lots, quoteAmount: undefined });
}

/**
 * The size of a spot market buy is in quote coin: up to eight decimals, and worth as much as an
 * allowed size at the reference price.
 */
export function checkQuoteAmount(
  spec: InstrumentSpec,
  text: OrderDraft['size'],
  reference: Price,
): Checked<Amount> {
  const amount = moneyFromText<Amount>(text);
  if (amount === undefined || amount % QUOTE_STEP !== 0n)
    return reject('sizeOffStep', 'size', QUOTE_STEP_TEXT);
  const worth = (lots: Lots): Amount => notional(reference, sizeOf(spec, lots), 'down');
  if (amount === 0n || amount < worth(spec.lotsMin)) {
    return reject('sizeTooSmall', 'size', moneyText(worth(spec.lotsMin)));
  }
  if (amount <= worth(spec.marketLotsMax)) return ok(amount);
  return reject('sizeTooLarge', 'size', moneyText(worth(spec.marketLotsMax)));
}

const QUOTE_STEP_TEXT = '0.00000001';

const QUOTE_STEP = money<Amount>(QUOTE_STEP_TEXT);

/** Cached, because the reference price moves rarely compared to the orders checked against it. */
export function bandOf(market: MarketContext, reference: Price): Band {
  const { spec, band: last } = market;
  if (last?.reference === reference) return last;
  const width = rateOfPrice(reference, spec.bandRate, 'down');
  const band = {
    reference,
    lowest: tickAt(spec, minus(reference, width), 'up'),
    highest: tickAt(spec, plus(reference, width), 'down'),
  };
  market.band = band;
  return band;
}

/** A market order trades no further than the band; a limit price outside it is refused. */
function checkBand(
  market: MarketContext,
  draft: OrderDraft,
  reference: Price,
  tick: number | undefined,
  sizePolicy: SizePolicy,
): Checked<Tick> {
  const band = bandOf(market, reference);
  const { lowest, highest } = band;
  if (isCopied(sizePolicy))
    return ok(copiedTick(market.spec, band, draft.side, sizePolicy.leaderPrice));
  if (tick === undefined) return ok(draft.side === 'buy' ? highest : lowest);
  if (tick < lowest) return reject('priceTooLow', 'price', moneyText(priceOf(market.spec, lowest)));
  const most = Math.min(highest, TICK_MAX) as Tick;
  if (tick > most) return reject('priceTooHigh', 'price', moneyText(priceOf(market.spec, most)));
  return ok(tick as Tick);
}

/** A copy is a market order and also stays within the band. */
function copiedTick(
  spec: InstrumentSpec,
  { reference, lowest, highest }: Band,
  side: Side,
  leaderPrice: Price,
): Tick {
  const worst = worstCopyPrice(side, reference, leaderPrice);
  return (
    side === 'buy'
      ? Math.min(highest, tickAt(spec, worst, 'down'))
      : Math.max(lowest, tickAt(spec, worst, 'up'))
  ) as Tick;
}

const mayStayOpen = (draft: OrderDraft): boolean =>
  isLimit(draft.orderType) && mayRest(draft.timeInForce);

/** A market order needs a counterparty. An order that may rest needs room among the open orders. */
function checkRoom(
  account: Account,
  market: MarketContext,
  draft: OrderDraft,
  waiting: boolean,
): ReturnType<typeof reject> | undefined {
  const { book } = market;
  if (!waiting && isMarket(draft.orderType) && book.best(otherSide(draft.side)) === undefined)
    return reject('noLiquidity');
  if (waiting || mayStayOpen(draft)) {
    if (!hasRoomForOrder(account, market.spec.category)) return reject('tooManyOpenOrders');
    if (book.size + market.waiting.size >= ORDERS_PER_BOOK_MAX)
      return reject('exchangeFull', 'symbol');
  }
  return undefined;
}

/**
 * Checks the daily number of orders. It never keeps an account in a position: triggers and closes
 * of whole positions are exempt (ORD-166).
 */
const checkDay = (
  { state, at }: Step,
  account: Account,
  sizePolicy: SizePolicy,
): ReturnType<typeof reject> | undefined =>
  keepsRequestedSize(sizePolicy) && isRestricted(state, account, at)
    ? reject('dailyOrdersReached')
    : undefined;

const NO_MARGIN_MODE: Checked<undefined> = ok(undefined);

/**
 * A margin mode of the draft must be that of the symbol; while the symbol is flat it may switch it.
 */
function checkMarginMode(
  state: State,
  { setting, context, market }: SymbolAccount,
  draft: OrderDraft,
): Checked<MarginMode> {
  const { marginMode } = setting;
  if (draft.marginMode === undefined || draft.marginMode === marginMode) return ok(marginMode);
  return hasOpenInterest(state, context.uid, market.key)
    ? reject('marginModeInUse', 'marginMode')
    : ok(draft.marginMode);
}
