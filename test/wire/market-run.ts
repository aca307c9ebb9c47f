/**
 * A seeded run of several traders over HTTP: all order kinds and categories, liquidations, funding,
 * interest and day ends.
 */
import { type Random, seededRandom } from '../../src/kernel/random.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

export interface Resident extends Trader {
  readonly hedge: boolean;
}

interface Market {
  readonly category: string;
  readonly symbol: string;
  /** The price of one lot, and the decimals of prices and sizes. */
  readonly price: number;
  readonly decimals: number;
  readonly sizeDecimals: number;
}

const BITCOIN = 60_000;
const ETHER = 3_000;
export const MARKETS: readonly Market[] = [
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: BITCOIN, decimals: 1, sizeDecimals: 4 },
  { category: 'USDC-FUTURES', symbol: 'ETHPERP', price: ETHER, decimals: 2, sizeDecimals: 2 },
  { category: 'COIN-FUTURES', symbol: 'ETHUSD', price: ETHER, decimals: 2, sizeDecimals: 2 },
  { category: 'SPOT', symbol: 'BTCUSDT', price: BITCOIN, decimals: 2, sizeDecimals: 6 },
  { category: 'MARGIN', symbol: 'BTCUSDT', price: BITCOIN, decimals: 2, sizeDecimals: 6 },
];
export const isFutures = (category: string): boolean => category.endsWith('-FUTURES');

const RICH = { USDT: '900000', USDC: '900000', BTC: '15', ETH: '300' };
const POOR = { USDT: '3000', USDC: '2000', ETH: '0.3' };

export class MarketRun {
  readonly residents: Resident[] = [];
  readonly #exchange: TradingExchange;
  readonly #random: Random;
  /** The current prices relative to the first ones, in thousandths. */
  #level = 1_000;

  constructor(exchange: TradingExchange, seed: number) {
    this.#exchange = exchange;
    this.#random = seededRandom(seed);
  }

  async begin(): Promise<void> {
    // Starts at the beginning of a day, because funding and levels depend on the hour.
    await this.#exchange.operate('POST', '/operator/v1/clock', { frozen: true });
    await this.#exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
    await this.#setPrices();
    for (const deposits of [RICH, RICH, POOR, POOR]) {
      const hedge = this.residents.length % 2 === 1;
      const trader = await this.#exchange.trader({
        deposits,
        holdMode: hedge ? 'hedge_mode' : 'one_way_mode',
      });
      this.residents.push({ ...trader, hedge });
    }
    for (const { category, symbol } of MARKETS.filter((market) => isFutures(market.category)))
      for (const poor of this.residents.slice(2))
        await this.#exchange.data(poor, 'setLeverage', { category, symbol, leverage: '50' });
  }

  /**
   * A random command, or a move of time or prices. Refusals are allowed, because the later figures
   * must agree in any case.
   */
  async act(): Promise<void> {
    const roll = this.#random.below(100);
    const resident = this.#random.pick(this.residents);
    if (roll < 80) await this.#exchange.call(resident, 'placeBatch', this.#orders(resident));
    else if (roll < 86)
      await this.#exchange.call(resident, 'cancelSymbolOrders', {
        category: this.#random.pick(MARKETS).category,
      });
    else if (roll < 90)
      await this.#exchange.call(resident, 'closePositions', {
        category: this.#random.pick(MARKETS.slice(0, 3)).category,
      });
    else if (roll < 96)
      await this.shock(Math.max(600, Math.min(1_500, this.#level + this.#random.below(241) - 120)));
    else
      await this.#exchange.operate(
        'POST',
        '/operator/v1/clock',
        this.#random.pick([{ advanceMs: '1800000' }, { to: 'nextFunding' }]),
      );
  }

  /** Moves prices to a number of thousandths of the first ones. */
  async shock(level: number): Promise<void> {
    this.#level = level;
    await this.#setPrices();
  }

  async #setPrices(): Promise<void> {
    const at = (price: number) => `${(price * this.#level) / 1_000}.0123456789`;
    await this.#exchange.operate('POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: at(BITCOIN), force: true },
      { category: 'USDT-FUTURES', symbol: 'ETHUSDT', index: at(ETHER), force: true },
    ]);
  }

  #orders(resident: Resident): readonly Record<string, string>[] {
    const market = this.#random.pick(MARKETS);
    return Array.from({ length: 1 + this.#random.below(4) }, () => this.#order(resident, market));
  }

  #order(
    { hedge }: Resident,
    { category, symbol, price, decimals, sizeDecimals }: Market,
  ): Record<string, string> {
    const random = this.#random;
    const side = random.pick(['buy', 'sell']);
    const orderType = random.below(5) === 0 ? 'market' : 'limit';
    const around = ((price * this.#level) / 1_000) * (1 + (random.below(61) - 30) / 10_000);
    const worth = random.pick([100, 1_000, 5_000, 30_000]) * (0.5 + random.fraction());
    const isQuote = orderType === 'market' && side === 'buy' && !isFutures(category);
    return {
      category,
      symbol,
      side,
      orderType,
      qty: isQuote ? worth.toFixed(2) : (worth / around).toFixed(sizeDecimals),
      price: around.toFixed(decimals),
      timeInForce: random.pick(['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only']),
      stpMode: random.pick(['none', 'none', 'cancel_taker', 'cancel_maker', 'cancel_both']),
      ...(hedge
        ? { posSide: random.pick(['long', 'short']) }
        : { reduceOnly: random.pick(['no', 'no', 'yes']) }),
    };
  }
}
