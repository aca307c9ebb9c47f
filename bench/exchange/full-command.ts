/**
 * Measures a whole command in this process without a disk: read from its bytes, executed with all
 * its effects, written into a batch.
 */
import { FastOrderBook } from '../../src/core/book/fast-order-book.ts';
import { cpuNanoseconds, replay } from '../order-book/runs.ts';
import { compared, type Measured } from '../rows.ts';
import { type CommandRun, FullCommandRun, PeerRun, UnguardedRun } from './command-runs.ts';
import { RecordedOrders } from './recorded-orders.ts';
import { DEEP, SHALLOW, type Shape, settledStream } from './settled-stream.ts';

export interface FullCommandOptions {
  readonly portions: number;
  /** Of one slice. */
  readonly commands: number;
  /** Length of the stream whose end is measured. */
  readonly streamLength: number;
}

const WARM_UP_SLICES = 6;

/** One way through the stream, and the processor time it has taken. */
interface Contestant {
  readonly name: string;
  readonly way: CommandRun;
  nanoseconds: number;
}

const contestant = (name: string, way: CommandRun): Contestant => ({ name, way, nanoseconds: 0 });

/**
 * Many slices, so that other work on the machine affects all ways equally; each long enough for its
 * share of garbage collection.
 */
function measureShape(
  shape: Shape,
  { portions, commands, streamLength }: FullCommandOptions,
): Measured[] {
  const warmUp = WARM_UP_SLICES * commands;
  const measured = portions * commands;
  const { stream, settled } = settledStream(shape, streamLength, warmUp + measured);
  const orders = new RecordedOrders(stream);
  const ours = contestant('ours, no disk', new FullCommandRun(orders));
  const unguarded = contestant('read, matched and written, nothing else', new UnguardedRun(orders));
  const theirs = contestant("nodejs-order-book's bare book", new PeerRun(stream));
  const contestants = [ours, unguarded, theirs];
  for (const { way } of contestants) way.run(0, settled + warmUp);
  for (let from = settled + warmUp; from < stream.length; from += commands) {
    for (const each of contestants)
      each.nanoseconds += cpuNanoseconds(() => each.way.run(from, from + commands));
  }
  const bare = new FastOrderBook();
  replay(bare, stream, 0, stream.length);
  for (const { way } of contestants) way.expectBook(bare);
  const rateOf = ({ name, nanoseconds }: Contestant): Measured => ({
    name: `full command, ${shape.name}: ${name}`,
    value: (measured * 1e9) / nanoseconds,
    unit: 'commands per CPU second',
  });
  const peer = rateOf(theirs);
  return [
    compared(rateOf(ours), peer),
    compared(rateOf(unguarded), peer),
    peer,
    { name: `full command, ${shape.name}: orders resting`, value: bare.size, unit: 'orders' },
  ];
}

export const measureFullCommand = (options: FullCommandOptions): Measured[] =>
  [DEEP, SHALLOW].flatMap((shape) => measureShape(shape, options));
