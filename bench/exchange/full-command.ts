/** A whole command in this process and without a disk: read from its bytes, executed with all that follows from it, written into a batch. */
import { OrderBook as NodejsOrderBook, Side as NodejsSide } from 'nodejs-order-book';
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import type { Engine } from '../../src/core/engine.ts';
import { BatchWriter, CHAIN_START } from '../../src/journal/record.ts';
import { ByteWriter } from '../../src/kernel/bytes.ts';
import type { Id, Sequence } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { writeCommand } from '../../src/messages/command-codec.ts';
import { cpuNanoseconds, replay } from '../order-book/runs.ts';
import { CANCEL, type Stream } from '../order-book/stream.ts';
import { compared, type Measured } from '../rows.ts';
import { MARKET_START, openMarket } from './market.ts';
import { RecordedOrders, STREAM_USERS, streamIdOf } from './recorded-orders.ts';
import { DEEP, SHALLOW, type Shape, settledStream } from './settled-stream.ts';

export interface FullCommandOptions {
  readonly slices: number;
  /** Of one slice. */
  readonly commands: number;
  /** How long the stream is whose end is measured. */
  readonly streamLength: number;
}

/** As many as become durable together under load. */
const BATCH_COMMANDS = 64;
const BATCH_BYTES = 64 * 1024;
const WARM_UP_SLICES = 6;

/** Commands as the sequencer runs them, the disk aside. */
export class FullCommandRun {
  readonly engine: Engine;
  readonly #orders: RecordedOrders;
  readonly #batch = new BatchWriter(BATCH_BYTES, 0);
  readonly #scratch = new ByteWriter();
  #chain = CHAIN_START;

  constructor(orders: RecordedOrders) {
    this.engine = openMarket(STREAM_USERS);
    this.#orders = orders;
    this.#batch.begin(1);
  }

  run(from: number, until: number): void {
    for (let at = from; at < until; at++) {
      const command = this.#orders.read(at);
      const { sequence } = this.engine.execute(command, MARKET_START);
      this.#scratch.clear();
      writeCommand(this.#scratch, command);
      this.#batch.add(sequence, MARKET_START, this.#scratch);
      if (this.#batch.count === BATCH_COMMANDS) this.#closeBatch((sequence + 1) as Sequence);
    }
  }

  #closeBatch(next: Sequence): void {
    this.#chain = this.#batch.finish(next, this.engine.digest(), this.#chain).chain;
    this.#batch.begin(this.#batch.number + 1);
  }

  /** Order by order, what rests is what rests in a book that knows nothing of money and users. */
  expectBook(bare: FastOrderBook): void {
    const { orders } = this.engine.state;
    invariant(orders.size === bare.size, `${orders.size} orders rest, and ${bare.size} in the bare book`);
    for (const { clientOid, left } of orders.values())
      invariant(left === bare.lotsOf(streamIdOf(clientOid)), `${clientOid} has as much left as in the bare book`);
    const { violations } = this.engine.audit();
    invariant(violations.length === 0, `the audit finds nothing: ${violations[0]}`);
  }
}

/** A book and nothing else. Its ids are texts; they are made before the clock starts, which favours it. */
class PeerRun {
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
      else this.#book.limit({ id, side: buys[at] === 1 ? NodejsSide.BUY : NodejsSide.SELL, size: lots[at]!, price: ticks[at]! });
    }
  }

  expectBook(bare: FastOrderBook): void {
    const { bids, asks } = this.#book.snapshot();
    const resting = [...bids, ...asks].flatMap((level) => level.orders);
    invariant(resting.length === bare.size, 'both books are left with the same orders');
    for (const { id, size } of resting) invariant(size === bare.lotsOf(Number.parseInt(id, 10) as Id), 'and as much of each');
  }
}

/** Processor time of each, in nanoseconds a command. */
interface Costs {
  ours: number;
  theirs: number;
}

/** So many slices that whatever else goes on on the machine goes on during both, and each long enough to have its share of collecting. */
function measureShape(shape: Shape, { slices, commands, streamLength }: FullCommandOptions): Measured[] {
  const warmUp = WARM_UP_SLICES * commands;
  const measured = slices * commands;
  const { stream, settled } = settledStream(shape, streamLength, warmUp + measured);
  const ours = new FullCommandRun(new RecordedOrders(stream));
  const theirs = new PeerRun(stream);
  for (const run of [ours, theirs]) run.run(0, settled + warmUp);
  const costs: Costs = { ours: 0, theirs: 0 };
  for (let from = settled + warmUp; from < stream.length; from += commands) {
    costs.ours += cpuNanoseconds(() => ours.run(from, from + commands)) / measured;
    costs.theirs += cpuNanoseconds(() => theirs.run(from, from + commands)) / measured;
  }
  const bare = new FastOrderBook();
  replay(bare, stream, 0, stream.length);
  ours.expectBook(bare);
  theirs.expectBook(bare);
  return rowsOf(shape.name, costs, bare.size);
}

function rowsOf(shape: string, { ours, theirs }: Costs, resting: number): Measured[] {
  const name = (who: string): string => `full command, ${shape}: ${who}`;
  const unit = 'commands per CPU second';
  const peer: Measured = { name: name("nodejs-order-book's bare book"), value: 1e9 / theirs, unit };
  return [
    compared({ name: name('ours, no disk'), value: 1e9 / ours, unit }, peer),
    peer,
    { name: name('orders resting'), value: resting, unit: 'orders' },
  ];
}

export const measureFullCommand = (options: FullCommandOptions): Measured[] =>
  [DEEP, SHALLOW].flatMap((shape) => measureShape(shape, options));
