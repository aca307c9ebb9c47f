/**
 * Orders commands. Each is executed at once in memory and written into the open batch; its outcome
 * and events are held back until that batch is durable. So a command that breaks an invariant never
 * reaches the journal, and no client sees a result that could still be lost.
 */
import { ByteWriter } from '../kernel/bytes.ts';
import type { Sequence } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Refused, type Result, refuse } from '../kernel/result.ts';
import type { Clock, Timestamp } from '../kernel/time.ts';
import { writeCommand } from '../messages/command-codec.ts';
import type { Command, CommandOf, CommandType } from '../messages/commands.ts';
import type { Outcomes } from '../messages/outcomes.ts';
import { type Rejection, type RejectionReason, rejection } from '../messages/rejections.ts';
import { type Answer, HeldBatch, OUTCOME_UNKNOWN } from './held-batch.ts';
import type { Journal } from './journal.ts';
import type { Executed, Machine } from './machine.ts';
import { commandIn } from './reader.ts';
import { commandBytesMax } from './record.ts';
import { nodeScheduler, type Scheduler } from './scheduler.ts';

/** Why the engine stopped. */
export interface Fatality {
  readonly sequence: Sequence;
  readonly stateHash: string;
  readonly reason: string;
}

export interface SequencerOptions {
  readonly machine: Machine;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Receives durable batches, in order and once, before their commands are answered. */
  readonly publish: (batches: readonly Executed[]) => void;
  /** Must end the program, because the engine can no longer be trusted. */
  readonly onFatal: (fatality: Fatality) => void;
  /** Commands that may use the disk reserve when the disk is full. */
  readonly isUrgent?: (command: Command) => boolean;
  readonly queueMax?: number;
  readonly deadlineMs?: number;
  readonly scheduler?: Scheduler;
}

export interface SequencerStatus {
  /** The last executed command, and the last durable one. */
  readonly sequence: Sequence;
  readonly durable: Sequence;
  /** Number of commands executed but not yet durable. */
  readonly queued: number;
  /** False while the disk has no room and only urgent commands are accepted. */
  readonly room: boolean;
}

export interface Sequencer {
  /** Throws, and executes nothing, if the journal cannot hold the command. */
  submit<Type extends CommandType>(
    command: CommandOf<Type>,
  ): Promise<Result<Outcomes[Type], Rejection>>;
  status(): SequencerStatus;
  /**
   * Runs at once if no batch is being written. Otherwise runs once, after that batch is durable and
   * all its commands are answered.
   */
  afterWriting(run: () => void): void;
  /** Refuses new commands, answers accepted ones, and closes the journal. */
  stop(): Promise<void>;
}

/** A longer queue could not become durable in the time a client waits. */
const QUEUE_MAX = 8_192;
/** A client gets "outcome unknown" before its own timeout. */
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
  /** A set, because a caller may register the same function several times during a slow write. */
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
    // Executes the encoded command, so that a replay executes exactly the same. A command that
    // cannot be read back throws here, before it has an effect.
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
    // The command table gives each outcome its type; the machine returns their union.
    return new Promise((resolve) => held.answers.push(resolve as Answer));
  }

  /** Refuses a command that might not fit in the journal, before it is executed. */
  #refusalFor(command: Command, commandBytes: number): RejectionReason | undefined {
    if (commandBytes > commandBytesMax(this.#journal.batchBytesMax)) return 'bodyTooLarge';
    if (!this.#open.writer.fits(commandBytes)) this.#flush();
    // The flush may have ended the journal.
    if (!this.#serving) return 'notServing';
    if (!this.#open.writer.fits(commandBytes)) return 'tooManyRequests';
    const urgent = this.#options.isUrgent?.(command) ?? false;
    const admission = this.#journal.admits(this.#open.writer.bytesWith(commandBytes), urgent);
    if (admission === 'yes') return undefined;
    return admission === 'later' ? 'tooManyRequests' : 'notServing';
  }

  /** The wall clock may jump; exchange time never goes back. */
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
      // The state may be half changed, so the held results can no longer be trusted either.
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

  /** Writes the open batch. If another batch is being written, `#settle` calls this again. */
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
      this.#stopForGood(error);
    }
  }

  /**
   * The batch is durable: start writing the next one, publish this one to the views, then answer
   * its commands.
   */
  #settle(held: HeldBatch, last: Sequence): void {
    if (this.#fatal) return;
    const { executed, answers } = held;
    this.#durable = last;
    this.#writing = undefined;
    this.#spare = held;
    // `#flush` may refill `held`, so only the lists that were taken from it above are used below.
    this.#flush();
    if (!this.#fatal) this.#publish(executed);
    for (let at = 0; at < answers.length; at++)
      answers[at]!(this.#fatal ? OUTCOME_UNKNOWN : executed[at]!.outcome);
    if (this.#machine.sequence === this.#durable) this.#drained();
    this.#letOn();
  }

  /** Runs the waiting functions after the answers are sent and new requests are read. */
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
   * Stops all acknowledgements. Pending commands may or may not be durable, which only the next
   * start can determine.
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

  /** Best effort, because the machine cannot be trusted. */
  #stateHash(): string {
    try {
      return this.#machine.stateHash();
    } catch {
      return 'unknown';
    }
  }

  /** Idempotent: closing a file twice could close another file that reuses its descriptor. */
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
