/** Public data: the time and the listings, in the forms that v2 and v3 clients parse. */

import type { marketRows } from '../../contract/market.ts';
import { wireRejection } from '../../contract/wire-rejections.ts';
import type { FeeRates } from '../../formulas/fees.ts';
import { riskBounds } from '../../formulas/isolated-risk.ts';
import {
  decimalsOf,
  divide,
  greatest,
  money,
  moneyText,
  ONE_RATE,
  type Price,
  type Rate,
  type Size,
} from '../../kernel/money.ts';
import { ok, refuse } from '../../kernel/result.ts';
import { OPEN_FUTURES_ORDERS_MAX, OPEN_SPOT_ORDERS_MAX } from '../../messages/bounds.ts';
import type { Chain, Instrument } from '../../messages/listings.ts';
import { type Category, isFutures, takesOrders } from '../../messages/vocabulary.ts';
import type { ListedInstrument } from '../../views/listings.ts';
import type { HandlersOf, Reply } from './handler.ts';
import type { HandlerParts } from './parts.ts';

const trueOrFalse = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false');
const placesOf = (step: string): string => String(decimalsOf(money<Price>(step)));

const feeRatesText = ({ maker, taker }: FeeRates) => ({
  makerFeeRate: moneyText(maker),
  takerFeeRate: moneyText(taker),
});

const openFuturesOrdersMax = String(OPEN_FUTURES_ORDERS_MAX);
const orderCaps = {
  maxSymbolOrderNum: openFuturesOrdersMax,
  maxProductOrderNum: openFuturesOrdersMax,
  maxPositionNum: openFuturesOrdersMax,
};

/** Orders have a smallest quantity, but no smallest value. */
const NO_MINIMUM = '0';
const NEVER = '-1';
const QUOTE_PLACES = '8';
const LEVERAGE_MIN = '1';

const spotStatuses = {
  normal: 'online',
  halted: 'halt',
  cancelOnly: 'halt',
  off: 'offline',
} as const;
const contractStatuses = {
  normal: 'normal',
  halted: 'maintain',
  cancelOnly: 'limit_open',
  off: 'off',
} as const;
const instrumentStatuses = {
  normal: 'online',
  halted: 'restrictedAPI',
  cancelOnly: 'limit_open',
  off: 'offline',
} as const;

const coinsOf = ({ baseCoin, quoteCoin }: Instrument) => ({ baseCoin, quoteCoin });
const priceBandOf = ({ priceBandRate }: Instrument) => ({
  buyLimitPriceRatio: priceBandRate,
  sellLimitPriceRatio: priceBandRate,
});
const precisionsOf = ({ priceStep, sizeStep }: Instrument) => ({
  pricePrecision: placesOf(priceStep),
  quantityPrecision: placesOf(sizeStep),
});
const tradeAmountsOf = ({ sizeMin, sizeMax }: Instrument) => ({
  minTradeAmount: sizeMin,
  maxTradeAmount: sizeMax,
});

/** The price step in units of its last decimal place: 5 for a step of 0.5. */
function priceEndStep({ priceStep }: Instrument): string {
  const step = money<Price>(priceStep);
  const unit = money<Price>(`0.${'0'.repeat(Math.max(0, decimalsOf(step) - 1))}1`);
  return decimalsOf(step) === 0 ? moneyText(step) : divide(step, unit, 'nearest').toString();
}

/** `isHalted`: the kill switch of the coin is on. */
const chainRow = (chain: Chain, isHalted: boolean) => ({
  chain: chain.chain,
  needTag: trueOrFalse(chain.needsTag),
  withdrawable: trueOrFalse(chain.withdrawOpen && !isHalted),
  rechargeable: trueOrFalse(chain.depositOpen),
  withdrawFee: chain.withdrawFee,
  extraWithdrawFee: '0',
  depositConfirm: String(chain.depositConfirmations),
  withdrawConfirm: String(chain.withdrawConfirmations),
  minDepositAmount: chain.depositMin,
  minWithdrawAmount: chain.withdrawMin,
  browserUrl: '',
  contractAddress: '',
  withdrawStep: chain.withdrawStep,
  withdrawMinScale: String(chain.withdrawDecimals),
  congestion: 'normal' as const,
});

const spotRow = ({ instrument, status }: ListedInstrument, fees: FeeRates) => ({
  symbol: instrument.symbol,
  ...coinsOf(instrument),
  ...tradeAmountsOf(instrument),
  ...feeRatesText(fees),
  ...precisionsOf(instrument),
  quotePrecision: QUOTE_PLACES,
  status: spotStatuses[status],
  minTradeUSDT: NO_MINIMUM,
  ...priceBandOf(instrument),
  orderQuantity: String(OPEN_SPOT_ORDERS_MAX),
});

const contractRow = ({ instrument, status }: ListedInstrument, fees: FeeRates) => ({
  symbol: instrument.symbol,
  ...coinsOf(instrument),
  ...priceBandOf(instrument),
  ...feeRatesText(fees),
  supportMarginCoins: [instrument.marginCoin],
  minTradeNum: instrument.sizeMin,
  maxOrderQty: instrument.sizeMax,
  maxMarketOrderQty: instrument.marketSizeMax,
  priceEndStep: priceEndStep(instrument),
  pricePlace: placesOf(instrument.priceStep),
  volumePlace: placesOf(instrument.sizeStep),
  sizeMultiplier: instrument.sizeStep,
  symbolType: 'perpetual' as const,
  minTradeUSDT: NO_MINIMUM,
  ...orderCaps,
  symbolStatus: contractStatuses[status],
  offTime: NEVER,
  limitOpenTime: NEVER,
  deliveryTime: '',
  launchTime: '',
  fundInterval: String(instrument.fundingHours),
  minLever: LEVERAGE_MIN,
  maxLever: instrument.leverageMax,
});

