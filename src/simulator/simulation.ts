/**
 * Simulates one seed: the server without its sockets, with a trading crowd and a failing disk.
 * Invariants are checked throughout. At the end the state is compared with an uninterrupted replay
 * of the same history.
 */
import { createEngine, type Engine } from '../core/engine.ts';
import type { Executed } from '../journal/machine.ts';
import { moneyText } from '../kernel/money.ts';
import type { Random } from '../kernel/random.ts';
import { HOUR, type Timestamp } from '../kernel/time.ts';
import type { Command, CommandType } from '../messages/commands.ts';
import { Coverage } from './coverage.ts';
import { CrashSimulation, type Run } from './crash-simulation.ts';
import { portionsOf } from './drawn-portions.ts';
import { ExchangeView } from './exchange-view.ts';
import { Population } from './population/population.ts';
import type { Fault } from './simulated-disk.ts';

export interface SimulationPlan {
  readonly seed: number;
  readonly commands: number;
  /** Crashes, failing and short writes, a full disk, clock jumps. */
  readonly faults: boolean;
}

export interface SimulationReport {
  readonly seed: number;
  readonly commands: number;
  readonly faults: number;
  readonly stateHash: string;
  readonly coverage: Coverage;
}

/** A command and its execution time. */
export interface ExecutedCommand {
  readonly command: Command;
  readonly at: Timestamp;
}

/** A failed check, with the commands that led to it. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
  readonly plan: SimulationPlan;
  readonly history: readonly ExecutedCommand[];

  constructor(plan: SimulationPlan, history: readonly ExecutedCommand[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.plan = plan;
    this.history = history;
  }
}

/** A full audit runs after this many commands. */
const AUDIT_EVERY = 100;
/**
 * A full audit also follows commands that change many accounts at once, because the next price
 * would hide what they left stale.
 */
const CHANGES_MANY_ACCOUNTS: ReadonlySet<CommandType> = new Set([
  'listCoin',
  'listInstrument',
  'setFees',
]);

export const isAuditedAfter = (
  { type }: Command,
  executed: number,
  every: number = AUDIT_EVERY,
): boolean => executed % every === 0 || CHANGES_MANY_ACCOUNTS.has(type);

const SEGMENT_BYTES = 256 * 1024;
/**
 * A simulation starts with many short runs, each of which replays the journal behind the last
 * snapshot, while snapshots replay everything beside them. One long run follows, with the same
 * crowd, audits and short writes, at a third of the cost. Some seeds start once more after it, and
 * half as many replay the whole history.
 */
const SHORT_RUNS_COMMANDS = 5_000;
const STARTED_AGAIN_SEEDS = 4;
const SNAPSHOT_EVERY = 800;
/** A short run without a planned end executes at most this fraction of the commands. */
const RUN_PART = 5;
/**
 * The latest disk calls at which runs end: some end during the start or soon after, others late.
 */
const lastCalls = (commands: number): readonly number[] => [
  150,
  150 + commands / 16,
  150 + commands / 5,
];
/** Pauses between groups of commands, in milliseconds; one in this many is long. */
const PAUSE_MAX = 20;
const LONG_PAUSE_EVERY = 30;
const LONG_PAUSE_MAX = 2 * HOUR;
/** A disk fills up before this call, and has room again after this many more. */
const FULL_FROM_MAX = 1_000;
const FULL_CALLS = 12;

/** The finding of an audit as one sentence; undefined if there is none. */
export function auditFindings(engine: Engine): string | undefined {
  const { coins, violations } = engine.audit();
  const unbalanced = coins.filter(({ difference }) => difference !== 0n);
  const sentences = [
    ...unbalanced.map(({ coin, difference }) => `${coin} is off by ${moneyText(difference)}`),
    ...violations,
  ];
  return sentences.length === 0 ? undefined : sentences.slice(0, 5).join('; ');
}

