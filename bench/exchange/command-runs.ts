/**
 * Runs one stream of recorded orders in several ways: the whole exchange, only its surroundings,
 * and the bare book of another library.
 */
import { OrderBook as NodejsOrderBook, Side as NodejsSide } from 'nodejs-order-book';
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Engine } from '../../src/core/engine.ts';
import { BatchWriter, CHAIN_START } from '../../src/journal/record.ts';
import { ByteWriter } from '../../src/kernel/bytes.ts';
import type { Id, Sequence } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { writeCommand } from '../../src/messages/command-codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import { replay } from '../order-book/runs.ts';
import { CANCEL, type Stream } from '../order-book/stream.ts';
import { MARKET_START, openMarket } from './market.ts';
import { type RecordedOrders, STREAM_USERS, streamIdOf } from './recorded-orders.ts';

/** As many as become durable together under load. */
const BATCH_COMMANDS = 64;
const BATCH_BYTES = 64 * 1024;
/** As long as the engine's. */
const NO_DIGEST = '0'.repeat(16);

export interface CommandRun {
  run(from: number, until: number): void;
  /** The resting orders must equal those of a bare book, order by order. */
  expectBook(bare: FastOrderBook): void;
}

/** Encodes commands as the journal does, without the disk. */
class UnsavedJournal {
  readonly #batch = new BatchWriter(BATCH_BYTES, 0);
  readonly #scratch = new ByteWriter();
  #chain = CHAIN_START;

  constructor() {
    this.#batch.begin(1);
  }

  write(sequence: Sequence, command: Command, digest: () => string): void {
    this.#scratch.clear();
    writeCommand(this.#scratch, command);
    this.#batch.add(sequence, MARKET_START, this.#scratch);
    if (this.#batch.count < BATCH_COMMANDS) return;
    this.#chain = this.#batch.finish((sequence + 1) as Sequence, digest(), this.#chain).chain;
    this.#batch.begin(this.#batch.number + 1);
  }
}

/** Runs commands as the sequencer does, without the disk. */
export class FullCommandRun implements CommandRun {
  readonly engine: Engine;
  readonly #orders: RecordedOrders;
  readonly #journal = new UnsavedJournal();
  readonly #digest = (): string => this.engine.digest();

  constructor(orders: RecordedOrders) {
    this.engine = openMarket(STREAM_USERS);
    this.#orders = orders;
  }

  run(from: number, until: number): void {
    for (let at = from; at < until; at++) {
      const command = this.#orders.read(at);
      const { sequence } = this.engine.execute(command, MARKET_START);
      this.#journal.write(sequence, command, this.#digest);
    }
  }

  expectBook(bare: FastOrderBook): void {
    const { orders } = this.engine.state;
    invariant(
      orders.size === bare.size,
      `${orders.size} orders rest, and ${bare.size} in the bare book`,
    );
    for (const { clientOid, left } of orders.values())
      invariant(
        left === bare.lotsOf(streamIdOf(clientOid)),
        `${clientOid} has as much left as in the bare book`,
      );
    const { violations } = this.engine.audit();
    invariant(violations.length === 0, `the audit finds nothing: ${violations[0]}`);
  }
}

/**
 * Reads, matches and encodes commands as if users, money, client ids and events cost nothing: a
 * lower bound for any exchange on this journal.
 */
export class UnguardedRun implements CommandRun {
  readonly #orders: RecordedOrders;
  readonly #journal = new UnsavedJournal();
  readonly #book = new FastOrderBook();
  #sequence = 0;

  constructor(orders: RecordedOrders) {
    this.#orders = orders;
  }

  run(from: number, until: number): void {
    for (let at = from; at < until; at++) {
      const command = this.#orders.read(at);
      replay(this.#book, this.#orders.stream, at, at + 1);
      this.#journal.write(++this.#sequence as Sequence, command, () => NO_DIGEST);
    }
  }

  expectBook(bare: FastOrderBook): void {
    invariant(this.#book.size === bare.size, 'the same orders rest');
  }
}

/** A book alone. Its ids are texts; they are made before the clock starts, which favours it. */
export class PeerRun implements CommandRun {
  readonly #stream: Stream;
  readonly #texts: readonly string[];
  readonly #book = new NodejsOrderBook();

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#texts = Array.from(stream.ids, String);
  }

  run(from: number, until: number): void {
    const { kinds, buys, ticks, lots } = this.#stream;
    for (let at = from; at < until; at++) {
      const id = this.#texts[at]!;
      if (kinds[at] === CANCEL) this.#book.cancel(id);
      else
        this.#book.limit({
          id,
          side: buys[at] === 1 ? NodejsSide.BUY : NodejsSide.SELL,
          size: lots[at]!,
          price: ticks[at]!,
        });
    }
  }

  expectBook(bare: FastOrderBook): void {
    const { bids, asks } = this.#book.snapshot();
    const resting = [...bids, ...asks].flatMap((level) => level.orders);
    invariant(resting.length === bare.size, 'both books are left with the same orders');
    for (const { id, size } of resting)
      invariant(size === bare.lotsOf(Number.parseInt(id, 10) as Id), 'and as much of each');
  }
}
