/**
 * Puts commands in line. Each is executed at once, in memory, and written into the open batch; its
 * outcome and events are held back until that batch is durable. So a command that breaks an
 * invariant never reaches the journal, and nobody sees what could still be lost.
 */
import { ByteWriter } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Refused, type Result, refuse } from '../kernel/result.ts';
import type { Clock, Timestamp } from '../kernel/time.ts';
import { writeCommand } from '../messages/command-codec.ts';
import type { Command, CommandOf, CommandType, Outcomes } from '../messages/commands.ts';
import { type Rejection, type RejectionReason, rejection } from '../messages/rejections.ts';
import { type Answer, HeldBatch, OUTCOME_UNKNOWN } from './held-batch.ts';
import type { Journal } from './journal.ts';
import type { Executed, Machine } from './machine.ts';
import { commandIn } from './reader.ts';
import { commandBytesMax } from './record.ts';
import { nodeScheduler, type Scheduler } from './scheduler.ts';

/** Why the engine stopped, for whoever has to find out. */
export interface Fatality {
  readonly sequence: Sequence;
  readonly stateHash: string;
  readonly reason: string;
}

export interface SequencerOptions {
  readonly machine: Machine;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Receives what became durable, in order and once, before anybody is answered. */
  readonly publish: (batches: readonly Executed[]) => void;
  /** The engine is not to be trusted any more: end the program. */
  readonly onFatal: (fatality: Fatality) => void;
  /** Commands that may use what the disk has left when it is full. */
  readonly isUrgent?: (command: Command) => boolean;
  readonly queueMax?: number;
  readonly deadlineMs?: number;
  readonly scheduler?: Scheduler;
}

export interface SequencerStatus {
  /** The last command executed, and the last one that is durable. */
  readonly sequence: Sequence;
  readonly durable: Sequence;
  /** Executed and not yet durable. */
  readonly queued: number;
  /** False while the disk has no room and only urgent commands are taken. */
  readonly room: boolean;
}

export interface Sequencer {
  /** Throws, and executes nothing, when the command is none that the journal can hold. */
  submit<Type extends CommandType>(
    command: CommandOf<Type>,
  ): Promise<Result<Outcomes[Type], Rejection>>;
  status(): SequencerStatus;
  /**
   * Runs at once when no batch is being written, otherwise, and once, when that one has come home
   * and everybody in it has been answered.
   */
  afterWriting(run: () => void): void;
  /** Takes nothing more, answers what it has taken, and closes the journal. */
  stop(): Promise<void>;
}

/** More than a sync can bring home in the time a client waits is refused at the door. */
const QUEUE_MAX = 8_192;
/** A client is told that the outcome is unknown before it gives up by itself. */
const DEADLINE_MS = 5_000;

const refused = (reason: RejectionReason): Promise<Refused<Rejection>> =>
  Promise.resolve(refuse(rejection(reason)));

