/**
 * Requests snapshots beside trading, after enough commands or events and when the operator asks.
 * One runs at a time.
 */
import type { Sequence } from '../kernel/ids.ts';
import type { HashedState } from './known-state.ts';
import { SnapshotThread } from './snapshot-thread.ts';

/** Bounds the replay of a start to seconds: an event costs five to ten microseconds. */
const COMMANDS_PER_SNAPSHOT = 200_000;
/**
 * A command of the simulated market causes about 24 events, and a batch of twenty trades a hundred.
 * A clock move causes a whole day of them (JRN-37). A lower value would cost more, because each
 * snapshot writes the whole state.
 */
const EVENTS_PER_SNAPSHOT = 1_000_000;
/**
 * A month with the simulated market has some 700,000 events. Replaying 50,000 takes half a second
 * of a core.
 */
const EVENTS_PER_MOVED_SNAPSHOT = 50_000;
/**
 * A snapshot has a lower priority than trading. On a busy machine it may be later than this, and
 * then the move waits.
 */
const EVENTS_UNCOVERED_MAX = 100_000;

export interface SnapshotsOptions {
  readonly folder: string;
  /** The last durable sequence. */
  readonly durable: () => Sequence;
  /** Number of events since the snapshot used at the start. */
  readonly events: () => number;
  /** Makes history survive a power cut; resolves to the sequence it reaches. */
  readonly storedForGood: () => Promise<Sequence>;
  readonly onMade: (made: HashedState) => void;
  readonly onFailure: (error: Error) => void;
}

/**
 * The exchange ends and aborts a requested snapshot. Nothing is lost (JRN-09), so it is not
 * reported.
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
  /** Events up to the last snapshot or the one in progress. */
  #eventsCovered = 0;
  #making: Promise<HashedState> | undefined;
  readonly #thread = new SnapshotThread();
  #isEnding = false;

  constructor(options: SnapshotsOptions, last: Sequence) {
    this.#options = options;
    this.#last = last;
  }

  /**
   * Makes a snapshot of everything that is durable now. A request during one makes another
   * afterwards.
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
   * Called regularly: makes a snapshot when enough has happened since the last. After a failure the
   * count starts again.
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
   * During a clock move, bounds the events that no snapshot covers, finished or in progress
   * (JRN-41).
   */
  async stayClose(): Promise<void> {
    const uncovered = this.#options.events() - this.#eventsCovered;
    if (uncovered < EVENTS_PER_MOVED_SNAPSHOT) return;
    if (this.#making !== undefined && uncovered < EVENTS_UNCOVERED_MAX) return;
    await this.#making?.catch(() => undefined);
    if (this.#isEnding) return;
    void this.#makeByItself(this.#options.durable(), this.#options.events());
  }

  /** After a failure the count starts again. */
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
   * Starts no other snapshot and does not wait for one in progress: a large state would delay the
   * end of the program.
   */
  breakOff(): void {
    this.#isEnding = true;
    void this.#thread.end();
  }

  /**
   * Aborts a snapshot in progress and waits for its thread to end: the folder may then belong to
   * another run.
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
