/** A whole command in this process and without a disk: read from its bytes, executed with all that follows from it, written into a batch. */
import type { Engine } from '../../src/core/engine.ts';
import { BatchWriter, CHAIN_START } from '../../src/journal/record.ts';
import { ByteWriter } from '../../src/kernel/bytes.ts';
import type { Sequence } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { writeCommand } from '../../src/messages/command-codec.ts';
import type { Event } from '../../src/messages/events.ts';
import { cpuNanoseconds, runFastBook, runNodejsOrderBook } from '../order-book/runs.ts';
import { CANCEL, makeStream, type StreamShape } from '../order-book/stream.ts';
import { type Measured, median } from '../rows.ts';
import { expectAccepted, isAccepted, MARKET_START, openMarket } from './market.ts';
import { LOT, RecordedOrders, STREAM_USERS } from './recorded-orders.ts';

export interface FullCommandOptions {
  readonly repetitions: number;
  readonly commands: number;
}

type Shape = Omit<StreamShape, 'length'>;
/** The streams that order books are measured with. */
const DEEP: Shape = { name: 'deep', seed: 1, takerLots: 260 };
export const SHALLOW: Shape = { name: 'shallow', seed: 1, takerLots: 490 };

/** As many as become durable together under load. */
const BATCH_COMMANDS = 64;
const BATCH_BYTES = 64 * 1024;
const WARM_UP_COMMANDS = 60_000;

/** Runs commands as the sequencer does, the disk aside. */
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
      this.#batch.add(sequence, MARKET_START, this.#scratch.view());
      if (this.#batch.count === BATCH_COMMANDS) this.#closeBatch((sequence + 1) as Sequence);
    }
  }

  #closeBatch(next: Sequence): void {
    this.#chain = this.#batch.finish(next, this.engine.digest(), this.#chain).chain;
    this.#batch.begin(this.#batch.number + 1);
  }
}

const takenLots = (event: Event): number =>
  event.type === 'fillSettled' && event.fill.role === 'taker' ? Number(event.fill.size / LOT) : 0;

/** Executes a stream and looks at every answer: what it trades and leaves is what the bare book trades and leaves. Answers the digest. */
function probe(orders: RecordedOrders, commands: number): string {
  const { stream } = orders;
  const engine = openMarket(STREAM_USERS);
  let volume = 0;
  let cancelled = 0;
  let placed = 0;
  for (let at = 0; at < commands; at++) {
    const command = orders.read(at);
    const { outcome, events } = engine.execute(command, MARKET_START);
    for (const event of events) volume += takenLots(event);
    if (stream.kinds[at] !== CANCEL) {
      expectAccepted(command, outcome);
      placed++;
    } else if (isAccepted(outcome)) cancelled++;
  }
  const bare = runFastBook(stream, commands);
  invariant(volume === bare.volume && engine.state.orders.size === bare.live, 'the exchange and the bare book trade alike');
  invariant(cancelled > 0 && placed > cancelled, 'orders are placed, and some of them cancelled');
  const { violations } = engine.audit();
  invariant(violations.length === 0, `the audit finds nothing: ${violations[0]}`);
  return engine.digest();
}

function runExchange(orders: RecordedOrders, commands: number, digest: string): number {
  const run = new FullCommandRun(orders);
  const spent = cpuNanoseconds(() => run.run(0, commands));
  invariant(run.engine.digest() === digest, 'a measured run does what the probed one did');
  return spent / commands;
}

function measureShape(shape: Shape, { repetitions, commands }: FullCommandOptions): Measured[] {
  const orders = new RecordedOrders(makeStream({ ...shape, length: commands }));
  const digest = probe(orders, commands);
  runNodejsOrderBook(orders.stream, Math.min(WARM_UP_COMMANDS, commands));
  const ours: number[] = [];
  const theirs: number[] = [];
  // Interleaved, so that both meet the same neighbours on the machine.
  for (let repetition = 0; repetition < repetitions; repetition++) {
    ours.push(runExchange(orders, commands, digest));
    theirs.push(runNodejsOrderBook(orders.stream, commands).cpuNanoseconds);
  }
  const name = (who: string): string => `full command, ${shape.name}: ${who}`;
  const peer: Measured = { name: name("nodejs-order-book's bare book"), value: 1e9 / median(theirs), unit: 'commands per CPU second' };
  const ratio = median(ours.map((cost, at) => theirs[at]! / cost));
  return [{ name: name('ours, no disk'), value: 1e9 / median(ours), unit: peer.unit, ratioTo: peer.name, ratio }, peer];
}

export const measureFullCommand = (options: FullCommandOptions): Measured[] =>
  [DEEP, SHALLOW].flatMap((shape) => measureShape(shape, options));
