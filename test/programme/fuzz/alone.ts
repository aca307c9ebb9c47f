/**
 * How long one request can block the event loop. Sends each kind alone and measures the processor
 * time of the main thread.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Random } from '../../../src/kernel/random.ts';
import { forgedCall, mismatched, spoiltJson, twistedTarget } from './hostile.ts';
import type { Line } from './line.ts';
import { type FuzzRequest, type Keys, publicRows, sayTo, signedCall } from './requests.ts';
import type { Known } from './values.ts';

export interface Longest {
  readonly kind: string;
  readonly ms: number;
}

const SPOILT = 1_200;
const TIMES_EACH_ROW = 6;

/**
 * Milliseconds the main thread has run on a processor, as Linux reports them. Other load on the
 * machine does not change it.
 */
const runningMs = (file: string): number => Number.parseInt(readFileSync(file, 'utf8'), 10) / 1e6;

function* requests(keys: Keys, random: Random, known: Known): Generator<FuzzRequest> {
  const spoilers = [spoiltJson, forgedCall, twistedTarget, mismatched] as const;
  for (let at = 0; at < SPOILT; at++) yield spoilers[at % spoilers.length]!(keys, random, known);
  for (const { name, row } of publicRows)
    for (let at = 0; at < TIMES_EACH_ROW; at++)
      yield signedCall(
        name,
        row,
        keys,
        sayTo(row, at % 3 === 0 ? 'border' : 'right', random, known),
      );
}

/** The request that blocked the loop longest; undefined if the system reports no thread times. */
export async function longestAlone(
  pid: number,
  line: Line,
  keys: Keys,
  random: Random,
  known: Known,
): Promise<Longest | undefined> {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return undefined;
  let longest: Longest = { kind: '', ms: 0 };
  for (const { kind, bytes } of requests(keys, random, known)) {
    const before = runningMs(file);
    await line.ask(bytes);
    const ms = Math.round((runningMs(file) - before) * 10) / 10;
    if (ms > longest.ms) longest = { kind, ms };
  }
  return longest;
}
