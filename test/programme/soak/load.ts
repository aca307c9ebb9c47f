/** The load of a soak: traders place, cancel, trade and read, each call drawn at random. */
import type { Random } from '../../../src/kernel/random.ts';
import type { Trader } from '../fuzz/actors.ts';
import { messageBytes, signedHeaders } from '../fuzz/requests.ts';

export interface LoadCall {
  readonly kind: 'place' | 'cancel' | 'trade' | 'look';
  readonly bytes: Buffer;
}

/**
 * Client ids repeat after this many, so that cancels find earlier orders and few orders stay open.
 */
const NAMES_PER_TRADER = 150;
const PLACE = '/api/v3/trade/place-order';
const CANCEL = '/api/v3/trade/cancel-order';
const ORDER = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '0.01' } as const;

interface Book {
  readonly trader: Trader;
  placed: number;
  cancelled: number;
}

export class SoakLoad {
  readonly #random: Random;
  readonly #books: readonly Book[];

  constructor(traders: readonly Trader[], random: Random) {
    this.#random = random;
    this.#books = traders.map((trader) => ({ trader, placed: 0, cancelled: 0 }));
  }

  /** One call in ten trades, three read, and placed orders are cancelled later. */
  next(): LoadCall {
    const random = this.#random;
    const book = random.pick(this.#books);
    const draw = random.below(10);
    if (draw < 3) return { kind: 'look', bytes: this.#get(book.trader, this.#aRead(book)) };
    if (draw === 3) {
      const body = {
        ...ORDER,
        qty: '0.001',
        orderType: 'market',
        side: random.pick(['buy', 'sell']),
      };
      return { kind: 'trade', bytes: this.#post(book.trader, PLACE, body) };
    }
    if (
      book.placed - book.cancelled >= NAMES_PER_TRADER / 2 ||
      (book.placed > book.cancelled && random.below(2) === 0)
    ) {
      const clientOid = this.#name(book, book.cancelled++);
      return { kind: 'cancel', bytes: this.#post(book.trader, CANCEL, { clientOid }) };
    }
    const side = random.pick(['buy', 'sell']);
    const away = 1 + random.below(500);
    const price = String(side === 'buy' ? 60_000 - away : 60_000 + away);
    const clientOid = this.#name(book, book.placed++);
    return {
      kind: 'place',
      bytes: this.#post(book.trader, PLACE, {
        ...ORDER,
        orderType: 'limit',
        side,
        price,
        clientOid,
      }),
    };
  }

  /** A new client id for each order. */
  #name({ trader }: Book, at: number): string {
    return `s${trader.uid.slice(-4)}-${at}`;
  }

  #aRead(book: Book): string {
    return this.#random.pick([
      '/api/v3/trade/unfilled-orders?limit=20',
      '/api/v3/account/assets',
      '/api/v3/position/current-position?category=USDT-FUTURES',
      `/api/v3/trade/order-info?clientOid=${this.#name(book, Math.max(0, book.placed - 1))}`,
    ]);
  }

  #post(trader: Trader, target: string, fields: object): Buffer {
    const body = Buffer.from(JSON.stringify(fields));
    return messageBytes({
      method: 'POST',
      target,
      headers: signedHeaders(trader, 'POST', target, body),
      body,
    });
  }

  #get(trader: Trader, target: string): Buffer {
    return messageBytes({
      method: 'GET',
      target,
      headers: signedHeaders(trader, 'GET', target, undefined),
      body: undefined,
    });
  }
}
