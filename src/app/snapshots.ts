/**
 * Asks for snapshots beside trading: now and then by itself, and whenever the operator wants one.
 * One at a time.
 */
import type { Sequence } from '../kernel/ids.ts';
import type { HashedState } from './known-state.ts';
import { SnapshotThread } from './snapshot-thread.ts';

/**
 * A start then executes at most about this much again, which takes seconds: an event costs five to
 * ten microseconds.
 */
const COMMANDS_PER_SNAPSHOT = 200_000;
/**
 * The simulated market's commands cause two dozen events each, a batch of twenty that trade a
 * hundred, and a clock that is moved makes a day of them at once (JRN-37). More often would be the
 * dearer for it: each snapshot writes the whole state.
 */
const EVENTS_PER_SNAPSHOT = 1_000_000;
/**
 * A month with the simulated market has some 700,000 events. Executed again, 50,000 take half a
 * second of a core.
 */
const EVENTS_PER_MOVED_SNAPSHOT = 50_000;
/**
 * A snapshot gives way to trading: on a busy machine it may be late by more, and then the move
 * waits.
 */
const EVENTS_UNCOVERED_MAX = 100_000;

export interface SnapshotsOptions {
  readonly folder: string;
  /** The last durable sequence. */
  readonly durable: () => Sequence;
  /** How many events have been caused since the snapshot that the start began with. */
  readonly events: () => number;
  /** Makes history survive a power cut; answers how far it reaches. */
  readonly storedForGood: () => Promise<Sequence>;
  readonly onMade: (made: HashedState) => void;
  readonly onFailure: (error: Error) => void;
}

/**
 * The exchange ends, and with it a snapshot that was asked for: nothing is lost by that (JRN-09),
 * and nobody has to be told.
 */
export class SnapshotBrokenOff extends Error {
  override readonly name = 'SnapshotBrokenOff';

  constructor() {
    super('the exchange ends: no snapshot is made any more');
  }
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #last: Sequence;
  #eventsAtLast = 0;
  /** Those up to the last snapshot, or to the one that is being made. */
  #eventsCovered = 0;
  #making: Promise<HashedState> | undefined;
  readonly #thread = new SnapshotThread();
  #isEnding = false;

  constructor(options: SnapshotsOptions, last: Sequence) {
    this.#options = options;
    this.#last = last;
  }

  /**
   * Makes one of everything that is durable now. Asked again meanwhile, it makes another one after.
   */
  async make(): Promise<HashedState> {
    while (this.#making !== undefined) await this.#making.catch(() => undefined);
    if (this.#isEnding) throw new SnapshotBrokenOff();
    const events = this.#options.events();
    this.#eventsCovered = events;
    this.#making = this.#run();
    try {
      const made = await this.#making;
      this.#last = made.sequence;
      this.#eventsAtLast = events;
      this.#options.onMade(made);
      return made;
    } finally {
      this.#making = undefined;
    }
  }

  /**
   * Called now and then: makes one when enough has happened since the last. After a failure as much
   * has to happen again.
   */
  consider(): void {
    const durable = this.#options.durable();
    const events = this.#options.events();
    const isEnough =
      durable - this.#last >= COMMANDS_PER_SNAPSHOT ||
      events - this.#eventsAtLast >= EVENTS_PER_SNAPSHOT;
    if (this.#making !== undefined || !isEnough) return;
    void this.#makeByItself(durable, events);
  }

  /**
   * On a way of the clock: events that no snapshot covers, not even one that is being made, stay
   * few (JRN-41).
   */
  async stayClose(): Promise<void> {
    const uncovered = this.#options.events() - this.#eventsCovered;
    if (uncovered < EVENTS_PER_MOVED_SNAPSHOT) return;
    if (this.#making !== undefined && uncovered < EVENTS_UNCOVERED_MAX) return;
    await this.#making?.catch(() => undefined);
    if (this.#isEnding) return;
    void this.#makeByItself(this.#options.durable(), this.#options.events());
  }

  /** After a failure as much has to happen again. */
  async #makeByItself(durable: Sequence, events: number): Promise<void> {
    try {
      await this.make();
    } catch (error) {
      this.#last = durable;
      this.#eventsAtLast = events;
      if (!(error instanceof SnapshotBrokenOff)) this.#options.onFailure(error as Error);
    }
  }

  /**
   * Begins no other, and does not wait for one that is being made: of a large state it may take
   * longer than anybody waits for a program to end.
   */
  breakOff(): void {
    this.#isEnding = true;
    void this.#thread.end();
  }

  /**
   * Breaks one off that is being made, and waits until its thread is gone: the folder may be
   * another life's by then.
   */
  async settle(): Promise<void> {
    this.breakOff();
    await this.#making?.catch(() => undefined);
    await this.#thread.end();
  }

  async #run(): Promise<HashedState> {
    const { folder, durable, storedForGood } = this.#options;
    // While history cannot be written, nothing that it may still need is pruned.
    const neededFrom = await storedForGood().catch(() => 0 as Sequence);
    if (this.#isEnding) throw new SnapshotBrokenOff();
    try {
      return await this.#thread.make({ folder, upTo: durable(), neededFrom });
    } catch (error) {
      throw this.#isEnding ? new SnapshotBrokenOff() : error;
    }
  }
}
