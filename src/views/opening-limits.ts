/** How much an account can open in a symbol now, by the same formulas and tiers as the core. */
import { contractKindOf } from '../formulas/contract-kind.ts';
import { ceilingAmount, costOf } from '../formulas/exact.ts';
import {
  exactEquity,
  neededUsd,
  orderNeed,
  positionMargin,
  roundedEquity,
} from '../formulas/margin.ts';
import { largestInTier, largestOpening, type OpenSpec, valueFor } from '../formulas/open-size.ts';
import { tierValueAt } from '../formulas/profit.ts';
import type { Uid } from '../kernel/ids.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  money,
  type Price,
  plus,
  type Rate,
  rateOf,
  type Size,
  sizeFor,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { Instrument } from '../messages/listings.ts';
import {
  type FuturesCategory,
  isIsolated,
  type PositionSide,
  type Side,
} from '../messages/vocabulary.ts';
import {
  type AccountMargin,
  coinEquity,
  coinLeverageOf,
  indexOf,
  type MarginSources,
  spendable,
  tiersOf,
} from './account-margins.ts';

/** The order to check. */
export interface OpeningRequest {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Price;
  /** The largest size of one order. */
  readonly sizeMax: Size;
}

/** The margin coin's amount available for a new order. */
function marginFree(sources: MarginSources, coin: string, margin: AccountMargin): Amount {
  const index = indexOf(sources, coin);
  const headroom = minus(margin.freeEquity, margin.initial);
  if (index === 0n || headroom <= 0n) return ZERO_AMOUNT;
  return sizeFor(headroom, index, 'down') as bigint as Amount;
}

const sideOpened = (side: Side): PositionSide => (side === 'buy' ? 'long' : 'short');

/** The position at mark plus the value that open orders of the side would add. */
function openValue(
  sources: MarginSources,
  uid: Uid,
  category: FuturesCategory,
  { instrument: { symbol }, side }: OpeningRequest,
): Amount {
  const mark = sources.prices.mark(category, symbol);
  const position = sources.positions.find(uid, category, symbol, sideOpened(side));
  const held =
    position === undefined || mark === undefined
      ? ZERO_AMOUNT
      : tierValueAt(
          contractKindOf(category),
          position.entry as Parameters<typeof tierValueAt>[1],
          mark,
        );
  return sources.orders.open(uid).reduce((sum, { order, left }) => {
    const adds =
      order.category === category &&
      order.symbol === symbol &&
      order.side === side &&
      !order.reduceOnly;
    return adds && order.price !== undefined
      ? plus(sum, ceilingAmount(costOf(order.price, left)))
      : sum;
  }, held);
}

export interface OpeningLimits {
  /** The margin coin's amount available for it. */
  readonly available: Amount;
  readonly largest: Size;
  /** The margin and fee of a size. */
  cost(size: Size): Amount;
}

export function futuresOpeningLimits(
  sources: MarginSources,
  uid: Uid,
  category: FuturesCategory,
  request: OpeningRequest,
  margin: AccountMargin,
): OpeningLimits {
  const { instrument, side, sizeMax } = request;
  const { symbol, marginCoin } = instrument;
  const setting = sources.accounts.symbolSetting(uid, category, symbol);
  const isHedged = sources.accounts.positionMode(uid) === 'hedge' && isIsolated(setting.marginMode);
  const ofSide = side === 'buy' ? setting.longLeverage : setting.shortLeverage;
  const mark = sources.prices.mark(category, symbol) ?? request.price;
  const spec: OpenSpec = {
    kind: contractKindOf(category),
    // A short is margined at mark once it is open (POS-164).
    price: side === 'sell' ? greatest(request.price, mark) : request.price,
    leverage: money<Rate>((isHedged ? ofSide : undefined) ?? setting.leverage),
    takerRate: sources.feeRates.of(uid, category).taker,
    step: money<Size>(instrument.sizeStep),
  };
  const isolated = isIsolated(setting.marginMode);
  const available = isolated
    ? spendable(sources, uid, marginCoin, margin)
    : marginFree(sources, marginCoin, margin);
  const inTier = largestInTier(
    tiersOf(instrument),
    openValue(sources, uid, category, request),
    spec,
  );
  return {
    available,
    largest: least(least(largestOpening(available, spec), inTier), sizeMax),
    cost: (size) => orderNeed(spec.kind, spec.price, size, spec.leverage, spec.takerRate),
  };
}

/**
 * Whether the account still covers its initial margin after a fill of this value of an order on
 * margin.
 */
function coversFill(
  sources: MarginSources,
  uid: Uid,
  { instrument, side, price }: OpeningRequest,
  margin: AccountMargin,
  value: Amount,
): boolean {
  const { baseCoin, quoteCoin } = instrument;
  const base = sizeFor(value, price, 'up') as bigint as Amount;
  const [paidCoin, paid, gotCoin, got] =
    side === 'buy' ? [quoteCoin, value, baseCoin, base] : [baseCoin, base, quoteCoin, value];
  const received = minus(got, rateOf(got, sources.feeRates.of(uid, 'MARGIN').taker, 'up'));
  const nets = new Map(margin.freeNets);
  nets.set(paidCoin, minus(nets.get(paidCoin) ?? ZERO_AMOUNT, paid));
  nets.set(gotCoin, plus(nets.get(gotCoin) ?? ZERO_AMOUNT, received));
  const equity = roundedEquity(
    exactEquity([...nets].map(([coin, net]) => coinEquity(sources, coin, net))),
  );
  const loan = greatest(
    ZERO_AMOUNT,
    minus(paid, sources.accounts.balance(uid, paidCoin).available),
  );
  const need = neededUsd(
    positionMargin(loan, coinLeverageOf(sources, uid, paidCoin)),
    indexOf(sources, paidCoin),
  );
  return equity >= plus(margin.initial, need);
}

/**
 * The largest value of an order on margin, including its loan: covered while it is open, and after
 * it fills (ORD-156).
 */
export function largestMarginOrder(
  sources: MarginSources,
  uid: Uid,
  request: OpeningRequest,
  margin: AccountMargin,
): Amount {
  const { instrument, side } = request;
  const { baseCoin, quoteCoin } = instrument;
  const leverage = coinLeverageOf(sources, uid, side === 'buy' ? quoteCoin : baseCoin);
  const { taker } = sources.feeRates.of(uid, 'MARGIN');
  let most = valueFor(marginFree(sources, quoteCoin, margin), leverage, taker);
  if (coversFill(sources, uid, request, margin, most)) return most;
  let affordable = ZERO_AMOUNT;
  while (minus(most, affordable) > 1n) {
    const middle = ((affordable + most) / 2n) as Amount;
    if (coversFill(sources, uid, request, margin, middle)) affordable = middle;
    else most = middle;
  }
  return affordable;
}
