/**
 * Runs the server without its sockets on a simulated disk with crashes: machine, sequencer, journal
 * and snapshots from one seed. It records what was acknowledged, and compares it with the recovered
 * state after each start.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Disk } from '../journal/disk.ts';
import type { Executed, Machine } from '../journal/machine.ts';
import { makeSnapshot, recover, type Started } from '../journal/recovery.ts';
import { createSequencer, type Fatality, type Sequencer } from '../journal/sequencer.ts';
import type { Sequence } from '../kernel/ids.ts';
import { type Random, seededRandom } from '../kernel/random.ts';
import type { Result } from '../kernel/result.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Command } from '../messages/commands.ts';
import type { Rejection } from '../messages/rejections.ts';
import { type CrashView, RunningView } from './crash-view.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export const FOLDER = 'journal';

export interface CrashSimulationOptions {
  readonly seed: number;
  readonly createMachine: () => Machine;
  readonly drawCommand: (random: Random, machine: Machine) => Command;
  readonly segmentBytes: number;
  /** A snapshot is made after this many commands since the last one. */
  readonly snapshotEvery: number;
  /** The pause after a group of commands; some milliseconds by default. */
  readonly drawPause?: (random: Random) => number;
  readonly isUrgent?: (command: Command) => boolean;
  /** The view under test; by default one that counts events. */
  readonly createView?: () => CrashView;
  /** Called for every command when it is first executed, before it is answered. */
  readonly onExecuted?: (executed: Executed, command: Command, machine: Machine) => void;
}

export interface Remembered {
  readonly command: Command;
  readonly at: Timestamp;
  readonly digest: string;
  readonly outcome: Result<unknown, Rejection>;
}

/** Thrown if the recovered state differs from what was acknowledged. */
class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}
const promised = (claim: boolean, sentence: string): void => {
  if (!claim) throw new BrokenPromise(sentence);
};

export interface Run {
  readonly disk: Disk;
  readonly machine: Machine;
  readonly sequencer: Sequencer;
  readonly started: Started;
  readonly fatalities: Fatality[];
}

export class CrashSimulation {
  readonly disk: SimulatedDisk;
  readonly clock: ManualClock;
  readonly random: Random;
  readonly #options: CrashSimulationOptions;
  /** Everything executed and not lost, by sequence; the last commands may still be lost. */
  readonly history: Remembered[] = [];
  /** The largest acknowledged sequence. */
  acknowledged = 0;
  snapshots = 0;
  snapshotFailures = 0;
  refusals = new Map<string, number>();
  /** The command that broke the machine, if any. */
  broken:
    | { readonly command: Command; readonly at: Timestamp; readonly error: unknown }
    | undefined;
  #view: CrashView;
  /** The machine of the latest run. */
  #machine: Machine | undefined;
  /** How many recovered states were compared with the state before the crash. */
  statesCompared = 0;
  #runs = 0;

