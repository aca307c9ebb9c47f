/**
 * One seed, lived through: the server less its sockets, with a crowd that trades and a disk that
 * fails. Everything that must hold is checked on the way, and at the end what is there is compared
 * with the same history lived without a break.
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
  /** Crashes, failing and short writes, a full disk, a clock that jumps. */
  readonly faults: boolean;
}

export interface SimulationReport {
  readonly seed: number;
  readonly commands: number;
  readonly faults: number;
  readonly stateHash: string;
  readonly coverage: Coverage;
}

/** A command and the time it was executed at. */
export interface LivedCommand {
  readonly command: Command;
  readonly at: Timestamp;
}

/** What went wrong, with the commands that led to it. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
  readonly plan: SimulationPlan;
  readonly history: readonly LivedCommand[];

  constructor(plan: SimulationPlan, history: readonly LivedCommand[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.plan = plan;
    this.history = history;
  }
}

/** Everything is recomputed after each so many commands. */
const AUDIT_EVERY = 100;
/**
 * And after what changes the terms of everybody at once: whatever that leaves out of date, the next
 * price would hide.
 */
const TERMS_CHANGED_BY: ReadonlySet<CommandType> = new Set([
  'listCoin',
  'listInstrument',
  'setFees',
]);

export const isAuditedAfter = (
  { type }: Command,
  executed: number,
  every: number = AUDIT_EVERY,
): boolean => executed % every === 0 || TERMS_CHANGED_BY.has(type);

const SEGMENT_BYTES = 256 * 1024;
/**
 * What a run is made of. Its first commands are many lives, each of which executes again what the
 * one before it left behind its last snapshot, while snapshots execute everything once more beside
 * them. Whatever comes after that is one long life: the same crowd, audits and short writes, at a
 * third of the cost. One seed in so many starts once more behind it, and one in twice as many is
 * executed again from its first command.
 */
const MANY_LIVES_COMMANDS = 5_000;
const STARTED_AGAIN_SEEDS = 4;
const SNAPSHOT_EVERY = 800;
/** One of the many lives that nothing ends goes on for such a part of them. */
const RUN_PART = 5;
/**
 * Some lives end while they start or soon after, others go on for a good part of all: the disk
 * calls at which the latest of each ends.
 */
const lastCalls = (commands: number): readonly number[] => [
  150,
  150 + commands / 16,
  150 + commands / 5,
];
/** Between groups of commands, in milliseconds; one pause in so many is long. */
const PAUSE_MAX = 20;
const LONG_PAUSE_EVERY = 30;
const LONG_PAUSE_MAX = 2 * HOUR;
/** A disk that fills up does so before this call, and has room again after so many more. */
const FULL_FROM_MAX = 1_000;
const FULL_CALLS = 12;