/**
 * Mostly milliseconds, sometimes enough for timers of full hours and days, which a moved clock
 * would skip.
 */
const drawPause = (random: Random): number =>
  random.below(random.below(LONG_PAUSE_EVERY) === 0 ? LONG_PAUSE_MAX : PAUSE_MAX);

type Ending = 'crash' | 'kill' | 'stop';

class Simulation {
  readonly #plan: SimulationPlan;
  readonly #population: Population;
  readonly #runs: CrashSimulation;
  readonly coverage = new Coverage();
  #engine: Engine | undefined;
  #finding: string | undefined;

  constructor(plan: SimulationPlan) {
    this.#plan = plan;
    this.#runs = new CrashSimulation({
      seed: plan.seed,
      createMachine: () => this.#newEngine(),
      createView: () => new ExchangeView(),
      drawCommand: () => this.#population.draw(this.#engine!, this.#runs.clock.wall()),
      drawPause,
      onExecuted: (executed, command, machine) => this.#check(executed, command, machine as Engine),
      segmentBytes: SEGMENT_BYTES,
      snapshotEvery: SNAPSHOT_EVERY,
    });
    this.#population = new Population(this.#runs.random.fork('crowd'));
  }

  #newEngine(): Engine {
    return createEngine({ portions: portionsOf(this.#plan.seed) });
  }

  get #random(): Random {
    return this.#runs.random;
  }

  async run(): Promise<SimulationReport> {
    try {
      while (this.#runs.history.length < this.#plan.commands) await this.#runOnce();
      await this.#compareAtEnd();
      this.coverage.count('states compared', this.#runs.statesCompared);
    } catch (problem) {
      throw new SimulationFailure(this.#plan, this.#commandsSoFar(), problem);
    }
    for (const [mood, times] of this.#population.paths.seen)
      this.coverage.count(`prices ${mood}`, times);
    return {
      seed: this.#plan.seed,
      commands: this.#runs.history.length,
      faults: this.coverage.of('faults'),
      stateHash: this.#engine!.stateHash(),
      coverage: this.coverage,
    };
  }

  #commandsSoFar(): readonly ExecutedCommand[] {
    const { history, broken } = this.#runs;
    return broken === undefined ? history : [...history, broken];
  }

  /** Stored, not thrown, because a thrown error would look like a failure of the engine. */
  #check(executed: Executed, command: Command, engine: Engine): void {
    this.coverage.observe(executed, engine);
    if (!isAuditedAfter(command, executed.sequence) || this.#finding !== undefined) return;
    const finding = auditFindings(engine);
    if (finding !== undefined)
      this.#finding = `after sequence ${executed.sequence}, a ${command.type}: ${finding}`;
  }

  /** How many commands the short runs execute. */
  get #inShortRuns(): number {
    return Math.min(this.#plan.commands, SHORT_RUNS_COMMANDS);
  }

  get #isLong(): boolean {
    return this.#plan.commands > SHORT_RUNS_COMMANDS;
  }

  async #runOnce(): Promise<void> {
    const executed = this.#runs.history.length;
    const isLongRun = this.#isLong && executed >= SHORT_RUNS_COMMANDS;
    const ending = this.#planFaults(isLongRun);
    const left = this.#plan.commands - executed;
    const run = await this.#begin();
    if (run !== undefined) {
      this.#engine = run.started.machine as Engine;
      if (run.started.cutBytes > 0) this.coverage.count('torn ends cut');
      if (this.#plan.faults) this.#jumpClock();
      const whole = isLongRun
        ? await this.#runs.work(run, left, Number.POSITIVE_INFINITY)
        : await this.#runs.work(run, Math.min(left, Math.ceil(this.#inShortRuns / RUN_PART)));
      if (whole && ending === 'stop') await this.#runs.stop(run);
      this.#judge();
    }
    if (ending === 'crash') this.#runs.disk.crash();
    else this.#runs.disk.kill();
    this.coverage.count(`runs ended by ${ending}`);
  }

  /** A start may fail because of the disk, and for no other reason. */
  async #begin(): Promise<Run | undefined> {
    return await this.#runs.start().catch((error: unknown) => {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    });
  }

  #jumpClock(): void {
    const jump = this.#random.pick([0, 0, 0, -86_400_000, 3_600_000, -1_000]);
    if (jump === 0) return;
    this.#runs.clock.jump(jump);
    this.#countFault('clock jump');
  }

  /** Plans how this run ends, and which other faults its disk has. */
  #planFaults(isLongRun: boolean): Ending {
    if (!this.#plan.faults) return 'stop';
    const ending = isLongRun
      ? 'stop'
      : this.#random.pick(['crash', 'crash', 'kill', 'stop'] as const);
    const last = 40 + this.#random.below(this.#random.pick(lastCalls(this.#inShortRuns)));
    const terminal: Fault = this.#random.below(4) === 0 ? 'EIO' : 'powerLoss';
    const shortEvery = this.#random.pick([7, 13, 31]);
    const fullFrom =
      this.#random.below(4) === 0 ? this.#random.below(FULL_FROM_MAX) : Number.POSITIVE_INFINITY;
    this.#runs.disk.setFaults((call, operation) => {
      if (ending !== 'stop' && call === last) return this.#counted(terminal);
      if (call >= fullFrom && call < fullFrom + FULL_CALLS && operation === 'write')
        return this.#counted('ENOSPC');
      if (call % shortEvery === 0 && operation === 'write') return this.#counted('short');
      return undefined;
    });
    return ending;
  }

  #counted(fault: Fault): Fault {
    this.#countFault(fault);
    return fault;
  }

  #countFault(kind: string): void {
    this.coverage.count('faults');
    this.coverage.count(`fault ${kind}`);
  }

  /** A disk failure may end a run; a broken invariant may not. */
  #judge(): void {
    if (this.#finding !== undefined) throw new Error(this.#finding);
    if (this.#runs.broken !== undefined) throw this.#runs.broken.error;
  }

  /**
   * Compares four states: live, restored from bytes, restored from snapshot and tail, and replayed
   * without interruption.
   */
  async #compareAtEnd(): Promise<void> {
    if (this.#isLong) this.#compareWithRestored();
    if (this.#isLong && this.#plan.seed % STARTED_AGAIN_SEEDS !== 0) return;
    const run = await this.#runs.start();
    if (run === undefined) throw new Error('the last start met an unplanned fault');
    this.#engine = run.started.machine as Engine;
    this.#expectSound('after the last start', this.#engine);
    await this.#runs.stop(run);
    if (this.#isLong && this.#plan.seed % (2 * STARTED_AGAIN_SEEDS) !== 0) return;
    const unbroken = this.#runs.fromZero();
    this.coverage.count('histories replayed from zero');
    if (unbroken.machine.stateHash() !== this.#engine.stateHash())
      throw new Error('replayed from zero, the state has another hash');
    if (unbroken.view.digest() !== this.#runs.view.digest())
      throw new Error('the views rebuilt from zero differ from the restored views');
  }

  /** The state's snapshot is complete, and derived values follow from it. */
  #compareWithRestored(): void {
    const live = this.#engine!;
    this.#expectSound('at the end', live);
    const restored = this.#newEngine();
    restored.restore(live.serialize());
    if (restored.stateHash() !== live.stateHash())
      throw new Error('restored from its bytes, the state has another hash');
    this.#expectSound('restored from its bytes', restored);
  }

  #expectSound(when: string, engine: Engine): void {
    const finding = auditFindings(engine);
    if (finding !== undefined) throw new Error(`${when}: ${finding}`);
  }
}

export const simulateSeed = (plan: SimulationPlan): Promise<SimulationReport> =>
  new Simulation(plan).run();
