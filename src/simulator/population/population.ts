/**
 * Draws one command after another for a simulated exchange, in a mix of acts that differs by seed.
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
 * Factors on weights: a seed omits some acts and favours others, because bugs hide in unusual
 * mixes.
 */
const BENDS = [0, 0.3, 1, 1, 1, 3] as const;
/**
 * The mix changes after this many commands, so that a long run meets every mix and its leftovers.
 */
const BEND_EVERY = 5_000;
/** Other acts depend on these. */
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
   * The next command at wall time `wall`. The initial commands follow the sequence, so a run that
   * lost its last commands in a crash repeats them.
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
