/**
 * Shared by tests of the laboratory: a trader with an order to place, faults for that trader alone,
 * and its verdicts.
 */
import type { Trader, TradingExchange } from './trading-exchange.ts';

export interface VerdictRow {
  readonly endpoint: string;
  readonly clientOid: string;
  readonly at: string;
  readonly faults: readonly string[];
  readonly attempts: number;
  readonly orders: readonly string[];
  readonly verdict: string;
}

export const PLACE = '/api/v3/trade/place-order';

/** Rests far below the market. An order of another size is another intent. */
export const restingOrder = (clientOid?: string, qty = '0.01') => ({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  qty,
  price: '50000',
  side: 'buy',
  orderType: 'limit',
  ...(clientOid === undefined ? {} : { clientOid }),
});

type Fields = Readonly<Record<string, unknown>>;

export class Rehearsal {
  readonly exchange: TradingExchange;
  readonly trader: Trader;

  constructor(exchange: TradingExchange, trader: Trader) {
    this.exchange = exchange;
    this.trader = trader;
  }

  /** Sets a fault that strikes only this trader. */
  async set(fault: {
    readonly name?: string;
    readonly match?: Fields;
    readonly effect?: Fields;
  }): Promise<string> {
    const match = { ...fault.match, uid: this.trader.uid };
    const { data } = await this.exchange.operate('POST', '/operator/v1/faults', {
      ...fault,
      match,
    });
    return (data as { id: string }).id;
  }

  async hits(id: string): Promise<number | undefined> {
    const { data } = await this.exchange.operate('GET', '/operator/v1/faults');
    return (data as { id: string; hits: number }[]).find((fault) => fault.id === id)?.hits;
  }

  async verdicts(): Promise<readonly VerdictRow[]> {
    return (await this.exchange.operate('GET', `/operator/v1/verdicts?uid=${this.trader.uid}`))
      .data as VerdictRow[];
  }

  /** The verdicts without their envelope. */
  async words(): Promise<readonly string[]> {
    return (await this.verdicts()).map(({ verdict }) => verdict);
  }

  /** The code of the answer; `cut` if the connection ended without one. */
  async place(order: Fields = restingOrder()): Promise<string> {
    try {
      return await this.exchange.code(this.trader, 'placeOrder', order);
    } catch (error) {
      if ((error as Error).message === 'fetch failed') return 'cut';
      throw error;
    }
  }

  async openOrders(): Promise<readonly string[]> {
    const { list } = await this.exchange.data<{ list: readonly { clientOid: string }[] }>(
      this.trader,
      'listOpenOrders',
    );
    return list.map(({ clientOid }) => clientOid);
  }
}
