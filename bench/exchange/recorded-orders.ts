/** The streams of the order book measurements as commands of many users, in the journal's bytes. */
import { ByteReader, ByteWriter } from '../../src/kernel/bytes.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../../src/kernel/ids.ts';
import { readCommand, writeCommand } from '../../src/messages/command-codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import { CANCEL, type Stream } from '../order-book/stream.ts';
import { uidAt } from './market.ts';

/** Enough that no user reaches the limit of open orders. */
export const STREAM_USERS = 1_000;
/** Spreads orders over users; it has no divisor in common with their number. */
const SPREAD = 7_919;

const CATEGORY = 'USDT-FUTURES';
const SYMBOL = 'BTCUSDT';
/** Tick 0 of a stream, in tenths of a dollar: its prices are around the index. */
const FIRST_TENTHS = 599_500;
const LOTS_PER_COIN = 10_000;

const userOf = (id: number): Uid => uidAt((id * SPREAD) % STREAM_USERS);
const NAME = 'bench-order-';
const clientOidOf = (id: number): ClientOid => `${NAME}${id}` as ClientOid;
/** The id an order has in its stream. */
export const streamIdOf = (clientOid: ClientOid): Id =>
  Number.parseInt(clientOid.slice(NAME.length), 10) as Id;

function commandAt({ kinds, ids, buys, ticks, lots }: Stream, at: number): Command {
  const id = ids[at]!;
  const uid = userOf(id);
  if (kinds[at] === CANCEL)
    return {
      type: 'cancelOrders',
      uid,
      orders: [{ orderId: undefined, clientOid: clientOidOf(id) }],
    };
  const draft = {
    symbol: SYMBOL,
    side: buys[at] === 1 ? 'buy' : 'sell',
    orderType: 'limit',
    size: (lots[at]! / LOTS_PER_COIN).toFixed(4) as DecimalText,
    price: ((FIRST_TENTHS + ticks[at]!) / 10).toFixed(1) as DecimalText,
    timeInForce: 'gtc',
    positionSide: undefined,
    clientOid: clientOidOf(id),
    selfTradeMode: undefined,
    reduceOnly: false,
    marginMode: undefined,
    loanType: undefined,
  } as const;
  return { type: 'placeOrders', uid, category: CATEGORY, orders: [draft] };
}

export class RecordedOrders {
  readonly stream: Stream;
  readonly #bytes: Buffer;
  /** Ends of the commands; each starts at the end of the previous one. */
  readonly #ends: Uint32Array;

  constructor(stream: Stream) {
    this.stream = stream;
    this.#ends = new Uint32Array(stream.length);
    const writer = new ByteWriter();
    for (let at = 0; at < stream.length; at++) {
      writeCommand(writer, commandAt(stream, at));
      this.#ends[at] = writer.length;
    }
    this.#bytes = writer.view();
  }

  read(at: number): Command {
    return readCommand(
      new ByteReader(this.#bytes, at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]),
    );
  }
}
