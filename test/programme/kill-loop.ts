/** Starts a server, loads it, kills it at a random moment, checks the next start, and repeats. */
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../src/kernel/random.ts';
import { checkCustomers, checkRepeats, checkReplayed, replayFolder } from './kill-checks.ts';
import { createUser, Load } from './kill-load.ts';
import { KillModel } from './kill-model.ts';
import { KillOrders } from './kill-orders.ts';
import { launchServer, type Server, startServer } from './server.ts';

export interface KillOptions {
  readonly folder: string;
  readonly cycles: number;
  readonly seed: number;
  readonly progress?: (text: string) => void;
}

export interface KillSummary {
  readonly kills: number;
  readonly killsWhileStarting: number;
  readonly snapshots: number;
  readonly replays: number;
  readonly customers: number;
  readonly orders: number;
  readonly acknowledged: number;
  readonly unanswered: number;
}

/** The load runs at most this long before the kill. */
const LOAD_MS_MAX = 250;
/** From before the first line of the program until after its ready line. */
const START_MS_MAX = 400;
/** A replay needs its own process, so only every third crash has one. */
const CYCLES_PER_REPLAY = 3;
/** How often inactive customers are checked too. */
const CYCLES_PER_FULL_CHECK = 25;

const FLAGS = ['--world', 'empty', '--limits', 'off'];

class KillLoop {
  readonly #options: KillOptions;
  readonly #model: KillModel;
  readonly #orders = new KillOrders();
  readonly #tally = { kills: 0, killsWhileStarting: 0, snapshots: 0, replays: 0 };

  constructor(options: KillOptions) {
    this.#options = options;
    this.#model = new KillModel(seededRandom(options.seed));
  }

  async run(): Promise<KillSummary> {
    const { folder, cycles, progress } = this.#options;
    const model = this.#model;
    let server = await startServer({ folder, flags: FLAGS });
    await this.#orders.prepare(server);
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const touchedFrom = model.activeFrom;
      await this.#loadAndKill(server);
      if (model.random.below(5) === 0) await this.#killWhileStarting();
      const replayed = cycle % CYCLES_PER_REPLAY === 0 ? await replayFolder(folder) : undefined;
      server = await startServer({ folder, flags: FLAGS });
      if (replayed !== undefined) {
        this.#tally.replays++;
        await checkReplayed(server, replayed);
      }
      const load = new Load(model, server, this.#orders);
      const everyone = cycle === cycles || cycle % CYCLES_PER_FULL_CHECK === 0;
      await checkCustomers(load, everyone ? model.customers : model.customers.slice(touchedFrom));
      await this.#orders.check(load);
      await checkRepeats(load);
      if (cycle % CYCLES_PER_FULL_CHECK === 0)
        progress?.(`${cycle} of ${cycles}: ${JSON.stringify(this.#summary())}`);
    }
    await server.end('SIGTERM');
    return this.#summary();
  }

  #summary(): KillSummary {
    const { customers, acknowledged, unanswered } = this.#model;
    return {
      ...this.#tally,
      customers: customers.length,
      orders: this.#orders.placed,
      acknowledged,
      unanswered,
    };
  }

  async #loadAndKill(server: Server): Promise<void> {
    const model = this.#model;
    const load = new Load(model, server, this.#orders);
    if (model.customers.length === 0) await createUser(load);
    const running = load.run();
    const wait = model.random.fraction() * LOAD_MS_MAX;
    if (model.random.below(3) === 0) this.#snapshotDuring(server, model.random.fraction() * wait);
    await Promise.race([pause(wait), running]);
    await server.end('SIGKILL');
    this.#tally.kills++;
    load.stopped = true;
    await running;
  }

  /** Not awaited: the kill may come before, during or after it. */
  #snapshotDuring(server: Server, wait: number): void {
    this.#tally.snapshots++;
    pause(wait)
      .then(() => server.operator('POST', '/operator/v1/snapshot', {}))
      .catch(() => undefined);
  }

  async #killWhileStarting(): Promise<void> {
    const { child, ended } = launchServer({ folder: this.#options.folder, flags: FLAGS });
    await pause(this.#model.random.fraction() * START_MS_MAX);
    child.kill('SIGKILL');
    await ended;
    this.#tally.killsWhileStarting++;
  }
}

export const repeatCommand = ({ cycles, seed }: Pick<KillOptions, 'cycles' | 'seed'>): string =>
  `npm run kill -- --cycles ${cycles} --seed ${seed}`;

/**
 * Throws with the command that repeats the run. The draws repeat exactly, the timing only
 * approximately.
 */
export async function killLoop(options: KillOptions): Promise<KillSummary> {
  try {
    return await new KillLoop(options).run();
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\nseed ${options.seed}; repeat with: ${repeatCommand(options)}`,
      { cause: error },
    );
  }
}