  constructor(options: CrashSimulationOptions) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.disk = new SimulatedDisk(options.seed);
    this.clock = createManualClock(1_700_000_000_000 as Timestamp);
    this.#view = this.#newView();
  }

  /** The view of all events since the first command. */
  get view(): CrashView {
    return this.#view;
  }

  #newView(): CrashView {
    return this.#options.createView?.() ?? new RunningView();
  }

  /**
   * Starts, and compares the recovered state with what was acknowledged. Undefined if the power
   * fails before the start is complete.
   */
  async start(): Promise<Run | undefined> {
    const { createMachine, segmentBytes, isUrgent } = this.#options;
    const view = this.#newView();
    const again: Executed[] = [];
    const id = `boot ${++this.#runs}`;
    const disk = this.disk.mount();
    const starting = recover({
      disk,
      folder: FOLDER,
      createMachine,
      views: view,
      onExecuted: (batch) => {
        again.push(...batch);
        view.apply(batch);
      },
      segmentBytes,
      scheduler: this.clock,
      owner: { id, isAlive: () => false },
      drawSeed: () => this.#options.seed,
    });
    const started = await this.disk.orPowerLoss(starting);
    if (started === undefined) return undefined;
    this.#compare(started, view, again);
    this.#compareWithCrashed(started.machine, view);
    this.#view = view;
    this.#machine = started.machine;
    const machine = this.#remembering(started.machine);
    const fatalities: Fatality[] = [];
    const sequencer = createSequencer({
      machine,
      journal: started.journal,
      clock: this.clock,
      publish: (batch) => view.apply(batch),
      onFatal: (fatality) => fatalities.push(fatality),
      scheduler: this.clock,
      ...(isUrgent === undefined ? {} : { isUrgent }),
    });
    return { disk, machine, sequencer, started, fatalities };
  }

  #compare({ machine, lastSequence }: Started, view: CrashView, again: readonly Executed[]): void {
    promised(
      lastSequence >= this.acknowledged,
      `sequence ${this.acknowledged} was acknowledged, but the journal ends with ${lastSequence}`,
    );
    promised(
      lastSequence <= this.history.length,
      `the journal ends with ${lastSequence}, but only ${this.history.length} were ever executed`,
    );
    const expected =
      this.history[lastSequence - 1]?.digest ?? this.#options.createMachine().digest();
    promised(
      machine.digest() === expected,
      `the digest at sequence ${lastSequence} is ${machine.digest()}, it was ${expected}`,
    );
    promised(
      view.applied === lastSequence,
      `the views are at ${view.applied}, the machine at ${lastSequence}`,
    );
    for (const { sequence, outcome } of again) {
      promised(
        isDeepStrictEqual(outcome, this.history[sequence - 1]?.outcome),
        `sequence ${sequence} had another outcome when it was executed again`,
      );
    }
    this.history.length = lastSequence;
    // Reads after a start see all recovered commands.
    this.acknowledged = lastSequence;
  }

  /**
   * If a run recovers to the exact command at which the last one ended, its state and views must be
   * equal.
   */
  #compareWithCrashed(machine: Machine, view: CrashView): void {
    const { sequence } = machine;
    if (this.#machine === undefined || this.#machine.sequence !== sequence) return;
    promised(
      machine.stateHash() === this.#machine.stateHash(),
      `the recovered state at sequence ${sequence} differs from the state before`,
    );
    this.statesCompared++;
    if (this.#view.applied !== sequence) return;
    promised(
      view.digest() === this.#view.digest(),
      `the recovered views at sequence ${sequence} differ from the views before`,
    );
  }

  /** Wraps a machine and records every command it executes. */
  #remembering(machine: Machine): Machine {
    return {
      get sequence() {
        return machine.sequence;
      },
      get at() {
        return machine.at;
      },
      execute: (command, at) => {
        const before = machine.at;
        const executed = this.#executed(machine, command, at);
        promised(machine.at >= before, `engine time went back from ${before} to ${machine.at}`);
        this.history.push({ command, at, digest: machine.digest(), outcome: executed.outcome });
        this.#options.onExecuted?.(executed, command, machine);
        return executed;
      },
      exchangeTime: (wall) => machine.exchangeTime(wall),
      digest: () => machine.digest(),
      stateHash: () => machine.stateHash(),
      serialize: () => machine.serialize(),
      restore: (bytes) => machine.restore(bytes),
    };
  }

  /** Records a command that broke the machine, because it never reaches the journal. */
  #executed(machine: Machine, command: Command, at: Timestamp): Executed {
    try {
      return machine.execute(command, at);
    } catch (error) {
      this.broken ??= { command, at, error };
      throw error;
    }
  }

  /**
   * Submits a command. Checks that its answer is the executed outcome, and that the views show it.
   */
  async submit(run: Run, command: Command): Promise<Result<unknown, Rejection>> {
    const before = run.sequencer.status().sequence;
    const answer = run.sequencer.submit(command);
    const { sequence } = run.sequencer.status();
    const outcome = await answer;
    const reason = outcome.ok ? 'accepted' : outcome.refusal.reason;
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
    if (
      !outcome.ok &&
      ['outcomeUnknown', 'notServing', 'tooManyRequests'].includes(outcome.refusal.reason)
    )
      return outcome;
    promised(sequence === before + 1, 'an answered command took the next sequence');
    promised(
      isDeepStrictEqual(outcome, this.history[sequence - 1]?.outcome),
      `sequence ${sequence} was answered with another outcome`,
    );
    promised(
      this.#view.applied >= sequence,
      `sequence ${sequence} was answered before the views showed it`,
    );
    promised(
      run.sequencer.status().durable >= sequence,
      `sequence ${sequence} was answered before it was durable`,
    );
    this.acknowledged = Math.max(this.acknowledged, sequence);
    return outcome;
  }

  /**
   * Executes this many commands in groups, with snapshots beside them. Resolves to false if the
   * power or the journal failed.
   */
  async work(
    run: Run,
    commands: number,
    snapshotEvery = this.#options.snapshotEvery,
  ): Promise<boolean> {
    let snapshotDue: number = run.started.snapshotSequence + snapshotEvery;
    let snapshotting: Promise<unknown> = Promise.resolve();
    for (let done = 0; done < commands; ) {
      const group = Math.min(commands - done, 1 + this.random.below(6));
      const waiting = Array.from({ length: group }, () =>
        this.submit(run, this.#options.drawCommand(this.random, run.machine)),
      );
      done += group;
      this.clock.pass(this.#options.drawPause?.(this.random) ?? this.random.below(20));
      // Waits for some groups; others are still pending when the next one arrives.
      if (
        this.random.below(3) > 0 &&
        (await this.disk.orPowerLoss(Promise.all(waiting))) === undefined
      )
        return false;
      if (run.fatalities.length > 0) return false;
      const { durable } = run.sequencer.status();
      if (durable >= snapshotDue) {
        if ((await this.disk.orPowerLoss(snapshotting.then(() => true))) === undefined)
          return false;
        snapshotDue = durable + snapshotEvery;
        snapshotting = this.snapshot(run, durable).catch((error: unknown) =>
          this.#forgiveDisk(error),
        );
      }
    }
    return (
      (await this.disk.orPowerLoss(snapshotting.then(() => true))) !== undefined &&
      run.fatalities.length === 0
    );
  }

  async snapshot({ disk, machine }: Run, upTo: Sequence): Promise<void> {
    const view = this.#newView();
    // The hash is comparable only while the machine has executed nothing further.
    const live = machine.sequence === upTo ? machine.stateHash() : undefined;
    const { sequence, stateHash } = await makeSnapshot({
      disk,
      folder: FOLDER,
      createMachine: this.#options.createMachine,
      views: view,
      onExecuted: (batch) => view.apply(batch),
      upTo,
    });
    promised(sequence === upTo, `a snapshot up to ${upTo} was made at ${sequence}`);
    promised(
      live === undefined || live === stateHash,
      `the snapshot at ${upTo} has another state than the machine had`,
    );
    this.snapshots++;
  }

  /** A snapshot that fails because of the disk does no harm: the older one still exists. */
  #forgiveDisk(error: unknown): void {
    if (!(error instanceof Error) || !/\bE(?:IO|NOSPC|MFILE): /.test(error.message)) throw error;
    this.snapshotFailures++;
  }

  /** Stops cleanly. Resolves to false if the power failed. */
  async stop(run: Run): Promise<boolean> {
    return (await this.disk.orPowerLoss(run.sequencer.stop().then(() => true))) ?? false;
  }

  /** The state hash of a machine that replays the whole history. */
  hashFromZero(): string {
    return this.fromZero().machine.stateHash();
  }

  /** A machine and a view that replay the whole history without interruption. */
  fromZero(): { readonly machine: Machine; readonly view: CrashView } {
    const machine = this.#options.createMachine();
    const view = this.#newView();
    for (const { command, at } of this.history) view.apply([machine.execute(command, at)]);
    return { machine, view };
  }
}
