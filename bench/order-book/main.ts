/**
 * Measures the order book: against npm `nodejs-order-book` on the same streams, and against itself
 * with a thousand times as many resting orders.
 */
import { pathToFileURL } from 'node:url';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Measured } from '../rows.ts';
import { measureResting } from './resting.ts';
import { median, type Pass, type Run, runFastBook, runNodejsOrderBook } from './runs.ts';
import { makeStream, type Stream, type StreamShape } from './stream.ts';

const COMMANDS = 1_000_000;
const WARM_UP_COMMANDS = 60_000;
const REPETITIONS = 3;

const SHAPES: readonly StreamShape[] = [
  { name: 'deep', seed: 1, length: COMMANDS, takerLots: 260 },
  { name: 'shallow', seed: 1, length: COMMANDS, takerLots: 490 },
];

const commandsPerSecond = (passes: readonly Pass[]): number =>
  1e9 / median(passes.map((pass) => pass.cpuNanoseconds));

function measureStream(stream: Stream): Measured[] {
  const runs: readonly Run[] = [runFastBook, runNodejsOrderBook];
  const passes: Pass[][] = runs.map(() => []);
  for (const run of runs) run(stream, WARM_UP_COMMANDS);
  // Interleaved, so that other programs on the machine affect both.
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    runs.forEach((run, at) => {
      passes[at]!.push(run(stream, stream.length));
    });
  }
  const [fast = [], peer = []] = passes;
  for (const pass of [...fast, ...peer]) {
    invariant(pass.volume === fast[0]!.volume, 'both books trade the same volume');
    invariant(pass.live === fast[0]!.live, 'both books are left with the same orders');
  }
  const peerName = `order book, ${stream.name}: nodejs-order-book`;
  const ours = commandsPerSecond(fast);
  const theirs = commandsPerSecond(peer);
  return [
    {
      name: `order book, ${stream.name}: ours`,
      value: ours,
      unit: 'commands per CPU second',
      ratioTo: peerName,
      ratio: ours / theirs,
    },
    { name: peerName, value: theirs, unit: 'commands per CPU second' },
    { name: `order book, ${stream.name}: orders left`, value: fast[0]!.live, unit: 'orders' },
  ];
}

export async function benchOrderBook(): Promise<Measured[]> {
  const rows = SHAPES.flatMap((shape) => measureStream(makeStream(shape)));
  return [...rows, ...measureResting()];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.table(await benchOrderBook());
