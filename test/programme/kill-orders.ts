/**
 * Traders that place orders by client id while the server is killed, and the checks on each order
 * afterwards.
 */

import type { Load } from './kill-load.ts';
import { type Keys, KillFailure } from './kill-model.ts';
import type { Server } from './server.ts';

const TRADERS = 4;
const PRICE = '50000';
/** Number of orders checked after a crash beside those without an answer. */
const SAMPLE = 12;
/** The code if no order with this client id was placed. */
const NOT_FOUND: ReadonlySet<string> = new Set(['25204']);

/** A requested order; `unknown` until an answer or a check after a crash settles it. */
interface AskedOrder {
  readonly trader: Keys;
  readonly clientOid: string;
  readonly body: Readonly<Record<string, string>>;
  state: 'unknown' | 'placed' | 'absent';
  orderId: string | undefined;
}

export class KillOrders {
  readonly #traders: Keys[] = [];
  readonly #asked: AskedOrder[] = [];
  /** Requested since the last check. */
  #fresh: AskedOrder[] = [];
  #count = 0;

  get placed(): number {
    return this.#asked.filter(({ state }) => state === 'placed').length;
  }

  /** Traders with money, and a price to trade at. */
  async prepare(server: Server): Promise<void> {
    await server.operate('POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: PRICE },
    ]);
    for (let at = 0; at < TRADERS; at++) {
      const { uid } = await server.operate<{ uid: string }>('POST', '/operator/v1/users', {});
      await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'USDT', size: '1000000' });
      this.#traders.push(await server.operate<Keys>('POST', '/operator/v1/keys', { uid }));
    }
  }

  /** One of two prices that match, so that some orders trade and some end at once. */
  async place(load: Load): Promise<void> {
    const { random } = load.model;
    const order: AskedOrder = {
      trader: random.pick(this.#traders),
      clientOid: `kill-order-${++this.#count}`,
      body: {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        side: random.pick(['buy', 'sell']),
        orderType: 'limit',
        price: PRICE,
        qty: '0.001',
        timeInForce: random.pick(['gtc', 'ioc', 'ioc']),
      },
      state: 'unknown',
      orderId: undefined,
    };
    this.#asked.push(order);
    this.#fresh.push(order);
    await this.#send(load, order);
  }

  async #send(load: Load, order: AskedOrder): Promise<void> {
    const { trader, clientOid, body } = order;
    const asked = load.server.call<{ orderId: string }>(
      trader,
      'POST',
      '/api/v3/trade/place-order',
      { ...body, clientOid },
    );
    const made = await load.acknowledgement(asked);
    if (made === undefined) return;
    if (order.orderId !== undefined && order.orderId !== made.orderId)
      throw new KillFailure(
        `the order ${clientOid} was ${order.orderId} and is now ${made.orderId}`,
      );
    order.state = 'placed';
    order.orderId = made.orderId;
  }

  /**
   * Acknowledged orders exist under their id. Orders without an answer exist or not; after a repeat
   * they exist once.
   */
  async check(load: Load): Promise<void> {
    const { random } = load.model;
    const sample = Array.from({ length: Math.min(SAMPLE, this.#asked.length) }, () =>
      random.pick(this.#asked),
    );
    for (const order of new Set([...this.#fresh, ...sample])) await this.#look(load.server, order);
    for (const order of this.#fresh.slice(-SAMPLE)) {
      await this.#send(load, order);
      await this.#look(load.server, order);
    }
    this.#fresh = [];
  }

  async #look(server: Server, order: AskedOrder): Promise<void> {
    const { trader, clientOid, state, orderId } = order;
    const found = await server.call<{ orderId: string }>(
      trader,
      'GET',
      `/api/v3/trade/order-info?clientOid=${clientOid}`,
    );
    if (NOT_FOUND.has(found.code)) {
      if (state === 'placed')
        throw new KillFailure(
          `the order ${clientOid} was acknowledged as ${orderId} and is missing`,
        );
      order.state = 'absent';
      return;
    }
    if (found.code !== '00000')
      throw new KillFailure(`order-info of ${clientOid} answers ${found.code} ${found.msg}`);
    if (state === 'absent')
      throw new KillFailure(
        `the order ${clientOid} was not there after an earlier crash and is there now`,
      );
    if (orderId !== undefined && orderId !== found.data.orderId)
      throw new KillFailure(
        `the order ${clientOid} was ${orderId} and is now ${found.data.orderId}`,
      );
    order.state = 'placed';
    order.orderId = found.data.orderId;
  }
}