class JournalingSequencer implements Sequencer {
  readonly #options: SequencerOptions;
  readonly #machine: Machine;
  readonly #journal: Journal;
  readonly #scheduler: Scheduler;
  readonly #queueMax: number;
  readonly #deadlineMs: number;
  readonly #scratch = new ByteWriter();
  #open: HeldBatch;
  #spare: HeldBatch;
  #writing: HeldBatch | undefined;
  /** One for each who asks, however often he asks while a disk takes its time. */
  #afterWriting = new Set<() => void>();
  #durable: Sequence;
  #flushing = false;
  #watching = false;
  #serving = true;
  #fatal = false;
  #drained: () => void = () => {};
  #stopped: Promise<void> | undefined;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#machine = options.machine;
    this.#journal = options.journal;
    this.#scheduler = options.scheduler ?? nodeScheduler;
    this.#queueMax = options.queueMax ?? QUEUE_MAX;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#open = new HeldBatch(this.#journal.newBatch());
    this.#spare = new HeldBatch(this.#journal.newBatch());
    this.#open.begin(this.#journal);
    this.#durable = this.#machine.sequence;
    this.#journal.onFailure((failure) => this.#stopForGood(failure));
  }

  status(): SequencerStatus {
    const { sequence } = this.#machine;
    return {
      sequence,
      durable: this.#durable,
      queued: sequence - this.#durable,
      room: this.#journal.room,
    };
  }

  afterWriting(run: () => void): void {
    if (this.#writing === undefined || this.#fatal) run();
    else this.#afterWriting.add(run);
  }

  submit<Type extends CommandType>(
    command: CommandOf<Type>,
  ): Promise<Result<Outcomes[Type], Rejection>> {
    if (!this.#serving) return refused('notServing');
    if (this.#machine.sequence - this.#durable >= this.#queueMax) return refused('tooManyRequests');
    this.#scratch.clear();
    writeCommand(this.#scratch, command as Command);
    // What is executed is what a replay will read, to the last stray character; what cannot be read
    // back throws here, before it can do harm.
    const asRead = commandIn(this.#scratch.view());
    const reason = this.#refusalFor(asRead, this.#scratch.length);
    if (reason !== undefined) return refused(reason);

    const held = this.#open;
    const at = this.#now();
    const executed = this.#execute(asRead, at);
    if (executed === undefined) return refused('notServing');
    held.writer.add(executed.sequence, at, this.#scratch);
    held.executed.push(executed);
    held.submittedAt.push(this.#options.clock.monotonic());
    this.#flushSoon();
    this.#watchDeadlines();
    // The outcome of a command has the type its table row gives it; the machine speaks of all of
    // them at once.
    return new Promise((resolve) => held.answers.push(resolve as Answer));
  }

  /** Nothing is executed that might not find its place in the journal. */
  #refusalFor(command: Command, commandBytes: number): RejectionReason | undefined {
    if (commandBytes > commandBytesMax(this.#journal.batchBytesMax)) return 'bodyTooLarge';
    if (!this.#open.writer.fits(commandBytes)) this.#flush();
    // That may have been the end of it.
    if (!this.#serving) return 'notServing';
    if (!this.#open.writer.fits(commandBytes)) return 'tooManyRequests';
    const urgent = this.#options.isUrgent?.(command) ?? false;
    const admission = this.#journal.admits(this.#open.writer.bytesWith(commandBytes), urgent);
    if (admission === 'yes') return undefined;
    return admission === 'later' ? 'tooManyRequests' : 'notServing';
  }

  /** The wall clock may jump; the exchange's never goes back. */
  #now(): Timestamp {
    const now = this.#machine.exchangeTime(this.#options.clock.wall());
    return now > this.#machine.at ? now : this.#machine.at;
  }

  #execute(command: Command, at: Timestamp): Executed | undefined {
    const expected = this.#machine.sequence + 1;
    try {
      const executed = this.#machine.execute(command, at);
      invariant(
        executed.sequence === expected && this.#machine.sequence === expected,
        'each command takes the next sequence',
      );
      invariant(this.#machine.at >= at, 'exchange time never goes back');
      return executed;
    } catch (error) {
      // The state may be half changed: what is held back can no longer be vouched for either.
      this.#stopForGood(error);
      return undefined;
    }
  }

  #flushSoon(): void {
    if (this.#flushing || this.#writing !== undefined) return;
    this.#flushing = true;
    this.#scheduler.soon(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  /** Hands the open batch over, unless one is on its way: the next goes when that has arrived. */
  #flush(): void {
    if (this.#fatal || this.#writing !== undefined || this.#open.writer.count === 0) return;
    const held = this.#open;
    this.#writing = held;
    this.#open = this.#spare;
    this.#open.begin(this.#journal);
    const last = this.#machine.sequence;
    try {
      this.#journal.append(held.writer, (last + 1) as Sequence, this.#machine.digest()).then(
        () => this.#settle(held, last),
        (error: unknown) => this.#stopForGood(error),
      );
    } catch (error) {
      // A broken invariant, of the journal or of the machine's digest.
      this.#stopForGood(error);
    }
  }

  /**
   * The batch is durable: the next one goes out, then the views hear of this one, then those who
   * asked.
   */
  #settle(held: HeldBatch, last: Sequence): void {
    if (this.#fatal) return;
    const { executed, answers } = held;
    this.#durable = last;
    this.#writing = undefined;
    this.#spare = held;
    // Its lists are this call's own from here on: the batch itself may be filled again before they
    // are used up.
    this.#flush();
    if (!this.#fatal) this.#publish(executed);
    for (let at = 0; at < answers.length; at++)
      answers[at]!(this.#fatal ? OUTCOME_UNKNOWN : executed[at]!.outcome);
    if (this.#machine.sequence === this.#durable) this.#drained();
    this.#letOn();
  }

  /** Answers are sent first, and what has come meanwhile is read. */
  #letOn(): void {
    const waiting = this.#afterWriting;
    if (waiting.size === 0) return;
    this.#afterWriting = new Set();
    this.#scheduler.soon(() => {
      for (const run of waiting) run();
    });
  }

  #publish(executed: readonly Executed[]): void {
    try {
      this.#options.publish(executed);
    } catch (error) {
      this.#stopForGood(error);
    }
  }

  #watchDeadlines(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.#scheduler.after(this.#deadlineMs / 4, () => {
      this.#watching = false;
      const since = this.#options.clock.monotonic() - this.#deadlineMs;
      this.#writing?.giveUp(since);
      this.#open.giveUp(since);
      if (!this.#fatal && this.#machine.sequence !== this.#durable) this.#watchDeadlines();
    });
  }

  /**
   * Acknowledges nothing more. What is held back may or may not have become durable; only a start
   * will tell.
   */
  #stopForGood(error: unknown): void {
    if (this.#fatal) return;
    this.#fatal = true;
    this.#serving = false;
    this.#writing?.giveUp(Number.POSITIVE_INFINITY);
    this.#open.giveUp(Number.POSITIVE_INFINITY);
    this.#drained();
    this.#letOn();
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.#options.onFatal({
      sequence: this.#machine.sequence,
      stateHash: this.#stateHash(),
      reason,
    });
  }

  /** As well as a machine that is not to be trusted can tell. */
  #stateHash(): string {
    try {
      return this.#machine.stateHash();
    } catch {
      return 'unknown';
    }
  }

  /**
   * Once, however often it is asked for: a file that is closed twice may be somebody else's by
   * then.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#serving = false;
    if (!this.#fatal && this.#machine.sequence !== this.#durable) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await this.#journal.close();
  }
}

export const createSequencer = (options: SequencerOptions): Sequencer =>
  new JournalingSequencer(options);
