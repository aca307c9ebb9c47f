/** The size that can be opened: with a given margin (v2), or by the caller now (v3). */
import type { RequestOf } from '../../contract/endpoint.ts';
import type { openSizeRows } from '../../contract/open-sizes.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import { contractKindOf } from '../../formulas/contract-kind.ts';
import { largestOpening } from '../../formulas/open-size.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  money,
  moneyFromText,
  moneyText,
  type Price,
  type Rate,
  type Size,
  sizeFor,
  ZERO_SIZE,
} from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { type Category, isFutures, otherSide, type Side } from '../../messages/vocabulary.ts';
import { accountMargin, spendable } from '../../views/account-margins.ts';
import {
  futuresOpeningLimits,
  largestMarginOrder,
  type OpeningRequest,
} from '../../views/opening-limits.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { HandlersOf, Reply } from './handler.ts';
import { refuseOtherCoin } from './leverage.ts';
import { listedIn } from './market-figures.ts';
import type { HandlerParts } from './parts.ts';

type Input = RequestOf<(typeof openSizeRows)['getMaxOpen']>;

/** Refuses zero, because the number divides or multiplies. */
function positive<Kind extends Price | Rate>(input: DecimalText, name: string): Reply<Kind> {
  const value = moneyFromText<Kind>(input);
  if (value === undefined) return refuse(wireRejection('tooFine', name));
  return value > 0n ? ok(value) : refuse(wireRejection('sizeNotPositive', name));
}

/** The price of a market order: the best price of the other side, else the current price. */
function marketPrice(
  { orders, prices }: ViewQueries,
  category: Category,
  symbol: string,
  side: Side,
): Price | undefined {
  const [best] = orders.depth(category, symbol, otherSide(side), 1);
  return (
    best?.price ??
    (isFutures(category) ? prices.mark(category, symbol) : prices.index(category, symbol))
  );
}

function askedOf(views: ViewQueries, input: Input): Reply<OpeningRequest> {
  const { category, symbol, side, orderType } = input;
  const listed = listedIn(views, category, symbol);
  if (!listed.ok) return listed;
  const { instrument } = listed.value;
  const sizeMax = money<Size>(
    orderType === 'market' ? instrument.marketSizeMax : instrument.sizeMax,
  );
  if (orderType === 'market') {
    const price = marketPrice(views, category, symbol, side);
    if (price === undefined || price === 0n)
      return refuse(wireRejection('symbolClosed', 'symbol', symbol));
    return ok({ instrument, side, price, sizeMax });
  }
  if (input.price === undefined) return refuse(wireRejection('fieldMissing', 'price'));
  const price = positive<Price>(input.price, 'price');
  return price.ok ? ok({ instrument, side, price: price.value, sizeMax }) : price;
}

const NO_FIGURES = {
  maxOpen: '',
  buyOpenCost: '',
  sellOpenCost: '',
  maxBuyOpen: '',
  maxSellOpen: '',
  maxBuyAvailable: '',
  maxSellAvailable: '',
};

function maxOpen(views: ViewQueries, uid: Uid, input: Input) {
  const found = askedOf(views, input);
  if (!found.ok) return found;
  const asked = found.value;
  const margin = accountMargin(views, uid);
  const { category, side } = input;
  if (isFutures(category)) {
    const size = input.size === undefined ? ZERO_SIZE : moneyFromText<Size>(input.size);
    if (size === undefined) return refuse(wireRejection('tooFine', 'size'));
    // The price of a market order for the other side.
    const other = askedOf(views, { ...input, side: otherSide(side) });
    if (!other.ok) return other;
    const roomOf = (of: Side) =>
      futuresOpeningLimits(views, uid, category, of === side ? asked : other.value, margin);
    const [buy, sell] = [roomOf('buy'), roomOf('sell')];
    return ok({
      ...NO_FIGURES,
      available: moneyText(buy.available),
      buyOpenCost: moneyText(buy.cost(size)),
      sellOpenCost: moneyText(sell.cost(size)),
      maxBuyOpen: moneyText(buy.largest),
      maxSellOpen: moneyText(sell.largest),
    });
  }
  const { baseCoin, quoteCoin } = asked.instrument;
  const available = moneyText(spendable(views, uid, side === 'buy' ? quoteCoin : baseCoin, margin));
  if (category === 'SPOT') return ok({ ...NO_FIGURES, available });
  const value = largestMarginOrder(views, uid, asked, margin);
  return ok({
    ...NO_FIGURES,
    available,
    maxOpen: moneyText(side === 'buy' ? value : sizeFor(value, asked.price, 'down')),
  });
}

export const openSizeHandlers = ({ views }: HandlerParts): HandlersOf<typeof openSizeRows> => ({
  getOpenCount: (
    { productType: category, symbol, marginCoin, openAmount, openPrice, leverage: times },
    { uid },
  ) => {
    const listed = listedIn(views, category, symbol);
    if (!listed.ok) return listed;
    const otherCoin = refuseOtherCoin(views, { category, symbol }, 'marginCoin', marginCoin);
    if (otherCoin !== undefined) return otherCoin;
    const amount = moneyFromText<Amount>(openAmount);
    if (amount === undefined) return refuse(wireRejection('tooFine', 'openAmount'));
    const price = positive<Price>(openPrice, 'openPrice');
    if (!price.ok) return price;
    const leverage = positive<Rate>(times, 'leverage');
    if (!leverage.ok) return leverage;
    const takerRate = views.feeRates.of(uid, category).taker;
    const step = money<Size>(listed.value.instrument.sizeStep);
    const spec = {
      kind: contractKindOf(category),
      price: price.value,
      leverage: leverage.value,
      takerRate,
      step,
    };
    return ok({ size: moneyText(largestOpening(amount, spec)) });
  },

  getMaxOpen: (input, { uid }) => maxOpen(views, uid, input),
  askMaxOpen: (input, { uid }) => maxOpen(views, uid, input),
});