const instrumentRow = (
  { instrument, status }: ListedInstrument,
  fees: FeeRates,
  maxLeverage: string,
) => ({
  symbol: instrument.symbol,
  category: instrument.category,
  ...coinsOf(instrument),
  ...priceBandOf(instrument),
  ...feeRatesText(fees),
  minOrderQty: instrument.sizeMin,
  minOrderAmount: instrument.sizeMin,
  maxOrderQty: instrument.sizeMax,
  maxMarketOrderQty: instrument.marketSizeMax,
  ...precisionsOf(instrument),
  quotePrecision: QUOTE_PLACES,
  priceMultiplier: instrument.priceStep,
  quantityMultiplier: instrument.sizeStep,
  sizeMultiplier: instrument.sizeStep,
  ...(isFutures(instrument.category) ? { type: 'perpetual' as const } : {}),
  symbolType: 'crypto' as const,
  isRwa: 'NO' as const,
  status: instrumentStatuses[status],
  offTime: NEVER,
  limitOpenTime: NEVER,
  deliveryTime: '',
  launchTime: '',
  fundInterval: isFutures(instrument.category) ? String(instrument.fundingHours) : '',
  minLeverage: LEVERAGE_MIN,
  maxLeverage,
  ...orderCaps,
});

export function marketHandlers({
  views,
  exchangeNow,
}: HandlerParts): HandlersOf<typeof marketRows> {
  const { listings, withdrawals, feeRates } = views;
  /** A crossed loan has the leverage of its coin; orders of a symbol may borrow either coin. */
  const crossedLeverage = ({ baseCoin, quoteCoin }: Instrument): string =>
    moneyText(
      [baseCoin, quoteCoin]
        .map((name) => money<Rate>(listings.coin(name)?.leverageMax ?? LEVERAGE_MIN))
        .reduce(greatest),
    );

  /**
   * The requested rows, with the fees of the first level. Refuses an unlisted symbol, instead of an
   * empty answer.
   */
  const rowsOf = <Row>(
    category: Category,
    symbol: string | undefined,
    row: (listed: ListedInstrument, fees: FeeRates) => Row,
  ): Reply<Row[]> => {
    const fees = feeRates.ofFirstLevel(category);
    const asked = listings
      .instruments(category)
      .filter(({ instrument }) => symbol === undefined || instrument.symbol === symbol);
    if (symbol !== undefined && asked.length === 0)
      return refuse(wireRejection('unknownSymbol', 'symbol', symbol));
    return ok(asked.map((listed) => row(listed, fees)));
  };

  return {
    getServerTime: () => ok({ serverTime: String(exchangeNow()) }),

    listCoins: ({ coin }) => {
      const rows = listings.coins().map((listed, at) => ({
        coinId: String(at + 1),
        coin: listed.coin,
        transfer: 'true' as const,
        chains: listed.chains.map((chain) => chainRow(chain, withdrawals.isHalted(listed.coin))),
      }));
      if (coin === undefined) return ok(rows);
      const found = rows.filter((row) => row.coin === coin);
      return found.length === 0 ? refuse(wireRejection('unknownCoin', 'coin', coin)) : ok(found);
    },

    listSpotSymbols: ({ symbol }) => rowsOf('SPOT', symbol, spotRow),

    listAnnouncements: () => ok([]),

    listMarginCurrencies: () =>
      rowsOf('MARGIN', undefined, ({ instrument, status }, fees) => {
        const leverage = money<Rate>(instrument.leverageMax);
        const { borrowing, liquidation } = riskBounds(leverage);
        const lends = takesOrders(status);
        const lendsToPairs = lends && leverage > ONE_RATE;
        return {
          symbol: instrument.symbol,
          ...coinsOf(instrument),
          maxCrossedLeverage: crossedLeverage(instrument),
          maxIsolatedLeverage: instrument.leverageMax,
          warningRiskRatio: moneyText(borrowing),
          liquidationRiskRatio: moneyText(liquidation),
          ...tradeAmountsOf(instrument),
          ...feeRatesText(fees),
          ...precisionsOf(instrument),
          minTradeUSDT: NO_MINIMUM,
          isBorrowable: lends,
          isCrossBorrowable: lends,
          isIsolatedBaseBorrowable: lendsToPairs,
          isIsolatedQuotedBorrowable: lendsToPairs,
          userMinBorrow: moneyText(1n as Size),
          status: status === 'normal' ? ('1' as const) : ('2' as const),
        };
      }),

    listContracts: ({ productType, symbol }) =>
      productType === 'demo' ? ok([]) : rowsOf(productType, symbol, contractRow),

    listInstruments: ({ category, symbol }) =>
      rowsOf(category, symbol, (listed, fees) => {
        const { instrument } = listed;
        return instrumentRow(
          listed,
          fees,
          category === 'MARGIN' ? crossedLeverage(instrument) : instrument.leverageMax,
        );
      }),
  };
}
