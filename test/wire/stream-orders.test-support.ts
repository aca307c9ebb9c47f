/** A logged-in connection that sends orders, and the frames that answer them. */
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import { StreamClient } from './stream-client.ts';

export interface OrderRow {
  readonly symbol?: string;
  readonly orderId?: string;
  readonly clientOid: string;
  readonly cTime?: string;
  readonly code?: string;
  readonly msg?: string;
}

export interface OrderFrame {
  readonly event: string;
  readonly id?: string;
  readonly category?: string;
  readonly topic?: string;
  readonly args?: readonly OrderRow[];
  readonly arg?: readonly Readonly<Record<string, unknown>>[];
  readonly code: string | number;
  readonly msg: string;
  readonly ts: string | number;
}

export class OrderClient {
  readonly stream: StreamClient;
  #lastId = 0;

  private constructor(stream: StreamClient) {
    this.stream = stream;
  }

  static async open(
    exchange: { readonly url: string },
    owner: ShownCredentials,
    version: 'v2' | 'v3' = 'v3',
  ): Promise<OrderClient> {
    const stream = await StreamClient.open(exchange, `/${version}/ws/private`);
    stream.logIn(owner);
    await stream.frame();
    return new OrderClient(stream);
  }

  /** Sends a v3 request without waiting. */
  send(
    topic: string,
    args: readonly unknown[],
    more: Readonly<Record<string, unknown>> = {},
  ): void {
    const id = String(++this.#lastId);
    this.stream.send({ op: 'trade', id, category: 'usdt-futures', topic, args, ...more });
  }

  /** Sends a v2 request without waiting. */
  sendClassic(channel: string, params: unknown, market = BTC): void {
    const id = String(++this.#lastId);
    this.stream.send({ op: 'trade', args: [{ id, ...market, channel, params }] });
  }

  async answer(): Promise<OrderFrame> {
    return (await this.stream.frame()) as unknown as OrderFrame;
  }

  close(): void {
    this.stream.close();
  }
}

const BTC = { instType: 'USDT-FUTURES', instId: 'BTCUSDT' };
