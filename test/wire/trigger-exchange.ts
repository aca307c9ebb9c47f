/**
 * Trigger orders over HTTP: an exchange with one symbol, and traders with short helpers for
 * triggers.
 */
import { type Trader, TradingExchange } from './trading-exchange.ts';

export interface Row {
  readonly orderId: string;
  readonly [field: string]: unknown;
}
export interface Rows {
  readonly entrustedList: readonly Row[];
  readonly endId: string;
}

export const PLAN = {
  planType: 'normal_plan',
  symbol: 'BTCUSDT',
  productType: 'usdt-futures',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
  triggerPrice: '65000',
  triggerType: 'mark_price',
  side: 'buy',
  orderType: 'market',
} as const;
export const TPSL = {
  marginCoin: 'USDT',
  productType: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  holdSide: 'long',
} as const;

type HoldMode = 'one_way_mode' | 'hedge_mode';

export class TriggerExchange {
  readonly exchange: TradingExchange;
  readonly maker: Trader;

  private constructor(exchange: TradingExchange, maker: Trader) {
    this.exchange = exchange;
    this.maker = maker;
  }

  /** Bitcoin is at 60,000 by every price, and a maker quotes a thousand below and above. */
  static async start(): Promise<TriggerExchange> {
    const exchange = await TradingExchange.start();
    const maker = await exchange.trader({ deposits: { USDT: '100000000' } });
    await exchange.setIndex('BTCUSDT', '60000', '60000');
    const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
    await exchange.data(maker, 'placeBatch', [
      { ...order, side: 'buy', price: '59000' },
      { ...order, side: 'sell', price: '61000' },
    ]);
    return new TriggerExchange(exchange, maker);
  }

  trader(holdMode: HoldMode = 'one_way_mode'): Promise<Trader> {
    return this.exchange.trader({ holdMode, deposits: { USDT: '1000000' } });
  }

  /** A trader with a long position of one bitcoin at 61,000. */
  async longTrader(holdMode: HoldMode = 'one_way_mode'): Promise<Trader> {
    const alice = await this.trader(holdMode);
    await this.exchange.data(alice, 'placeFuturesOrder', {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '1',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'market',
    });
    return alice;
  }

  pending(caller: Trader, planType: string, more = {}): Promise<Rows> {
    return this.exchange.data<Rows>(caller, 'listPendingTriggerOrders', {
      planType,
      productType: 'USDT-FUTURES',
      ...more,
    });
  }

  history(caller: Trader, planType: string, more = {}): Promise<Rows> {
    return this.exchange.data<Rows>(caller, 'listTriggerOrderHistory', {
      planType,
      productType: 'USDT-FUTURES',
      ...more,
    });
  }

  place(caller: Trader, more = {}): Promise<Row> {
    return this.exchange.data<Row>(caller, 'placeTriggerOrder', { ...PLAN, ...more });
  }

  mark(price: string): Promise<void> {
    return this.exchange.setIndex('BTCUSDT', '60000', price);
  }
}
