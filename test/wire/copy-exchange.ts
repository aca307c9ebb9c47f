/** Copy trading over HTTP: an exchange with one symbol, a leader and a possible follower. */
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

export type { Row };

export const SYMBOL = 'BTCUSDT';
export const productType = 'USDT-FUTURES';

/** Settings that copy the leader's orders in the symbol as they are. */
export const setting = (request: Row = {}) => ({
  symbol: SYMBOL,
  productType,
  marginType: 'trader' as const,
  leverType: 'trader' as const,
  traceType: 'percent' as const,
  traceValue: '1',
  ...request,
});

export class CopyExchange {
  readonly exchange: TradingExchange;
  readonly maker: Trader;
  /** The users of the running test. */
  #leader: Trader | undefined;

  private constructor(exchange: TradingExchange, maker: Trader) {
    this.exchange = exchange;
    this.maker = maker;
  }

  static async start(): Promise<CopyExchange> {
    const exchange = await TradingExchange.start();
    const maker = await exchange.trader({ deposits: { USDT: '100000000' } });
    await exchange.setIndex(SYMBOL, '50000');
    return new CopyExchange(exchange, maker);
  }

  /** A book around 50,000 with one maker, a leader who takes a tenth, and a user in hedge mode. */
  async newPeople(): Promise<readonly [leader: Trader, other: Trader]> {
    await this.exchange.clearBooks();
    const leader = await this.exchange.trader({ deposits: { USDT: '100000' } });
    await this.exchange.operate('POST', '/operator/v1/traders', {
      uid: leader.uid,
      profitShare: '0.1',
    });
    const other = await this.exchange.trader({
      holdMode: 'hedge_mode',
      deposits: { USDT: '100000' },
    });
    await this.quote('50000');
    this.#leader = leader;
    return [leader, other];
  }

  /** The maker places a buy and a sell order around a price. */
  async quote(price: string): Promise<void> {
    await this.exchange.setIndex(SYMBOL, price, price);
    await this.exchange.data(this.maker, 'cancelSymbolOrders', { category: productType });
    const quoted = { category: productType, symbol: SYMBOL, orderType: 'limit', qty: '100' };
    await this.exchange.data(this.maker, 'placeOrder', { ...quoted, side: 'sell', price });
    await this.exchange.data(this.maker, 'placeOrder', {
      ...quoted,
      side: 'buy',
      price: String(Number(price) - 1),
    });
  }

  follow(trader: Trader, request: Row = {}, more: Readonly<Record<string, unknown>> = {}) {
    return this.exchange.call(trader, 'setCopySettings', {
      traderId: this.#leader!.uid,
      settings: [setting(request)],
      ...more,
    });
  }

  open(trader: Trader, qty: string, posSide: 'long' | 'short' = 'long') {
    const side = posSide === 'long' ? 'buy' : 'sell';
    return this.exchange.data(trader, 'placeOrder', {
      category: productType,
      symbol: SYMBOL,
      side,
      posSide,
      orderType: 'market',
      qty,
    });
  }

  /** Closes long positions of a user. */
  close(trader: Trader, qty: string) {
    const order = {
      category: productType,
      symbol: SYMBOL,
      side: 'sell',
      posSide: 'long',
      orderType: 'market',
      qty,
    };
    return this.exchange.data(trader, 'placeOrder', order);
  }

  /** Ended copies of a follower. */
  history(trader: Trader, query: Row = {}) {
    return this.exchange.data<{ trackingList: readonly Row[]; endId: string }>(
      trader,
      'listFollowerHistory',
      { productType, ...query },
    );
  }
}
