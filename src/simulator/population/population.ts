/**
 * A crowd in action: draws one command after another for a simulated exchange, in a mix that each
 * seed bends in its own way.
 */

import type { Engine } from '../../core/engine.ts';
import type { Random } from '../../kernel/random.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import { ATTACKS } from './attackers.ts';
import { COPYING } from './copying.ts';
import { type Crowd, drawCrowd } from './crowd.ts';
import { MONEY_OUT } from './money-out.ts';
import { operations } from './operators.ts';
import { PricePaths } from './price-paths.ts';
import { type Act, type Acts, TRADING } from './trading.ts';
import { TRIGGERING } from './triggering.ts';

/**
 * A seed leaves some acts out, and does others more often: faults hide where one thing happens
 * much.
 */
const BENDS = [0, 0.3, 1, 1, 1, 3] as const;
/**
 * After so many commands the crowd changes its ways: a long run meets every mix, and what one mix
 * has left behind meets the next.
 */
const BEND_EVERY = 5_000;
/** Without these nothing else happens. */
const NEVER_LEFT_OUT: ReadonlySet<string> = new Set(['quote', 'take', 'price']);

interface Weighted {
  readonly upTo: number;
  readonly act: Act;
}

function bend(random: Random, acts: Acts): readonly Weighted[] {
  let upTo = 0;
  return Object.entries(acts).map(([name, [weight, act]]) => {
    const factor = random.pick(BENDS);
    upTo += weight * (factor === 0 && NEVER_LEFT_OUT.has(name) ? 1 : factor);
    return { upTo, act };
  });
}

export class Population {
  readonly crowd: Crowd;
  readonly paths: PricePaths;
  readonly #random: Random;
  readonly #weights: Random;
  readonly #all: Acts;
  #acts: readonly Weighted[];
  #drawn = 0;

  constructor(random: Random) {
    this.#random = random.fork('population');
    this.crowd = drawCrowd(random.fork('crowd'));
    this.paths = new PricePaths(random.fork('prices'), DEMO_INDEX_PRICES);
    this.#weights = random.fork('weights');
    this.#all = {
      ...TRADING,
      ...TRIGGERING,
      ...COPYING,
      ...MONEY_OUT,
      ...operations(this.paths),
      ...ATTACKS,
    };
    this.#acts = bend(this.#weights, this.#all);
  }

  /**
   * What comes next, when the wall clock shows `wall`. The beginning is told by the sequence, so
   * that a run that lost its last commands to a crash says them again.
   */
  draw(engine: Engine, wall: Timestamp): Command {
    const first = this.crowd.beginning[engine.sequence];
    if (first !== undefined) return first;
    if (engine.hasDeferredWork() && this.#random.below(2) === 0) return { type: 'tick' };
    if (++this.#drawn % BEND_EVERY === 0) this.#acts = bend(this.#weights, this.#all);
    const point = this.#random.fraction() * this.#acts.at(-1)!.upTo;
    const { act } = this.#acts.find(({ upTo }) => point < upTo) ?? this.#acts[0]!;
    return act({
      random: this.#random,
      state: engine.state,
      at: engine.at,
      wall,
      crowd: this.crowd,
    });
  }
}