/** What an audit finds, as one sentence; undefined when all is well. */
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
 * Mostly moments, now and then long enough for what falls due at full hours and days, which a clock
 * moved by hand would leave nothing of.
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
      while (this.#runs.history.length < this.#plan.commands) await this.#liveOnce();
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

  #commandsSoFar(): readonly LivedCommand[] {
    const { history, broken } = this.#runs;
    return broken === undefined ? history : [...history, broken];
  }

  /** Kept, not thrown: it must not look like a failure of the engine itself. */
  #check(executed: Executed, command: Command, engine: Engine): void {
    this.coverage.observe(executed, engine);
    if (!isAuditedAfter(command, executed.sequence) || this.#finding !== undefined) return;
    const finding = auditFindings(engine);
    if (finding !== undefined)
      this.#finding = `after sequence ${executed.sequence}, a ${command.type}: ${finding}`;
  }

  /** How many commands are lived in many lives. */
  get #inManyLives(): number {
    return Math.min(this.#plan.commands, MANY_LIVES_COMMANDS);
  }

  get #isLong(): boolean {
    return this.#plan.commands > MANY_LIVES_COMMANDS;
  }

  async #liveOnce(): Promise<void> {
    const lived = this.#runs.history.length;
    const isLongRun = this.#isLong && lived >= MANY_LIVES_COMMANDS;
    const ending = this.#planFaults(isLongRun);
    const left = this.#plan.commands - lived;
    const run = await this.#begin();
    if (run !== undefined) {
      this.#engine = run.started.machine as Engine;
      if (run.started.cutBytes > 0) this.coverage.count('torn ends cut');
      if (this.#plan.faults) this.#jumpClock();
      const whole = isLongRun
        ? await this.#runs.work(run, left, Number.POSITIVE_INFINITY)
        : await this.#runs.work(run, Math.min(left, Math.ceil(this.#inManyLives / RUN_PART)));
      if (whole && ending === 'stop') await this.#runs.stop(run);
      this.#judge();
    }
    if (ending === 'crash') this.#runs.disk.crash();
    else this.#runs.disk.kill();
    this.coverage.count(`lives ended by ${ending}`);
  }

  /** A start may fail for the disk's sake, never for another. */
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

  /** How this life ends, and what else its disk does. */
  #planFaults(isLongRun: boolean): Ending {
    if (!this.#plan.faults) return 'stop';
    const ending = isLongRun
      ? 'stop'
      : this.#random.pick(['crash', 'crash', 'kill', 'stop'] as const);
    const last = 40 + this.#random.below(this.#random.pick(lastCalls(this.#inManyLives)));
    const terminal: Fault = this.#random.below(4) === 0 ? 'EIO' : 'powerLoss';
    const shortEvery = this.#random.pick([7, 13, 31]);
    const fullFrom =
      this.#random.below(4) === 0 ? this.#random.below(FULL_FROM_MAX) : Number.POSITIVE_INFINITY;
    this.#runs.disk.setFaults((call, operation) => {
      if (ending !== 'stop' && call === last) return this.#emitted(terminal);
      if (call >= fullFrom && call < fullFrom + FULL_CALLS && operation === 'write')
        return this.#emitted('ENOSPC');
      if (call % shortEvery === 0 && operation === 'write') return this.#emitted('short');
      return undefined;
    });
    return ending;
  }

  #emitted(fault: Fault): Fault {
    this.#countFault(fault);
    return fault;
  }

  #countFault(kind: string): void {
    this.coverage.count('faults');
    this.coverage.count(`fault ${kind}`);
  }

  /** A disk that fails may end a life; a broken invariant may not. */
  #judge(): void {
    if (this.#finding !== undefined) throw new Error(this.#finding);
    if (this.#runs.broken !== undefined) throw this.#runs.broken.error;
  }

  /** Live, woken from its bytes, from snapshot and tail, and without a break: all the same. */
  async #compareAtEnd(): Promise<void> {
    if (this.#isLong) this.#compareWithWoken();
    if (this.#isLong && this.#plan.seed % STARTED_AGAIN_SEEDS !== 0) return;
    const run = await this.#runs.start();
    if (run === undefined) throw new Error('the last start met a fault nobody planned');
    this.#engine = run.started.machine as Engine;
    this.#expectSound('after the last start', this.#engine);
    await this.#runs.stop(run);
    if (this.#isLong && this.#plan.seed % (2 * STARTED_AGAIN_SEEDS) !== 0) return;
    const unbroken = this.#runs.fromZero();
    this.coverage.count('histories replayed from zero');
    if (unbroken.machine.stateHash() !== this.#engine.stateHash())
      throw new Error('replayed from zero, the state has another hash');
    if (unbroken.view.digest() !== this.#runs.view.digest())
      throw new Error('views rebuilt from zero are not the views that were restored');
  }

  /**
   * What a snapshot would hold of the state is all of it, and all that is kept beside it follows
   * from that.
   */
  #compareWithWoken(): void {
    const live = this.#engine!;
    this.#expectSound('at the end', live);
    const woken = this.#newEngine();
    woken.restore(live.serialize());
    if (woken.stateHash() !== live.stateHash())
      throw new Error('woken from its bytes, the state has another hash');
    this.#expectSound('woken from its bytes', woken);
  }

  #expectSound(when: string, engine: Engine): void {
    const finding = auditFindings(engine);
    if (finding !== undefined) throw new Error(`${when}: ${finding}`);
  }
}

export const simulateSeed = (plan: SimulationPlan): Promise<SimulationReport> =>
  new Simulation(plan).run();
